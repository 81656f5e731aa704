"""A night in a message: subject, text, page and reports, or nothing where nothing is to be told."""

from __future__ import annotations

import hashlib
import mimetypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from compliance.notices.settings import NoticeSettings
from compliance.notices.summary import NightSummary
from reports import wording
from reports.hidden_characters import one_line
from reports.verdicts import Severity

_LONGEST_SUBJECT: Final = 150
_LONGEST_LINE: Final = 2_000
_MOST_REMARKS: Final = 20
_MARKS: Final = {
    "violations": ("✕", "bad"),
    "not_supported": ("?", "doubt"),
    "failed": ("!", "bad"),
    "clean": ("✓", "good"),
}


@dataclass(frozen=True)
class Attachment:
    """A report that goes along."""

    name: str
    kind: str
    content: bytes


@dataclass(frozen=True)
class Notice:
    """A message, ready to be sent by any way."""

    number: str
    """The same each time for the same night and channel, so that receivers can tell a repeat."""
    subject: str
    text: str
    html: str
    summary: NightSummary
    attachments: tuple[Attachment, ...] = ()


def build_notice(night: NightSummary, settings: NoticeSettings) -> Notice | None:
    """The message about a night, or nothing where the channel's policy says so."""
    if not settings.wants(night):
        return None
    attached, left = _attachments(night.reports, settings)
    told = _told(night, attached, left)
    return Notice(
        _number(night, settings.name),
        _subject(night),
        _filled("notice.txt.j2", told),
        _filled("notice.html.j2", told),
        night,
        tuple(attached),
    )


def _number(night: NightSummary, channel: str) -> str:
    said = "\n".join((night.casino, night.day.isoformat(), channel))
    return hashlib.sha256(said.encode()).hexdigest()[:32]


def _subject(night: NightSummary) -> str:
    said = f"{night.casino}, night of {wording.day(night.day)}: {_in_brief(night)}"
    text = one_line(said)
    return text if len(text) <= _LONGEST_SUBJECT else text[: _LONGEST_SUBJECT - 1] + "…"


def _in_brief(night: NightSummary) -> str:
    if night.verdict == "failed":
        return "not judged"
    if night.verdict == "not_supported":
        return "no violation found, evidence in doubt"
    if night.verdict == "clean":
        return "clean"
    found, new = sum(night.violations.values()), sum(night.new.values())
    fresh = f", {new:,} new" if new else ", none new"
    return wording.counted(found, "violation") + fresh


def _told(
    night: NightSummary, attached: Sequence[Attachment], left: Sequence[str]
) -> dict[str, Any]:
    symbol, tone = _MARKS[night.verdict]
    return {
        "night": night,
        "day": wording.day(night.day),
        "symbol": symbol,
        "tone": tone,
        "violations": _by_severity(night.violations, night.new),
        "facts": list(_facts(night)),
        "remarks": [*night.remarks[:_MOST_REMARKS], *_more(night.remarks)],
        "attached": [item.name for item in attached],
        "left": left,
    }


def _by_severity(
    found: Mapping[Severity, int], new: Mapping[Severity, int]
) -> list[tuple[str, int, int]]:
    return [(item.value, found.get(item, 0), new.get(item, 0)) for item in Severity]


def _facts(night: NightSummary) -> list[tuple[str, str]]:
    numbers = (
        ("Found again", night.recurring),
        ("Back after being settled", night.reopened),
        ("No longer found", night.resolved),
        ("Waived", night.waived),
        ("Defects of the evidence", night.defects),
        ("Checks left undecided", night.undetermined),
        ("Lines that could not be read", night.quarantined),
    )
    told = [(name, f"{number:,}") for name, number in numbers if number]
    seen = f"{wording.counted(night.events, 'event')} at {wording.counted(night.tables, 'table')}"
    return [*told, ("Looked at", seen)]


def _more(remarks: Sequence[str]) -> list[str]:
    left = len(remarks) - _MOST_REMARKS
    return [f"And {wording.counted(left, 'more remark')}."] if left > 0 else []


def _attachments(
    reports: Sequence[Path], settings: NoticeSettings
) -> tuple[list[Attachment], list[str]]:
    """What goes along, and a sentence for each report that does not."""
    attached: list[Attachment] = []
    left: list[str] = []
    room = settings.attach_at_most
    for path in reports:
        if settings.mail is None or not settings.attach:
            left.append(f"Report: {path}")
            continue
        try:
            if path.stat().st_size > room:
                left.append(f"Too large to send along: {path}")
                continue
            content = path.read_bytes()
        except OSError as problem:
            left.append(f"Could not be sent along ({problem.strerror}): {path}")
            continue
        room -= len(content)
        kind = mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        attached.append(Attachment(path.name, kind, content))
    return attached, left


def _filled(template: str, told: Mapping[str, Any]) -> str:
    return _environment().get_template(template).render(told)


def _plain(value: object) -> object:
    """A line of a log cannot become two lines of a message, or a very long one."""
    return one_line(value)[:_LONGEST_LINE] if type(value) is str else value


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("compliance.notices"),
        autoescape=select_autoescape(["html.j2"]),
        undefined=StrictUndefined,
        finalize=_plain,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["number"] = lambda number: f"{number:,}"
    return environment
