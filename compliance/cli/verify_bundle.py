"""`compliance verify` for bundles and for signed PDFs: is it whole, who signed it, and does a new
check of it say the same?"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import UTC, date, datetime, time
from pathlib import Path
from typing import Final, Literal

from compliance.api.opening import open_rules_to_judge, open_schema
from compliance.api.refusal import Refused
from compliance.api.run_check import run_check
from compliance.api.saved_run import read_run
from compliance.bundle.contents import BundledFile, Role
from compliance.bundle.opened_bundle import OpenedBundle, open_bundle
from compliance.bundle.result_files import OPTIONS
from compliance.bundle.signatures import Signature, Trust, detached, in_pdf
from compliance.checking.rulebook_identity import rulebook_hash
from compliance.cli.check_words import CheckedFiles
from compliance.cli.signing_words import TrustWords
from compliance.cli.verify_command import Answer, compared_report, words_of_saved
from reports.comparison import Difference, differences, remarks, tampered
from reports.formats import FORMATS
from reports.model import Run
from reports.run_hash import run_hash
from reports.wording import counted

_UNSIGNED: Final = "It is not signed: whoever made it can make another one."


Kind = Literal["result", "bundle", "PDF"]


def kind_of(path: Path) -> Kind:
    """What is to be verified, by its first bytes; what cannot be read is said later."""
    try:
        with path.open("rb") as file:
            start = file.read(5)
    except OSError:
        return "result"
    if start.startswith(b"PK"):
        return "bundle"
    return "PDF" if start == b"%PDF-" else "result"


def verify_bundle(path: Path, logs: Sequence[str], words: TrustWords, form: str) -> int:
    """0 if all is as it was packed and, where the logs are at hand, checked again with the same
    result; 1 if anything differs; 5 if nobody vouches for a signer."""
    trust = trust_of(words)
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        opened, wrong = open_bundle(path, Path(folder))
        answer = Answer(differences=[Difference("bundle", said) for said in wrong])
        if opened is not None:
            _signature(opened, path, trust, answer)
            if not wrong:
                _verified(opened, logs, trust, answer)
        return answer.given(form)


def verify_pdf(path: Path, words: TrustWords, form: str) -> int:
    """Say who signed a PDF, and whether it was altered since."""
    trust = trust_of(words)
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
    answer = Answer(same="Unaltered.")
    found = in_pdf(content, path.name, trust)
    if not found:
        answer.differences.append(Difference("signature", f"{path.name} is not signed."))
    _told(found, answer)
    return answer.given(form)


def trust_of(words: TrustWords) -> Trust:
    """Whom to believe, and as of which day."""
    at = None
    if words.at is not None:
        try:
            at = datetime.combine(date.fromisoformat(words.at), time(12), UTC)
        except ValueError:
            said = f"--at: {words.at} is no day; write it like 2011-12-31."
            raise Refused(said) from None
    return Trust(tuple(words.trust or ()), at)


def _told(found: Sequence[Signature], answer: Answer) -> None:
    for one in found:
        answer.remarks += one.sentences()
        answer.signatures.append(
            {
                "of": one.of,
                "signer": one.signer,
                "issuer": one.issuer,
                "claimed": one.claimed.isoformat() if one.claimed else None,
                "vouched_by": one.vouched or None,
                "sound": one.sound,
            }
        )
        answer.differences += [Difference("signature", f"{one.of}: {p}") for p in one.problems]
        answer.unvouched = answer.unvouched or not one.asked


def _signature(opened: OpenedBundle, path: Path, trust: Trust, answer: Answer) -> None:
    if opened.signature is not None:
        _told([detached(opened.told, opened.signature, path.name, trust)], answer)
    elif trust.authorities:
        answer.differences.append(Difference("signature", f"{path.name} is not signed."))
    else:
        answer.remarks.append(_UNSIGNED)


def _verified(opened: OpenedBundle, logs: Sequence[str], trust: Trust, answer: Answer) -> None:
    """What the files of a bundle say of each other."""
    [result] = opened.contents.of("result")
    saved = read_run(opened.path(result))
    answer.differences += tampered(saved.run, saved.content)
    told = opened.contents
    if told.result != run_hash(saved.run):
        answer.differences.append(Difference("bundle", "The list names another result."))
    if sorted(told.logs) != sorted((item.name, item.sha256) for item in saved.run.inputs):
        answer.differences.append(Difference("bundle", "The list names other logs."))
    answer.differences += _not_as_consulted(opened, saved.run)
    for file in told.of("report"):
        _report(opened, file, saved.run, trust, answer)
    files = _files(opened)
    packed = [str(opened.path(file)) for file in told.of("log")]
    if not (packed or logs):
        _rules_alone(saved.run, files, answer)
        return
    again, _ = run_check(packed or list(logs), words_of_saved(saved.run, files))
    answer.differences += differences(saved.run, again)
    answer.remarks += [said for said in remarks(saved.run, again) if "command" not in said]


def _rules_alone(run: Run, files: CheckedFiles, answer: Answer) -> None:
    """Without a log nothing is checked again; the rules can still be told."""
    schema = open_schema(files.schema)
    rulebook = open_rules_to_judge(files.rules or [], schema, run.profile or None)
    if rulebook_hash(rulebook) != run.rulebook.sha256:
        said = "The rules of the bundle are not those that the result was made by."
        answer.differences.append(Difference("rules", said))
    names = ", ".join(item.name for item in run.inputs[:3])
    more = f" and {counted(len(run.inputs) - 3, 'more')}" if len(run.inputs) > 3 else ""
    answer.same = "Unaltered."
    answer.remarks.append(
        f"Nothing was checked again: the bundle names its logs ({names}{more}) by their hashes "
        "only. Give them after the bundle."
    )


def _not_as_consulted(opened: OpenedBundle, run: Run) -> list[Difference]:
    """Files that the result rests on must be in the bundle, and no others."""
    roles = tuple(OPTIONS)
    packed = sorted((f.role, f.sha256) for f in opened.contents.files if f.role in roles)
    needed = sorted((item.role, item.sha256) for item in run.consulted)
    if packed == needed:
        return []
    said = "The files of the bundle are not those that the result rests on."
    return [Difference("bundle", said)]


def _files(opened: OpenedBundle) -> CheckedFiles:
    """The files of the check, as they lie in the bundle."""

    def paths(role: Role) -> list[Path]:
        return [opened.path(file) for file in opened.contents.of(role)]

    def one(role: Role) -> Path | None:
        return next(iter(paths(role)), None)

    return CheckedFiles(
        rules=[str(opened.folder / "rules")],
        options=one("table options"),
        manifest=paths("manifest") or None,
        mapping=one("mapping"),
        waivers=one("waivers"),
        baseline=one("baseline"),
        after=one("the night before"),
        schema=one("event schema"),
    )


def _report(
    opened: OpenedBundle, file: BundledFile, run: Run, trust: Trust, answer: Answer
) -> None:
    """A report must be what this version makes of the result; a signature may follow it."""
    path = opened.path(file)
    if path.suffix == ".pdf":
        content = path.read_bytes()
        signed = in_pdf(content, file.path, trust) if b"/ByteRange" in content else []
        _told(signed, answer)
        made = FORMATS["pdf"].render(run) if FORMATS["pdf"].missing == "" else None
        if made is None:
            answer.remarks.append(f"{file.path} was not compared: {FORMATS['pdf'].missing}")
        elif not content.startswith(made) or (not signed and content != made):
            answer.differences.append(_another_report(file.path))
        return
    found = compared_report(run, path)
    if found:
        answer.differences.append(_another_report(file.path))


def _another_report(name: str) -> Difference:
    return Difference(
        "report",
        f"The report {name} is not what this version makes of the saved result: it was altered, "
        "or made from another one or by another version.",
    )
