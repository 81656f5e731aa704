"""Processes that share the work: their answers, their mistakes, and their end."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Thread

import pytest

from compliance.processes.worker_pool import WorkerLost, worker_pool

SOON = 30.0
"""Seconds: the work takes one, a pool that waits for the dead takes for ever."""


def doubled(number: int) -> int:
    return 2 * number


def failed(number: int) -> int:
    raise ValueError(f"not {number}")


def dead(number: int) -> int:
    os._exit(3)


def long_answer(begun: Path) -> bytes:
    begun.touch()
    return bytes(200_000_000)


def asleep(begun: Path) -> None:
    begun.touch()
    time.sleep(600)


def test_every_piece_is_answered_and_no_more_are_taken_than_there_is_room_for() -> None:
    taken: list[int] = []

    def pieces() -> Iterator[int]:
        for number in range(20):
            taken.append(number)
            yield number

    with worker_pool(2) as pool:
        found = []
        for answer in pool.answers(doubled, pieces()):
            found.append(answer)
            assert len(taken) <= len(found) + 2
    assert sorted(found) == [2 * number for number in range(20)]


def test_a_mistake_in_a_worker_is_raised_here_and_says_where_it_happened() -> None:
    with worker_pool(2) as pool, pytest.raises(ValueError, match="not 1") as raised:
        list(pool.answers(failed, [1, 1]))
    assert "in failed" in "".join(raised.value.__notes__)


def test_a_worker_that_dies_is_told() -> None:
    with worker_pool(2) as pool, pytest.raises(WorkerLost):
        list(pool.answers(dead, [1, 2, 3]))


@pytest.mark.parametrize("seconds", [0.0, 0.05, 0.1, 0.2, 0.4])
@pytest.mark.parametrize("work", [long_answer, asleep])
def test_a_pool_ends_soon_whatever_its_workers_are_doing(
    tmp_path: Path, work: object, seconds: float
) -> None:
    """One may be half-way through its answer, another only about to start."""
    begun = tmp_path / "begun"

    def pieces() -> Iterator[Path]:
        yield begun
        while not begun.exists():
            time.sleep(0.001)
        time.sleep(seconds)
        yield begun
        raise KeyboardInterrupt

    def stopped() -> None:
        with pytest.raises(KeyboardInterrupt), worker_pool(2) as pool:
            list(pool.answers(work, pieces()))  # type: ignore[arg-type]

    thread = Thread(target=stopped, daemon=True)
    thread.start()
    thread.join(SOON)
    assert not thread.is_alive()
