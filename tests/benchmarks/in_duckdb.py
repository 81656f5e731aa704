"""The eight rules in DuckDB: the log as a table in memory, and what the queries answer."""

from __future__ import annotations

from pathlib import Path

import duckdb

from tests.benchmarks.found import Found, Violation
from tests.benchmarks.in_duckdb_queries import PIPS, QUERIES

WORDS = ("type", "table", "to", "kind", "wager", "option_name", "subject", "by_role")
"""Texts with few different values, which DuckDB compares faster as enumerations."""

COLUMNS = ("id", "ts", "seq", "round", "seat", "player", "card", "amount", "value")
"""What the rules look at besides; the other columns stay in the file."""


def connect(log: Path) -> duckdb.DuckDBPyConnection:
    """The log as a table in memory, on one core; the rules are measured from here."""
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
    connection.execute(f"CREATE TABLE events AS SELECT {others}, {words} FROM log")  # noqa: S608
    return connection


def findings(connection: duckdb.DuckDBPyConnection) -> Found:
    """Of every rule the number of checks, and every violation with its witnesses."""
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
    return {
        (rule, trigger)
        for rule, query in QUERIES.items()
        for (trigger,) in connection.execute(query.ids).fetchall()
    }
