"""Drafts a mapping file from a feed: guesses from names and values, and questions where there is
nothing to guess from.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final

from compliance.log.layout import BASE
from compliance.log.mapped_values import plain
from compliance.log.toml_words import toml_comment, toml_text
from event_schemas import Schema

_PATTERNS: Final = (
    *("%m/%d/%Y %H:%M:%S", "%m/%d/%Y %H:%M", "%Y-%m-%d %H:%M:%S", "%Y/%m/%d %H:%M:%S"),
    *("%Y%m%d%H%M%S", "%d.%m.%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f"),
    *("%m/%d/%Y %I:%M:%S %p", "%m-%d-%Y %H:%M:%S"),
    *("%d/%m/%Y %H:%M:%S", "%d/%m/%Y %H:%M", "%d/%m/%Y %I:%M:%S %p", "%d-%m-%Y %H:%M:%S"),
)
_DAYS: Final = (
    *("%Y-%m-%d", "%m/%d/%Y", "%Y/%m/%d", "%d.%m.%Y", "%Y%m%d", "%m-%d-%Y"),
    *("%d/%m/%Y", "%d-%m-%Y"),
)
_CLOCKS: Final = ("%H:%M:%S", "%H:%M:%S.%f", "%H:%M", "%I:%M:%S %p")
_CARD: Final = re.compile(r"(?i)^(a|10|t|[2-9]|j|q|k)[shdc]$")
_RANK: Final = re.compile(r"(?i)^(a|10|t|[2-9]|j|q|k)$")
_BETWEEN_CARDS: Final = (" ", "|", ",", ";", "/", "-")
_AMOUNT: Final = re.compile(r"^-?[$]? ?[0-9][0-9,]*[.][0-9]{2}$")
_NUMBER: Final = re.compile(r"^[0-9]+$")
_WORD: Final = re.compile(r"^[^\W\d][\w .-]*$")
_KEPT: Final = 40
"""How many different values of a column are kept."""
_GUESSES: Final[dict[str, tuple[str, ...]]] = {
    "id": ("id", "uid", "uuid", "msg", "message_id", "msgid", "event_id", "eventid", "guid"),
    "seq": ("seq", "sequence", "seqno", "seq_no", "n", "no", "number", "counter", "index"),
    "casino": ("casino", "property", "site", "house", "location", "venue"),
    "table": ("table", "tbl", "table_id", "tableid", "table_no", "table_code", "tablename"),
    "round": (
        "round",
        "round_id",
        "roundid",
        "round_no",
        "hand_no",
        "game_no",
        "gameid",
        "game_id",
    ),
    "seat": ("seat", "spot", "box", "position", "seat_no", "player_seat"),
    "player": ("player", "player_id", "patron", "account", "customer"),
    "dealer": ("dealer", "dealer_id", "croupier"),
    "shoe": ("shoe", "shoe_id", "shoe_no"),
}
_TYPES: Final = ("type", "event", "evt", "action", "kind", "event_type", "name", "msg_type")


@dataclass
class FeedColumn:
    """A column of a feed with some of its values."""

    path: tuple[str, ...]
    filled: int = 0
    values: dict[str, int] = field(default_factory=dict)
    listed: bool = False
    """Whether it stands inside of a list, or holds one."""

    @property
    def name(self) -> str:
        return ".".join(self.path)

    @property
    def label(self) -> str:
        if self.path[-1].lower() in ("id", "code", "no") and len(self.path) > 1:
            return self.path[-2].lower()
        return self.path[-1].lower()

    @property
    def all_different(self) -> bool:
        return max(self.values.values(), default=0) == 1

    def all_are(self, pattern: re.Pattern[str]) -> bool:
        return bool(self.values) and all(pattern.match(value) for value in self.values)


@dataclass
class FeedFacts:
    """The columns of a feed, as far as it was looked at."""

    records: int = 0
    columns: dict[tuple[str, ...], FeedColumn] = field(default_factory=dict)

    def take(self, record: dict[str, Any]) -> None:
        """Look at one record."""
        self.records += 1
        self._inside(record, (), False)

    def _inside(self, value: Any, path: tuple[str, ...], listed: bool) -> None:
        if isinstance(value, dict):
            for name, part in value.items():
                self._inside(part, (*path, str(name)), listed)
        elif isinstance(value, list):
            for part in value:
                self._inside(part, path, True)
        elif value is not None and value != "":
            column = self.columns.setdefault(path, FeedColumn(path))
            column.filled += 1
            column.listed |= listed
            text = plain(value)
            if text in column.values or len(column.values) <= _KEPT:
                column.values[text] = column.values.get(text, 0) + 1


def drafted_mapping(facts: FeedFacts, schema: Schema, feed: str) -> str:
    """The text of a mapping, with what could be guessed and questions about the rest."""
    return "\n".join(_lines(facts, schema, feed)) + "\n"


def _lines(facts: FeedFacts, schema: Schema, feed: str) -> Iterator[str]:
    columns = list(facts.columns.values())
    guessed = {
        ours: column
        for ours, names in _GUESSES.items()
        if (column := _named(_fitting(columns, ours), names)) is not None
    }
    times = _time_of(columns)
    kinds = _named([item for item in columns if len(item.values) <= _KEPT], _TYPES)
    looked_at = f"drafted from {facts.records:,} of its records"
    yield f"# How {toml_comment(feed)} is to be read, {looked_at}."
    yield "# See what comes out with:"
    named = toml_comment(shlex.quote(feed))
    yield f"#   compliance mapping preview {named} --mapping THIS_FILE"
    yield ""
    yield f"name = {toml_text(feed)}"
    if times is None or times.needs_zone:
        yield "# In which zone are the clocks of the feed? In several, by a column:"
        yield '# zone = { from = "SITE", values = { AC = "America/New_York" } }'
        yield 'zone = "America/New_York"'
    if times is not None and times.way != "iso":
        yield from times.asked
        yield f'time = "{times.way}"'
    if "seq" not in guessed:
        yield 'order = "file"  # the records stand in the order in which they happened: is that so?'
    taken = {column.path for column in guessed.values()}
    taken |= {column.path for column in times.columns} if times else set()
    taken |= {kinds.path} if kinds else set()
    left = [column for column in columns if column.path not in taken]
    yield "ignore = ["
    for column in left:
        yield f"  # {toml_text(column.name)},  # {_shown(column)}"
    yield "]"
    yield ""
    yield "[constants]"
    for ours in ("casino", "table"):
        if ours not in guessed:
            yield f'{ours} = "?"  # no column was found for it'
    yield ""
    yield "[fields]"
    for ours, column in guessed.items():
        yield f"{ours} = {toml_text(column.name)}  # {_shown(column)}"
    if "id" not in guessed and "seq" in guessed:
        yield '# id = ""  # which column names a record?'
    yield from _time_line(times)
    yield ""
    yield from _sections(kinds, left, schema, facts.records)


def _fitting(columns: Sequence[FeedColumn], ours: str) -> list[FeedColumn]:
    """The columns that may hold one of our fields by their values."""
    if ours in ("id", "seq"):
        return [column for column in columns if column.all_different]
    if ours in ("round", "seat"):
        columns = [column for column in columns if column.all_are(_NUMBER)]
    return [column for column in columns if not _hint(column)]


def _sections(
    kinds: FeedColumn | None, left: Sequence[FeedColumn], schema: Schema, records: int
) -> Iterator[str]:
    hints = [hint for column in left if (hint := _hint(column))]
    if kinds is None:
        hints += [hint for column in left if (hint := _hint_of_kinds(column, records))]
    yield "# Which records are which event? `compliance schema list` shows all event types, and"
    yield "# `compliance schema show card_dealt` the fields of one."
    for hint in hints:
        yield f"#   {hint}"
    if kinds is None:
        yield "[[events]]"
        yield 'type = "?"'
        yield 'fields = { }  # such as { card = "CARD", seat = "SEAT" }'
        return
    for value, times in kinds.values.items():
        close = _event_named(value, schema)
        yield ""
        looked_at = "1 record" if times == 1 else f"{times:,} records"
        yield f"[[events]]  # {looked_at} looked at"
        yield f'type = "{close or "?"}"'
        yield f"when = {{ {toml_text(kinds.name)} = {toml_text(value)} }}"
        yield "fields = { }"


def _hint(column: FeedColumn) -> str:
    """What the values of a column look like."""
    name = toml_text(column.name)
    for mark in _BETWEEN_CARDS:
        words = [word.strip() for value in column.values for word in value.split(mark)]
        cards = bool(words) and all(map(_CARD.match, words))
        ranks = bool(words) and all(map(_RANK.match, words))
        card = name if cards else f'{{ from = {name}, suits = "unknown" }}'
        if not (cards or ranks):
            continue
        if column.listed and (cards or not all(map(str.isdigit, words))):
            return f"cards in a list: each = {name} and card = {card}"
        if any(mark in value for value in column.values):
            split = toml_text(mark)
            return f"cards in a text: each = {{ from = {name}, split = {split} }} and card = {card}"
        if cards or not all(map(str.isdigit, words)):
            return f"cards{'' if cards else ' without suits'}: card = {card}"
    amounts = ("bet", "stake", "wager", "amount", "pay", "win", "credit", "debit")
    if any(word in column.label for word in amounts) or column.all_are(_AMOUNT):
        return f'money: amount = {{ from = {name}, money = "dollars" }}, or cents?'
    return ""


def _hint_of_kinds(column: FeedColumn, records: int) -> str:
    """Words of which every record has one, and that come again, may tell what kind it is."""
    told = column.filled == records and not column.listed and column.all_are(_WORD)
    if not told or not 1 < len(column.values) <= min(_KEPT, records - 1):
        return ""
    first = next(iter(column.values))
    return f"perhaps the kind of record: when = {{ {toml_text(column.name)} = {toml_text(first)} }}"


def _event_named(value: str, schema: Schema) -> str | None:
    """The event type that has the words of a value in its name, if just one does."""
    word = re.sub(r"[^a-z]+", "_", value.lower()).strip("_")
    found = [name for name in schema.events if word and word in name.split("_")]
    return word if word in schema.events else found[0] if len(found) == 1 else None


@dataclass(frozen=True)
class _Times:
    columns: tuple[FeedColumn, ...]
    way: str
    needs_zone: bool

    @property
    def asked(self) -> Iterator[str]:
        """A question, where the month and the day could change places in all that was seen."""
        swapped = {"m": "d", "d": "m"}
        turned = re.sub("%[md]", lambda found: f"%{swapped[found[0][1]]}", self.way)
        day_way = turned.partition(" ")[0]
        days = {value.partition(" ")[0] for value in self.columns[0].values}
        if self.way.startswith("%m") and _reads(list(days), day_way):
            yield "# Does the month come first? Each of these days can be read both ways; else:"
            yield f'# time = "{turned}"'


def _time_line(times: _Times | None) -> Iterator[str]:
    if times is None:
        yield 'ts = "?"  # no column with times was found'
    elif len(times.columns) == 1:
        yield f"ts = {toml_text(times.columns[0].name)}  # {_shown(times.columns[0])}"
    else:
        names = ", ".join(toml_text(column.name) for column in times.columns)
        yield f"ts = {{ from = [{names}] }}"


def _time_of(columns: Sequence[FeedColumn]) -> _Times | None:
    for column in columns:
        values = list(column.values)
        if not values or column.listed:
            continue
        if all("T" in v or " " in v for v in values) and _reads_iso(values):
            bare = any(datetime.fromisoformat(v).tzinfo is None for v in values)
            return _Times((column,), "iso", bare)
        for size, unit in ((10, "seconds"), (13, "milliseconds"), (16, "microseconds")):
            if all(v.isdigit() and len(v) == size and v[0] in "12" for v in values):
                return _Times((column,), f"epoch {unit}", True)
        for pattern in _PATTERNS:
            if _reads(values, pattern):
                return _Times((column,), pattern, True)
    days = [(c, p) for c in columns for p in _DAYS if _reads(list(c.values), p)]
    clocks = [(c, p) for c in columns for p in _CLOCKS if _reads(list(c.values), p)]
    if days and clocks:
        (day, day_way), (clock, clock_way) = days[0], clocks[0]
        return _Times((day, clock), f"{day_way} {clock_way}", True)
    return None


def _reads(values: Sequence[str], pattern: str) -> bool:
    try:
        return bool(values) and all(datetime.strptime(value, pattern) for value in values)
    except ValueError:
        return False


def _reads_iso(values: Sequence[str]) -> bool:
    try:
        return all(datetime.fromisoformat(value) for value in values)
    except ValueError:
        return False


def _named(columns: Sequence[FeedColumn], names: Sequence[str]) -> FeedColumn | None:
    for name in names:
        for column in columns:
            label = re.sub(r"[\W_]", "", column.label)
            if label == name.replace("_", "") and not column.listed:
                return column
    for name in names:
        for column in columns:
            ends = "_".join(column.path).lower()
            if name in BASE and ends.endswith(f"_{name}") and not column.listed:
                return column
    return None


def _shown(column: FeedColumn) -> str:
    values = list(column.values)
    more = ", ..." if len(values) > 3 else ""
    return toml_comment(", ".join(value[:30] for value in values[:3]) + more)
