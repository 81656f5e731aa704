"""The names of all nights so far: none is forgotten, none is made up, and little room is taken."""

from __future__ import annotations

import json
from random import Random

import polars as pl
import pytest

from compliance.integrity.used_names import MOST_SHAPES, UsedNames, used_names_of


def used(*nights: list[str]) -> UsedNames:
    names = UsedNames()
    for night in nights:
        names = names.with_names(pl.Series(night))
    return names


def test_names_of_any_night_are_known() -> None:
    names = used(["BJ01-000001", "BJ01-000002"], ["BJ01-000007", "late"])
    asked = ["BJ01-000001", "BJ01-000003", "BJ01-000007", "BJ01-7", "late", "later", "BJ02-000001"]
    assert names.among(pl.Series(asked)) == {"BJ01-000001", "BJ01-000007", "late"}


def test_numbers_in_a_row_take_one_stretch() -> None:
    night = [f"e{number}" for number in range(1, 20_000)]
    Random(1).shuffle(night)
    assert used(night, night).shapes == {":e": [[1, 19_999]]}


@pytest.mark.parametrize("seed", range(20))
def test_what_is_known_is_what_was_used(seed: int) -> None:
    chance = Random(seed)
    every = [
        f"{before}{number:0{width}}"
        for before in ("a", "", "x-")
        for number in range(30)
        for width in (1, 3)
    ]
    nights = [chance.sample(every, 40) for _ in range(4)]
    names = used(*nights)
    assert names.among(pl.Series(every)) == {name for night in nights for name in night}
    kept = used_names_of(json.loads(json.dumps(names.shapes)))
    assert kept == names


def test_names_that_have_the_day_of_their_night_are_not_kept() -> None:
    assert used(["e1", "e2@2010-03-07"]).shapes == {":e": [[1, 1]]}


def test_names_without_order_end_up_in_bounded_room() -> None:
    night = [f"{number:x}-{number}" for number in range(2 * MOST_SHAPES)]
    assert len(used(night).shapes) == MOST_SHAPES


@pytest.mark.parametrize(
    "written", [[], {"e": [[2, 1]]}, {"e": [[1, 3], [2, 4]]}, {"e": [["1", 2]]}]
)
def test_what_is_no_record_of_names_is_refused(written: object) -> None:
    with pytest.raises(ValueError):  # noqa: PT011 - it has no words of its own
        used_names_of(written)


def test_digits_of_other_scripts_are_letters_of_a_name() -> None:
    names = pl.Series(["T1-٣٤", "T1-34"])
    used = UsedNames().with_names(names)
    assert used.among(pl.Series(["T1-٣٤", "T1-٣٥", "T1-34", "T1-35"])) == {"T1-٣٤", "T1-34"}
