"""Signatures of bundles and PDFs: the signer is named, and nobody is believed who is not vouched
for."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from functools import cache
from io import BytesIO
from pathlib import Path
from typing import Any

import pypdf
import pytest

from compliance.bundle.contents import LIST, SIGNATURE
from compliance.bundle.keys import SigningKey
from compliance.bundle.signing import detached_signature, signed_pdf
from tests.compliance.bundle.handed_over import (
    Capture,
    Office,
    checked_office,
    entries,
    listed,
    repacked,
)
from tests.compliance.certificates import Holder, authority, holder
from tests.compliance.cli.test_json_keys import documented, keys
from tests.tree import ROOT

PASSPHRASE = "correct horse"  # noqa: S105 - of nobody


@pytest.fixture
def office(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> Office:
    folder = tmp_path / "office"
    folder.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("KEY_PASSPHRASE", PASSPHRASE)
    authority().write_certificate(folder / "authority.pem")
    return checked_office(folder, capsys)


def signing(office: Office, signer: Holder) -> list[object]:
    certificate = signer.write_certificate(office.path("night-shift.pem"))
    key = office.path("night-shift.key")
    key.unlink(missing_ok=True)
    signer.write_key(key, PASSPHRASE)
    return ["--sign", certificate, "--key", key, "--passphrase-env", "KEY_PASSPHRASE"]


def verify(office: Office, *words: object) -> tuple[int, str]:
    code, out, err = office.run("verify", office.bundle, *words)
    assert not err, err
    return code, out


def trusting(office: Office) -> list[object]:
    return ["--trust", office.path("authority.pem")]


@pytest.mark.parametrize("kind", ["EC", "RSA"])
def test_the_signer_is_named_and_who_vouches_for_him(office: Office, kind: str) -> None:
    words = signing(office, holder("Night Shift", kind=kind))
    office.packed("--with-log", office.path("night.jsonl"), *words)
    bundle = office.elsewhere(office.bundle)
    code, out, err = office.run("verify", bundle, *trusting(office))
    assert (code, err) == (0, "")
    assert "night.bundle is signed by Night Shift" in out
    assert "Gaming Authority vouches for the signer." in out
    code, out, _ = office.run("verify", bundle, *trusting(office), "--format", "json")
    signatures = {key for key in documented("verify") if key.startswith("signatures[]")}
    assert {key for key in keys(json.loads(out)) if key.startswith("signatures[]")} == signatures
    [told] = json.loads(out)["signatures"]
    assert (told["signer"], told["vouched_by"], told["sound"]) == (
        "Night Shift",
        "Gaming Authority",
        True,
    )


def test_without_a_trusted_authority_a_signature_proves_nothing(office: Office) -> None:
    office.packed(*signing(office, holder("Night Shift")))
    code, out = verify(office)
    assert code == 5
    assert "whether that is to be trusted was not asked" in out


def test_a_signature_that_is_asked_for_must_be_there(office: Office) -> None:
    office.packed()
    code, out = verify(office, *trusting(office))
    assert code == 1
    assert "night.bundle is not signed" in out


@pytest.mark.parametrize(
    ("days", "said"), [((-30, -10), "expired on"), ((10, 30), "is valid only from")]
)
def test_a_certificate_must_be_good_on_the_day(
    office: Office, days: tuple[int, int], said: str
) -> None:
    office.packed(*signing(office, holder("Night Shift", days)))
    code, out = verify(office, *trusting(office))
    assert code == 1
    assert said in out
    day = (datetime.now(UTC) + timedelta(days=sum(days) // 2)).date()
    assert verify(office, *trusting(office), "--at", day)[0] == 0


def test_nobody_is_believed_for_whom_another_authority_vouches(office: Office) -> None:
    other = authority("Somebody Else")
    office.packed(*signing(office, holder("Night Shift", by=other)))
    code, out = verify(office, *trusting(office))
    assert code == 1
    assert "No authority that you trust vouches for the signer" in out


def test_an_authority_of_the_same_name_is_another_one(office: Office) -> None:
    forged = authority.__wrapped__("Gaming Authority")
    office.packed(*signing(office, holder("Night Shift", by=forged)))
    assert verify(office, *trusting(office))[0] == 1


def test_what_is_altered_after_it_was_signed_is_found(office: Office) -> None:
    office.packed(*signing(office, holder("Night Shift")))
    files = entries(office.bundle)
    told = listed(files)
    told["made_by"] = "somebody"
    repacked(office.bundle, files | {LIST: json.dumps(told).encode()})
    code, out = verify(office, *trusting(office))
    assert code == 1
    assert "It was altered after it was signed" in out


@pytest.mark.parametrize("content", [b"", b"nonsense", b"0\x80", b"0\x82\xff\xff" + bytes(99)])
def test_a_signature_that_is_none_is_told(office: Office, content: bytes) -> None:
    files = entries(office.packed(*signing(office, holder("Night Shift"))))
    repacked(office.bundle, files | {SIGNATURE: content})
    code, out = verify(office, *trusting(office))
    assert code == 1
    assert "The signature cannot be read" in out


def test_a_signature_of_another_bundle_does_not_count(office: Office) -> None:
    own = holder("Night Shift")
    files = entries(office.packed(*signing(office, own)))
    other = detached_signature(b"another list", SigningKey(own.certificate, (), own.key))
    repacked(office.bundle, files | {SIGNATURE: other})
    code, out = verify(office, *trusting(office))
    assert code == 1
    assert "It was altered after it was signed" in out


# ---- keys ----------------------------------------------------------------------------------


def _refused(office: Office, *words: object) -> str:
    code, _, err = office.pack(*words)
    assert code == 2
    assert PASSPHRASE not in err
    assert not office.bundle.exists()
    return err


def test_a_key_that_others_can_read_signs_nothing(office: Office) -> None:
    words = signing(office, holder("Night Shift"))
    office.path("night-shift.key").chmod(0o644)
    assert "chmod 600" in _refused(office, *words)


def test_a_wrong_passphrase_and_a_missing_one_are_told(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = signing(office, holder("Night Shift"))
    assert "is locked; name its passphrase" in _refused(office, *words[:4])
    monkeypatch.setenv("KEY_PASSPHRASE", "wrong")
    assert "or the passphrase is another one" in _refused(office, *words)
    monkeypatch.delenv("KEY_PASSPHRASE")
    assert "The environment has no KEY_PASSPHRASE" in _refused(office, *words)


def test_a_passphrase_is_read_from_a_closed_file(office: Office) -> None:
    words = signing(office, holder("Night Shift"))[:4]
    file = office.path("passphrase")
    file.write_text(PASSPHRASE)
    file.chmod(0o644)
    assert "chmod 600" in _refused(office, *words, "--passphrase-file", file)
    file.chmod(0o600)
    office.packed(*words, "--passphrase-file", file)
    assert verify(office, *trusting(office))[0] == 0


def test_a_key_of_another_certificate_signs_nothing(office: Office) -> None:
    words = signing(office, holder("Night Shift"))
    holder("Another").write_certificate(office.path("night-shift.pem"))
    assert "is not the key of the certificate" in _refused(office, *words)


# ---- PDFs ----------------------------------------------------------------------------------


@cache
def report() -> bytes:
    """A report as the product writes it: PDF/A."""
    return (ROOT / "docs" / "sample-report.pdf").read_bytes()


@pytest.fixture(params=["EC", "RSA"])
def signed(office: Office, request: pytest.FixtureRequest) -> Path:
    own = holder("Night Shift", kind=request.param)
    path = office.path("report.pdf")
    path.write_bytes(signed_pdf(report(), SigningKey(own.certificate, (), own.key), "report.pdf"))
    return path


def test_a_signed_pdf_says_who_signed_it(office: Office, signed: Path) -> None:
    code, out, err = office.run("verify", signed, *trusting(office))
    assert (code, err) == (0, "")
    assert "report.pdf is signed by Night Shift" in out
    assert out.endswith("Unaltered.\n")


def test_a_signed_pdf_keeps_every_byte_of_the_report_and_the_marks_of_pdf_a(signed: Path) -> None:
    content = signed.read_bytes()
    assert content.startswith(report())
    before, after = (pypdf.PdfReader(BytesIO(data)) for data in (report(), content))

    def marks(reader: pypdf.PdfReader) -> Any:
        root = reader.trailer["/Root"]
        told = reader.xmp_metadata
        assert told is not None
        profile = root["/OutputIntents"][0]["/S"]  # type: ignore[index]
        kind = told.pdfaid_part, told.pdfaid_conformance, told.dc_title, told.xmp_create_date
        return *kind, profile, root["/MarkInfo"], root["/Lang"], len(reader.pages)  # type: ignore[index]

    assert marks(after) == marks(before)
    assert marks(after)[:2] == ("2", "A")
    # PDF/A wants both to say the same, and no newer PDF.
    told = after.xmp_metadata
    assert told is not None
    assert after.metadata is not None
    changed = after.metadata.modification_date
    assert changed is not None
    assert told.xmp_modify_date == changed.astimezone(UTC).replace(tzinfo=None)
    assert after.pdf_header == "%PDF-1.7"
    assert "/Version" not in after.trailer["/Root"]  # type: ignore[operator]
    form = after.trailer["/Root"]["/AcroForm"]  # type: ignore[index]
    assert not form.get("/NeedAppearances", False)
    [field] = [item.get_object() for item in form["/Fields"]]
    # PDF/A wants every annotation printed, none hidden, and lets one of no size have no looks.
    flags = int(field["/F"])
    assert flags & 4
    assert not flags & (1 | 2 | 32)
    left, low, right, high = map(float, field["/Rect"])
    assert (right - left, high - low) == (0, 0)
    assert "/Encrypt" not in after.trailer


def test_a_byte_altered_in_a_signed_pdf_is_found(office: Office, signed: Path) -> None:
    content = bytearray(signed.read_bytes())
    place = content.index(b"/Title") if b"/Title" in content else 5_000
    content[place + 9] ^= 1
    signed.write_bytes(bytes(content))
    code, out, _ = office.run("verify", signed, *trusting(office))
    assert code == 1
    assert "It was altered after it was signed" in out


@pytest.mark.parametrize("signed", ["EC"], indirect=True)
def test_something_added_to_a_signed_pdf_is_found(office: Office, signed: Path) -> None:
    writer = pypdf.PdfWriter(BytesIO(signed.read_bytes()), incremental=True)
    writer.add_blank_page(200, 200)
    out = BytesIO()
    writer.write(out)
    assert out.getvalue().startswith(signed.read_bytes())
    signed.write_bytes(out.getvalue())
    code, said, _ = office.run("verify", signed, *trusting(office))
    assert code == 1
    assert "changed after it was signed" in said


def test_a_pdf_that_is_not_signed_is_told(office: Office) -> None:
    path = office.path("report.pdf")
    path.write_bytes(report())
    code, out, _ = office.run("verify", path, *trusting(office))
    assert code == 1
    assert "report.pdf is not signed" in out


def test_a_pdf_in_a_signed_bundle_is_signed_itself(office: Office) -> None:
    pdf = office.path("report.pdf")
    code, _, err = office.run("report", office.path("run.json"), "-o", pdf)
    assert code == 0, err
    office.packed("--report", pdf, *signing(office, holder("Night Shift")))
    code, out = verify(office, *trusting(office))
    assert code == 0, out
    assert "reports/report.pdf is signed by Night Shift" in out
