"""A night is there whole or as it was; only what is wanted is read; what was altered is found."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from datetime import UTC, date, datetime, time, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import compliance.archive.archived_table
from compliance.archive import (
    ArchiveFolder,
    ArchiveProblem,
    Wanted,
    archived_log,
    write_night,
)
from compliance.archive.night_days import days_of_events
from compliance.archive.night_list import NightList
from compliance.archive.night_lists import night_lists
from compliance.archive.soundness import unsound_files
from compliance.archive.written_night import write_nights
from compliance.checking.check_log import check_archived
from compliance.values.gaming_day import GamingClock
from tests.compliance.archive.archived_nights import (
    CASINO,
    by_archive,
    damaged,
    night_lines,
    settings,
    written,
)
from tests.compliance.archive.object_store import Bucket, Dead
from tests.compliance.checked_logs import SCHEMA

DAY = date(2010, 3, 6)
DAYS = [DAY + timedelta(days=number) for number in range(12)]
CLOCK = GamingClock(ZoneInfo("America/New_York"), time(6))


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A damaged night."""
    folder = tmp_path_factory.mktemp("log")
    return written(folder / "night.jsonl", damaged(night_lines(DAY), 2))


@pytest.fixture(scope="module")
def corrected(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same night, corrected."""
    folder = tmp_path_factory.mktemp("corrected")
    return written(folder / "night.jsonl", night_lines(DAY))


def nights(archive: ArchiveFolder) -> list[NightList]:
    return list(night_lists(archive, CASINO))


# ---- reading -------------------------------------------------------------------------------


def test_one_table_is_read_without_reading_the_others(log: Path, tmp_path: Path) -> None:
    bucket = Bucket()
    for day in DAYS:
        write_night(bucket.archive(), CASINO, day, [log], SCHEMA)
    [first, *_] = nights(bucket.archive())
    table = first.tables[0].table
    bucket.opened.clear()
    found = archived_log(bucket.archive(), Wanted(tables=(table,)), tmp_path)
    assert [item.table for item in found] == [table]
    found.close()
    logs = [path for path in bucket.opened if "/tables/" in path]
    assert {path.split("/")[3] for path in logs} == {table}
    # The list of each night, the lines set aside, and two files of the table.
    assert len(bucket.opened) == 4 * len(DAYS)
    everything = sum(map(len, bucket.objects.values()))
    assert bucket.read < everything / 2
    bucket.opened.clear()
    archived_log(
        bucket.archive(), Wanted(tables=(table,), first=DAYS[3], last=DAYS[3]), tmp_path
    ).close()
    assert len(bucket.opened) == 4


def test_an_object_store_gives_what_a_folder_gives(log: Path, tmp_path: Path) -> None:
    bucket = Bucket()
    write_night(bucket.archive(), CASINO, DAY, [log], SCHEMA)
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    held = {path.removeprefix("nights/"): data for path, data in bucket.objects.items()}
    assert held == dict(_files(tmp_path / "archive"))
    run = by_archive(bucket.archive(), tmp_path)
    assert run == by_archive(tmp_path / "archive", tmp_path)


def _files(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.is_file():
            yield path.relative_to(folder).as_posix(), path.read_bytes()


def test_a_table_is_read_straight_and_not_sorted_out(
    log: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)

    def sorted_out(*given: object, **more: object) -> None:
        raise AssertionError("read in the slow way")

    monkeypatch.setattr(compliance.archive.archived_table, "tables", sorted_out)
    for table in archived_log(tmp_path / "archive", Wanted(), tmp_path):
        assert len(table.read(SCHEMA).small())


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        (Wanted("Boardwolk"), "has no casino Boardwolk. Did you mean Boardwalk?"),
        (Wanted(first=date(2011, 1, 1)), "has no night of Boardwalk in this time; it has 6 March"),
        (Wanted(tables=("BJ-99",)), "has no table BJ-99 of Boardwalk in these nights."),
    ],
)
def test_what_is_not_there_is_told(log: Path, tmp_path: Path, wanted: Wanted, said: str) -> None:
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    with pytest.raises(ArchiveProblem) as told:
        archived_log(tmp_path / "archive", wanted, tmp_path)
    assert said in str(told.value)


# ---- writing -------------------------------------------------------------------------------


def test_the_same_night_again_changes_nothing(log: Path, tmp_path: Path) -> None:
    first = write_night(tmp_path, CASINO, DAY, [log], SCHEMA)
    assert (first.changed, first.replaced) == (True, False)
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    again = write_night(tmp_path, CASINO, DAY, [log], SCHEMA)
    assert (again.changed, again.replaced) == (False, False)
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


def test_a_corrected_night_takes_the_place_of_the_other(
    log: Path, corrected: Path, tmp_path: Path
) -> None:
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    found = write_night(tmp_path / "archive", CASINO, DAY, [corrected], SCHEMA)
    assert (found.changed, found.replaced) == (True, True)
    write_night(tmp_path / "only", CASINO, DAY, [corrected], SCHEMA)
    assert dict(_files(tmp_path / "archive")) == dict(_files(tmp_path / "only"))


def test_wherever_the_machine_stops_a_night_is_whole_and_the_next_try_ends_the_same(
    log: Path, corrected: Path, tmp_path: Path
) -> None:
    before, after = Bucket(), Bucket()
    write_night(before.archive(), CASINO, DAY, [log], SCHEMA)
    write_night(after.archive(), CASINO, DAY, [corrected], SCHEMA)
    states = [nights(before.archive()), nights(after.archive())]
    seen = []
    for step in range(100):
        bucket = Bucket(dict(before.objects), steps_left=step)
        try:
            write_night(bucket.archive(), CASINO, DAY, [corrected], SCHEMA)
            break
        except (ArchiveProblem, Dead):
            pass
        bucket.steps_left = None
        now = nights(bucket.archive())
        seen.append(states.index(now))
        assert all(item.harmless for item in unsound_files(bucket.archive(), CASINO))
        if step % 5 == 0:
            write_night(bucket.archive(), CASINO, DAY, [corrected], SCHEMA)
            assert bucket.objects == after.objects
    assert step > 8
    assert sorted(seen) == seen
    assert set(seen) == {0, 1}


def test_a_few_events_with_a_wrong_clock_do_not_take_the_place_of_a_night(
    log: Path, tmp_path: Path
) -> None:
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    before = dict(_files(tmp_path / "archive"))
    lines = night_lines(DAY + timedelta(days=1))
    stray = written(tmp_path / "next.jsonl", [night_lines(DAY)[0], *lines])
    with pytest.raises(ArchiveProblem, match="from other files"):
        write_nights(tmp_path / "archive", CLOCK, [stray], SCHEMA)
    assert nights(ArchiveFolder.of(tmp_path / "archive"))[0].day == DAY
    assert before.items() <= dict(_files(tmp_path / "archive")).items()
    assert len(nights(ArchiveFolder.of(tmp_path / "archive"))) == 1


@pytest.mark.parametrize("name", ["../../outside", "..", "a/b", "C:\\x", "%2e%2e"])
def test_a_name_leads_to_no_other_place(tmp_path: Path, name: str) -> None:
    lines = [line.replace(CASINO, name.replace("\\", "\\\\")) for line in night_lines(DAY)[:50]]
    log = written(tmp_path / "log.jsonl", lines)
    write_night(tmp_path / "inside" / "archive", name, DAY, [log], SCHEMA)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inside", "log.jsonl"]
    assert [path.name for path in (tmp_path / "inside").iterdir()] == ["archive"]
    run = by_archive(tmp_path / "inside" / "archive", tmp_path, casino=name)
    assert run.scope.casinos == (name,)


# ---- damage of the archive -----------------------------------------------------------------


@pytest.mark.parametrize("end", [".parquet", ".places.parquet", ".jsonl"])
def test_a_file_that_was_altered_or_is_gone_is_not_believed(
    log: Path, tmp_path: Path, end: str
) -> None:
    whole = tmp_path / "whole"
    write_night(whole, CASINO, DAY, [log], SCHEMA)
    for change in ("altered", "cut", "gone"):
        archive = tmp_path / change
        shutil.copytree(whole, archive)
        path = next(
            path
            for path in sorted(archive.rglob(f"*{end}"))
            if end != ".parquet" or ".places." not in path.name
        )
        content = path.read_bytes()
        if change == "gone":
            path.unlink()
        elif change == "cut":
            path.write_bytes(content[: len(content) // 2])
        else:
            middle = len(content) // 2
            path.write_bytes(
                content[:middle] + bytes([content[middle] ^ 1]) + content[middle + 1 :]
            )
        [wrong] = unsound_files(ArchiveFolder.of(archive), CASINO)
        assert path.name in wrong.sentence
        try:
            found = check_archived(archived_log(archive, Wanted(), tmp_path), settings())
        except (ArchiveProblem, compliance.archive.archived_table.UnusableNight) as problem:
            said = str(problem)
        else:
            assert found.run is None
            said = str(found.problems)
        assert path.name in said, (change, said)


def test_a_list_that_names_files_elsewhere_is_not_believed(log: Path, tmp_path: Path) -> None:
    write_night(tmp_path, CASINO, DAY, [log], SCHEMA)
    [path] = (tmp_path / CASINO / "nights").iterdir()
    path.write_text(path.read_text().replace(f"{CASINO}/tables/", f"{CASINO}/../secret/"))
    with pytest.raises(ArchiveProblem, match="names a file outside its casino"):
        archived_log(tmp_path, Wanted(), tmp_path)


# ---- gaming days ---------------------------------------------------------------------------


@given(
    moments=st.lists(
        st.datetimes(datetime(2009, 1, 1), datetime(2011, 1, 1))
        | st.datetimes(datetime(2010, 3, 14), datetime(2010, 3, 15))
        | st.datetimes(datetime(2010, 11, 7), datetime(2010, 11, 8)),
        min_size=1,
    ),
    begins=st.sampled_from([time(0), time(1, 30), time(2, 30), time(6), time(23, 59)]),
)
def test_events_are_put_into_the_gaming_day_that_the_clock_says(
    moments: list[datetime], begins: time
) -> None:
    clock = GamingClock(ZoneInfo("America/New_York"), begins)
    times = [moment.replace(tzinfo=UTC) for moment in moments]
    ts = pl.Series(times).dt.epoch("us")
    assert days_of_events(ts, clock).to_list() == [clock.day_of(moment) for moment in times]


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2010, 3, 13), 23), (date(2010, 11, 6), 25), (date(2010, 6, 1), 24)]
)
def test_a_gaming_day_is_as_long_as_the_clock_makes_it(day: date, hours: int) -> None:
    assert CLOCK.end(day) - CLOCK.start(day) == timedelta(hours=hours)
    ts = pl.Series([CLOCK.start(day), CLOCK.end(day) - timedelta(microseconds=1), CLOCK.end(day)])
    found = days_of_events(ts.dt.epoch("us"), CLOCK).to_list()
    assert found == [day, day, day + timedelta(days=1)]
