"""Small commands against importing the packages that they stand on, each in its own process."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.demo import NIGHT
from tests.benchmarks.measuring import Ratio, Record, Times, measured
from tests.benchmarks.promises import DEMO, SMALL_CHECK
from tests.benchmarks.whole_checks import as_process, command

PACKAGES = "import polars, pyarrow, numpy, pydantic, jinja2"


def _spent_by_children() -> float:
    spent = resource.getrusage(resource.RUSAGE_CHILDREN)
    return spent.ru_utime + spent.ru_stime


@pytest.fixture
def surroundings(tmp_path: Path) -> dict[str, str]:
    """As a user's: compiled modules are kept, and what is known of the rulebook too.

    numpy starts no threads of its own: how much those spin differs from run to run.
    """
    own = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    return own | {"XDG_CACHE_HOME": str(tmp_path), "OPENBLAS_NUM_THREADS": "1"}


def test_a_small_log_and_the_demonstration_cost_little_more_than_their_packages(
    tmp_path: Path, surroundings: dict[str, str], record: Record
) -> None:
    def run(words: list[str]) -> None:
        subprocess.run(words, env=surroundings, stdout=subprocess.DEVNULL, check=False)

    def ratios(best: Times) -> list[Ratio]:
        return [
            Ratio(
                "9",
                "350 lines, check / importing packages",
                best["check"] / best["packages"],
                SMALL_CHECK,
            ),
            Ratio("9", "demo / importing packages", best["demo"] / best["packages"], DEMO),
        ]

    found = measured(
        {
            "packages": lambda: run([sys.executable, "-c", PACKAGES]),
            "check": lambda: run(as_process(*command(NIGHT, tmp_path / "result.json"))),
            "demo": lambda: run(as_process("demo", "--output", str(tmp_path / "report.html"))),
        },
        ratios,
        rounds=3,
        clock=_spent_by_children,
    )
    record(*found)
