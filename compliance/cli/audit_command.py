"""`compliance audit`: whether the trail of who did what is whole, and its newest hash."""

from __future__ import annotations

import re
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from compliance.cli.opened_store import opened_store
from compliance.cli.screen import Screen, Styled
from compliance.store.audit import audit_head, first_fault
from reports.verdicts import ExitCode
from reports.wording import counted

_HEAD = re.compile(r"(\d+):([0-9a-f]{64})")


def verify_trail(place: str, known: str | None, form: str) -> int:
    """Check the chain; a head that was kept elsewhere shows also what was cut off its end."""
    kept = None if known is None else _head(known)
    with opened_store(place).reading() as session:
        fault = first_fault(session, kept)
        head = audit_head(session)
    number = 0 if head is None else head.number
    if form == "json":
        Screen().json(
            {
                "schema_version": "1",
                "entries": number,
                "whole": fault is None,
                "fault": None if fault is None else {"entry": fault.number, "says": fault.sentence},
            }
        )
    elif fault is None:
        said = f"{counted(number, 'entry', 'entries')}, each sealed by the one after it"
        Screen().line(Styled(f"The trail is whole: {said}.", "bold green"))
    else:
        Screen().line(Styled(f"The trail was changed. {fault.sentence}", "bold red"))
    return int(ExitCode.CLEAN if fault is None else ExitCode.VIOLATIONS)


def show_head(place: str, output: Path | None, form: str) -> int:
    """The newest entry, in a form that `--head` reads."""
    with opened_store(place).reading() as session:
        head = audit_head(session)
    if head is None:
        raise Refused("Nothing is in the audit trail yet.")
    text = f"{head.number}:{head.sha256}"
    if output is not None:
        write_whole(output, text + "\n")
    if form == "json":
        Screen().json(
            {
                "schema_version": "1",
                "entry": head.number,
                "sha256": head.sha256,
                "at": head.at.isoformat(),
            }
        )
    elif output is None:
        Screen().line(text)
    return int(ExitCode.CLEAN)


def _head(given: str) -> tuple[int, str]:
    path = Path(given)
    try:
        text = path.read_text("utf-8").strip() if path.is_file() else given
    except (OSError, UnicodeDecodeError):
        raise Refused(f"--head: {given} cannot be read.") from None
    found = _HEAD.fullmatch(text)
    if found is None:
        raise Refused("--head: a head is written as `compliance audit head` does, 1204:5f3c...")
    return int(found[1]), found[2]
