"""Printed tables of the law as a plan holds them (see engine/source/lookups.h)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from compliance.plan.constants import constant_of, words_of
from compliance.plan.nodes import number_of
from compliance.plan.plan import PlannedTable, TextKey
from event_schemas import PLAIN_KINDS, Schema
from rules_dsl import core

_NEVER = -(2**62)
"""The number of a word that the values of a key can never be."""


def planned_table(
    table: core.LookupTable, kinds: Sequence[str], rulebook: core.Rulebook, schema: Schema
) -> PlannedTable:
    """A printed table whose keys are values of these kinds."""
    numbers = [len(table.rows), len(table.columns)]
    texts: list[TextKey] = []
    sides = ((table.row_kind, table.rows), (table.column_kind, table.columns))
    for place, (written_as, heads) in enumerate(sides):
        for head in heads:
            kind = written_as if written_as == "number" else kinds[place]
            if head.low == "none":
                numbers += (1, 0, 1, 0, 1)
            elif kind == "number":
                low, high = Fraction(head.low), Fraction(head.high)
                numbers += (0, low.numerator, low.denominator, high.numerator, high.denominator)
            elif kind == "text":
                texts += (TextKey(len(numbers) + 1, head.low), TextKey(len(numbers) + 3, head.low))
                numbers += (0, 0, 1, 0, 1)
            else:
                code = _code(kind, head.low, rulebook, schema)
                numbers += (0, code, 1, code, 1)
    known, nothing = number_of("state", "known"), number_of("state", "nothing")
    untold = number_of("state", "missing")
    for entry in (entry for row in table.cells for entry in row):
        if entry == "none":
            numbers += (0, 1, nothing)
            continue
        value = constant_of(table.value_kind, entry, rulebook, schema)
        if value.what == "text":
            texts.append(TextKey(len(numbers), entry))
        numbers += (value.above, value.below, untold if value.what == "untold" else known)
    return PlannedTable(table.name, tuple(numbers), tuple(texts))


def _code(kind: str, text: str, rulebook: core.Rulebook, schema: Schema) -> int:
    if kind == "none":
        return _NEVER
    if kind not in PLAIN_KINDS:
        words = words_of(schema, rulebook, kind)
        return words.index(text) if text in words else _NEVER
    return constant_of(kind, text, rulebook, schema).above
