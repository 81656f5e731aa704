"""`compliance archive`, and the check of an archive: what is said, and with which exit code."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.compliance.checked_logs import night
from tests.compliance.cli.test_json_keys import documented, keys
from tests.compliance.small_rulebook import answer, write

Capture = pytest.CaptureFixture[str]
EVENTS = """
T1 0:00 dealer_arrived dealer=D7
T1 0:09 card_dealt to=player seat=1 card=9S
T2 0:00 dealer_arrived dealer=D8
T2 0:04 card_burned
T2 0:09 card_dealt to=player seat=1 card=9S
"""


@dataclass(frozen=True)
class House:
    """A house with a log and an archive."""

    capsys: Capture
    folder: Path

    @property
    def log(self) -> Path:
        return self.folder / "night.jsonl"

    def run(self, *words: object) -> tuple[int, str, str]:
        return answer(self.capsys, *words)

    def add(self, *words: object) -> tuple[int, str, str]:
        return self.run("archive", "add", "archive", self.log, *words)

    def check(self, *words: object) -> tuple[int, str, str]:
        rules = write(self.folder)
        return self.run("check", *words, "--rules", rules)


@pytest.fixture
def house(tmp_path: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> House:
    monkeypatch.chdir(tmp_path)
    night(tmp_path / "night.jsonl", EVENTS)
    return House(capsys, tmp_path)


def test_a_night_is_archived_once_and_found_again(house: House) -> None:
    assert house.add() == (0, "2024-03-09  C1: archived, 2 tables, 5 events\n", "")
    assert house.add() == (0, "2024-03-09  C1: unchanged, 2 tables, 5 events\n", "")
    listed = house.run("archive", "list", "archive")
    assert listed == (0, "2024-03-09  C1: 2 tables, 5 events\n", "")
    assert house.run("archive", "verify", "archive") == (0, "Sound: 1 night.\n", "")


def test_a_check_of_the_archive_finds_what_a_check_of_the_log_finds(house: House) -> None:
    house.add()
    by_log = house.check(house.log, "--format", "csv")
    by_archive = house.check("--archive", "archive", "--format", "csv")
    assert by_log[0] == by_archive[0] == 1
    assert by_archive[1] == by_log[1]
    assert house.check("--archive", "archive", "--table", "T2")[0] == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_result_of_an_archive_is_verified_by_it(house: House, workers: int) -> None:
    house.add()
    code, _, err = house.check(
        *("--archive", "archive", "--casino", "C1", "--from", "2024-03-09", "-o", "run.json"),
        *("--workers", workers),
    )
    assert code == 1, err
    verified = house.run("verify", "run.json", "--archive", "archive", "--rules", "small.rules")
    assert verified == (0, "Identical.\n", "")


@pytest.mark.parametrize("workers", [1, 2])
def test_an_altered_archive_is_not_checked(house: House, workers: int) -> None:
    house.add()
    [path] = Path("archive/C1/tables/T1").glob("*.places.parquet")
    path.write_bytes(path.read_bytes()[:-9] + b"something")
    code, out, err = house.check("--archive", "archive", "--workers", workers)
    assert (code, out) == (2, "")
    assert "It was altered since it was archived." in err
    code, out, _ = house.run("archive", "verify", "archive")
    assert code == 1
    assert "was altered since it was archived" in out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("night.jsonl", "--archive", "archive"), "leave out the logs, or --archive"),
        (("--archive", "archive", "--from", "2024-03-09T00:00:00Z"), "gaming days are named"),
        (("--archive", "archive", "--state", "s"), "--state does not go with --archive"),
        (("--archive", "archive", "--input", "csv"), "--input does not go with --archive"),
        (("--archive", "nowhere"), "There is no archive nowhere, or it is empty."),
        (("--archive", "archive", "--casino", "C9"), "has no casino C9"),
        (("--archive", "archive", "--table", "T3"), "has no table T3 of C1"),
        (("--archive", "odd://x/y"), "The archive odd://x/y cannot be opened"),
        (("night.jsonl", "--casino", "C1"), "say which one with --archive"),
        ((), "No file of a log was named."),
    ],
)
def test_what_cannot_be_meant_is_refused(house: House, words: tuple[str, ...], said: str) -> None:
    house.add()
    code, _, err = house.check(*words)
    assert code == 2
    assert said in err
    assert "mistake in the program" not in err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--night", "yesterday"), "yesterday is no day"),
        (("--day-begins", "six"), "is no time of day"),
        (("--day-begins", "06:00+01:00"), "without an offset"),
        (("--time-zone", "Mars/Crater"), "there is no time zone Mars/Crater"),
        (("--casino", "C1"), "--casino goes with --night"),
        (("nowhere.jsonl",), "There is no such file or folder"),
    ],
)
def test_what_cannot_be_archived_is_refused(
    house: House, words: tuple[str, ...], said: str
) -> None:
    code, _, err = house.add(*words)
    assert code == 2
    assert said in err
    assert not Path("archive").exists()


def test_a_correction_is_asked_for(house: House) -> None:
    house.add()
    night(house.log, EVENTS.replace("D7", "D9"))
    code, _, err = house.add()
    assert code == 2
    assert "if they are its correction, say --replace" in err
    assert house.add("--replace")[1] == "2024-03-09  C1: replaced, 2 tables, 5 events\n"
    night(house.log, EVENTS)
    assert house.add("--night", "2024-03-09")[1].startswith("2024-03-09  C1: replaced")


def test_the_documented_keys_are_those_of_the_answers(house: House) -> None:
    def told(*words: object) -> tuple[int, Any]:
        code, out, err = house.run("archive", *words, "--format", "json")
        assert not err
        return code, json.loads(out)

    code, added = told("add", "archive", house.log)
    assert code == 0
    assert set(keys(added)) == documented("archive add")
    assert set(keys(told("list", "archive")[1])) == documented("archive list")
    next(Path("archive/C1/tables/T1").glob("*.places.parquet")).unlink()
    code, unsound = told("verify", "archive")
    assert code == 1
    assert set(keys(unsound)) == documented("archive verify")
