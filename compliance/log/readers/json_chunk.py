"""Records of JSON lines by columns, with proof that the columns tell all that the lines say.

The columns come from a fast reader that passes over what it does not expect. So the names in each
line are counted: a line with fewer values in the columns than it has names is looked at by itself.
Numbers and texts both arrive as text where a column is mixed; the line tells which had quotes.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, Final

import msgspec
import numpy as np
import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.log.blocks import SLICE
from compliance.log.columns_by_kind import any_looks_bare, looks_bare
from compliance.log.compiled_pages import NewNames
from compliance.log.layout import BASE, Layout
from compliance.log.lost_lines import NOTHING, known_of_text
from compliance.log.problems import shortened
from compliance.log.raw import RawChunk, Single
from compliance.log.readers.json_columns import WHOLE_KINDS, plain_columns
from compliance.table_log.arrow_numbers import polars_series
from compliance.table_log.columns import Flags, Integers

_SAMPLE: Final = 200
_NAME: Final = r'"\s*:'
_EMPTY_FIELD: Final = r'[^\\]"\s*:\s*null\s*[,}]'
_HALF_CHARACTER: Final = r"\\u[dD][89abAB]"
_QUOTE: Final = ord('"')
_COLON: Final = ord(":")
_BLANK: Final = ord(" ")
_LINE_END: Final = ord("\n")
_decode = msgspec.json.Decoder().decode


class Seen:
    """Which names the records of a file have, and what sorts of value: learned while reading."""

    def __init__(self, layout: Layout) -> None:
        self.layout = layout
        self.types: dict[str, set[type]] = {name: set() for name in BASE}
        self.new_names = NewNames()

    def learn(self, lines: Iterable[str | bytes]) -> None:
        """Look at some lines; broken ones teach nothing."""
        for line in lines:
            try:
                record = _decode(line)
            except (ValueError, RecursionError):
                continue
            if isinstance(record, dict):
                for name, value in record.items():
                    if value is not None and name in self.layout.names:
                        self.types.setdefault(name, set()).add(type(value))

    def columns(self) -> dict[str, pl.DataType]:
        """How each column is best read. What turns out otherwise is read line by line."""
        return {name: self._column(name, types) for name, types in self.types.items()}

    def _column(self, name: str, types: set[type]) -> pl.DataType:
        kind = self.layout.single_kind(name)
        if kind in WHOLE_KINDS and types == {int}:
            return pl.Int64()
        return pl.Boolean() if kind == "flag" and types == {bool} else pl.String()


class JsonChunk(RawChunk):
    """Some lines of a file, each a JSON object."""

    def __init__(
        self,
        data: bytes,
        numbers: Integers,
        seen: Seen | None,
        texts: Sequence[str] | None = None,
    ) -> None:
        """`numbers` has the number of each line, blank ones included. Without `seen`, there are no
        columns: the records are wanted one by one."""
        super().__init__(pl.DataFrame(), numbers)
        self.data = data
        self._numbers = numbers
        self._shown = texts
        self._seen = seen
        self._plain = None if seen is None else plain_columns(data, len(numbers), seen.layout)
        if seen is not None and self._plain is None:
            self._read(seen)

    def columns(self) -> dict[str, Any] | None:
        return super().columns() if self._plain is None else self._plain.columns

    def look_closer(self) -> None:
        if self._seen is not None and self._plain is not None:
            self._plain = None
            self._read(self._seen)

    @cached_property
    def all_lines(self) -> list[str]:
        """The lines as texts, blank ones included."""
        return self.data.decode().split("\n")[: len(self._numbers)]

    @cached_property
    def _series(self) -> pl.Series:
        """The lines of the rows, for questions to all of them."""
        return pl.Series([self.all_lines[place] for place in self._places], dtype=pl.String)

    def _read(self, seen: Seen) -> None:
        """Columns in which single rows may be in doubt."""
        new = _lines_at(self.data, seen.new_names.places(self.data))
        seen.learn(chain(_sampled(self.data), new))
        self._places = np.arange(len(self._numbers))
        broken: list[int] = []
        for _attempt in range(3):
            columns = seen.columns()
            frame = _frame(self.data, columns)
            if frame is None or len(frame) != len(self._places):
                frame, broken = self._without_broken_lines(columns)
            self.frame = frame
            self.doubtful = self._doubtful()
            places = np.flatnonzero(self.doubtful)
            if not len(places):
                break
            seen.learn(self._series.gather(places[:: max(1, len(places) // _SAMPLE)]))
            if seen.columns() == columns:
                break
        self.lines = self._numbers[self._places]
        self.singles = [*self.singles, *(self._single(place) for place in broken)]

    def _without_broken_lines(
        self, columns: dict[str, pl.DataType]
    ) -> tuple[pl.DataFrame, list[int]]:
        """The same columns from those lines that are JSON at all; blank lines are no records."""
        good: list[int] = []
        broken: list[int] = []
        for place, line in enumerate(self.all_lines):
            if not line.strip():
                continue
            try:
                is_record = isinstance(_decode(line), dict)
            except (ValueError, RecursionError):
                is_record = False
            (good if is_record else broken).append(place)
        lines = [self.all_lines[place] for place in good]
        frame = _frame("\n".join(lines).encode(), columns) if lines else pl.DataFrame()
        if frame is None or len(frame) != len(lines):
            # The fast reader sees it otherwise: then every line is looked at by itself.
            frame, broken, good = pl.DataFrame(), sorted(good + broken), []
        self._places = np.array(good, dtype=np.int64)
        self.__dict__.pop("_series", None)
        return frame, broken

    def _doubtful(self) -> Flags:
        size = len(self.frame)
        doubtful = np.zeros(size, dtype=np.bool_)
        if not size:
            return doubtful
        values = sum(size - self.frame[name].null_count() for name in self.frame.columns)
        if _names(self.data) != values:
            names = self._series.str.count_matches(_NAME)
            names -= self._series.str.count_matches(_EMPTY_FIELD)
            filled = self.frame.select(pl.sum_horizontal(pl.all().is_not_null())).to_series()
            doubtful |= names.cast(pl.Int64).to_numpy() != filled.cast(pl.Int64).to_numpy()
        if b"\\" in self.data and b"\\u" in self.data:
            doubtful |= self._series.str.contains(_HALF_CHARACTER).to_numpy()
        return doubtful

    def bare(self, name: str, column: pl.Series) -> tuple[pl.Series | None, Flags | None]:
        looks = looks_bare(column)
        if not looks.any():
            return None, None
        rows = np.flatnonzero(looks.to_numpy())
        lines = pl.Series(self._lines_at(self._places[rows]), dtype=pl.String)
        key = f'"{re.escape(name)}"\\s*:\\s*'
        quoted = lines.str.contains(key + '"')
        bare = lines.str.contains(key + r'[^"\s]')
        # The fast reader writes 2.0 as 2, which would make two cents of two dollars.
        whole = column.gather(rows).str.contains(r"^-?\d+$")
        broken = bare & whole & ~lines.str.contains(key + r"-?\d+\s*[,}]")
        found, unclear = (np.zeros(len(column), dtype=np.bool_) for _ in range(2))
        found[rows] = bare.to_numpy()
        unclear[rows] = ((quoted == bare) | broken).to_numpy()
        return pl.Series(found), unclear

    def bare_in_list(self, name: str, column: Any) -> tuple[pl.Series | None, Flags | None]:
        if self._plain is not None:
            known = self._plain.bare.get(name)
            return None if known is None else pl.Series(known), None
        coded = pa.types.is_dictionary(column.type)
        texts = polars_series(column.dictionary if coded else column)
        if texts.dtype != pl.String or not any_looks_bare(texts):
            return None, None
        return self.bare(name, polars_series(column.dictionary_decode()) if coded else texts)

    def _lines_at(self, places: Integers) -> list[str]:
        """Some of the lines as texts."""
        ends = self._ends
        starts = np.append(0, ends[:-1] + 1)
        return [self.data[starts[place] : ends[place]].decode() for place in places]

    @cached_property
    def _ends(self) -> Integers:
        """Where each line ends."""
        return np.flatnonzero(np.frombuffer(self.data, dtype=np.uint8) == _LINE_END)

    def picked(self, rows: Integers) -> Iterator[Single]:
        for row in rows:
            yield self._single(int(self._places[row]))

    def _single(self, place: int) -> Single:
        line = self.all_lines[place]
        text = line if self._shown is None else self._shown[place]
        record = record_of_line(line)
        # Lines in the words of another system are not looked at for columns.
        broken = isinstance(record, str) and self._seen is not None
        known = known_of_text(line) if broken else NOTHING
        return Single(int(self._numbers[place]), record, shortened(text.rstrip("\r")), known)

    def records(self) -> Iterator[Single]:
        places = (place for place, line in enumerate(self.all_lines) if line.strip())
        rows = map(self._single, places)
        if self.singles:
            yield from sorted([*rows, *self.singles], key=lambda item: item.line)
        else:
            yield from rows


def _names(data: bytes) -> int | None:
    """How many names the lines have, or more than that; None where they cannot be counted so."""
    buffer = np.frombuffer(data, dtype=np.uint8)
    names = 0
    for at in range(0, len(buffer) - 1, SLICE):
        here = buffer[at : at + SLICE + 1]
        quotes, after = here[:-1] == _QUOTE, here[1:]
        if (quotes & (after <= _BLANK)).any():
            # Perhaps a colon that does not follow its name at once.
            return None
        names += int(np.count_nonzero(quotes & (after == _COLON)))
    return names


def _frame(data: bytes, columns: dict[str, pl.DataType]) -> pl.DataFrame | None:
    try:
        return pl.read_ndjson(data, schema=columns, ignore_errors=True)
    except (pl.exceptions.PolarsError, ValueError):
        return None


def _sampled(data: bytes) -> Iterator[bytes]:
    """Some lines, the first ones and others from all over the block."""
    place = 0
    for _line in range(_SAMPLE // 4):
        end = data.find(b"\n", place)
        yield data[place:end]
        place = end + 1
        if end < 0:
            return
    step = max(1, len(data) // _SAMPLE)
    for begin in range(place, len(data), step):
        start = data.find(b"\n", begin) + 1
        end = data.find(b"\n", start)
        if start and end > start:
            yield data[start:end]


def _lines_at(data: bytes, places: Iterable[int]) -> Iterator[bytes]:
    """The lines in which some places lie, each once for however many neighbours among them."""
    start = end = -1
    for place in places:
        if start <= place < end:
            continue
        start, end = data.rfind(b"\n", 0, place) + 1, data.find(b"\n", place)
        end = end if end >= 0 else len(data)
        yield data[start:end]


def record_of_line(line: str) -> dict[str, Any] | str:
    """The record of one line, or why it is none."""
    twice: list[str] = []

    def record(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name, value in pairs:
            if name in found:
                twice.append(name)
            found[name] = value
        return found

    try:
        value = json.loads(line, object_pairs_hook=record, parse_constant=_no_number)
    except _NoNumber as problem:
        return f"{problem} is not a number that a record may hold."
    except RecursionError:
        return "The line is not a record: it is nested too deeply."
    except ValueError as problem:
        where = f" at place {problem.pos + 1}" if isinstance(problem, json.JSONDecodeError) else ""
        return f"The line is not valid JSON{where}."
    if re.search(_HALF_CHARACTER, line) and not _is_text(line):
        return "The record holds half of a character (an escape that stands for no text)."
    if twice:
        return f'The record names the field "{twice[0]}" twice.'
    if not isinstance(value, dict):
        return f"The line holds {_sort(value)} instead of a record with named fields."
    return value


def _is_text(line: str) -> bool:
    try:
        _decode(line)
    except ValueError:
        return False
    return True


class _NoNumber(Exception):
    """A word such as NaN where JSON has a number."""


def _no_number(word: str) -> Any:
    raise _NoNumber(word)


def _sort(value: object) -> str:
    names = {list: "a list", str: "a text", bool: "true or false", type(None): "nothing"}
    return names.get(type(value), "a number")
