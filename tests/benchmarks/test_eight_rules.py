"""The eight rules against the same rules as DuckDB SQL and as Polars expressions.

All three start from the same events in memory, each in its own natural form: a DuckDB table, a
Polars frame, a typed frame for each table. Reading is outside the clock for all of them. With equal
findings all three tell of every rule the number of checks, and every violation with its witnesses.
Beside that stands what the others need to name only the events at which a rule is violated, and
what ours needs to write the sentences of the report as well.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from compliance.log.tables import TableFrame
from tests.benchmarks import in_duckdb, in_polars
from tests.benchmarks.engine_runs import EIGHT_RULES, check, findings, rulebook
from tests.benchmarks.found import Found
from tests.benchmarks.measuring import Limit, Ratio, Record, Times, measured
from tests.benchmarks.nights import frames_of
from tests.benchmarks.promises import DUCKDB, POLARS

NAMING_IDS_ONLY = Limit(least=0.1, goal="none, for information")
WRITTEN = Limit(most=5, goal="none, for information")

RIVALS = {
    "DuckDB, equal findings": DUCKDB,
    "Polars, equal findings": POLARS,
    "DuckDB, ids only": NAMING_IDS_ONLY,
    "Polars, ids only": NAMING_IDS_ONLY,
}


@pytest.fixture(scope="module")
def ours(frames: Sequence[TableFrame]) -> Found:
    """What the engine finds on the short night."""
    return findings(check(rulebook(EIGHT_RULES), frames))


def test_every_rule_is_violated_on_the_night(ours: Found) -> None:
    rules = {rule.name for rule in rulebook(EIGHT_RULES).rules}
    assert {violation.rule for violation in ours.violations} == rules


def test_sql_counts_the_same_checks_and_finds_the_same_violations_and_witnesses(
    night: Path, ours: Found
) -> None:
    assert in_duckdb.findings(in_duckdb.connect(night)) == ours


def test_expressions_count_the_same_checks_and_find_the_same_violations_and_witnesses(
    night: Path, ours: Found
) -> None:
    assert in_polars.findings(in_polars.read(night)) == ours


def test_sql_that_names_ids_only_names_the_same_events(night: Path, ours: Found) -> None:
    assert in_duckdb.ids(in_duckdb.connect(night)) == ours.ids


def test_expressions_that_name_ids_only_name_the_same_events(night: Path, ours: Found) -> None:
    assert in_polars.ids(in_polars.read(night)) == ours.ids


def _race(night: Path, frames: Sequence[TableFrame], rounds: int) -> list[Ratio]:
    book = rulebook(EIGHT_RULES)
    connection, events = in_duckdb.connect(night), in_polars.read(night)

    def ratios(best: Times) -> list[Ratio]:
        size = f"{len(events):,} events"
        beside = {f"{name} / engine": (name, limit) for name, limit in RIVALS.items()}
        beside["engine, with the sentences of the report / engine"] = ("written", WRITTEN)
        return [
            Ratio("3", f"eight rules, {size}: {what}", best[name] / best["ours"], limit)
            for what, (name, limit) in beside.items()
        ]

    return measured(
        {
            "ours": lambda: findings(check(book, frames)),
            "written": lambda: [result.breaches for result in check(book, frames)],
            "DuckDB, equal findings": lambda: in_duckdb.findings(connection),
            "Polars, equal findings": lambda: in_polars.findings(events),
            "DuckDB, ids only": lambda: in_duckdb.ids(connection),
            "Polars, ids only": lambda: in_polars.ids(events),
        },
        ratios,
        rounds=rounds,
    )


def test_the_engine_keeps_its_limits_beside_sql_and_expressions(
    night: Path, frames: Sequence[TableFrame], record: Record
) -> None:
    record(*_race(night, frames, rounds=5))


@pytest.mark.long
def test_the_engine_keeps_its_limits_on_millions_of_events(
    third_of_long_night: Path, record: Record
) -> None:
    record(*_race(third_of_long_night, frames_of(third_of_long_night), rounds=2))
