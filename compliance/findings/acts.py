"""Which breaches of a table come from one act: several rules may find it, but it was done once.

A wager that is paid to somebody else breaks the rule about whose it is and the rule about what was
settled. A reader is told of the gravest breach, and that the others go with it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from compliance.engine.shown_checks import FoundCheck
from event_schemas import Event
from reports.model import Check, SameAct
from reports.verdicts import FindingKind, Severity

_MONEY: Final = frozenset(
    {
        *("wager_placed", "wager_increased", "wager_withdrawn", "insurance_placed"),
        *("wager_paid", "wager_collected", "wager_returned"),
    }
)
"""Events of one wager: from its placing to its settlement it is one affair."""
_END: Final = "round_ended"
_WHOSE: Final = ("round", "seat", "player", "hand")
"""Breaches that name different ones of these are different acts."""
_GRAVITY: Final = {severity.value: place for place, severity in enumerate(Severity)}
_BREACH: Final = FindingKind.VIOLATION.value


@dataclass
class _Leading:
    """Breaches that stand for themselves so far, found again by the events that they speak of."""

    by_trigger: dict[int, list[FoundCheck]] = field(default_factory=dict)
    by_witness: dict[int, list[FoundCheck]] = field(default_factory=dict)

    def add(self, item: FoundCheck) -> None:
        self.by_trigger.setdefault(item.row, []).append(item)
        for row, _ in item.witnesses:
            self.by_witness.setdefault(row, []).append(item)

    def near(self, item: FoundCheck) -> Iterator[FoundCheck]:
        """Those that may be of the same act: at the same event, or about the same wager."""
        yield from self.by_trigger.get(item.row, ())
        for row in sorted({row for row, _ in item.witnesses}):
            yield from filter(_of_a_wager, self.by_trigger.get(row, ()))
        if _of_a_wager(item):
            yield from filter(_about_money, self.by_witness.get(item.row, ()))


def same_acts(breaches: Iterable[tuple[FoundCheck, Check]]) -> dict[int, SameAct]:
    """By the identity of a check: the breach under which it stands, if one act broke both rules.

    The gravest breach of an act leads, then the earliest. A breach stands under one that leads
    itself, so that no chain of breaches joins what two people did.
    """
    leading: dict[int, _Leading] = {}
    written = {id(item): check for item, check in breaches if item.rule.kind == _BREACH}
    found = sorted(
        (item for item, _ in breaches if id(item) in written),
        key=lambda item: (_GRAVITY[item.rule.severity], item.row, item.rule.name),
    )
    under: dict[int, SameAct] = {}
    for item in found:
        known = leading.setdefault(id(item.log), _Leading())
        first = next((one for one in known.near(item) if _is_same(one, item)), None)
        if first is None:
            known.add(item)
        else:
            check = written[id(first)]
            under[id(written[id(item)])] = SameAct(rule=check.rule, fingerprint=check.fingerprint)
    return under


def _is_same(one: FoundCheck, other: FoundCheck) -> bool:
    """Whether two breaches can be one act. A rule that is broken twice is broken by two acts."""
    if one.rule.name == other.rule.name:
        return False
    if one.row != other.row and not (_about_money(one) and _about_money(other)):
        return False
    pairs = ((_named(one, name), _named(other, name)) for name in _WHOSE)
    return all(here is None or there is None or here == there for here, there in pairs)


def _named(item: FoundCheck, name: str) -> object:
    """What a breach says of its round, seat, player or hand."""
    known = item.keys.get(name)
    return _trigger(item).get(name) if known is None else known


def _of_a_wager(item: FoundCheck) -> bool:
    return _trigger(item).type in _MONEY


def _about_money(item: FoundCheck) -> bool:
    return _of_a_wager(item) or _trigger(item).type == _END


def _trigger(item: FoundCheck) -> Event:
    return item.log.source[item.row]
