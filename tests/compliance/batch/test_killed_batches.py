"""Killed at any moment, the next batch ends with the store and reports of an undisturbed one."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from tests.compliance.batch.forked_batches import ForkedBatches
from tests.compliance.batch.site import Site, simulated
from tests.compliance.postgres_server import PostgresServer

NIGHTS = 3
MOMENTS = 20


def killed_often(folder: Path, places: list[str], moments: int) -> None:
    """Kill batches until so many were killed; whenever one gets through, its end is compared.

    In between a file is corrected, so that nights are replaced, too.
    """
    nights = list(simulated(NIGHTS, 2, 8, 3))
    corrected = [dict(night) for night in nights]
    name = sorted(corrected[0])[0]
    corrected[0][name] = "".join(corrected[0][name].splitlines(keepends=True)[:60])
    calm = Site(folder / "calm", str(folder / "calm.db"), NIGHTS)
    expected = []
    with ForkedBatches() as batches:
        durations = []
        for logs in (nights, corrected):
            calm.logs(logs)
            begun = time.monotonic()
            assert batches.run(calm.settings()) in (0, 1, 5)
            durations.append(time.monotonic() - begun)
            expected.append(calm.end_state)
        assert expected[0] != expected[1]
        chance = random.Random(moments)
        killed, number = 0, 0
        while killed < moments:
            assert number < len(places), "too few stores for so many batches that get through"
            site = Site(folder / f"site-{number}", places[number], NIGHTS)
            number += 1
            for logs, seconds, end in zip((nights, corrected), durations, expected, strict=True):
                site.logs(logs)
                settings = site.settings()
                while killed < moments:
                    code = batches.run(settings, chance.uniform(0, seconds * 1.2))
                    if code != -9:
                        break
                    killed += 1
                assert batches.run(settings) in (0, 1, 5), (settings.parent / "said").read_text()
                assert site.end_state == end


def test_killed_at_random_moments_with_a_file(tmp_path: Path) -> None:
    places = [str(tmp_path / f"store-{number}.db") for number in range(MOMENTS)]
    killed_often(tmp_path, places, MOMENTS)


def test_killed_at_random_moments_with_a_server(tmp_path: Path, postgres: PostgresServer) -> None:
    places = [postgres.new_database() for _ in range(MOMENTS)]
    killed_often(tmp_path, places, MOMENTS)


@pytest.mark.long
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_killed_at_two_hundred_moments(
    tmp_path: Path, kind: str, request: pytest.FixtureRequest
) -> None:
    places = [str(tmp_path / f"store-{number}.db") for number in range(200)]
    if kind == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        places = [server.new_database() for _ in range(100)]
    killed_often(tmp_path, places, 200)
