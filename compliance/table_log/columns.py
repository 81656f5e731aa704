"""A table's log as columns: one array for each field, one place for each event.

Every value is a whole number in its array: cents, microseconds, days, seat numbers, or the place of
a word in a list of words. Odds and percentages have a second array for what is below the line.
`valid` says where a value is recorded at all: what is missing is never zero, and what stands there
means nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import polars as pl

from event_schemas import Card

Integers = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.integer[Any]]
"""Whole numbers as narrow as the log holds them."""
Flags = npt.NDArray[np.bool_]


class Words:
    """All different texts of a log, each with its number: equal texts have equal numbers."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self.texts: list[str] = []
        self.hands = pl.Series(dtype=pl.String)
        """All different lists of cards, as texts such as `9S 10H`, at the places of their
        numbers."""

    def hand_numbers(self, texts: pl.Series) -> Integers:
        """The numbers of several lists of cards, all different: equal ones are written alike."""
        if self.hands.is_empty():
            # As nearly always: one field holds all cards, and none of them is looked at here.
            self.hands = texts
            return np.arange(len(texts))
        known = {text: number for number, text in enumerate(self.hands.to_list())}
        numbers = [known.setdefault(text, len(known)) for text in texts.to_list()]
        self.hands = pl.Series(list(known), dtype=pl.String)
        return np.array(numbers, dtype=np.int64)

    def hand(self, cards: Sequence[Card]) -> int:
        """The number of a list of cards, given anew when it was not seen before."""
        return int(self.hand_numbers(pl.Series([" ".join(map(str, cards))]))[0])

    def numbers(self, texts: Sequence[str]) -> list[int]:
        """The numbers of several texts."""
        known = self._numbers
        found = [known.setdefault(text, len(known)) for text in texts]
        self.texts += islice(known, len(self.texts), None)
        return found

    def number(self, text: str) -> int:
        """The number of a text, given anew when it was not seen before."""
        found = self._numbers.get(text)
        if found is None:
            found = self._numbers[text] = len(self.texts)
            self.texts.append(text)
        return found


@dataclass(frozen=True)
class StoredColumn:
    """One field as it lies in memory: numbers of any width, and a bit where one is recorded."""

    values: Numbers
    valid: npt.NDArray[np.uint8] | None
    """Bits, the lowest of each byte first; None where every place has a value."""
    offset: int = 0
    """The place of the first bit."""
    below: Integers | None = None
    listed: Integers | None = None
    """Where the values are places in a list: the numbers in it."""

    def in_memory(self) -> ColumnInMemory:
        """The same for compiled code."""
        values = np.ascontiguousarray(self.values)
        valid = None if self.valid is None else self.valid.ctypes.data
        at, width = values.ctypes.data, values.dtype.itemsize
        return ColumnInMemory(
            (values, self.valid), at, width, valid, self.offset, self.below, self.listed
        )

    def recorded(self) -> Flags:
        """Where a value is recorded."""
        size = len(self.values)
        if self.valid is None:
            return np.ones(size, dtype=np.bool_)
        bits = np.unpackbits(self.valid, count=self.offset + size, bitorder="little")
        return bits[self.offset :].view(np.bool_)


class ColumnInMemory(NamedTuple):
    """The same for compiled code: where the numbers and the bits begin in memory."""

    held: object
    """What has to be kept as long as this is used."""
    values: int
    width: int
    """How many bytes a number has."""
    valid: int | None
    offset: int
    below: Integers | None = None
    listed: Integers | None = None


def places_with_values(series: pl.Series) -> Flags:
    """Where a column has a value."""
    if not series.null_count():
        return np.ones(len(series), dtype=np.bool_)
    if series.dtype.is_integer():
        return stored_column(series.to_arrow(), "i").recorded()
    return series.is_not_null().to_numpy()


def stored_column(held: Any, sign: str) -> StoredColumn:
    """The numbers of a column, from the memory of the column itself."""
    numbers = held.type.index_type if sign == "u" else held.type
    known, values = held.buffers()
    width, offset = numbers.bit_width // 8, held.offset
    found = np.frombuffer(values, f"{sign}{width}", count=len(held), offset=offset * width)
    return StoredColumn(found, None if known is None else np.frombuffer(known, np.uint8), offset)


def numbers_at(series: pl.Series, places: Integers, otherwise: int) -> Integers:
    """The numbers at some places, and another one where none is recorded."""
    stored = stored_column(series.to_arrow(), "i")
    found = stored.values[places].astype(np.int64)
    if stored.valid is not None:
        found[~stored.recorded()[places]] = otherwise
    return found
