"""Random records and events of the built-in vocabulary, and the same ones as files."""

from __future__ import annotations

import csv
import json
from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta, timezone
from fractions import Fraction
from pathlib import Path
from typing import Any

import polars as pl
from hypothesis import strategies as st

from event_schemas import Event, Kind, builtin_schema, format_value
from event_schemas.cards import JOKER, full_deck

SCHEMA = builtin_schema()
TYPES = (
    *("card_dealt", "wager_placed", "option_elected", "pay_table_posted", "hand_settled"),
    *("cards_shuffled", "cards_burned", "irregularity_found", "table_opened"),
)
KNOWN_TYPES = tuple(name for name in TYPES if name in SCHEMA.events)
DECK = (*full_deck(), JOKER)
# Without the marks that a file of another form could not hold: control characters and empty text.
TEXTS = st.text(
    st.characters(codec="utf-8", exclude_categories=["Cc", "Cs"]), min_size=1, max_size=8
)
MOMENTS = st.builds(
    lambda seconds, micros, minutes: (
        datetime(2024, 3, 9, tzinfo=UTC) + timedelta(seconds=seconds, microseconds=micros)
    ).astimezone(timezone(timedelta(minutes=minutes))),
    st.integers(0, 10**6),
    st.sampled_from([0, 1, 250_000, 999_999]),
    st.sampled_from([-300, -240, 0, 330]),
)


def values(kind: Kind) -> st.SearchStrategy[Any]:
    """Typed values of a kind."""
    if kind.enum is not None:
        return st.sampled_from(kind.enum.values)
    fractions = st.fractions(Fraction(1, 100), 50, max_denominator=100)
    strategies: dict[str, st.SearchStrategy[Any]] = {
        "number": st.one_of(
            st.integers(-(10**6), 10**6), st.sampled_from([Fraction(5, 2), Fraction(1, 4)])
        ),
        "money": st.integers(-(10**7), 10**9),
        "odds": fractions,
        "percent": st.sampled_from([Fraction(1, 20), Fraction(1, 25), Fraction(1, 3)]),
        "duration": st.integers(0, 10**6).map(lambda s: timedelta(seconds=s)),
        "time": MOMENTS,
        "date": st.dates(date(1, 1, 1), date(9999, 12, 31)),
        "card": st.sampled_from(DECK),
        "cards": st.lists(st.sampled_from(DECK), min_size=1, max_size=5).map(tuple),
        "seat": st.integers(1, 99),
        "text": TEXTS,
        "flag": st.booleans(),
    }
    return strategies[kind.name]


@st.composite
def events(draw: st.DrawFn) -> Event:
    """Any event of the vocabulary."""
    event_type = SCHEMA.events[draw(st.sampled_from(sorted(SCHEMA.events)))]
    fields = {}
    for item in event_type.fields.values():
        own = item.name in ("id", "ts", "seq", "casino", "table", "type")
        if not own and (item.required or draw(st.integers(0, 2)) == 0):
            fields[item.name] = draw(values(item.kind))
    return Event(
        draw(TEXTS),
        draw(MOMENTS),
        draw(st.integers(0, 50)),
        draw(st.sampled_from(["C1", "C2"])),
        draw(st.sampled_from(["T1", "12"])),
        event_type.name,
        fields,
    )


def json_value(kind: Kind, value: Any) -> Any:
    """A value as JSON lines hold it."""
    if kind.name in ("number", "money", "seat", "flag", "text") and not isinstance(value, Fraction):
        return value
    if kind.name == "cards":
        return [str(card) for card in value]
    if kind.name == "number":
        return float(value)
    if kind.name == "duration":
        return int(value.total_seconds())
    return format_value(kind, value)


def json_record(event: Event) -> dict[str, Any]:
    known = SCHEMA.events[event.type].fields
    base = {
        "id": event.id,
        "ts": event.ts.isoformat(),
        "seq": event.seq,
        "casino": event.casino,
        "table": event.table,
        "type": event.type,
    }
    return base | {n: json_value(known[n].kind, value) for n, value in event.fields.items()}


def text_record(event: Event) -> dict[str, str]:
    known = SCHEMA.events[event.type].fields
    return {
        name: str(value) if name not in event.fields else format_value(known[name].kind, value)
        for name, value in (json_record(event) | dict(event.fields)).items()
    }


def write_json_lines(path: Path, written: Sequence[Event]) -> Path:
    path.write_text("".join(json.dumps(json_record(e)) + "\n" for e in written), "utf-8")
    return path


def write_csv(path: Path, written: Sequence[Event]) -> Path:
    records = [text_record(event) for event in written]
    names = list(dict.fromkeys(name for record in records for name in record))
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, names, lineterminator="\n")
        writer.writeheader()
        writer.writerows(records)
    return path


def write_parquet(path: Path, written: Sequence[Event]) -> Path:
    records = [text_record(event) for event in written]
    names = list(dict.fromkeys(name for record in records for name in record))
    columns = {n: pl.Series([r.get(n) for r in records], dtype=pl.String) for n in names}
    columns["seq"] = columns["seq"].cast(pl.Int64)
    pl.DataFrame(columns).write_parquet(path)
    return path
