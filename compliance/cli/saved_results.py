"""The words of `compliance report` and `compliance verify`, which start from a saved result."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.api.refusal import Refused
from compliance.cli.check_words import CheckedFiles, Outputs, ReportFormat
from compliance.cli.signing_words import TrustWords


def report(
    run: Annotated[Path, Parameter(name="RUN", help="A result that `check --format json` saved.")],
    /,
    *,
    format: Annotated[
        ReportFormat | None,
        Parameter(help="What to write, html if neither this nor -o tells it."),
    ] = None,
    template: Annotated[
        Path | None, Parameter(help="A folder with your own templates, instead of a format.")
    ] = None,
    answers: Annotated[
        Path | None,
        Parameter(help="A filled action plan (.xlsx or .csv), whose answers the report shows."),
    ] = None,
    output: Outputs = None,
) -> int:
    """Write the result of an earlier check again, in any format."""
    from compliance.cli.report_command import report_run

    return report_run(run, format, template, answers, output or ())


def verify(
    run: Annotated[
        Path,
        Parameter(
            name="RUN",
            help="A result that `check --format json` saved, a bundle, or a signed PDF.",
        ),
    ],
    logs: Annotated[
        list[str] | None, Parameter(name="LOG", help="The logs that it was made from.")
    ] = None,
    /,
    *,
    files: CheckedFiles | None = None,
    report: Annotated[
        list[Path] | None,
        Parameter(help="A report made from the result, to be compared as well.", negative=()),
    ] = None,
    trusting: TrustWords | None = None,
    format: Annotated[
        Literal["text", "json"],
        Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
    ] = "text",
) -> int:
    """Check the same logs again and say whether the result is identical, or what differs.

    Of a bundle or a PDF it also says who signed it, and who vouches for the signer.
    """
    from compliance.cli.verify_bundle import kind_of, verify_bundle, verify_pdf
    from compliance.cli.verify_command import verify_run

    kind, words = kind_of(run), trusting or TrustWords()
    if kind == "result":
        if words != TrustWords():
            raise Refused(
                "A saved result is not signed; --trust and --at are for bundles and PDFs."
            )
        return verify_run(run, logs or (), files or CheckedFiles(), report or (), format)
    if files is not None or report:
        raise Refused(f"A {kind} holds all files that it needs; leave them out.")
    if kind == "bundle":
        return verify_bundle(run, logs or (), words, format)
    if logs:
        raise Refused("A PDF is not checked again; leave the logs out.")
    return verify_pdf(run, words, format)
