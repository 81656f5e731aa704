"""A general monitor of first-order past-time formulas, and four of the eight rules as formulas.

It is the textbook's algorithm, as MonPoly has it: at every event each part of a formula gives the
values of its variables under which it holds, and what lies in the past is kept as such a relation
and brought up to date. Each table has its own monitor, so that relations stay small. It knows
neither missing fields nor witnesses nor open ends: it only says which events break a rule.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Mapping
from pathlib import Path
from typing import Any

import polars as pl

Event = Mapping[str, Any]
Values = tuple[Any, ...]
Relation = Collection[Values]

NOTHING: Relation = frozenset()
HOLDS: Relation = frozenset({()})
SUPERVISORS = (
    "floorperson",
    "pit_boss",
    "poker_shift_supervisor",
    "casino_shift_manager",
    "casino_manager",
)


class Formula(ABC):
    """Something that holds at an event for some values of its variables."""

    names: tuple[str, ...] = ()

    @abstractmethod
    def at(self, event: Event) -> Relation:
        """The values for which it holds at the next event. Every event is shown to it once."""


class Happens(Formula):
    """An event of one of some types, with its fields as variables."""

    def __init__(self, *types: str, names: tuple[str, ...] = (), **fields: Any) -> None:
        self.types = types
        self.names = names
        self.fields = tuple(fields.items())

    def at(self, event: Event) -> Relation:
        if event["type"] not in self.types:
            return NOTHING
        if any(event.get(field) != value for field, value in self.fields):
            return NOTHING
        return (tuple(event.get(name) for name in self.names),) if self.names else HOLDS


class Both(Formula):
    """Two formulas; the variables of the second one are among those of the first."""

    def __init__(self, first: Formula, second: Formula, *, second_fails: bool = False) -> None:
        self.first, self.second = first, second
        self.names = first.names
        self.wanted = not second_fails
        self.shared = tuple(first.names.index(name) for name in second.names)

    def at(self, event: Event) -> Relation:
        found, other = self.first.at(event), self.second.at(event)
        if not found or (self.wanted and not other):
            return NOTHING
        return [
            row for row in found if (tuple(row[i] for i in self.shared) in other) is self.wanted
        ]


class Some(Formula):
    """A formula that holds for any values at all."""

    def __init__(self, part: Formula) -> None:
        self.part = part

    def at(self, event: Event) -> Relation:
        return HOLDS if self.part.at(event) else NOTHING


class Either(Formula):
    """One of some formulas with the same variables."""

    def __init__(self, *parts: Formula) -> None:
        self.parts = parts
        self.names = parts[0].names

    def at(self, event: Event) -> Relation:
        return [row for found in [part.at(event) for part in self.parts] for row in found]


class Before(Formula):
    """What held at the event before."""

    def __init__(self, part: Formula) -> None:
        self.part = part
        self.names = part.names
        self.held: Relation = NOTHING

    def at(self, event: Event) -> Relation:
        held, self.held = self.held, self.part.at(event)
        return held


class Since(Formula):
    """What held at some event, while since then another formula has not: not B since A."""

    def __init__(self, began: Formula, *, ended: Formula) -> None:
        self.began, self.ended = began, ended
        self.names = began.names
        self.held: Relation = frozenset()

    def at(self, event: Event) -> Relation:
        began, ended = self.began.at(event), self.ended.at(event)
        if ended:
            self.held = NOTHING
        if began:
            self.held = frozenset(self.held).union(began)
        return self.held


class Exceeds(Formula):
    """The groups whose total, counted anew after a certain event, is larger than a number."""

    def __init__(
        self,
        limit: int,
        *,
        plus: Formula,
        minus: Formula | None = None,
        anew: Formula | None = None,
    ) -> None:
        """The last variable is added up, the others name the group."""
        self.limit, self.plus, self.minus, self.anew = limit, plus, minus, anew
        self.names = plus.names[:-1]
        self.totals: dict[Values, Any] = {}
        self.large: set[Values] = set()

    def at(self, event: Event) -> Relation:
        if self.anew is not None and self.anew.at(event):
            self.totals.clear()
            self.large = set()
        self._add(self.plus.at(event), 1)
        if self.minus is not None:
            self._add(self.minus.at(event), -1)
        return self.large

    def _add(self, found: Iterable[Values], sign: int) -> None:
        for *group, value in found:
            key = tuple(group)
            total = self.totals[key] = self.totals.get(key, 0) + sign * value
            # Never changed in place: what held before is still asked for.
            self.large = self.large | {key} if total > self.limit else self.large - {key}


def _elected(option: str, value: str) -> Formula:
    """What stands for an option since it was last elected."""
    return Since(
        Happens("option_elected", option_name=option, value=value),
        ended=Happens("option_elected", option_name=option),
    )


def _burn() -> Formula:
    dealt = Happens("card_dealt")
    first = Both(dealt, Before(Since(Happens("dealer_arrived"), ended=Happens("card_dealt"))))
    at_blackjack = Both(
        Both(first, _elected("game", "blackjack")),
        _elected("shoe_kind", "dealer_hand"),
        second_fails=True,
    )
    burned = Since(Happens("card_burned"), ended=Happens("dealer_arrived"))
    return Both(at_blackjack, burned, second_fails=True)


def _insurance() -> Formula:
    def begins() -> Formula:
        return Happens("round_started")

    card = Happens("card_dealt", to="player", names=("seat",))
    counted = Happens("card_dealt", to="player", names=("seat", "one"))
    third = Both(card, Before(Exceeds(1, plus=counted, anew=begins())))
    in_round = Since(begins(), ended=Happens("round_ended", "round_voided"))
    return Both(
        Both(Happens("insurance_placed"), in_round),
        Since(Some(third), ended=begins()),
    )


def _recut() -> Formula:
    orders = [Happens("recut_ordered") for _ in range(3)]
    by_supervisor = Either(*(Happens("recut_ordered", by_role=role) for role in SUPERVISORS))
    cut = Since(Happens("cards_cut"), ended=Happens("cards_shuffled"))
    dealt = Since(Happens("card_dealt"), ended=Happens("cards_cut"))
    return Either(
        Both(orders[0], by_supervisor, second_fails=True),
        Both(orders[1], cut, second_fails=True),
        Both(orders[2], dealt),
    )


def _vigorish() -> Formula:
    marked, collected = (
        Happens(name, names=("player", "amount"))
        for name in ("vigorish_marked", "vigorish_collected")
    )
    return Both(Exceeds(0, plus=marked, minus=collected), Happens("cards_shuffled"))


RULES: Mapping[str, Callable[[], Formula]] = {
    "burn-by-each-new-dealer": _burn,
    "no-insurance-after-the-third-card": _insurance,
    "recut-by-a-supervisor-in-time": _recut,
    "vigorish-settled-at-the-shuffle": _vigorish,
}
"""The formula that holds at the events which break a rule."""


COLUMNS = (
    "id",
    "type",
    "table",
    "to",
    "seat",
    "player",
    "amount",
    "by_role",
    "option_name",
    "value",
)


def events_of(log: Path, most: int) -> list[Event]:
    """The first events of a log in memory, each table in its order, as the monitor takes them."""
    frame = pl.read_parquet(log, columns=[*COLUMNS, "seq"], n_rows=most).sort("table", "seq")
    rows = frame.select(*COLUMNS, one=pl.lit(1)).iter_rows(named=True)
    return [{name: value for name, value in row.items() if value is not None} for row in rows]


def broken(events: Iterable[Event]) -> set[tuple[str, str]]:
    """The rule and the event of every violation; each table is watched on its own."""
    monitors: dict[str, list[tuple[str, Formula]]] = {}
    found: set[tuple[str, str]] = set()
    for event in events:
        watched = monitors.get(event["table"])
        if watched is None:
            watched = [(rule, formula()) for rule, formula in RULES.items()]
            monitors[event["table"]] = watched
        for rule, formula in watched:
            if formula.at(event):
                found.add((rule, event["id"]))
    return found
