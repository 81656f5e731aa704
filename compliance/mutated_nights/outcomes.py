"""What came of a mutation: found, or lawful for a reason that holds in general, or escaped."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import numpy as np

from compliance.mutated_nights.duties import Duty
from compliance.mutated_nights.lawful_night import COMPLIED, UNDETERMINED, VIOLATED, LawfulNight
from compliance.mutated_nights.mutation import Mutation

FOUND, ELSEWHERE, DOUBT, LAWFUL, ESCAPED = "found", "elsewhere", "doubt", "lawful", "escaped"
OUTCOMES: Final = (FOUND, ELSEWHERE, DOUBT, LAWFUL, ESCAPED)

MOVES: Final = frozenset(
    {
        *("wager_placed", "wager_increased", "wager_withdrawn", "insurance_placed"),
        *("wager_paid", "wager_collected", "wager_returned"),
        *("vigorish_marked", "vigorish_collected", "card_dealt", "card_burned"),
    }
)
"""Events that move money or cards: to do one twice is another thing than to do it once."""
_IDENTIFIES: Final = frozenset({"other seat", "other amount", "other role"})

LAWFUL_REASONS: Final = {
    "repeated": "What is done twice moves neither money nor cards.",
    "another serves": "Another event does what this one did.",
    "no order": "The rule asks for the act and fixes no such order or limit.",
    "within the limit": "A value further off is found; this one is still allowed.",
    "allowed value": "Another value of the field is found; this one is allowed as well.",
    "another situation": "The rule only looks at the event, asks nothing of it, and is kept.",
    "another occasion": "The rule does not speak of what the event now says.",
    "another election": "The rule is kept, or does not apply, at a table that elected this.",
}
"""Why a mutation that nobody finds is no breach, where that follows from the form of the rule."""


@dataclass(frozen=True)
class Subject:
    """What a mutation is about: outcomes of one subject are told together."""

    rule: str
    kind: str
    event: str
    field: str = ""
    """The field that says something else, with `more` or `less` where it is a number."""

    def __str__(self) -> str:
        return f"{self.rule}: {self.kind} {self.event}{'.' if self.field else ''}{self.field}"


@dataclass(frozen=True)
class Mutant:
    """A spoilt night, what it was made of, and who noticed."""

    duty: Duty
    mutation: Mutation
    broken: frozenset[str]
    """The rules that are violated in it."""
    doubted: frozenset[str]
    """The rules that can no longer be decided."""
    reason: str = ""
    """The key of the reason for which it is lawful."""

    @property
    def subject(self) -> Subject:
        """What it is about."""
        mutation, record = self.mutation, self.duty.night.records[self.mutation.row]
        name = mutation.field
        if name and record["type"] == "option_elected":
            name = str(record["option_name"])
        direction = _direction(record.get(mutation.field), mutation.value)
        field = f"{name} {direction}" if direction else name
        return Subject(self.duty.rule, mutation.kind, record["type"], field)

    @property
    def described(self) -> str:
        """One sentence about what was done to which event."""
        night, mutation = self.duty.night, self.mutation
        record = night.records[mutation.row]
        plan = night.plan
        text = f"{plan.place.game} {plan.day}, event {mutation.row + 1}: {record['type']}"
        if mutation.field:
            return f"{text} {mutation.field} {record[mutation.field]} -> {mutation.value}"
        return f"{text} {mutation.kind}"

    def outcome(self, rules: Iterable[str]) -> str:
        """What came of it for a clause that these rules cover."""
        covering = set(rules)
        if self.broken & covering:
            return FOUND
        if self.broken:
            return ELSEWHERE
        if self.doubted:
            return DOUBT
        return LAWFUL if self.reason else ESCAPED


def _direction(was: Any, now: Any) -> str:
    """Whether a number became larger or smaller."""
    if any(isinstance(value, bool) or not isinstance(value, int) for value in (was, now)):
        return ""
    return "more" if now > was else "less"


def mutants(night: LawfulNight, duties: Sequence[Duty]) -> Iterator[Mutant]:
    """All mutants of some duties of a night. Each spoilt night is judged once."""
    spoilt: dict[Mutation, list[Duty]] = {}
    for duty in duties:
        for mutation in duty.mutations():
            spoilt.setdefault(mutation, []).append(duty)
    judged: dict[Mutation, tuple[frozenset[str], frozenset[str]]] = {}
    for mutation in spoilt:
        counts = night.judgement(mutation.applied(night.records))
        if counts is None:
            # What it says is no event: a reader would have set it aside.
            continue
        doubted = counts[:, UNDETERMINED] > night.counts[:, UNDETERMINED]
        judged[mutation] = _names(night, counts[:, VIOLATED]), _names(night, doubted)
    noticed = {_value_of(night, m) for m, (broken, _) in judged.items() if m.field and broken}
    for mutation, (broken, doubted) in judged.items():
        for duty in spoilt[mutation]:
            reason = "" if broken or doubted else _lawful(duty, mutation, noticed)
            yield Mutant(duty, mutation, broken, doubted, reason)


def _names(night: LawfulNight, numbers: Any) -> frozenset[str]:
    return frozenset(night.rule_name(place) for place in np.flatnonzero(numbers).tolist())


Noticed = set[tuple[int, str, str]]
"""Fields of events of which some other value is found."""


def _value_of(night: LawfulNight, mutation: Mutation) -> tuple[int, str, str]:
    was = night.records[mutation.row].get(mutation.field)
    return mutation.row, mutation.field, _direction(was, mutation.value)


def _lawful(duty: Duty, mutation: Mutation, noticed: Noticed) -> str:
    """The reason for which a mutation that nobody finds is lawful, if there is one."""
    night, kind = duty.night, mutation.kind
    event = night.records[mutation.row]["type"]
    if kind == "twice" and event not in MOVES:
        return "repeated"
    verdicts = _own_verdicts(duty, mutation)
    kept = verdicts == {COMPLIED}
    if kind == "other option":
        return "another election" if kept or not verdicts else ""
    if mutation.field:
        return _lawful_value(duty, mutation, noticed, kept=kept, applies=bool(verdicts))
    if kept and kind == "omitted":
        return "another serves"
    if kept and kind in ("delayed", "swapped") and event not in MOVES:
        return "no order"
    return ""


def _lawful_value(
    duty: Duty, mutation: Mutation, noticed: Noticed, *, kept: bool, applies: bool
) -> str:
    place = _value_of(duty.night, mutation)
    if place in noticed:
        return "within the limit" if place[2] else "allowed value"
    event = duty.night.records[mutation.row]["type"]
    if kept and mutation.row != duty.trigger and not duty.is_owed(mutation.row):
        return "another situation"
    asked = mutation.field in duty.reads.asked.get(event, ())
    if not applies and not asked and mutation.kind not in _IDENTIFIES and event not in MOVES:
        return "another occasion"
    return ""


def _own_verdicts(duty: Duty, mutation: Mutation) -> set[int]:
    """How the rule of the duty judges its trigger in the spoilt night."""
    row = mutation.place_of(duty.trigger)
    if row is None:
        return set()
    records = mutation.applied(duty.night.records)
    return duty.night.verdicts_at(records, row, duty.check.edition)
