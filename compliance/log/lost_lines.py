"""What is known of the lines that were set aside: where they stand, and whose records they were.

A line that is no event once was one. Mostly its beginning, or all but one field of it, can be read:
then its table and its number are known. Of the others only the place in the file is.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from json.decoder import JSONDecodeError, JSONDecoder, scanstring  # type: ignore[attr-defined]
from typing import Any, Final, NamedTuple

from event_schemas.lost_record import NO_LIMIT

MOST: Final = 10_000
"""Of how many lines each by itself is remembered; with more of them, neighbours go together."""
_KEPT: Final = 1_000
"""How many characters of a line are looked at."""
_LONGEST_FILE: Final = 1 << 40
_BLANKS: Final = " \t\r"
_decoder = JSONDecoder()


class KnownOfLine(NamedTuple):
    """What a line tells of the record that it should have been."""

    id: str | None = None
    casino: str | None = None
    table: str | None = None
    seq: int | None = None
    type: str | None = None
    about: str | None = None
    """The id of another record that it corrects or cancels."""
    records: int = 1
    """How many records may stand on the line: more than one where line ends are lost, too."""


NOTHING: Final = KnownOfLine()


class LostLine(NamedTuple):
    """Lines that were set aside, from a first one to a last one, of which the same is known."""

    file: str
    first: int
    last: int
    records: int
    known: KnownOfLine = NOTHING


def known_of_record(record: Mapping[str, Any]) -> KnownOfLine:
    """What a record tells that was read but does not fit the vocabulary."""
    return KnownOfLine(
        _text(record.get("id")),
        _text(record.get("casino")),
        _text(record.get("table")),
        _number(record.get("seq")),
        _text(record.get("type")),
        _text(record.get("corrects")) or _text(record.get("voids")),
    )


def known_of_text(text: str) -> KnownOfLine:
    """What the beginning of a broken JSON line tells: the fields that stand there whole.

    A field counts only if the comma or the bracket after it is there as well: 19 may be the
    beginning of 196.
    """
    text = text[:_KEPT]
    beginnings = text.count("{")
    if not text.lstrip(_BLANKS).startswith("{"):
        return KnownOfLine(records=_records(text, beginnings + 1))
    found: dict[str, Any] = {}
    twice: set[str] = set()
    try:
        at = _after_blanks(text, text.index("{") + 1)
        while text[at] == '"':
            name, at = scanstring(text, at + 1, True)
            at = _after_blanks(text, at)
            if text[at] != ":":
                break
            value, at = _decoder.raw_decode(text, _after_blanks(text, at + 1))
            at = _after_blanks(text, at)
            if text[at] not in ",}":
                break
            twice |= {name} & found.keys()
            found[name] = value
            if text[at] == "}":
                break
            at = _after_blanks(text, at + 1)
    except (JSONDecodeError, ValueError, IndexError, RecursionError):
        pass
    told = {name: value for name, value in found.items() if name not in twice}
    return known_of_record(told)._replace(records=_records(text, beginnings))


def _records(text: str, beginnings: int) -> int:
    return NO_LIMIT if len(text) == _KEPT else max(1, beginnings)


def _after_blanks(text: str, at: int) -> int:
    while text[at] in _BLANKS:
        at += 1
    return at


def _text(value: object) -> str | None:
    return value if isinstance(value, str) and value else None


def _number(value: object) -> int | None:
    if isinstance(value, str) and value.isascii() and value.isdigit() and len(value) < 19:
        value = int(value)
    whole = isinstance(value, int) and not isinstance(value, bool) and abs(value) < 2**62
    return int(value) if whole else None  # type: ignore[call-overload]


class LostLines:
    """All lines of a log that were set aside, in little memory however many they are."""

    def __init__(self, most: int = MOST) -> None:
        self._most = most
        self._stretch = 1
        """Lines within so many of a file are remembered together."""
        self._lines: list[LostLine] = []

    def __len__(self) -> int:
        return len(self._lines)

    def add(self, file: str, line: int, known: KnownOfLine) -> None:
        """Take note of a line; those of a file come in their order."""
        if known.table is None:
            # A number without its table says nothing: every table has a number seven.
            known = known._replace(seq=None)
        if known.records > 1 and known != KnownOfLine(records=known.records):
            # Only of the first record on a line anything is known.
            self._add(LostLine(file, line, line, 1, known._replace(records=1)))
            known = KnownOfLine(records=known.records - 1)
        self._add(LostLine(file, line, line, known.records, known._replace(records=1)))

    def _add(self, new: LostLine) -> None:
        if self._lines and self._go_together(self._lines[-1], new):
            self._lines[-1] = _together(self._lines[-1], new)
            return
        self._lines.append(new)
        while len(self._lines) > self._most and self._stretch < _LONGEST_FILE:
            self._stretch *= 2
            waiting, self._lines = self._lines, []
            for line in waiting:
                self._add(line)

    def _go_together(self, last: LostLine, new: LostLine) -> bool:
        if last.file != new.file:
            return False
        if self._stretch > 1 and last.first // self._stretch == new.first // self._stretch:
            return True
        nameless = new.known.seq is None and new.known.id is None
        return nameless and last.known == new.known and new.first - last.last <= 1

    def doubt_other_tables(self, places: Collection[tuple[str, str]]) -> None:
        """Do not believe lines that name a table of which the log has no record: the name may be
        what is wrong with them. `places` are the tables of the log."""
        self._lines = [
            line if _is_one_of(line.known, places) else line._replace(known=NOTHING)
            for line in self._lines
        ]

    def of(self, casino: str, table: str) -> tuple[LostLine, ...]:
        """The lines that may be records of a table."""
        here = [(casino, table)]
        return tuple(line for line in self._lines if _is_one_of(line.known, here))


def _is_one_of(known: KnownOfLine, places: Collection[tuple[str, str]]) -> bool:
    """Whether a line may belong to one of some tables."""
    if known.casino is not None and known.table is not None:
        return (known.casino, known.table) in places
    return any(
        known.casino in (None, casino) and known.table in (None, table) for casino, table in places
    )


def _together(first: LostLine, second: LostLine) -> LostLine:
    """Two neighbours as one: what is lost is then known less exactly, but not forgotten."""
    pairs = zip(first.known[:-1], second.known[:-1], strict=True)
    agreed = [one if one == other else None for one, other in pairs]
    return LostLine(
        first.file,
        first.first,
        second.last,
        min(NO_LIMIT, first.records + second.records),
        KnownOfLine(*agreed),  # type: ignore[arg-type]
    )
