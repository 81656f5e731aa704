"""What the benchmarks share: a night, and the table in which their ratios end."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from compliance.log.tables import TableFrame
from tests.benchmarks.measuring import PROPERTY, Ratio, Record
from tests.benchmarks.nights import frames_of, simulate_night, third_of


@pytest.fixture(scope="session")
def night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A short night: eight tables, thirty hours long, as long as those of the long night."""
    return simulate_night(tmp_path_factory.mktemp("night"), tables=8, hours=30)


@pytest.fixture(scope="session")
def frames(night: Path) -> Sequence[TableFrame]:
    """The short night as the engine takes it."""
    return frames_of(night)


@pytest.fixture(scope="session")
def long_night(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Ten million events of 150 tables."""
    return simulate_night(tmp_path_factory.mktemp("long"), tables=150, hours=30)


@pytest.fixture(scope="session")
def third_of_long_night(long_night: Path) -> Path:
    """More than three million events of 50 tables."""
    return third_of(long_night)


@pytest.fixture
def record(record_property: Callable[[str, object], None]) -> Record:
    """Puts ratios into the table at the end of the run, and holds them to their promises."""

    def put(*ratios: Ratio) -> None:
        for ratio in ratios:
            record_property(PROPERTY, json.dumps(ratio.row()))
            print("\n" + "  ".join(ratio.row()))
        assert not [ratio.row() for ratio in ratios if not ratio.met]

    return put
