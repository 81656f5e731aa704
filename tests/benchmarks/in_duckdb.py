"""The eight rules in DuckDB: the log as a table in memory, its rounds, what the queries answer."""

from __future__ import annotations

from pathlib import Path

import duckdb

from tests.benchmarks.found import Found, Violation
from tests.benchmarks.in_duckdb_queries import QUERIES

WORDS = ("type", "table", "to", "kind", "wager", "option_name", "subject", "by_role")
"""Texts with few different values, which DuckDB compares faster as enumerations."""

COLUMNS = ("id", "ts", "seat", "player", "card", "amount", "value", "effective_at", "game")
"""What the rules look at besides; the other columns stay in the file."""

PLACE = 'row_number() OVER (ORDER BY "table", seq) AS place'
"""Where an event stands when the tables come one after another, each in its order."""

PIPS = """
    CREATE MACRO pips(card) AS
    CASE left(card, 1)
        WHEN 'A' THEN 1 WHEN 'J' THEN 10 WHEN 'Q' THEN 10 WHEN 'K' THEN 10 WHEN '1' THEN 10
        ELSE left(card, 1)::INTEGER
    END
"""

RUNS = """
    CREATE OR REPLACE TEMP TABLE runs AS
    SELECT "table", place AS round,
        CASE lead(type) OVER later
            WHEN 'round_started' THEN lead(place) OVER later - 1
            ELSE coalesce(lead(place) OVER later, 9223372036854775807)
        END AS until,
        CASE lead(type) OVER later WHEN 'round_ended' THEN lead(id) OVER later END AS ended,
        lead(ts) OVER later AS ended_ts
    FROM events
    WHERE type IN ('round_started', 'round_ended', 'round_voided')
    WINDOW later AS (PARTITION BY "table" ORDER BY place)
    QUALIFY type = 'round_started'
"""
"""Every round, told by the place of its first event, and how far it goes.

That is up to its end, which belongs to it, or to where the next round begins, or as far as the log
of the table goes. The numbers that a log gives to rounds do not matter.
"""

PLAYED = """
    CREATE OR REPLACE TEMP VIEW played AS
    SELECT events.*, round
    FROM events ASOF JOIN runs ON events.place >= runs.round
    WHERE place <= until AND events."table" = runs."table"
"""
"""The events in a round: only the latest round that began before an event can be its own."""

ELECTED = """
    CREATE OR REPLACE TEMP VIEW elected AS
    SELECT "table", place, option_name AS option, value, greatest(ts, effective_at) AS since
    FROM events WHERE type = 'option_elected'
    UNION ALL
    SELECT "table", place, 'game'::option_name_word, game, ts
    FROM events WHERE type = 'table_opened'
"""
"""What was elected for which table, and from when on it holds."""


def connect(log: Path) -> duckdb.DuckDBPyConnection:
    """The log as a table in memory, each of its tables in order, on one core.

    The rules are measured from here.
    """
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(PIPS)
    connection.read_parquet(str(log)).create_view("log")
    for name in WORDS:
        connection.execute(
            f'CREATE TYPE {name}_word AS ENUM (SELECT DISTINCT "{name}" FROM log '  # noqa: S608
            f'WHERE "{name}" IS NOT NULL ORDER BY 1)'
        )
    words = ", ".join(f'"{name}"::{name}_word AS "{name}"' for name in WORDS)
    others = ", ".join(COLUMNS)
    connection.execute(
        f"CREATE TABLE events AS SELECT {PLACE}, {others}, {words} FROM log "  # noqa: S608
        f"ORDER BY place"
    )
    return connection


def find_rounds(connection: duckdb.DuckDBPyConnection) -> None:
    """Every round of the night, from its events: done once, and measured with the rules."""
    for step in (RUNS, PLAYED, ELECTED):
        connection.execute(step)


def findings(connection: duckdb.DuckDBPyConnection) -> Found:
    """Of every rule the number of checks, and every violation with its witnesses."""
    find_rounds(connection)
    checks, violations = {}, set()
    for rule, query in QUERIES.items():
        ((checks[rule], violated),) = connection.execute(query.findings).fetchall()
        violations |= {
            Violation(rule, each["trigger"], each.get("player"), frozenset(each["witnesses"]))
            for each in violated or ()
        }
    return Found(checks, frozenset(violations))


def ids(connection: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """Only the rule and the event of every violation."""
    find_rounds(connection)
    return {
        (rule, trigger)
        for rule, query in QUERIES.items()
        for (trigger,) in connection.execute(query.ids).fetchall()
    }
