"""The names that the records of a table had in all nights so far, in little room.

Where names begin again every night, a name of tonight may be one of many nights ago: without these,
two findings of different nights could look like the same one. Names that end in a number, as nearly
all do, are kept as stretches of numbers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np
import polars as pl

_DIGITS: Final = "0123456789"
_MOST_DIGITS: Final = 18
_OF_A_NIGHT: Final = r"@\d{4}-\d\d-\d\d$"
MOST_SHAPES: Final = 5_000
"""Names without order, such as random ones, have too many shapes; they do not begin again."""
Stretches = Sequence[Sequence[int]]


@dataclass(frozen=True)
class UsedNames:
    """For each shape of a name (what stands before its number, and how many digits that has) the
    numbers that were used, from the first to the last of each stretch."""

    shapes: Mapping[str, Stretches] = field(default_factory=dict)

    def among(self, names: pl.Series) -> set[str]:
        """Which of these names were used before."""
        if not self.shapes or not len(names):
            return set()
        found = [
            part.filter(pl.Series(_within(self.shapes[shape], part["number"].to_numpy())))["name"]
            for (shape,), part in _by_shape(names).partition_by("shape", as_dict=True).items()
            if shape in self.shapes
        ]
        return {str(name) for part in found for name in part}

    def with_names(self, names: pl.Series) -> UsedNames:
        """Also these names. Those that were given the day of a night cannot come again."""
        plain = names.filter(~names.str.contains(_OF_A_NIGHT))
        shapes = {shape: [list(part) for part in parts] for shape, parts in self.shapes.items()}
        for (shape,), part in _by_shape(plain).partition_by("shape", as_dict=True).items():
            if shape not in shapes and len(shapes) >= MOST_SHAPES:
                continue
            shapes[shape] = _joined(shapes.get(shape, []), part["number"].to_numpy())
        return UsedNames({shape: shapes[shape] for shape in sorted(shapes)})


def _by_shape(names: pl.Series) -> pl.DataFrame:
    """Each name with its shape and its number; one without a number is a shape of its own."""
    name = pl.col("name")
    size = name.str.len_chars().cast(pl.Int64)
    begin = name.str.strip_chars_end(_DIGITS).str.len_chars().cast(pl.Int64)
    frame = pl.DataFrame({"name": names.cast(pl.String)})
    # A number has at most so many digits; what stands before those belongs to the rest.
    frame = frame.with_columns(begin=pl.max_horizontal(begin, size - _MOST_DIGITS))
    parts = frame.select(
        "name", before=name.str.slice(0, pl.col("begin")), digits=name.str.slice(pl.col("begin"))
    )
    return parts.select(
        "name",
        # A leading zero tells how many digits there are; otherwise 9 and 10 have one shape.
        pl.when(pl.col("digits") == "")
        .then(pl.concat_str(pl.lit("="), name))
        .when(pl.col("digits").str.starts_with("0"))
        .then(pl.concat_str(pl.col("digits").str.len_chars(), pl.lit(":"), pl.col("before")))
        .otherwise(pl.concat_str(pl.lit(":"), pl.col("before")))
        .alias("shape"),
        pl.col("digits").cast(pl.Int64, strict=False).fill_null(0).alias("number"),
    )


def _within(stretches: Stretches, numbers: np.ndarray) -> np.ndarray:
    firsts = np.array([first for first, _ in stretches])
    lasts = np.array([last for _, last in stretches])
    place = np.searchsorted(firsts, numbers, side="right") - 1
    return (place >= 0) & (numbers <= lasts[np.maximum(place, 0)])


def _joined(stretches: Sequence[Sequence[int]], numbers: np.ndarray) -> list[list[int]]:
    """The stretches with some more numbers in them."""
    fresh = np.unique(numbers)
    cuts = np.flatnonzero(np.diff(fresh) > 1)
    firsts = fresh[np.concatenate([[0], cuts + 1])].tolist()
    lasts = fresh[np.concatenate([cuts, [len(fresh) - 1]])].tolist()
    parts = sorted(
        [*(list(part) for part in stretches), *map(list, zip(firsts, lasts, strict=True))]
    )
    joined = [parts[0]]
    for first, last in parts[1:]:
        if first <= joined[-1][1] + 1:
            joined[-1][1] = max(joined[-1][1], last)
        else:
            joined.append([first, last])
    return joined


def used_names_of(written: object) -> UsedNames:
    """Names as a file keeps them; anything else raises ValueError."""
    if not isinstance(written, dict):
        raise ValueError
    for parts in written.values():
        end = -2
        for first, last in parts:
            if not (isinstance(first, int) and isinstance(last, int) and end < first <= last):
                raise ValueError
            end = last
    return UsedNames(written)
