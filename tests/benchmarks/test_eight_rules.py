"""The eight rules against the same rules as DuckDB SQL and as Polars expressions.

All three start from the same events in memory, each in its own natural form: a DuckDB table, a
Polars frame, a typed frame for each table. Reading is outside the clock for all of them. Ours is
measured with all that a finding needs: the count of every verdict, witnesses and sentences; the
others only name the events.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from compliance.log.tables import TableFrame
from tests.benchmarks import in_duckdb, in_polars
from tests.benchmarks.engine_runs import EIGHT_RULES, check, rulebook, violations
from tests.benchmarks.measuring import Limit, Ratio, Record, Times, measured
from tests.benchmarks.nights import frames_of

FASTER = Limit(least=0.1, goal="10, the promise 5")


def test_all_three_find_the_same_violations_of_every_rule(
    night: Path, frames: Sequence[TableFrame]
) -> None:
    ours = violations(check(rulebook(EIGHT_RULES), frames))
    assert {rule for rule, _ in ours} == {rule.name for rule in rulebook(EIGHT_RULES).rules}
    assert in_duckdb.findings(in_duckdb.connect(night)) == ours
    assert in_polars.findings(in_polars.read(night)) == ours


def _race(night: Path, frames: Sequence[TableFrame], rounds: int) -> list[Ratio]:
    book = rulebook(EIGHT_RULES)
    connection, events = in_duckdb.connect(night), in_polars.read(night)

    def ratios(best: Times) -> list[Ratio]:
        size = f"{len(events):,} events"
        return [
            Ratio("a", f"eight rules, {size}: {name} / engine", best[name] / best["ours"], FASTER)
            for name in ("DuckDB", "Polars")
        ]

    return measured(
        {
            "ours": lambda: check(book, frames),
            "DuckDB": lambda: in_duckdb.findings(connection),
            "Polars": lambda: in_polars.findings(events),
        },
        ratios,
        rounds=rounds,
    )


def test_the_engine_is_faster_than_sql_and_than_expressions(
    night: Path, frames: Sequence[TableFrame], record: Record
) -> None:
    found = _race(night, frames, rounds=5)
    for ratio in found:
        record(ratio)
    assert all(ratio.met for ratio in found)


@pytest.mark.long
def test_the_engine_is_faster_on_millions_of_events(
    third_of_long_night: Path, record: Record
) -> None:
    found = _race(third_of_long_night, frames_of(third_of_long_night), rounds=2)
    for ratio in found:
        record(ratio)
    assert all(ratio.met for ratio in found)
