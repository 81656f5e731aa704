"""A simulated night is the same log in every format, and nothing of it is set aside."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from polars.testing import assert_frame_equal

from compliance.log import tables
from compliance.simulate.night import TablePlan, play_night
from compliance.simulate.table import Place
from compliance.simulate.writing import WRITERS
from event_schemas import builtin_schema


def test_a_night_reads_the_same_from_every_format(tmp_path: Path) -> None:
    place = Place(casino="C1", pit="P1", table="T1", game="blackjack")
    chapters = play_night(TablePlan(place, date(1999, 3, 6), seed=1, hours=None, rounds=20))
    frames = []
    for form, write in WRITERS.items():
        path = tmp_path / f"night.{form}"
        write(path, place, chapters)
        log = tables([path], builtin_schema())
        (table,) = log
        assert (log.problems, log.quarantine.total) == ((), 0)
        frames.append(table.frame.drop("file", "line"))
    assert len(frames[0]) > 200
    assert_frame_equal(frames[0], frames[1])
    assert_frame_equal(frames[0], frames[2])
