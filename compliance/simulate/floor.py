"""A whole casino floor for a night: many tables, each by itself, written as one log or several.

floor = plan_floor(tables=12, games=("blackjack",), day=date(2010, 3, 6), seed=7, hours=8)
result = simulate_floor(floor, Path("night.parquet"), "parquet")
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

from compliance.processes.worker_pool import worker_pool
from compliance.simulate.breaches import spoil
from compliance.simulate.night import TablePlan, play_night
from compliance.simulate.table import Place
from compliance.simulate.truth import Injected
from compliance.simulate.writing import WRITERS, join_parts

CASINO: Final = "AC"
TABLES_IN_A_PIT: Final = 6
SHARE: Final = {"blackjack": 14, "minibaccarat": 3, "baccarat": 2, "red_dog": 1}
"""How many of twenty tables each game has on a floor with all of them."""
LETTERS: Final = {"blackjack": "BJ", "minibaccarat": "MB", "baccarat": "BA", "red_dog": "RD"}


class Wishes(NamedTuple):
    """What all blackjack tables of a floor are to be like; what is None is drawn for each by lot.

    The words mean what they mean in `TablePlan`.
    """

    offers: tuple[str, ...] | None = None
    variant: str | None = None
    accidents: float | None = None


@dataclass(frozen=True)
class Floor:
    """The tables of a night, and which breaches are to happen at them."""

    tables: tuple[TablePlan, ...]
    breaches: tuple[str, ...] = ()
    rate: float = 0.0


@dataclass(frozen=True)
class Simulated:
    """What was written."""

    files: tuple[Path, ...]
    events: int
    injected: tuple[Injected, ...]


def plan_floor(
    *,
    tables: int,
    games: Sequence[str],
    day: date,
    seed: int,
    hours: float | None = None,
    rounds: int | None = None,
    blackjack: Wishes = Wishes(),  # noqa: B008 - it cannot be changed
    breaches: Iterable[str] = (),
    rate: float = 0.0,
) -> Floor:
    """Tables in pits of six, one game in a pit."""
    plans = []
    for game, number in _numbers(tables, games).items():
        wishes = blackjack if game == "blackjack" else Wishes()
        for place in range(number):
            pit = f"{LETTERS[game]}-PIT{place // TABLES_IN_A_PIT + 1}"
            name = f"{LETTERS[game]}{place + 1:02d}"
            where = Place(CASINO, pit, name, game)
            plans.append(TablePlan(where, day, seed, hours, rounds, *wishes))
    return Floor(tuple(plans), tuple(breaches), rate)


def _numbers(tables: int, games: Sequence[str]) -> dict[str, int]:
    """How many tables each game gets: by its usual share, but at least one while there are any."""
    wanted = [game for game in SHARE if game in games][:tables]
    total = sum(SHARE[game] for game in wanted)
    numbers = {game: max(1, tables * SHARE[game] // total) for game in wanted}
    numbers[wanted[0]] += tables - sum(numbers.values())
    return numbers


def simulate_floor(floor: Floor, output: Path, form: str, workers: int | None = None) -> Simulated:
    """Play all tables and write their log: into one file if the name ends so, else into a folder.

    The same floor gives the same bytes, whatever the number of workers.
    """
    one_file = output.suffix == f".{form}"
    folder = output.parent if one_file else output
    folder.mkdir(parents=True, exist_ok=True)
    parts = Path(tempfile.mkdtemp(dir=folder, prefix=".simulating-"))
    try:
        done = _play_all(floor, parts, form, workers)
        written = [part for part, _, _ in done]
        if one_file:
            whole = parts / output.name
            join_parts(written, whole, form)
            os.replace(whole, output)
            files: tuple[Path, ...] = (output,)
        else:
            files = tuple(output / part.name for part in written)
            for part, file in zip(written, files, strict=True):
                os.replace(part, file)
    finally:
        shutil.rmtree(parts, ignore_errors=True)
    return Simulated(
        files,
        sum(events for _, events, _ in done),
        tuple(breach for _, _, injected in done for breach in injected),
    )


Done = tuple[Path, int, list[Injected]]


def _play_all(floor: Floor, parts: Path, form: str, workers: int | None) -> list[Done]:
    play = partial(play_and_write, parts=parts, form=form, breaches=floor.breaches, rate=floor.rate)
    count = min(workers or os.cpu_count() or 1, len(floor.tables))
    if count == 1:
        return [play(plan) for plan in floor.tables]
    with worker_pool(count) as pool:
        done = {answer[0].stem: answer for answer in pool.answers(play, floor.tables)}
    return [done[plan.place.table] for plan in floor.tables]


def play_and_write(
    plan: TablePlan, *, parts: Path, form: str, breaches: tuple[str, ...], rate: float
) -> Done:
    """One table's night, played, spoiled where asked for, and written."""
    chapters = play_night(plan)
    injected = spoil(plan, chapters, breaches, rate) if breaches else []
    path = parts / f"{plan.place.table}.{form}"
    WRITERS[form](path, plan.place, chapters)
    return path, sum(len(chapter.records) for chapter in chapters), injected
