"""The eight rules in Polars: the log as a frame in memory, its rounds, what the queries answer."""

from __future__ import annotations

from pathlib import Path

import polars as pl
from polars import col

from tests.benchmarks.found import Found, Violation
from tests.benchmarks.in_polars_queries import QUERIES

WORDS = ("type", "table", "to", "kind", "wager", "option_name", "subject", "by_role", "player")
"""Texts with few different values, which Polars compares faster as enumerations."""

COLUMNS = ("id", "ts", "seq", "seat", "card", "amount", "value", "effective_at", "game", *WORDS)
"""What the rules look at; the other columns stay in the file."""


def read(log: Path) -> pl.DataFrame:
    """The log in memory, each table in its order; the rules are measured from here."""
    frame = pl.read_parquet(log, columns=list(COLUMNS))
    words = [col(name).cast(pl.Enum(frame[name].drop_nulls().unique().sort())) for name in WORDS]
    return frame.with_columns(words).sort("table", "seq")


def with_rounds(events: pl.DataFrame) -> pl.DataFrame:
    """Every event with its round, told by the row of the round's first event, or with -1 for none.

    A round ends with its end, or where the next one begins, or with the table's log.
    """
    row = pl.int_range(pl.len(), dtype=pl.Int32)
    after_end = col("type").shift().is_in(["round_ended", "round_voided"])
    new_table = col("table").ne_missing(col("table").shift())
    begins = pl.when(col("type") == "round_started").then(row)
    return events.with_columns(round=begins.when(after_end | new_table).then(-1).forward_fill())


def findings(events: pl.DataFrame) -> Found:
    """Of every rule the number of checks, and every violation with its witnesses."""
    numbered = with_rounds(events).lazy()
    queries = {rule: query(numbered) for rule, query in QUERIES.items()}
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
    numbered = with_rounds(events).lazy()
    found = pl.collect_all([query(numbered).ids for query in QUERIES.values()])
    return {
        (rule, trigger)
        for rule, frame in zip(QUERIES, found, strict=True)
        for trigger in frame["id"]
    }
