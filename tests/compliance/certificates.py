"""Authorities, certificates and keys for tests, made on the spot."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.x509.oid import NameOID

DAY = timedelta(days=1)


@dataclass(frozen=True)
class Holder:
    """Somebody with a certificate and its key."""

    certificate: x509.Certificate
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey

    def write_certificate(self, path: Path) -> Path:
        """The certificate as a file."""
        path.write_bytes(self.certificate.public_bytes(serialization.Encoding.PEM))
        return path

    def write_key(self, path: Path, passphrase: str = "") -> Path:
        """The key as a file that only its owner can read."""
        closed: serialization.KeySerializationEncryption = serialization.NoEncryption()
        if passphrase:
            closed = serialization.BestAvailableEncryption(passphrase.encode())
        path.touch(mode=0o600)
        path.write_bytes(
            self.key.private_bytes(
                serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, closed
            )
        )
        return path


@cache
def authority(name: str = "Gaming Authority") -> Holder:
    """Somebody who vouches for others."""
    return _made(name, None, (-365, 3650), is_authority=True)


def holder(
    name: str,
    days: tuple[int, int] = (-1, 365),
    by: Holder | None = None,
    host: bool = False,
    kind: str = "EC",
) -> Holder:
    """Somebody for whom an authority vouches, from some days after today to some others."""
    return _made(name, by or authority(), days, is_authority=False, host=host, kind=kind)


def _made(
    name: str,
    by: Holder | None,
    days: tuple[int, int],
    *,
    is_authority: bool,
    host: bool = False,
    kind: str = "EC",
) -> Holder:
    key: ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey = ec.generate_private_key(ec.SECP256R1())
    if kind == "RSA":
        key = rsa.generate_private_key(65537, 2048)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
    issuer = subject if by is None else by.certificate.subject
    issuer_key = key if by is None else by.key
    now = datetime.now(UTC).replace(microsecond=0)
    builder = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now + days[0] * DAY)
        .not_valid_after(now + days[1] * DAY)
        .add_extension(x509.BasicConstraints(ca=is_authority, path_length=None), critical=True)
        .add_extension(
            x509.KeyUsage(
                digital_signature=True,
                content_commitment=not is_authority,
                key_encipherment=False,
                data_encipherment=False,
                key_agreement=False,
                key_cert_sign=is_authority,
                crl_sign=is_authority,
                encipher_only=False,
                decipher_only=False,
            ),
            critical=True,
        )
        .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        .add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_public_key(issuer_key.public_key()),
            critical=False,
        )
    )
    if host:
        names = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        builder = builder.add_extension(x509.SubjectAlternativeName(names), critical=False)
    return Holder(builder.sign(issuer_key, hashes.SHA256()), key)
