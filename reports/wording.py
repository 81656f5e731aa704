"""How the report says things: a word and a symbol for every status, and times with their offset.

Colour is never the only carrier of a meaning: each tone comes with its own symbol and word.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from reports.verdicts import FindingKind, RuleStatus

Tone = Literal["bad", "good", "doubt", "quiet"]


@dataclass(frozen=True)
class Label:
    """A status as a reader sees it."""

    word: str
    symbol: str
    tone: Tone


_STATUS = {
    RuleStatus.VIOLATED: Label("violated", "✕", "bad"),
    RuleStatus.UNDETERMINED: Label("undetermined", "?", "doubt"),
    RuleStatus.OPEN: Label("open", "…", "doubt"),
    RuleStatus.COMPLIED: Label("complied", "✓", "good"),
    RuleStatus.EXCUSED: Label("excused", "§", "good"),
    RuleStatus.NOT_EXERCISED: Label("not exercised", "—", "quiet"),
    RuleStatus.NOT_EVALUABLE: Label("not evaluable", "∅", "quiet"),
    RuleStatus.NOT_IN_FORCE: Label("not in force", "○", "quiet"),
}

MEANING = {
    RuleStatus.VIOLATED: "at least one check broke the rule",
    RuleStatus.COMPLIED: "every check held, or was excused",
    RuleStatus.EXCUSED: "every check fell under an exception of the law",
    RuleStatus.UNDETERMINED: "the evidence lacks a field that the rule needs",
    RuleStatus.OPEN: "the log ends before it can be decided",
    RuleStatus.NOT_EXERCISED: "what the rule is about never happened",
    RuleStatus.NOT_EVALUABLE: "the source does not record what the rule needs",
    RuleStatus.NOT_IN_FORCE: "no edition of the law was in force on these dates",
}

# "Violated" and "complied" are words for law; a pattern or a damaged log is neither.
_FOUND = {
    FindingKind.INDICATOR: Label("pattern seen", "◆", "doubt"),
    FindingKind.DATA_DEFECT: Label("defect found", "▲", "doubt"),
}
_NOT_FOUND = {
    FindingKind.INDICATOR: Label("not seen", "✓", "good"),
    FindingKind.DATA_DEFECT: Label("no defect", "✓", "good"),
}


def label(status: RuleStatus, kind: FindingKind = FindingKind.VIOLATION) -> Label:
    """Return the word, symbol and tone of a rule's status."""
    if status is RuleStatus.VIOLATED and kind in _FOUND:
        return _FOUND[kind]
    if status is RuleStatus.COMPLIED and kind in _NOT_FOUND:
        return _NOT_FOUND[kind]
    return _STATUS[status]


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: 1 check, 1,204 checks."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def day(value: date) -> str:
    """Return a day: 9 March 2024."""
    return f"{value.day} {value:%B %Y}"


def moment(ts: datetime) -> str:
    """Return a time as the table's clock showed it, with its offset from UTC."""
    fraction = f".{ts.microsecond:06d}".rstrip("0") if ts.microsecond else ""
    return f"{ts:%Y-%m-%d %H:%M:%S}{fraction} {offset(ts)}"


def offset(ts: datetime) -> str:
    """Return the offset from UTC: +00:00, -05:00."""
    text = f"{ts:%z}"
    return f"{text[:3]}:{text[3:5]}"
