"""How the report says things: a word and a symbol for every status, and times with their offset.

Colour is never the only carrier of a meaning: each tone comes with its own symbol and word.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime
from typing import Literal

from event_schemas.lost_record import NO_LIMIT
from reports.summary import RunVerdict
from reports.verdicts import ClauseStatus, FindingKind, RuleStatus

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
    RuleStatus.NOT_PLAYED: Label("not played here", "·", "quiet"),
    RuleStatus.NOT_EVALUABLE: Label("not evaluable", "∅", "quiet"),
    RuleStatus.NOT_IN_FORCE: Label("not in force", "○", "quiet"),
}

VERDICTS = {
    RunVerdict.VIOLATIONS: Label("violations", "✕", "bad"),
    RunVerdict.NOT_SUPPORTED: Label("not supported", "?", "doubt"),
    RunVerdict.CLEAN: Label("clean", "✓", "good"),
}

MEANING = {
    RuleStatus.VIOLATED: "at least one check broke the rule",
    RuleStatus.COMPLIED: "every check held, or was excused",
    RuleStatus.EXCUSED: "every check fell under an exception of the law",
    RuleStatus.UNDETERMINED: "the evidence lacks a field or a record that the rule needs",
    RuleStatus.OPEN: "the log ends before it can be decided",
    RuleStatus.NOT_EXERCISED: "what the rule is about never happened",
    RuleStatus.NOT_PLAYED: "the game that it is about is not played at these tables",
    RuleStatus.NOT_EVALUABLE: "the source does not record what the rule needs",
    RuleStatus.NOT_IN_FORCE: "no edition of the law was in force on these dates",
}

_CLAUSE = {
    ClauseStatus.NOT_COVERED: Label("not covered", "□", "quiet"),
    ClauseStatus.NOT_OBSERVABLE: Label("not observable", "◇", "quiet"),
}

CLAUSE_MEANING = {
    **{ClauseStatus(status.value): words for status, words in MEANING.items()},
    ClauseStatus.VIOLATED: "a rule of the clause was broken",
    ClauseStatus.COMPLIED: "every check of its rules held, or was excused",
    ClauseStatus.NOT_EXERCISED: "what the clause is about never happened",
    ClauseStatus.NOT_EVALUABLE: "the source does not record what its rules need",
    ClauseStatus.NOT_COVERED: "a log could show it, but no rule looks at it",
    ClauseStatus.NOT_OBSERVABLE: "no log can show it",
    ClauseStatus.NOT_IN_FORCE: "it was not law on these dates",
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


LEVELS = {"partial": "checked in part", "nominal": "checked in name only"}
"""How far the rules of a clause go, where that is not the whole way."""


def escaping(level: str, escapes: str) -> str:
    """What a reader must know of a clause that its rules do not cover in full."""
    return f"{LEVELS[level]}: {escapes}" if level in LEVELS else ""


def clause_label(status: ClauseStatus) -> Label:
    """Return the word, symbol and tone of a clause's status."""
    return _CLAUSE.get(status) or _STATUS[RuleStatus(status.value)]


def lasting(seconds: int) -> str:
    """Return a length of time in the two largest units that a person would use."""
    minutes, rest = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    units = [(hours, "hour"), (minutes, "minute"), (rest, "second")]
    while len(units) > 1 and not units[0][0]:
        units.pop(0)
    first, *more = units[:2]
    return " ".join([counted(*first), *(counted(*unit) for unit in more if unit[0])])


def lost_records(number: int) -> str:
    """How many records are lost at one place, as a gap in a timeline says it."""
    return "records lost" if number >= NO_LIMIT else f"{counted(number, 'record')} lost"


def told_of_loss(lost: int, undecided: int) -> str:
    """What is missing from the evidence, and what follows from it; empty where nothing is."""
    if not lost:
        return ""
    what = f"{counted(lost, 'record is', 'records are')} known to be lost"
    if not undecided:
        return f"{what}, but no check hangs on {'it' if lost == 1 else 'them'}"
    because = "it" if lost == 1 else "them"
    return f"{what}: {counted(undecided, 'check')} could not be decided because of {because}"


def counted(number: int, one: str, many: str | None = None) -> str:
    """Return a number with its noun: 1 check, 1,204 checks."""
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def day(value: date) -> str:
    """Return a day: 9 March 2024."""
    return f"{value.day} {value:%B %Y}"


def moment(ts: datetime) -> str:
    """Return a time as the table's clock showed it, with its offset from UTC."""
    return f"{ts:%Y-%m-%d} {time_of_day(ts)} {offset(ts)}"


def time_of_day(ts: datetime) -> str:
    """Return a time of day, to the fraction of a second that is recorded."""
    fraction = f".{ts.microsecond:06d}".rstrip("0") if ts.microsecond else ""
    return f"{ts:%H:%M:%S}{fraction}"


def offset(ts: datetime) -> str:
    """Return the offset from UTC: +00:00, -05:00."""
    text = f"{ts:%z}"
    return f"{text[:3]}:{text[3:5]}"
