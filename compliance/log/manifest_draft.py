"""Drafts a manifest from a log: what occurs is taken for recorded, and what a log cannot tell is
asked in comments. A person who knows the source answers them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

import polars as pl

from compliance.log.layout import BASE
from compliance.log.toml_words import toml_comment, toml_text
from compliance.table_log.frame import FIXED, FrameEvents
from compliance.values.elected_options import ELECTIONS
from event_schemas import Schema

_WIDTH: Final = 100
_MOST_ASKED: Final = 20
"""How many event types that do not occur are asked about."""


_REPAIRS: Final = ("corrects", "voids")


@dataclass
class LogFacts:
    """What a log shows of the source that wrote it."""

    events: int = 0
    counts: dict[str, int] = field(default_factory=dict)
    filled: dict[str, dict[str, int]] = field(default_factory=dict)
    """By event type and field: in how many events it is recorded."""
    of_word: dict[tuple[str, str, object], int] = field(default_factory=dict)
    """By event type, field and word of a list: how many events hold that word."""
    filled_of_word: dict[tuple[str, str, str, object], int] = field(default_factory=dict)
    """By event type, field, another field and its word: in how many of these it is recorded."""
    casinos: set[str] = field(default_factory=set)
    games: set[str] = field(default_factory=set)
    tables: set[tuple[str, str]] = field(default_factory=set)
    told_games: set[tuple[str, str]] = field(default_factory=set)
    """The tables of which the log tells the game."""

    def take(self, schema: Schema, frame: pl.DataFrame) -> None:
        """Look at the events of one table."""
        here = (str(frame["casino"][0]), str(frame["table"][0]))
        self.tables.add(here)
        self.casinos.add(here[0])
        self.events += len(frame)
        names = tuple(schema.events)
        for part in frame.partition_by("type"):
            name = names[int(part["type"][0])]
            self.counts[name] = self.counts.get(name, 0) + len(part)
            self._fields(schema, name, part)
            if name in ELECTIONS:
                self._games(schema, part, here)

    def _fields(self, schema: Schema, name: str, part: pl.DataFrame) -> None:
        columns = [
            column
            for column in part.columns
            if column not in FIXED
            and ":below" not in column
            and part[column].null_count() < len(part)
        ]
        filled = self.filled.setdefault(name, {})
        for column in columns:
            there = len(part) - part[column].null_count()
            label = column.split(":")[0]
            filled[label] = filled.get(label, 0) + there
        listed = [
            column
            for column in columns
            if schema.events[name].fields[column.split(":")[0]].kind.enum is not None
        ]
        for column in listed:
            self._words(schema, name, part, columns, column)

    def _words(
        self, schema: Schema, name: str, part: pl.DataFrame, columns: Sequence[str], asked: str
    ) -> None:
        label = asked.split(":")[0]
        for value in part[asked].unique():
            if value is None:
                continue
            events = part.filter(part[asked] == value)
            word = FrameEvents(schema, events[:1])[0].get(label)
            key = name, label, word
            self.of_word[key] = self.of_word.get(key, 0) + len(events)
            for column in columns:
                told = name, column.split(":")[0], label, word
                there = len(events) - events[column].null_count()
                self.filled_of_word[told] = self.filled_of_word.get(told, 0) + there

    def only_where(self, name: str, wanted: str) -> Iterator[str]:
        """Conditions such as `to is dealer` that all events meet in which a field is recorded, and
        no others, at whatever table."""
        for (event, label, word), count in self.of_word.items():
            if event != name or label == wanted or self.filled[name][label] < self.counts[name]:
                continue
            there = self.filled_of_word.get((name, wanted, label, word), 0)
            if there == count == self.filled[name][wanted]:
                yield f"{label} is {word}"

    def _games(self, schema: Schema, part: pl.DataFrame, here: tuple[str, str]) -> None:
        for event in FrameEvents(schema, part):
            told = event.get("game") if event.type == "table_opened" else event.get("value")
            if event.type == "table_opened" or event.get("option_name") == "game":
                self.games |= {str(told)} if told is not None else set()
                self.told_games |= {here} if told is not None else set()


def facts_of(schema: Schema, frames: Iterable[pl.DataFrame]) -> LogFacts:
    """What a log shows, table by table."""
    facts = LogFacts()
    for frame in frames:
        facts.take(schema, frame)
    return facts


def drafted_manifest(facts: LogFacts, schema: Schema, log: str, asked: Mapping[str, int]) -> str:
    """The text of a manifest. `asked` says how many rules look for each event type."""
    lines = [
        f"# What the source of {toml_comment(log)} records, drafted from {facts.events:,} events.",
        "# A log shows what happened; only you know what would have been written down: read every",
        "# line, and answer the questions.",
        "",
        f"source = {toml_text(log)}  # the name of the system, for the report",
        *(f"casino = {toml_text(name)}" for name in facts.casinos if len(facts.casinos) == 1),
        '# zone = "America/New_York"  # in which zone are its clocks?',
        "",
        *_games(facts),
        "",
        "# Is a field the same in all events, and not written down for that? Without splits:",
        "# always = { hand = 1 }",
        "",
        "# What cannot happen at these tables? Take the mark away before it. What may happen and",
        "# is not recorded leaves in doubt whatever hangs on it. One word of a field may be",
        '# impossible, too: "decision where kind is surrender".',
        "never = [",
    ]
    absent = [name for name in schema.events if name not in facts.counts and asked.get(name)]
    absent.sort(key=lambda name: (-asked[name], name))
    for name in absent[:_MOST_ASKED]:
        if name in ELECTIONS:
            continue  # what a table elected has a file of its own
        rules = "1 rule looks" if asked[name] == 1 else f"{asked[name]:,} rules look"
        lines.append(f'  # "{name}",  # {rules} for it: {schema.events[name].doc}')
    lines += [
        "]",
        "",
        "# Would every one of these be written down if it happened? If only some are, write",
        '# { events = "some", fields = [...] }. What else would be written down if it happened?',
        "[records]",
    ]
    for name in schema.events:
        if name in facts.counts:
            lines += _event(facts, schema, name)
    return "\n".join(lines) + "\n"


def _games(facts: LogFacts) -> list[str]:
    if facts.games and facts.told_games == facts.tables:
        games = ", ".join(f'"{name}"' for name in sorted(facts.games))
        return [f"games = [{games}]  # as the log tells"]
    return [
        "# Which games are played? Without it nobody knows which rules are meant.",
        '# games = ["blackjack"]',
    ]


def _event(facts: LogFacts, schema: Schema, name: str) -> Iterator[str]:
    count, filled = facts.counts[name], facts.filled.get(name, {})
    known = [item for item in schema.events[name].fields if item not in BASE]
    items, questions = [], []
    for item in known:
        there = filled.get(item, 0)
        if not there:
            continue
        where = sorted(facts.only_where(name, item)) if there < count else []
        items.append(f'"{item} where {where[0]}"' if where else f'"{item}"')
        if there < count and not where:
            questions.append(f"{item} ({there:,} of {count:,})")
    events = "1 event" if count == 1 else f"{count:,} events"
    yield f"{name} = [{', '.join(items)}]  # {events}"
    if questions:
        yield f"#   not in every one: {', '.join(questions)}. Why?"
    never = [item for item in known if not filled.get(item) and item not in _REPAIRS]
    if never:
        yield from _wrapped(f"#   in none of them: {', '.join(never)}")


def _wrapped(text: str) -> Iterator[str]:
    line = ""
    for word in text.split(" "):
        if line and len(line) + 1 + len(word) > _WIDTH:
            yield line
            line = "#    "
        line = f"{line} {word}" if line else word
    yield line
