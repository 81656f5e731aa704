"""What a table's log tells about any stretch of it: rounds, hands, players, money, the dealer.

Everything is found once for the table and then looked up, because a night can have very many
breaches. What the log does not record is None, never zero; and so is what a lost record may have
changed.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import cached_property

import numpy as np
import polars as pl

from compliance.table_log.columns import Flags, Integers
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import LOST_COLUMNS, lost_type
from compliance.values.moments import moment
from event_schemas import MONEY, Schema
from rules_dsl import core

_DEALERS = ("dealer_arrived", "dealer_departed")
_WAGERS = ("wager_placed", "wager_increased", "insurance_placed")


class TableFacts:
    """One table's events in order, with what can be counted between two rows of them."""

    def __init__(self, schema: Schema, events: FrameEvents, rulebook: core.Rulebook) -> None:
        self.schema = schema
        self.events = events
        self.frame = frame = events.frame
        self.types: Integers = frame["type"].to_numpy()
        self._numbers = {name: number for number, name in enumerate(schema.events)}
        self._type_names = tuple(schema.events)
        self._columns = frozenset(frame.columns)
        self._intervals = rulebook.intervals
        self._rows: dict[tuple[str, ...], Integers] = {}
        self._listed: dict[tuple[str, ...], list[int]] = {}

    def __len__(self) -> int:
        return len(self.frame)

    def rows(self, types: Iterable[str]) -> Integers:
        """Where events of some types stand."""
        names = tuple(types)
        if names not in self._rows:
            # The last row stands for records that are lost: they are of no type.
            wanted = np.zeros(len(self._numbers) + 1, dtype=np.bool_)
            wanted[[self._numbers[name] for name in names if name in self._numbers]] = True
            self._rows[names] = np.flatnonzero(wanted[self.types])
        return self._rows[names]

    def _in_list(self, types: Iterable[str]) -> list[int]:
        """The same as a list: single rows are found faster in it."""
        names = tuple(types)
        if names not in self._listed:
            self._listed[names] = self.rows(names).tolist()
        return self._listed[names]

    def type_at(self, row: int) -> str:
        """The type of the event at a row."""
        name: str = self._type_names[self.types[row]]
        return name

    def time_at(self, row: int) -> datetime:
        """When the event at a row happened, with the offset that the log wrote."""
        ts, offset = self._times
        return moment(int(ts[row]), int(offset[row]))

    @cached_property
    def _times(self) -> tuple[Integers, Integers]:
        return self.frame["ts"].to_numpy(), self.frame["offset"].to_numpy()

    def after(self, types: Iterable[str], row: int) -> int | None:
        """The next event of some types after a row."""
        return next(iter(self.following(types, row, 1)), None)

    def following(self, types: Iterable[str], row: int, most: int) -> list[int]:
        """The next events of some types after a row."""
        found = self._in_list(types)
        first = bisect_right(found, row)
        return found[first : first + most]

    def lost(self, types: Iterable[str]) -> Integers:
        """Where records are lost that may have been of some types, whatever the table's habits:
        nobody is named beside a finding because tables usually do so."""
        names = frozenset(types)
        if LOST_COLUMNS[0] not in self.frame.columns or not names:
            return np.zeros(0, dtype=np.int64)
        found = [row for row, may_be in self._may_be.items() if may_be & names]
        return np.array(found, dtype=np.int64)

    @cached_property
    def _may_be(self) -> dict[int, frozenset[str]]:
        """What each lost record can have been, by its row."""
        rows = np.flatnonzero(self.types == lost_type(self.schema))
        said = self.frame.select("lost_may_be", "lost_against_habit")[rows].rows()
        return {
            int(row): frozenset(f"{usual} {other}".split())
            for row, (usual, other) in zip(rows, said, strict=True)
        }

    # ---- intervals

    def interval_end(self, name: str, row: int) -> int | None:
        """Where the interval around a row ends: at its closing event, or where the next opens."""
        interval = self._intervals[name]
        if self.type_at(row) in interval.closes.types:
            return row
        return self.after((*interval.opens.types, *interval.closes.types), row)

    def interval_start(self, name: str, row: int) -> int | None:
        """Where the interval around a row began, if the row lies in one."""
        interval = self._intervals.get(name)
        if interval is None:
            return None
        opens = self._in_list(interval.opens.types)
        before = bisect_right(opens, row) - 1
        if before < 0:
            return None
        begun = opens[before]
        closes = self._in_list(interval.closes.types)
        closed = bisect_right(closes, begun)
        return begun if closed == len(closes) or closes[closed] >= row else None

    # ---- what can be counted from one row to another, both included

    def rounds(self, first: int, last: int) -> int | None:
        """How many rounds began."""
        opens = self._round_opens
        if _between(self.lost(self._round_types), first, last):
            return None
        return _between(opens, first, last) if len(opens) else None

    def hands(self, first: int, last: int) -> int | None:
        """How many hands of players got cards: one for each box, and more where it was split."""
        cards, numbers = self._hands
        if _between(self.lost(("card_dealt",)), first, last):
            return None
        low, high = np.searchsorted(cards, [first, last + 1])
        seen = numbers[low:high]
        return None if not len(cards) or (seen < 0).any() else len(np.unique(seen))

    def patrons(self, first: int, last: int) -> int | None:
        """How many different players are named."""
        named, numbers = self._players
        nameless = self._nameless_wagers
        if _between(self.lost(_WAGERS), first, last):
            return None
        if not len(named) or _between(nameless, first, last):
            return None
        low, high = np.searchsorted(named, [first, last + 1])
        return len(np.unique(numbers[low:high]))

    def wagered(self, first: int, last: int) -> int | None:
        """The sum of the wagers in cents."""
        wagers = self.rows(_WAGERS)
        if _between(self.lost(_WAGERS), first, last):
            return None
        if not len(wagers) or _between(self._wagers_of_unknown_amount, first, last):
            return None
        low, high = np.searchsorted(wagers, [first, last + 1])
        return int(self._money[high] - self._money[low])

    # ---- who and when

    def dealer(self, row: int) -> str | None:
        """The dealer at the table, where the log leaves no doubt who it was."""
        changes, dealers = self._dealers
        before = bisect_right(changes, row) - 1
        return dealers[before] if before >= 0 else None

    def round_number(self, row: int) -> str | None:
        """The number of the round around a row, if it is recorded where the round began."""
        begun = self.interval_start("round", row)
        if begun is None or _between(self.lost(self._round_types), begun, row):
            return None
        number = self._round_numbers[begun]
        return None if number is None else str(number)

    def player(self, row: int) -> str | None:
        """Who plays at the box of the event at a row: whoever wagered there in the round."""
        named = {self.events[wager].get("player") for wager in self._wagers_at_box(row)}
        name = named.pop() if len(named) == 1 else None
        return None if name is None else str(name)

    def concerned(self, row: int) -> int | None:
        """The money that an event is about, in cents: its own, or else the wagers at its box."""
        field = self.schema.events[self.type_at(row)].fields.get("amount")
        own = self.events[row].get("amount")
        if field is not None and field.kind == MONEY and own is not None:
            return own if isinstance(own, int) and own >= 0 else None
        amounts = [self.events[wager].get("amount") for wager in self._wagers_at_box(row)]
        known = [amount for amount in amounts if isinstance(amount, int)]
        return sum(known) if known and len(known) == len(amounts) else None

    def _wagers_at_box(self, row: int) -> list[int]:
        """The wagers of the round at the seat of an event, up to it; none where one may be lost."""
        begun = self.interval_start("round", row)
        seat = self.events[row].get("seat")
        if begun is None or seat is None:
            return []
        first = self._wagers_begin(begun)
        if _between(self.lost((*_WAGERS, *self._round_types)), first, row):
            return []
        wagers = self._in_list(_WAGERS)
        low, high = bisect_left(wagers, first), bisect_right(wagers, row)
        return [at for at in wagers[low:high] if self.events[at].get("seat") == seat]

    def _wagers_begin(self, begun: int) -> int:
        """Wagers may be placed before the round is said to begin: since the round before."""
        closes = self._in_list(self._intervals["round"].closes.types)
        before = bisect_left(closes, begun) - 1
        return closes[before] + 1 if before >= 0 else 0

    @cached_property
    def _round_types(self) -> tuple[str, ...]:
        rounds = self._intervals.get("round")
        return (*rounds.opens.types, *rounds.closes.types) if rounds else ()

    @cached_property
    def _round_numbers(self) -> Sequence[object] | pl.Series:
        if "round:number" not in self._columns:
            return [None] * len(self)
        return self.frame["round:number"]

    @cached_property
    def _round_opens(self) -> Integers:
        rounds = self._intervals.get("round")
        return self.rows(rounds.opens.types if rounds else ())

    @cached_property
    def _hands(self) -> tuple[Integers, Integers]:
        """Where players' cards were dealt, and a number for each hand (-1: box not recorded)."""
        nothing = np.zeros(0, dtype=np.int64)
        if not {"to:recipient", "seat:seat"} <= set(self.frame.columns):
            return nothing, nothing
        rows = self.rows(("card_dealt",))
        words = self.schema.enums["recipient"].values
        # A house's own vocabulary may have other words.
        player = words.index("player") if "player" in words else -2
        rows = rows[self._column("to:recipient", rows) == player]
        opens = self._round_opens
        rounds = np.searchsorted(opens, rows, side="right")
        seats = self._column("seat:seat", rows)
        hand = self._column("hand:number", rows, 1)
        numbers = np.where(seats < 0, -1, (rounds * 64 + seats) * 64 + hand)
        return rows, numbers

    @cached_property
    def _players(self) -> tuple[Integers, Integers]:
        if "player:text" not in self.frame.columns:
            return np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64)
        series = self.frame["player:text"]
        named = np.flatnonzero(series.is_not_null().to_numpy())
        players = series.drop_nulls()
        numbers = players.to_physical() if players.dtype == pl.Enum else players.rank("dense")
        return named, numbers.to_numpy().astype(np.int64)

    @cached_property
    def _nameless_wagers(self) -> Integers:
        return self._wagers_without("player:text")

    @cached_property
    def _wagers_of_unknown_amount(self) -> Integers:
        return self._wagers_without("amount:money")

    def _wagers_without(self, column: str) -> Integers:
        """The wagers that lack a field."""
        wagers = self.rows(_WAGERS)
        if column not in self.frame.columns:
            return wagers
        lacking: Flags = self.frame[column].is_null().to_numpy()
        below = f"{column}:below"
        if below in self.frame.columns:
            # An amount that is no whole number of cents is not summed up.
            lacking = lacking | (self.frame[below].fill_null(1) != 1).to_numpy()
        without: Integers = wagers[lacking[wagers]]
        return without

    @cached_property
    def _money(self) -> Integers:
        """What was wagered before each wager, and in the end."""
        wagers = self.rows(_WAGERS)
        amounts = np.maximum(self._column("amount:money", wagers), 0)
        return np.concatenate([[0], np.cumsum(amounts)])

    @cached_property
    def _dealers(self) -> tuple[list[int], list[str | None]]:
        """From which row on which dealer was alone at the table."""
        if "dealer:text" not in self.frame.columns:
            return [], []
        changes: list[int] = []
        alone: list[str | None] = []
        present: dict[str, None] = {}
        leaving = len(self.rows(("dealer_departed",))) > 0
        rows = np.union1d(self.rows(_DEALERS), self.lost(_DEALERS))
        names = self.frame["dealer:text"].gather(rows).to_list()
        for row, name in zip(rows.tolist(), names, strict=True):
            if self.types[row] == lost_type(self.schema):
                # Whoever came or went then: the next one who comes is known again.
                present = {}
                changes.append(row)
                alone.append(None)
                continue
            if self.types[row] == self._numbers.get("dealer_departed"):
                present.pop(name, None)
            else:
                # Where departures are not recorded, whoever comes takes over.
                present = {**present, name: None} if leaving else {name: None}
            changes.append(row)
            alone.append(next(iter(present)) if len(present) == 1 else None)
        return changes, alone

    def _column(self, name: str, rows: Integers, missing: int = -1) -> Integers:
        if name not in self.frame.columns:
            return np.full(len(rows), missing, dtype=np.int64)
        values = self.frame[name].cast(pl.Int64).fill_null(missing).to_numpy()
        found: Integers = values[rows]
        return found


def _between(rows: Integers | Sequence[int], first: int, last: int) -> int:
    low, high = np.searchsorted(rows, [first, last + 1])
    return int(high - low)
