"""Printed tables of the law as the compiled first look reads them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from compliance.columnar import lookup
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.vectors import VALUE
from compliance.columns import Integers, Words
from rules_dsl import core

_KNOWN, _NOTHING = 0, 1


@dataclass(frozen=True)
class Printed:
    """A printed table as numbers: its size, the heads of rows and columns, the cells.

    It is the same for all tables of a floor, but that each log has its own numbers for texts.
    """

    numbers: Integers
    places: Integers
    """Where the number of a text belongs."""
    text_at: Integers
    """Which of the texts belongs there."""
    texts: tuple[str, ...]

    def numbered_by(self, words: Words) -> Integers:
        """The same with the numbers of a log's own texts."""
        if not self.texts:
            return self.numbers
        numbers = self.numbers.copy()
        own = np.array([words.number(text) for text in self.texts], dtype=np.int64)
        numbers[self.places] = own[self.text_at]
        return numbers


def printed(evaluator: Evaluator, expr: core.Lookup) -> Printed:
    """The printed table that an expression reads."""
    table = evaluator.rulebook.tables[expr.table]
    numbers = [len(table.rows), len(table.columns)]
    texts: dict[int, str] = {}
    for place, (kind, keys) in enumerate(
        ((table.row_kind, table.rows), (table.column_kind, table.columns))
    ):
        for key in keys:
            if lookup.is_text(evaluator, kind, expr.keys[place], key):
                texts |= {len(numbers) + 1: key.low, len(numbers) + 2: key.low}
            numbers += lookup.head(evaluator, kind, expr.keys[place], key)
    cells = lookup.cells(evaluator, table)
    if table.value_kind == "text":
        written = (text for row in table.cells for text in row)
        texts |= {len(numbers) + 3 * i: text for i, text in enumerate(written) if text != "none"}
    states = np.where(cells.state == VALUE, _KNOWN, _NOTHING)
    below = np.ones_like(cells.above) if cells.below is None else cells.below
    entries = np.stack([cells.above, below, states.reshape(cells.above.shape)], axis=-1)
    different = {text: number for number, text in enumerate(dict.fromkeys(texts.values()))}
    return Printed(
        np.append(np.array(numbers, dtype=np.int64), entries.ravel()),
        np.array(list(texts), dtype=np.int64),
        np.array([different[text] for text in texts.values()], dtype=np.int64),
        tuple(different),
    )
