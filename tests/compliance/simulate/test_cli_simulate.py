"""`compliance simulate` writes a log, and a truth file when breaches are asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compliance.cli.refused import Refused
from compliance.cli.simulate import simulate
from compliance.simulate.truth import read_truth


def test_a_lawful_night_is_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    output = tmp_path / "night.jsonl"
    assert simulate(output=output, tables=1, rounds=3, workers=1) == 0
    lines = output.read_text().splitlines()
    assert json.loads(lines[0])["type"] == "option_elected"
    assert f"{len(lines)} events of 1 table" in capsys.readouterr().out
    assert sorted(tmp_path.iterdir()) == [output]


def test_breaches_are_named_in_the_truth_file(tmp_path: Path) -> None:
    output = tmp_path / "night.jsonl"
    simulate(
        output=output,
        tables=1,
        rounds=30,
        games="blackjack",
        violations="late-wager",
        rate=0.5,
        workers=1,
    )
    truth = read_truth(tmp_path / "night.jsonl.truth.jsonl")
    ids = {json.loads(line)["id"] for line in output.read_text().splitlines()}
    assert truth
    assert {item.breach for item in truth} == {"late-wager"}
    assert {item.event_id for item in truth} <= ids


def test_the_truth_file_goes_where_it_is_wanted(tmp_path: Path) -> None:
    truth = tmp_path / "truth.jsonl"
    simulate(
        output=tmp_path / "logs",
        tables=2,
        rounds=2,
        violations="all",
        truth=truth,
        workers=1,
    )
    assert truth.is_file()
    assert len(list((tmp_path / "logs").iterdir())) == 2


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"hours": 1.0, "rounds": 1}, "either --hours or --rounds"),
        ({"tables": 0}, "--tables must be more than 0"),
        ({"rate": 2.0}, "--rate is a share"),
        ({"date": "yesterday"}, "is not a date"),
        ({"games": "roulette"}, "no game"),
        ({"games": "red_dog", "date": "1985-01-01"}, "known from 1991-11-04"),
        ({"date": "1970-01-01"}, "No game's law"),
        ({"violations": "late-wagers"}, "no breach"),
        ({"format": "csv"}, "ends in .jsonl"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    tmp_path: Path, words: dict[str, object], sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        simulate(output=tmp_path / "night.jsonl", **words)  # type: ignore[arg-type]
