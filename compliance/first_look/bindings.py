"""What rules ask of a table's log, given to the compiled first look when a rule needs it."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping
from functools import cached_property

import numpy as np

from compliance.columnar.codes import code_of
from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Table
from compliance.columnar.vectors import Vector
from compliance.columns import Integers
from compliance.first_look import library
from compliance.first_look.frames import HandedFrame
from compliance.first_look.printed import printed
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept, Room
from compliance.table_frame import FrameColumns
from rules_dsl import core

_NO_CONTEXTS = Contexts({}, 0)
_KNOWN, _UNKNOWN = 0, 2
_UNRECORDED = (0, 1, _UNKNOWN)
_NUMBERED_BY_THE_LOG = ("text", "cards")
"""Kinds of which each log numbers the values that it has."""


class Bindings:
    """The constants, options, fields and printed tables of one table's log."""

    def __init__(self, table: Table, program: Program) -> None:
        log = table.log
        self._table = table
        self._program = program
        self._shared = program.of_every_table
        self._kept = Kept()
        self._handed: HandedFrame | None = None
        self._in_lists: Mapping[int, tuple[str, str]] = {}
        self._columns = Room(library.Column)
        self._constants = self._shared.constants.copy()
        self._options = Room(library.Option)
        self._lookups = Room(ctypes.c_void_p)
        self.log = library.Log(
            constants=self._constants.address,
            types=self._kept.address(log.types),
            ts=self._kept.address(log.ts),
            seq=self._kept.address(log.seq),
            number_of_types=len(log.type_names),
        )

    @cached_property
    def _evaluator(self) -> Evaluator:
        return Evaluator(self._table.whole)

    def choices(self, written: WrittenEdition) -> None:
        """Give the compiled code the constants and options of an edition."""
        needs, program = written.needs, self._program
        # The program may have been moved since: it grows with every edition that is new.
        self.log.code = program.code.buffer_info()[0]
        if self._constants.lacks(needs.constants):
            for number in self._constants.lacking(needs.constants, len(program.constants)):
                self._constants.put(number, self._constant(number))
            self.log.constants = self._constants.address
        if self._options.lacks(needs.options):
            names = list(program.options)
            for number in self._options.lacking(needs.options, len(names)):
                self._options.put(number, self._option(names[number]))
            self.log.options = self._options.address

    def fields(self, written: WrittenEdition) -> None:
        """Give it the fields and printed tables."""
        needs, program = written.needs, self._program
        if self._columns.lacks(needs.columns):
            if self._handed is None:
                self._hand_over()
            names = list(program.columns)
            for number in self._columns.lacking(needs.columns, len(names)):
                if not self._is_listed(number):
                    self._columns.put(number, self._column(*names[number]))
            self.log.columns = self._columns.address
        if self._lookups.lacks(needs.lookups):
            for number in self._lookups.lacking(needs.lookups, len(program.lookups)):
                self._lookups.put(number, ctypes.c_void_p(self._printed(number)))
            self.log.lookups = self._lookups.address
        if needs.type_words and not self.log.type_words:
            numbers = self._table.log.words.numbers(self._table.log.type_names)
            self.log.type_words = self._kept.numbers(numbers)

    def _constant(self, number: int) -> library.Value:
        """A constant, which is the same for all tables but for texts and what a profile sets."""
        expr, shared = self._program.constants[number], self._shared.constants
        if isinstance(expr, core.Const) and expr.kind == "text":
            return library.Value(self._table.log.words.number(expr.text), 1, _KNOWN)
        value = _values(self._evaluator.vector(expr, _NO_CONTEXTS), 1)[0]
        found = library.Value(*value.tolist())
        if isinstance(expr, core.Const) and expr.kind not in _NUMBERED_BY_THE_LOG:
            shared.lacking({number}, len(self._program.constants))
            shared.put(number, found)
        return found

    def _hand_over(self) -> None:
        """All fields that any rule has asked for so far, in one go: most rules follow yet."""
        columns, program, room = self._table.log.columns, self._program, self._columns
        compiled = library.library()
        if compiled is None or not isinstance(columns, FrameColumns):
            return
        handing = self._shared.handing(program.columns, columns.names)
        room.widen(len(program.columns))
        self._handed = HandedFrame(columns.frame, handing, room.address, compiled)
        known, self._in_lists = handing.known, handing.in_lists
        if self._handed.read < len(handing.numbers):
            unread = {number for number in handing.numbers if not room.at(number).width}
            known -= unread
            self._in_lists = {n: item for n, item in self._in_lists.items() if n not in unread}
        room.learn(known)

    def _is_listed(self, number: int) -> bool:
        """Whether a field was handed over as places in a list; the list is known then."""
        if number not in self._in_lists:
            return False
        columns = self._table.log.columns
        assert isinstance(columns, FrameColumns)
        listed = columns.listed(*self._in_lists[number])
        if listed is None:
            return False
        self._columns.at(number).listed = self._kept.address(listed)
        return True

    def _column(self, name: str, kind: str) -> library.Column:
        found = self._table.log.in_memory(name, kind)
        if found is None:
            return library.Column()
        held, values, width, valid, offset, below, listed = found
        self._kept.keep(held)
        return library.Column(
            values,
            width if listed is None else width + library.LISTED,
            valid,
            offset,
            self._kept.address(below),
            self._kept.address(listed),
        )

    def _option(self, name: str) -> library.Option:
        log = self._table.log
        kind = log.schema.options[name].kind
        choices = self._table.whole.choices(name)
        numbers = [place for place, _ in choices]
        for _, value in choices:
            numbers += _UNRECORDED if value is None else (*code_of(log, kind, value), _KNOWN)
        at = self._kept.numbers(numbers)
        return library.Option(at, at + library.NUMBER * len(choices), len(choices))

    def _printed(self, number: int) -> int | None:
        known = self._shared.printed
        if number not in known:
            known[number] = printed(self._evaluator, self._program.lookups[number])
        return self._kept.address(known[number].numbered_by(self._table.log.words))


def _values(vector: Vector, size: int) -> Integers:
    """Values as compiled code reads them; what is not recorded is not known."""
    values = np.ones((size, 3), dtype=np.int64)
    values[:, 0] = vector.above
    if vector.below is not None:
        values[:, 1] = vector.below
    values[:, 2] = np.minimum(vector.state, _UNKNOWN)
    return values
