"""Writes the editions of rules as numbers, in the form that the compiled first look reads."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from compliance.columnar.intervals_used import run_types
from compliance.columnar.skipping import options_in
from compliance.columnar.slices import slice_key
from compliance.first_look import library
from compliance.first_look.expressions import CannotSayError, Expressions, Needs
from compliance.first_look.frames import Handing
from compliance.first_look.nodes import NONE, Hand
from compliance.first_look.operations import Operation
from compliance.first_look.printed import Printed
from compliance.first_look.room import Room
from compliance.table_frame import ColumnNames
from event_schemas import Schema
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.first_look.slices import Keys

_MOST_HANDINGS = 100


@dataclass
class WrittenEdition:
    """Where an edition stands in the program, and what it needs."""

    at: int
    needs: Needs
    by_options: tuple[int, ...]
    """Where its conditions on options alone stand."""
    keys: tuple[int, ...]
    """The columns of the `for each` keys."""
    required: tuple[int, ...] = ()
    """The places of its requirements in the rule, in the order in which they are asked."""
    quoted: int = 0
    """How many values its message quotes."""
    telling: WrittenEdition | None = None
    """The same with what its message quotes; None where that cannot be told in compiled code."""
    too_costly: bool = False
    """Whether a first look had to be given up: then the others are spared."""
    cut_by: Keys | None = None
    """The keys of its slices as compiled code reads them, once asked for; see slices.py."""


class OfEveryTable:
    """What is the same for all tables: most constants, and the printed tables."""

    def __init__(self) -> None:
        self.constants = Room(library.Value)
        self.printed: dict[int, Printed] = {}
        self._handings: dict[tuple[int, tuple[str, ...]], Handing] = {}

    def handing(self, fields: Collection[tuple[str, str]], columns: ColumnNames) -> Handing:
        """How the fields that rules have asked for so far are handed over from a log."""
        key = len(fields), columns.in_order
        if key not in self._handings:
            while len(self._handings) >= _MOST_HANDINGS:
                self._handings.pop(next(iter(self._handings)))
            self._handings[key] = Handing(fields, columns.all)
        return self._handings[key]


class Program(Expressions):
    """All editions of a rulebook that were looked at so far, as numbers."""

    def __init__(self, rulebook: core.Rulebook, schema: Schema) -> None:
        super().__init__(rulebook, schema)
        self.of_every_table = OfEveryTable()
        self._editions: dict[int, tuple[core.Edition, WrittenEdition | str]] = {}

    def edition(self, edition: core.Edition) -> WrittenEdition | str:
        """An edition as numbers, or why compiled code cannot say it."""
        known = self._editions.get(id(edition))
        if known is None:
            try:
                written: WrittenEdition | str = self._edition(edition)
            except CannotSayError as problem:
                written = str(problem)
            # The edition is kept, so that its identity cannot pass to another one.
            known = self._editions[id(edition)] = (edition, written)
        return known[1]

    def _edition(self, edition: core.Edition) -> WrittenEdition:
        self._needs = Needs()
        self._asking.clear()
        trigger = edition.trigger
        pool, pattern, ties = self._pattern(trigger.pattern, {})
        assert ties == NONE
        since = NONE
        if trigger.since is not None:
            since = self._edge(trigger.since, {core.TRIGGER: 0})
        ends = NONE if trigger.ends is None else self._interval(trigger.ends)
        hand = {core.TRIGGER: 0}
        asked, asking = [], {}
        for condition in edition.only_if:
            mark = len(self._asking)
            asked.append(self._clause(condition, hand))
            asking[asked[-1]] = self._asking[mark:]
            del self._asking[mark:]
        by_options = [
            self._by_options(node, names)
            for (_, node), condition in zip(asked, edition.only_if, strict=True)
            if (names := options_in(condition))
        ]
        asked.sort()
        # What is cut by keys is shared only by those who cut it alike.
        cut = slice_key(edition) if edition.slice.keys else ()
        nodes = [node for _, node in asked]
        alike, shared = self._shared_triggers((pool, pattern, since, ends, cut), nodes)
        for item in asked[alike:]:
            self._asking += asking[item]
        required = sorted(
            (*self._clause(item.condition, hand), place)
            for place, item in enumerate(edition.requirements)
        )
        excuses = [self._exception(item, hand) for item in edition.exemptions]
        needs = self._needs
        quoted, of_message = self._message(edition, hand)
        at = self._write(
            pool,
            pattern,
            since,
            ends,
            len(asked),
            len(required),
            len(excuses),
            len(by_options),
            NONE if quoted is None else len(quoted),
            len(shared),
            *(node for _, node in asked),
            *(node for _, node, _ in required),
            *excuses,
            *by_options,
            *(quoted or ()),
            *shared,
        )
        self._needs = needs
        self._keep_answers()
        keys = tuple(self._key_column(name) for name in edition.slice.keys)
        opening_and_closing = run_types(self._rulebook, edition) if keys else ()
        if any(self._bears(name, edition.slice.keys) for name in opening_and_closing):
            raise CannotSayError("its intervals differ from slice to slice")
        if quoted is not None:
            needs.intervals |= of_message.intervals
        telling = None if quoted is None else WrittenEdition(at, of_message, (), keys)
        order = tuple(place for _, _, place in required)
        return WrittenEdition(at, needs, tuple(by_options), keys, order, len(quoted or ()), telling)

    def _clause(self, condition: core.Expr, hand: Hand) -> tuple[int, int]:
        """What a rule asks or requires; other rules may say the same."""
        cost, node = self._costed(condition, hand)
        keeping = cost and self.code[node] != Operation.KEPT
        return cost, self._write_kept(node) if keeping else node

    def _message(self, edition: core.Edition, hand: Hand) -> tuple[list[int] | None, Needs]:
        """What the message quotes and what that needs; None where it cannot be told."""
        self._needs = needs = Needs()
        try:
            parts = [part.value for part in edition.message if part.value is not None]
            return [self._node(value, hand) for value in parts], needs
        except CannotSayError:
            return None, needs

    def _key_column(self, name: str) -> int:
        kinds = {
            event.fields[name].kind.name
            for event in self._schema.events.values()
            if name in event.fields
        }
        if len(kinds) != 1:
            raise CannotSayError(f"{name} is of several kinds")
        return self._column(name, kinds.pop())

    def _bears(self, type_name: str, keys: Sequence[str]) -> bool:
        """Whether an event type has a key: then the runs differ from slice to slice."""
        return any(key in self._schema.events[type_name].fields for key in keys)

    def _by_options(self, node: int, names: Collection[str]) -> int:
        """A condition that changes only when something is elected, and these options."""
        return self._write(node, len(names), *sorted(self.options[name] for name in names))

    def _exception(self, exemption: core.Exemption, hand: Hand) -> int:
        limits = [self._exception(item, hand) for item in exemption.but_not]
        return self._write(len(limits), self._node(exemption.condition, hand), *limits)


_PROGRAMS: dict[int, tuple[core.Rulebook, Schema, Program]] = {}
_MOST_PROGRAMS = 4


def program_of(rulebook: core.Rulebook, schema: Schema) -> Program:
    """The program of a rulebook, which serves all tables and all runs."""
    known = _PROGRAMS.get(id(rulebook))
    if known is None or known[1] is not schema:
        while len(_PROGRAMS) >= _MOST_PROGRAMS:
            _PROGRAMS.pop(next(iter(_PROGRAMS)))
        # The rulebook is kept, so that its identity cannot pass to another one.
        known = _PROGRAMS[id(rulebook)] = (rulebook, schema, Program(rulebook, schema))
    return known[2]
