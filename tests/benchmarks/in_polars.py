"""The eight rules in Polars: the log as a frame in memory, and what the queries answer."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from polars import col

from tests.benchmarks.found import Found, Violation
from tests.benchmarks.in_polars_queries import QUERIES

WORDS = ("type", "table", "to", "kind", "wager", "option_name", "subject", "by_role", "player")
"""Texts with few different values, which Polars compares faster as enumerations."""

COLUMNS = ("id", "ts", "seq", "round", "seat", "card", "amount", "value", *WORDS)
"""What the rules look at; the other columns stay in the file."""


def read(log: Path) -> pl.DataFrame:
    """The log in memory, each table in its order; the rules are measured from here."""
    frame = pl.read_parquet(log, columns=list(COLUMNS))
    words = [col(name).cast(pl.Enum(frame[name].drop_nulls().unique().sort())) for name in WORDS]
    return frame.with_columns(words).sort("table", "seq")


def findings(events: pl.DataFrame) -> Found:
    """Of every rule the number of checks, and every violation with its witnesses."""
    queries = {rule: query(events.lazy()) for rule, query in QUERIES.items()}
    counted = [query.checks.select(pl.len()) for query in queries.values()]
    found = pl.collect_all([*counted, *(query.violations for query in queries.values())])
    counts, violated = found[: len(queries)], found[len(queries) :]
    return Found(
        {rule: frame.item() for rule, frame in zip(queries, counts, strict=True)},
        frozenset(
            Violation(rule, row["trigger"], row.get("player"), frozenset(row["witnesses"]))
            for rule, frame in zip(queries, violated, strict=True)
            for row in frame.iter_rows(named=True)
        ),
    )


def ids(events: pl.DataFrame) -> set[tuple[str, str]]:
    """Only the rule and the event of every violation."""
    found = pl.collect_all([query(events.lazy()).ids for query in QUERIES.values()])
    return {
        (rule, trigger)
        for rule, frame in zip(QUERIES, found, strict=True)
        for trigger in frame["id"]
    }
