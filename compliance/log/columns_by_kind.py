"""Turns a raw column of a log into whole numbers, all rows at once.

Each different value is read once by the same function that reads single records (`from_log`), so a
column can hold nothing that a single record could not. Values that cannot be read become empty;
the caller sees that a value was there and reads that row by itself to say why.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any, Final, NamedTuple, cast

import msgspec
import polars as pl

from compliance.log.layout import column_type
from compliance.log.times_in_columns import moments_of_texts, moments_of_times
from compliance.values.codes import code_of
from event_schemas import Kind, from_log
from event_schemas.kinds import within_range
from event_schemas.limits import LARGEST_NUMBER, LONGEST_DURATION

_BARE: Final = r"^-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?$|^true$|^false$|^[\[{]"
_BEGINS_BARE: Final = "-0123456789tf[{"
_BARE_TEXT: Final = re.compile(_BARE).search
_FEW: Final = 1_000
_WHOLE: Final = r"^-?\d{1,18}$"
_CARD: Final = r"(?:(?:[2-9AJQK]|10)[SHDC]|JOKER)"
_CARDS: Final = f"^{_CARD}(?: {_CARD})*$"


class Encoded(NamedTuple):
    """A column as the typed frame holds it; `below` is there when not all of it is 1."""

    values: pl.Series
    below: pl.Series | None = None


def encoded_value(kind: Kind, value: object) -> tuple[int | str, int]:
    """One value as the typed frame holds it: above and below the line."""
    if kind.name == "text":
        return str(value), 1
    if kind.name == "cards":
        return " ".join(map(str, cast("Sequence[object]", value))), 1
    if kind.enum:
        return kind.enum.values.index(str(value)), 1
    return code_of(kind.name, within_range(kind, value))


def any_looks_bare(texts: pl.Series) -> bool:
    """Whether any of some texts does; a few are sooner asked one by one."""
    if len(texts) > _FEW:
        # A few different letters are sooner looked at than many texts.
        first = texts.str.head(1).unique().drop_nulls().to_list()
        return any(letter in _BEGINS_BARE for letter in first) and bool(looks_bare(texts).any())
    return any(map(_BARE_TEXT, texts.drop_nulls().to_list()))


def looks_bare(column: pl.Series) -> pl.Series:
    """Where a text looks like a number, a yes or no, or a list of a JSON record."""
    return column.str.contains(_BARE).fill_null(False)


def encoded_column(
    column: pl.Series, kind: Kind, bare: pl.Series | None = None, largest: int = LARGEST_NUMBER
) -> Encoded:
    """All values of one kind. `bare` says which texts stood without quotes in a JSON record;
    whole numbers beyond the `largest` are empty."""
    if column.dtype in (pl.Categorical, pl.Enum):
        column = column.cast(pl.String)
    if column.dtype == pl.String:
        return _from_texts(column, kind, bare, largest)
    if column.dtype.is_integer():
        return _from_integers(column, kind, largest)
    if column.dtype == pl.Boolean and kind.name == "flag":
        return Encoded(column.cast(pl.Int16))
    if isinstance(column.dtype, pl.Datetime) and kind.name == "time":
        return Encoded(moments_of_times(column).ts)
    if column.dtype == pl.Date and kind.name == "date":
        return Encoded(column.cast(pl.Int32).cast(pl.Int64))
    if column.dtype == pl.Duration and kind.name == "duration":
        return Encoded(column.cast(pl.Duration("us")).cast(pl.Int64))
    if column.dtype == pl.List(pl.String) and kind.name == "cards":
        return _by_dictionary(column.list.join(" "), kind)
    if column.dtype.is_nested() or column.dtype in (pl.Binary, pl.Null, pl.Object):
        return _nothing(column, kind)
    return _by_dictionary(column, kind)


def _from_texts(column: pl.Series, kind: Kind, bare: pl.Series | None, largest: int) -> Encoded:
    if kind.name == "text":
        if bare is None:
            return Encoded(column)
        # A whole number without quotes is still a name, as for tables; 1.5 or true is not.
        usable = ~bare | column.str.contains(_WHOLE).fill_null(False)
        return Encoded(_where(column, usable))
    if kind.name == "number":
        whole = _at_most(column.cast(pl.Int64, strict=False), largest)
        left = whole.is_null() & column.is_not_null()
        if not left.any():
            return Encoded(whole)
        rest = _quoted_or_bare(_where(column, left), kind, bare)
        values = whole.fill_null(rest.values) if whole.null_count() < len(whole) else rest.values
        return Encoded(values, rest.below)
    if kind.name == "cards":
        # Nearly every hand is different, and nearly every one is written as the frame holds it.
        left = ~column.str.contains(_CARDS)
        if not left.any():
            return Encoded(column)
        rest = _quoted_or_bare(_where(column, left.fill_null(False)), kind, bare)
        return Encoded(column.zip_with(~left, rest.values))
    if kind.name == "time":
        quoted = column if bare is None else _where(column, ~bare)
        return Encoded(moments_of_texts(quoted).ts)
    return _quoted_or_bare(column, kind, bare)


def _quoted_or_bare(column: pl.Series, kind: Kind, bare: pl.Series | None) -> Encoded:
    if bare is None or not bare.any():
        return _by_dictionary(column, kind)
    quoted = _by_dictionary(_where(column, ~bare), kind)
    plain = _by_dictionary(_where(column, bare), kind, as_json=True)
    below = quoted.below
    if plain.below is not None:
        below = plain.below if below is None else below.fill_null(plain.below)
    return Encoded(quoted.values.fill_null(plain.values), below)


def _from_integers(column: pl.Series, kind: Kind, largest: int) -> Encoded:
    if kind.name == "text":
        return Encoded(column.cast(pl.String))
    whole = column.cast(pl.Int64, strict=False)
    if kind.name != "duration":
        whole = _at_most(whole, largest)
    if kind.name in ("number", "money"):
        return Encoded(whole)
    if kind.name == "seat":
        return Encoded(_where(whole, (whole >= 1).fill_null(False)))
    if kind.name == "duration":
        sane = whole.is_between(-LONGEST_DURATION, LONGEST_DURATION).fill_null(False)
        return Encoded(_where(whole, sane) * 1_000_000)
    return _by_dictionary(whole, kind)


def _at_most(whole: pl.Series, largest: int) -> pl.Series:
    ends: Any = whole.min(), whole.max()
    if ends[0] is None or (-largest <= ends[0] and ends[1] <= largest):
        return whole
    return _where(whole, whole.is_between(-largest, largest).fill_null(False))


def _by_dictionary(column: pl.Series, kind: Kind, as_json: bool = False) -> Encoded:
    """Read each different value once and put its number in all of its places."""
    if column.null_count() == len(column):
        return _nothing(column, kind)
    # Several times as fast as to replace values in the column: nothing is sent to other threads.
    coded = column.to_arrow().dictionary_encode()
    read: list[int | str | None] = []
    below: list[int | None] = []
    for raw in pl.Series(coded.dictionary).to_list():
        try:
            value = from_log(kind, msgspec.json.decode(raw) if as_json else raw)
            one, under = encoded_value(kind, value)
        except (ValueError, OverflowError, ArithmeticError):
            read.append(None)
            below.append(None)
        else:
            read.append(one)
            below.append(under)
    values = in_all_places(pl.Series(read, dtype=column_type(kind.name)), coded.indices)
    if all(number in (None, 1) for number in below):
        return Encoded(values)
    return Encoded(values, in_all_places(pl.Series(below, dtype=pl.Int64), coded.indices))


def in_all_places(numbers: pl.Series, places: Any) -> pl.Series:
    """The numbers of a list where it was said which one is meant."""
    found = pl.from_arrow(numbers.to_arrow().take(places))
    assert isinstance(found, pl.Series)
    return found


def _where(column: pl.Series, mask: pl.Series) -> pl.Series:
    return column if mask.all() else column.zip_with(mask, _empty(column))


def _empty(column: pl.Series) -> pl.Series:
    return pl.Series([None], dtype=column.dtype).new_from_index(0, len(column))


def _nothing(column: pl.Series, kind: Kind) -> Encoded:
    empty: Any = pl.Series([None], dtype=column_type(kind.name))
    return Encoded(empty.new_from_index(0, len(column)))
