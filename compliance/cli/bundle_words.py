"""The words of `compliance bundle`, and what `compliance verify` asks of signatures."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

from compliance.cli.check_words import CheckedFiles


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class SigningWords:
    """Who signs."""

    sign: Annotated[
        Path | None,
        Parameter(
            help="A PEM file with the certificate to sign with, and those between it and the "
            "authority."
        ),
    ] = None
    key: Annotated[
        Path | None, Parameter(help="The private key, in a file that only you can read.")
    ] = None
    passphrase_env: Annotated[
        str | None, Parameter(help="The variable of the environment with the key's passphrase.")
    ] = None
    passphrase_file: Annotated[
        Path | None, Parameter(help="The file, readable only by you, with the key's passphrase.")
    ] = None


@Parameter(name="*")
@dataclass(frozen=True, kw_only=True)
class TrustWords:
    """Whom to believe about signers."""

    trust: Annotated[
        list[Path] | None,
        Parameter(
            help="A file with certificates of authorities that you trust; may be repeated. With "
            "it, a signature is asked for.",
            negative=(),
        ),
    ] = None
    at: Annotated[
        str | None,
        Parameter(help="The day on which certificates have to be good, today if left out."),
    ] = None


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
