"""A simulated floor is the same for the same arguments, and can be read back in every format."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from compliance.log import tables
from compliance.simulate.floor import Floor, plan_floor, simulate_floor
from event_schemas import builtin_schema

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")


def floor(seed: int = 1, number: int = 5, breaches: tuple[str, ...] = ()) -> Floor:
    return plan_floor(
        tables=number,
        games=GAMES,
        day=date(2010, 3, 6),
        seed=seed,
        rounds=12,
        breaches=breaches,
        rate=0.5,
    )


@pytest.mark.parametrize("form", ["jsonl", "parquet", "csv"])
def test_the_number_of_workers_does_not_change_a_byte(tmp_path: Path, form: str) -> None:
    one, two = tmp_path / f"one.{form}", tmp_path / f"two.{form}"
    simulate_floor(floor(), one, form, workers=1)
    simulate_floor(floor(), two, form, workers=2)
    assert one.read_bytes() == two.read_bytes()


def test_breaches_do_not_depend_on_the_number_of_workers(tmp_path: Path) -> None:
    broken = floor(breaches=("cut-too-near-the-end", "tie-paid", "unknown-wager", "tie-taken"))
    one = simulate_floor(broken, tmp_path / "one.jsonl", "jsonl", workers=1)
    two = simulate_floor(broken, tmp_path / "two.jsonl", "jsonl", workers=2)
    assert one.injected
    assert one.injected == two.injected


def test_another_seed_gives_another_night(tmp_path: Path) -> None:
    simulate_floor(floor(seed=1), tmp_path / "1.jsonl", "jsonl", workers=1)
    simulate_floor(floor(seed=2), tmp_path / "2.jsonl", "jsonl", workers=1)
    assert (tmp_path / "1.jsonl").read_bytes() != (tmp_path / "2.jsonl").read_bytes()


def test_a_folder_gets_one_file_for_each_table(tmp_path: Path) -> None:
    result = simulate_floor(floor(), tmp_path / "night", "jsonl", workers=1)
    names = sorted(file.name for file in (tmp_path / "night").iterdir())
    assert names == sorted(f"{plan.place.table}.jsonl" for plan in floor().tables)
    assert sorted(file.name for file in result.files) == names


def test_every_game_gets_a_table_while_there_are_enough() -> None:
    assert {plan.place.game for plan in floor(number=4).tables} == set(GAMES)
    assert len(plan_floor_of(150)) == 150


def plan_floor_of(number: int) -> tuple[object, ...]:
    return floor(number=number).tables


@pytest.mark.parametrize("form", ["parquet", "csv"])
def test_all_formats_hold_the_same_events(tmp_path: Path, form: str) -> None:
    frames = []
    for kind in ("jsonl", form):
        path = tmp_path / f"night.{kind}"
        simulate_floor(floor(), path, kind, workers=1)
        log = tables([path], builtin_schema(), spill=tmp_path / f"spill-{kind}")
        frames.append({table.table: table.frame.drop("file", "line") for table in log})
        assert log.quarantine.total == 0
    lines, other = frames
    assert lines.keys() == other.keys()
    for name, frame in lines.items():
        assert frame.equals(other[name].select(frame.columns))
