"""Signs: the list of a bundle by a detached CMS signature, a PDF within itself."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

from compliance.api.refusal import Refused
from compliance.bundle.keys import SigningKey


def detached_signature(content: bytes, signer: SigningKey) -> bytes:
    """The signature of some bytes, as CMS in DER: any tool for CMS can verify it."""
    from cryptography.hazmat.primitives import hashes
    from cryptography.hazmat.primitives.serialization import Encoding, pkcs7

    builder = pkcs7.PKCS7SignatureBuilder().set_data(content)
    builder = builder.add_signer(signer.certificate, signer.key, hashes.SHA256())
    for other in signer.others:
        builder = builder.add_certificate(other)
    options = [pkcs7.PKCS7Options.DetachedSignature, pkcs7.PKCS7Options.Binary]
    return builder.sign(Encoding.DER, options)


def signed_pdf(content: bytes, signer: SigningKey, name: str) -> bytes:
    """A PDF with a signature added to it: what was there stays as it is, byte for byte."""
    from asn1crypto import keys, x509  # type: ignore[import-untyped]
    from cryptography.hazmat.primitives.serialization import (
        Encoding,
        NoEncryption,
        PrivateFormat,
    )
    from pyhanko.pdf_utils.incremental_writer import IncrementalPdfFileWriter
    from pyhanko.pdf_utils.misc import PdfError
    from pyhanko.sign import fields, signers
    from pyhanko_certvalidator.registry import SimpleCertificateStore

    def told(certificate: object) -> object:
        return x509.Certificate.load(certificate.public_bytes(Encoding.DER))  # type: ignore[attr-defined]

    known = SimpleCertificateStore()  # type: ignore[no-untyped-call]
    known.register_multiple([told(other) for other in signer.others])
    form = (Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
    hand = signers.SimpleSigner(
        signing_cert=told(signer.certificate),
        signing_key=keys.PrivateKeyInfo.load(signer.key.private_bytes(*form)),
        cert_registry=known,
    )
    how = signers.PdfSignatureMetadata(
        field_name="Compliance", md_algorithm="sha256", subfilter=fields.SigSeedSubFilter.PADES
    )

    class Writer(IncrementalPdfFileWriter):
        """Leaves the version as it is: a PDF/A is one of PDF 1.7, and stays it."""

        output_version = (1, 7)

        def ensure_output_version(self, version: tuple[int, int]) -> None:
            super().ensure_output_version(min(version, (1, 7)))  # type: ignore[no-untyped-call]

        def register_extension(self, ext: Any) -> None:
            if ext.base_version in ("/1.7", "1.7"):
                super().register_extension(ext)

    try:
        writer = Writer(BytesIO(content))
        signed = signers.sign_pdf(writer, how, signer=hand)
    except (PdfError, ValueError) as problem:
        raise Refused(f"{name} cannot be signed: {problem}.") from None
    return bytes(signed.getvalue())


def sign_pdf_file(path: Path, signer: SigningKey) -> bytes:
    """The same for a file."""
    try:
        return signed_pdf(path.read_bytes(), signer, str(path))
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
