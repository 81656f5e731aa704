"""The words of `compliance bundle`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.cli.check_words import CheckedFiles
from compliance.cli.signing_words import SigningWords


def bundle(
    run: Annotated[Path, Parameter(name="RUN", help="A result that `check --format json` saved.")],
    /,
    *,
    output: Annotated[Path, Parameter(name=("--output", "-o"), help="Where to write the bundle.")],
    files: CheckedFiles | None = None,
    report: Annotated[
        list[Path] | None,
        Parameter(help="A report made from the result; may be repeated.", negative=()),
    ] = None,
    with_log: Annotated[
        list[str] | None,
        Parameter(
            help="The logs, to be packed as well; without it they are named by their hashes.",
            negative=(),
        ),
    ] = None,
    signing: SigningWords | None = None,
    format: Annotated[
        Literal["text", "json"],
        Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
    ] = "text",
) -> int:
    """Pack a result with its reports, rules and files into one file, to be handed over."""
    from compliance.cli.bundle_command import BundleRequest, pack_result

    asked = BundleRequest(run, output, tuple(report or ()), tuple(with_log or ()))
    return pack_result(asked, files or CheckedFiles(), signing or SigningWords(), format)
