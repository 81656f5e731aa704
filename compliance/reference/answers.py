"""What an expression can answer: a value, or a reason why there is none; and by which events."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from compliance.judgement.circumstances import Absent

Truth = bool | Absent
"""The answer to a condition: True, False, MISSING or OPEN."""


@dataclass(frozen=True)
class Bounds:
    """A value that is missing but known to lie between two limits; None is no limit."""

    low: Any
    high: Any


@dataclass(frozen=True, order=True)
class Seen:
    """An event that was looked at, by its position, and what it showed."""

    position: int
    part: str


@dataclass(frozen=True)
class Answer:
    """A value with its witnesses. Conditions answer True, False, MISSING or OPEN."""

    value: Any
    witnesses: frozenset[Seen] = frozenset()


def united(answers: Iterable[Answer]) -> frozenset[Seen]:
    """The witnesses of several answers together."""
    return frozenset(seen for answer in answers for seen in answer.witnesses)


def as_truth(value: Any) -> Any:
    """A value used as a condition: where there is nothing to judge, nothing can be said."""
    return Absent.MISSING if value is Absent.NOTHING else value


def all_hold(*truths: Truth) -> Truth:
    """Whether all hold. One that fails decides; then the log's end; then what is missing."""
    for decisive in (False, Absent.OPEN, Absent.MISSING):
        if any(truth is decisive for truth in truths):
            return decisive
    return True


def any_holds(*truths: Truth) -> Truth:
    """Whether at least one holds: the mirror image of `all_hold`."""
    return reverse(all_hold(*map(reverse, truths)))


def reverse(truth: Truth) -> Truth:
    """The opposite; what is not known stays unknown."""
    return truth if isinstance(truth, Absent) else not truth


def conjunction(answers: list[Answer]) -> Answer:
    """All hold. Where one fails, only those that fail are witnesses."""
    values = [as_truth(answer.value) for answer in answers]
    result = all_hold(*values)
    if result is False:
        failing = [a for a, value in zip(answers, values, strict=True) if value is False]
        return Answer(False, united(failing))
    return Answer(result, united(answers))


def disjunction(answers: list[Answer]) -> Answer:
    """At least one holds: the mirror image of `conjunction`."""
    return negation(conjunction([negation(answer) for answer in answers]))


def negation(answer: Answer) -> Answer:
    """The opposite; what is not known stays unknown."""
    return Answer(reverse(as_truth(answer.value)), answer.witnesses)


def why_absent(value: Any) -> Absent | None:
    """Why there is no single value, if there is none: one that only has limits is missing."""
    if isinstance(value, Bounds):
        return Absent.MISSING
    return value if isinstance(value, Absent) else None


def first_absent(answers: Iterable[Answer]) -> Absent | None:
    """The reason why a value made of several others cannot be had, if there is one."""
    reasons = [why_absent(answer.value) for answer in answers]
    for absent in (Absent.OPEN, Absent.MISSING, Absent.NOTHING):
        if absent in reasons:
            return absent
    return None
