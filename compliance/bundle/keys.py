"""The certificate and the key that sign, and the authorities that are trusted."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from compliance.api.refusal import Refused

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ec import EllipticCurvePrivateKey
    from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey
    from cryptography.x509 import Certificate

MISSING = (
    "Signatures need packages that are not installed; `pip install 'table-compliance[sign]'` "
    "installs them."
)


def refuse_without_packages() -> None:
    """Said before the work begins."""
    try:
        import cryptography  # noqa: F401
        import pyhanko  # noqa: F401
    except ImportError:
        raise Refused(MISSING) from None


@dataclass(frozen=True)
class SigningKey:
    """Who signs."""

    certificate: Certificate
    others: tuple[Certificate, ...]
    """Certificates between the own one and the authority."""
    key: RSAPrivateKey | EllipticCurvePrivateKey


def read_signing_key(certificate: Path, key: Path, passphrase: str | None) -> SigningKey:
    """The key of a certificate, from files; only one that nobody else can read is used."""
    refuse_without_packages()
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric import ec, rsa
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    own, *others = read_certificates(certificate)
    content = _closed(key)
    try:
        found = load_pem_private_key(content, None if passphrase is None else passphrase.encode())
    except TypeError:
        if passphrase is None:
            said = f"{key} is locked; name its passphrase with --passphrase-env or -file."
            raise Refused(said) from None
        raise Refused(f"{key} is not locked, and no passphrase belongs to it.") from None
    except (ValueError, UnsupportedAlgorithm):
        said = f"{key} holds no private key that can be read, or the passphrase is another one."
        raise Refused(said) from None
    if not isinstance(found, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey):
        raise Refused(f"{key} is a key of a kind that cannot sign here; RSA and EC keys can.")
    if found.public_key() != own.public_key():
        raise Refused(f"{key} is not the key of the certificate in {certificate}.")
    return SigningKey(own, tuple(others), found)


def read_certificates(path: Path) -> list[Certificate]:
    """All certificates of a PEM file, or the one of a DER file."""
    from cryptography import x509

    try:
        content = path.read_bytes()
        if b"-----BEGIN" in content:
            return x509.load_pem_x509_certificates(content)
        return [x509.load_der_x509_certificate(content)]
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
    except ValueError:
        raise Refused(f"{path} holds no certificate that can be read.") from None


def _closed(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            mode = os.fstat(file.fileno()).st_mode
            if not stat.S_ISREG(mode) or mode & 0o077:
                raise Refused(
                    f"{path} can be read or written by others than its owner; "
                    f"`chmod 600 {path}` closes it. Nothing was signed."
                )
            return file.read()
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
