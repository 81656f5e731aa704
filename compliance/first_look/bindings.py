"""What rules ask of a table's log, given to the compiled first look when a rule needs it."""

from __future__ import annotations

import ctypes

import numpy as np

from compliance.columnar import lookup
from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.scene import Table
from compliance.columnar.vectors import VALUE, Vector
from compliance.first_look import library
from compliance.first_look.program import Program, WrittenEdition
from compliance.first_look.room import Kept, Room
from rules_dsl import core

_NO_CONTEXTS = Contexts({}, 0)
_KNOWN, _NOTHING, _UNKNOWN = 0, 1, 2


class Bindings:
    """The constants, options, fields and printed tables of one table's log."""

    def __init__(self, table: Table, program: Program) -> None:
        log = table.log
        self._table = table
        self._program = program
        self._kept = Kept()
        self._columns = Room(library.Column)
        self._constants = Room(library.Value)
        self._options = Room(library.Option)
        self._lookups = Room(ctypes.c_void_p)
        words = np.array([log.words.number(name) for name in log.type_names], dtype=np.int64)
        self.log = library.Log(
            types=self._kept.address(log.types),
            type_words=self._kept.address(words),
            ts=self._kept.address(log.ts),
            seq=self._kept.address(log.seq),
            number_of_types=len(log.type_names),
        )

    def choices(self, written: WrittenEdition) -> None:
        """Give the compiled code the constants and options of an edition."""
        needs, program = written.needs, self._program
        for number in self._constants.lacking(needs.constants, len(program.constants)):
            self._constants.put(number, self._constant(number))
        options = list(program.options) if self._options.lacks(needs.options) else []
        for number in self._options.lacking(needs.options, len(program.options)):
            self._options.put(number, self._option(options[number]))
        self.log.code = program.code.buffer_info()[0]
        self.log.constants, self.log.options = self._constants.address, self._options.address

    def fields(self, written: WrittenEdition) -> None:
        """Give it the fields and printed tables."""
        needs, program = written.needs, self._program
        names = list(program.columns) if self._columns.lacks(needs.columns) else []
        for number in self._columns.lacking(needs.columns, len(program.columns)):
            self._columns.put(number, self._column(*names[number]))
        for number in self._lookups.lacking(needs.lookups, len(program.lookups)):
            self._lookups.put(number, ctypes.c_void_p(self._printed(program.lookups[number])))
        self.log.columns, self.log.lookups = self._columns.address, self._lookups.address

    def _constant(self, number: int) -> library.Value:
        """A constant, which is the same for all tables but for texts and what a profile sets."""
        expr, known = self._program.constants[number], self._program.known
        if number not in known:
            value = _value(Evaluator(self._table.whole).vector(expr, _NO_CONTEXTS))
            if not isinstance(expr, core.Const) or expr.kind == "text":
                return value
            known[number] = value
        found: library.Value = known[number]
        return found

    def _column(self, name: str, kind: str) -> library.Column:
        stored = self._table.log.stored(name, kind)
        if stored is None:
            return library.Column()
        return library.Column(
            self._kept.address(stored.values),
            stored.values.dtype.itemsize,
            None if stored.valid is None else self._kept.address(stored.valid),
            stored.offset,
            None if stored.below is None else self._kept.address(stored.below),
        )

    def _option(self, name: str) -> library.Option:
        since, choices = self._table.whole.choices(name)
        values = [_value(choices, place) for place in range(len(since))]
        kept = self._kept.keep((library.Value * len(values))(*values))
        return library.Option(self._kept.address(since), kept, len(since))

    def _printed(self, expr: core.Lookup) -> int | None:
        """A printed table as numbers: its size, the heads of rows and columns, the cells."""
        evaluator = Evaluator(self._table.whole)
        table = evaluator.rulebook.tables[expr.table]
        heads: list[int] = []
        for place, (kind, keys) in enumerate(
            ((table.row_kind, table.rows), (table.column_kind, table.columns))
        ):
            for key in keys:
                heads += lookup.head(evaluator, kind, expr.keys[place], key)
        cells = lookup.cells(evaluator, table)
        states = np.where(cells.state == VALUE, _KNOWN, _NOTHING)
        below = np.ones_like(cells.above) if cells.below is None else cells.below
        numbers = np.stack([cells.above, below, states.reshape(cells.above.shape)], axis=-1)
        whole = [len(table.rows), len(table.columns), *heads, *numbers.ravel().tolist()]
        return self._kept.address(np.array(whole, dtype=np.int64))


def _value(vector: Vector, place: int = 0) -> library.Value:
    """One of several values; what is not recorded is not known."""
    state = int(vector.state[place])
    below = 1 if vector.below is None else int(vector.below[place])
    return library.Value(int(vector.above[place]), below, min(state, _UNKNOWN))
