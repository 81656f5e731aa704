"""The words about signatures: who signs, and whom to believe."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from cyclopts import Parameter


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
