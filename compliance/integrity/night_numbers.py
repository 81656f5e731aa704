"""Puts nights one after the other whose numbers, and perhaps names, begin again every night.

A counter that is set back every night, or with every file, gives two records of a table the same
number. By time it is clear which night a record is of: the numbers of each later night are counted
on from the night before it, so that holes inside of a night still show. Records that two files tell
alike, where the files overlap, are taken once. A name that comes again in another night gets the
day of its night.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
import polars as pl

from compliance.integrity.defects import Defect, DefectKind, DefectText, defect
from compliance.integrity.table_events import TableEvents
from compliance.integrity.used_names import UsedNames
from compliance.log.lost_lines import LostLine
from compliance.table_log.columns import Flags, Integers
from compliance.values.moments import moment
from event_schemas import Schema

_PAUSE: Final = 30 * 60 * 1_000_000
"""After so many microseconds a lower number is that of another night."""
_FILED: Final = ("offset", "seq", "file", "line")
_ABOUT: Final = ("corrects:text", "voids:text")
_DAY: Final = re.compile(r"@\d{4}-\d\d-\d\d$")
"""What a name that begins again has behind it."""


@dataclass(frozen=True)
class NightsInOrder:
    """A table's records of several nights in one order, with numbers that go on."""

    frame: pl.DataFrame
    left_out: tuple[int, ...]
    lost_lines: tuple[LostLine, ...]
    begins: tuple[str, ...]
    """Where the numbers begin again: a file and a line."""
    defects: tuple[Defect, ...] = ()


@dataclass
class _Night:
    """Records that were counted by one counter, in its order."""

    frame: pl.DataFrame
    room_before: int = 0
    room_after: int = 0
    """How many numbers before its first record, and after its last, lines have that could not be
    read."""

    def leave_room_for(self, lines: Sequence[LostLine]) -> None:
        """Keep the numbers of lines that were set aside at its ends."""
        if not len(self.frame):
            return
        files = set(self.frame["file"].unique().to_list())
        first, last = int(self.seq[0]), int(self.seq[-1])
        known = [line.known.seq for line in lines if line.file in files]
        numbers = [number for number in known if number is not None]
        self.room_before = max(0, first - min(numbers, default=first))
        self.room_after = max(0, max(numbers, default=last) - last)

    @property
    def seq(self) -> Integers:
        return self.frame["seq"].to_numpy()

    @property
    def ts(self) -> Integers:
        return self.frame["ts"].to_numpy()

    @property
    def times(self) -> Integers:
        """By when each record had happened at the latest, whatever its own clock says."""
        return np.maximum.accumulate(self.ts)

    def is_followed_by(self, later: pl.DataFrame) -> bool:
        """Whether the numbers begin again in what comes later: numbers that were there before are
        those of other moments, more often than of the same."""
        below = later.filter(pl.col("seq") <= int(self.seq.max())).select("seq", "ts", "type")
        after = below.filter(pl.col("ts") > int(self.ts.max()))
        before = below.filter(pl.col("ts") <= int(self.ts.max()))
        own = self.frame.select("seq", own_ts="ts", own_type="type").unique("seq")
        known = before.join(own, on="seq")
        alike = (known["ts"] == known["own_ts"]) & (known["type"] == known["own_type"])
        same = int(alike.sum())
        return len(after) + len(known) - same > same


def nights_in_order(
    schema: Schema,
    frame: pl.DataFrame,
    earlier: pl.DataFrame | None = None,
    left_out: Sequence[int] = (),
    lost_lines: Sequence[LostLine] = (),
    names: UsedNames | None = None,
) -> NightsInOrder | None:
    """The nights of a table one after the other; nothing where its numbers do not begin again.

    `earlier` are the last records of a log that was checked before, `names` the names of all its
    nights.
    """
    if not len(frame) or not _may_begin_again(frame, earlier):
        return None
    plain = frame.with_columns(pl.col(pl.Enum).cast(pl.String))
    nights = _nights(plain, earlier)
    if len(nights) + (earlier is not None) < 2 or (earlier is not None and not nights):
        return None
    before = None if earlier is None else _Night(earlier)
    if before is not None and not before.is_followed_by(nights[0].frame):
        return None
    begins = [_place(night.frame) for night in (nights if before is not None else nights[1:])]
    defects: list[Defect] = []
    known = [] if before is None else [before]
    kept: list[_Night] = []
    for night in nights:
        found, problem = _joined(schema, [*known, *kept], night, names)
        defects += problem
        kept.append(found)
    for night in kept:
        night.leave_room_for(lost_lines)
    start = int(kept[0].seq[0]) if len(kept[0].frame) else 1
    if earlier is not None:
        start = int(earlier["seq"].max()) + 1 + kept[0].room_before  # type: ignore[arg-type]
    whole = _counted_on(kept, start)
    numbers = _Numbers(kept, whole)
    return NightsInOrder(
        whole.drop("night", "counted"),
        tuple(numbers.everywhere(left_out)),
        tuple(numbers.line(line) for line in lost_lines),
        tuple(begins),
        tuple(defects),
    )


def _may_begin_again(frame: pl.DataFrame, earlier: pl.DataFrame | None) -> bool:
    """Whether a number comes at two times, or the clock goes back where numbers go up: cheap, and
    enough to look closer."""
    if earlier is not None and bool(frame["seq"][0] <= earlier["seq"].max()):
        return True
    steps, numbers = np.diff(frame["ts"].to_numpy()), np.diff(frame["seq"].to_numpy())
    return bool((steps < -_PAUSE).any() or ((numbers == 0) & (steps != 0)).any())


def _nights(frame: pl.DataFrame, earlier: pl.DataFrame | None) -> list[_Night]:
    """The records by the counters that counted them, the first night first."""
    parts: list[pl.DataFrame] = []
    for file in frame.partition_by("file", maintain_order=True):
        parts += _stretches(file.sort("line", maintain_order=True))
    parts.sort(key=lambda part: int(part["ts"].min()))  # type: ignore[arg-type]
    nights: list[_Night] = []
    for part in parts:
        if nights and not nights[-1].is_followed_by(part):
            nights[-1] = _Night(_sorted([nights[-1].frame, part]))
        else:
            nights.append(_Night(_sorted([part])))
    return nights


def _sorted(parts: Sequence[pl.DataFrame]) -> pl.DataFrame:
    return pl.concat(parts).sort("seq", maintain_order=True)


def _stretches(file: pl.DataFrame) -> Iterable[pl.DataFrame]:
    """The records of a file, cut where its numbers begin again."""
    seq, ts = file["seq"].to_numpy(), file["ts"].to_numpy()
    latest = np.maximum.accumulate(ts)
    cuts = [0]
    for place in (np.flatnonzero(np.diff(seq) < 0) + 1).tolist():
        lowest = int(seq[cuts[-1] : place].min())
        pause = int(ts[place] - latest[place - 1])
        if pause > _PAUSE or (pause > 0 and seq[place] <= lowest + 1):
            cuts.append(place)
    return [file[begin:end] for begin, end in pairwise([*cuts, len(file)])]


def _joined(
    schema: Schema, before: Sequence[_Night], night: _Night, names: UsedNames | None
) -> tuple[_Night, list[Defect]]:
    """A night without what earlier ones tell as well, its names its own."""
    if not before:
        return night, []
    old = pl.concat([part.frame for part in before], how="diagonal_relaxed")
    frame = night.frame
    content = [name for name in frame.columns if name not in _FILED]
    copies = _are_in(frame.select(content), old, content)
    end = int(old["ts"].max())  # type: ignore[arg-type]
    told = int((frame["ts"] <= end).sum())
    defects: list[Defect] = []
    if told > int(copies.sum()):
        # Names that begin again do not tell it, or of some records by chance: does the night begin
        # with what the last one ended with?
        unnamed = [name for name in content if name != "id"]
        first = int(frame["ts"].min())  # type: ignore[arg-type]
        tail = old.filter(pl.col("ts") >= first)
        size = min(len(tail), told)
        alike = _same(tail.tail(size), frame.head(size), unnamed)
        if alike:
            copies = np.arange(len(frame)) < size
        elif size and not copies.any():
            defects.append(_disagreement(schema, tail, frame))
    frame = frame.filter(~pl.Series(copies))
    taken = set(old["id"].to_list()) | (names.among(frame["id"]) if names is not None else set())
    return _Night(_named_apart(frame, taken)), defects


def _are_in(rows: pl.DataFrame, others: pl.DataFrame, names: Sequence[str]) -> Flags:
    shared = [name for name in names if name in others.columns]
    only = [name for name in names if name not in others.columns]
    marked = others.select(shared).unique().with_columns(pl.lit(True).alias("there"))
    joined = rows.join(marked, on=shared, how="left", nulls_equal=True, maintain_order="left")
    found = joined["there"].fill_null(False)
    for name in only:
        found &= rows[name].is_null()
    return found.to_numpy().copy()


def _same(one: pl.DataFrame, other: pl.DataFrame, names: Sequence[str]) -> bool:
    known = [name for name in names if name in one.columns]
    if any(other[name].null_count() < len(other) for name in names if name not in known):
        return False
    return one.select(known).rows() == other.select(known).rows()


def _disagreement(schema: Schema, tail: pl.DataFrame, frame: pl.DataFrame) -> Defect:
    events = TableEvents(schema, frame)
    other = TableEvents(schema, tail[:1])
    sentence = (
        f"Two logs tell of the same minutes of this table, and not the same: {other.name(0)} and "
        f"{events.name(0)}. They were put in the order of their times; what happened in these "
        "minutes is not certain."
    )
    return defect(events, DefectKind.NIGHTS_DISAGREE, DefectText(0, sentence))


def _named_apart(frame: pl.DataFrame, taken: set[str]) -> pl.DataFrame:
    """Where another night has used a name, all of this one get its day: of the night before, only
    the last records may be at hand, and a finding is to have one name either way."""
    own = set(frame["id"].to_list())
    if own.isdisjoint(taken | {_DAY.sub("", name) for name in taken}):
        return frame
    day = moment(int(frame["ts"][0]), int(frame["offset"][0])).date().isoformat()
    names = [name for name in ("id", *_ABOUT) if name in frame.columns]
    again = sorted(own)
    # A correction speaks of a record of its own night.
    return frame.with_columns(
        pl.when(pl.col(name).is_in(again))
        .then(pl.col(name) + f"@{day}")
        .otherwise(pl.col(name))
        .alias(name)
        for name in names
    )


def _place(frame: pl.DataFrame) -> str:
    return f"{frame['file'][0]}, line {frame['line'][0]}"


def _counted_on(nights: Sequence[_Night], start: int) -> pl.DataFrame:
    """All nights in the order of time, then of their own numbers, counted on from `start`."""
    parts = [
        night.frame.with_columns(
            pl.lit(number, pl.Int32).alias("night"),
            pl.Series("by", night.times, dtype=pl.Int64),
            pl.col("seq").alias("counted"),
        )
        for number, night in enumerate(nights)
        if len(night.frame)
    ]
    if not parts:
        empty = nights[0].frame.clear()
        return empty.with_columns(
            pl.lit(0, pl.Int32).alias("night"), pl.col("seq").alias("counted")
        )
    whole = pl.concat(parts, how="diagonal_relaxed").sort("by", "night", maintain_order=True)
    night, seq = whole["night"].to_numpy(), whole["counted"].to_numpy()
    before = np.array([item.room_before for item in nights])
    after = np.array([item.room_after for item in nights])
    # Where nights lie in each other, nobody knows how many numbers are between two of them.
    apart = 1 + np.where(np.diff(night) == 1, after[night[:-1]] + before[night[1:]], 0)
    steps = np.where(np.diff(night) == 0, np.diff(seq), apart)
    numbers = start + np.concatenate([[0], np.cumsum(np.maximum(steps, 0))])
    return whole.drop("by").with_columns(pl.Series("seq", numbers, dtype=pl.Int64))


class _Numbers:
    """What a number of one night is called in the order of all."""

    def __init__(self, nights: Sequence[_Night], whole: pl.DataFrame) -> None:
        self._nights = nights
        self._new = [
            whole.filter(pl.col("night") == number).select("counted", "seq")
            for number in range(len(nights))
        ]

    def _of(self, number: int, seq: int) -> int | None:
        known = self._new[number]
        old = known["counted"].to_numpy()
        if not len(old):
            return None
        place = max(0, int(np.searchsorted(old, seq, side="right")) - 1)
        return int(known["seq"][place]) + seq - int(old[place])

    def everywhere(self, numbers: Sequence[int]) -> Iterable[int]:
        """Numbers of which it is not known in which night they were left out."""
        for number in range(len(self._nights)):
            counted = self._new[number]["counted"]
            for seq in numbers:
                found = self._of(number, seq)
                if found is not None and counted[0] < seq < counted[-1]:
                    yield found

    def line(self, line: LostLine) -> LostLine:
        """A line that was set aside, with its number in the order of all nights."""
        if line.known.seq is None:
            return line
        for number, night in enumerate(self._nights):
            if line.file in night.frame["file"]:
                found = self._of(number, line.known.seq)
                return line._replace(known=line.known._replace(seq=found))
        return line
