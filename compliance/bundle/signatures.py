"""Looks at signatures: who signed, who vouches for the signer, and whether anything was changed.

Nothing is fetched: only the authorities that the user names are trusted.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any

from compliance.bundle.keys import read_certificates, refuse_without_packages
from reports.hidden_characters import one_line
from reports.wording import moment


@dataclass(frozen=True)
class Trust:
    """Whom the user trusts, and at which moment a certificate has to be good."""

    authorities: tuple[Path, ...] = ()
    at: datetime | None = None
    """Now, if it is not said."""

    @property
    def moment(self) -> datetime:
        """The moment that counts."""
        return self.at or datetime.now(UTC)


@dataclass(frozen=True)
class Signature:
    """What is known of a signature."""

    of: str
    """What is signed."""
    signer: str
    issuer: str
    """Who says that the signer is who he is."""
    claimed: datetime | None
    """When it was signed, as the signer says; nobody has confirmed it."""
    vouched: str
    """The trusted authority at the end of the chain; empty if there is none."""
    problems: tuple[str, ...]
    """Why it is not to be relied on."""
    asked: bool
    """Whether any trusted authority was named."""

    @property
    def sound(self) -> bool:
        """Whether what is signed is as it was signed, and the signer vouched for."""
        return not self.problems

    def sentences(self) -> Iterator[str]:
        """What a reader is told."""
        when = f", on {moment(self.claimed)} by the signer's own clock" if self.claimed else ""
        yield f"{self.of} is signed by {self.signer}{when}."
        if self.vouched:
            yield f"{self.vouched} vouches for the signer."
        elif not self.asked:
            yield (
                f"The signer is named by {self.issuer}; whether that is to be trusted was not "
                "asked: name its certificate with --trust."
            )


def detached(content: bytes, signature: bytes, of: str, trust: Trust) -> Signature:
    """The detached CMS signature of some bytes."""
    refuse_without_packages()
    from asn1crypto import cms  # type: ignore[import-untyped]
    from pyhanko.sign.validation import async_validate_detached_cms

    try:
        found = cms.ContentInfo.load(signature, strict=True)
        if found["content_type"].native != "signed_data":
            return _unreadable(of, trust)
        signed = found["content"]
        if len(signed["signer_infos"]) != 1:
            return _unreadable(of, trust)
        context, usage = _context(trust), _usage()
        status = _run(
            async_validate_detached_cms(
                content, signed, signer_validation_context=context, key_usage_settings=usage
            )
        )
    except Exception as problem:
        # Whatever its bytes are made to be: what cannot be read is no signature.
        return _unreadable(of, trust, problem)
    return _told(status, of, trust, ())


def in_pdf(content: bytes, of: str, trust: Trust) -> list[Signature]:
    """Every signature within a PDF."""
    refuse_without_packages()
    from pyhanko.pdf_utils.reader import PdfFileReader
    from pyhanko.sign.validation import async_validate_pdf_signature

    try:
        embedded = list(PdfFileReader(BytesIO(content)).embedded_regular_signatures)
    except Exception as problem:
        return [_unreadable(of, trust, problem)]
    found = []
    for one in embedded:
        try:
            status = _run(
                async_validate_pdf_signature(
                    one, signer_validation_context=_context(trust), key_usage_settings=_usage()
                )
            )
        except Exception as problem:
            found.append(_unreadable(of, trust, problem))
            continue
        later = (
            ()
            if status.bottom_line or _whole(status)
            else (
                "It was changed after it was "
                "signed: something was added that the signature does not speak of.",
            )
        )
        found.append(_told(status, of, trust, later))
    return found


def _whole(status: Any) -> bool:
    """Whether the signature speaks of the whole file."""
    from pyhanko.sign.validation.status import SignatureCoverageLevel

    return bool(status.coverage == SignatureCoverageLevel.ENTIRE_FILE)


def _run(work: Coroutine[Any, Any, Any]) -> Any:
    # What it says on the way, with its tracebacks, is said here in sentences.
    for name in ("pyhanko", "pyhanko_certvalidator"):
        logging.getLogger(name).setLevel(logging.CRITICAL)
    return asyncio.run(work)


def _usage() -> Any:
    from pyhanko.sign.validation.settings import KeyUsageConstraints

    return KeyUsageConstraints(key_usage={"digital_signature", "non_repudiation"})


def _context(trust: Trust) -> Any:
    from asn1crypto import x509
    from cryptography.hazmat.primitives.serialization import Encoding
    from pyhanko_certvalidator import ValidationContext

    roots = [
        x509.Certificate.load(found.public_bytes(Encoding.DER))
        for path in trust.authorities
        for found in read_certificates(path)
    ]
    # No list of revoked certificates is at hand: the user's authorities are asked for theirs.
    return ValidationContext(
        trust_roots=roots, allow_fetching=False, moment=trust.moment, revocation_mode="soft-fail"
    )


def _told(status: Any, of: str, trust: Trust, more: Sequence[str]) -> Signature:
    own = status.signing_cert
    problems = list(more)
    if not status.intact:
        problems.append("It was altered after it was signed.")
    elif not status.valid:
        problems.append("The signature was not made with the key of its certificate.")
    begins, ends = own.not_valid_before, own.not_valid_after
    if trust.moment > ends:
        problems.append(f"The certificate of the signer expired on {moment(ends)}.")
    elif trust.moment < begins:
        problems.append(f"The certificate of the signer is valid only from {moment(begins)} on.")
    elif trust.authorities and status.intact and not status.trusted:
        problems.append(f"No authority that you trust vouches for the signer{_why(status)}.")
    vouched = ""
    if status.trusted and status.validation_path is not None:
        vouched = _name(next(iter(status.validation_path)).subject)
    return Signature(
        of,
        _name(own.subject),
        _name(own.issuer),
        status.signer_reported_dt,
        vouched,
        tuple(problems),
        bool(trust.authorities),
    )


def _why(status: Any) -> str:
    problem = getattr(status, "trust_problem_indic", None)
    return f" ({problem.name.lower().replace('_', ' ')})" if problem is not None else ""


def _name(name: Any) -> str:
    said = name.native
    own, house = (said.get(part) for part in ("common_name", "organization_name"))
    told = f"{own} ({house})" if own and house else own or house or name.human_friendly
    return one_line(str(told))[:300]


def _unreadable(of: str, trust: Trust, problem: Exception | None = None) -> Signature:
    why = f" ({one_line(str(problem))[:200]})" if problem is not None and str(problem) else ""
    said = f"The signature cannot be read{why}."
    return Signature(of, "somebody unknown", "", None, "", (said,), bool(trust.authorities))
