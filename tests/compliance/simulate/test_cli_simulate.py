"""`compliance simulate` writes a log, and a truth file when breaches are asked for."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compliance.api.refusal import Refused
from compliance.cli import main
from compliance.cli.simulate import simulate
from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.truth import read_truth
from compliance.simulate.variants import SINCE
from tests.compliance.small_rulebook import answer
from tests.tree import ROOT


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
    truth = read_truth(tmp_path / "night.jsonl.truth")
    ids = {json.loads(line)["id"] for line in output.read_text().splitlines()}
    assert truth
    assert {item.breach for item in truth} == {"late-wager"}
    assert {item.event_id for item in truth} <= ids


def test_the_truth_files_of_several_nights_are_no_logs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    simulate(
        output=Path("n.jsonl"),
        tables=1,
        rounds=3,
        nights=2,
        games="blackjack",
        violations="late-wager",
        rate=0.9,
        workers=1,
    )
    days = ["2010-03-06", "2010-03-07"]
    assert sorted(path.name for path in Path().glob("*.truth")) == [
        f"n-{day}.jsonl.truth" for day in days
    ]
    code, said, _ = answer(capsys, "check", "n*.jsonl")
    assert code == 1
    assert "set aside" not in said
    assert {item.breach for day in days for item in read_truth(Path(f"n-{day}.jsonl.truth"))} == {
        "late-wager"
    }


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
        ({"variant": "double_show"}, "no variant"),
        ({"variant": "extra_odds", "date": "1999-01-01"}, "room for extra_odds from 2006-01-17"),
        ({"offer": ["stretch"]}, "no offer"),
        ({"offer": ["streak"], "date": "1999-01-01"}, "room for streak from 2001-01-16"),
        ({"offer": ["streak", "twenty_point"]}, "both streak and twenty_point"),
        ({"offer": ["none", "streak"]}, "goes with no other"),
        ({"offer": ["streak"], "variant": "double_shoe"}, "offers no side wagers"),
        ({"accidents": 1.5}, "--accidents is a share"),
        ({"accidents": -0.5}, "--accidents is a share"),
        ({"accidents": 0.5, "games": "baccarat"}, "Blackjack is not played"),
    ],
)
def test_what_cannot_be_simulated_is_refused(
    tmp_path: Path, words: dict[str, object], sentence: str
) -> None:
    with pytest.raises(Refused, match=sentence):
        simulate(output=tmp_path / "night.jsonl", **words)  # type: ignore[arg-type]


def test_a_name_that_nearly_fits_is_offered(tmp_path: Path) -> None:
    with pytest.raises(Refused) as refused:
        simulate(output=tmp_path / "night.jsonl", variant="double-show")
    assert "Did you mean double_shoe?" in refused.value.hint


def elected(log: Path, option: str) -> list[str]:
    """What the tables of a log have elected for an option."""
    records = [json.loads(line) for line in log.read_text().splitlines()]
    return [record["value"] for record in records if record.get("option_name") == option]


def test_every_blackjack_table_is_set_up_as_asked_for(tmp_path: Path) -> None:
    output = tmp_path / "night.jsonl"
    simulate(output=output, tables=6, rounds=1, variant="multiple-action", workers=1)
    tables = elected(output, "game").count("blackjack")
    assert elected(output, "multiple_action") == ["yes"] * tables


def test_every_blackjack_table_offers_the_side_wagers_asked_for(tmp_path: Path) -> None:
    output = tmp_path / "night.jsonl"
    simulate(output=output, tables=6, rounds=1, offer=["streak", "sevens"], workers=1)
    tables = elected(output, "game").count("blackjack")
    assert elected(output, "streak") == ["yes"] * tables
    assert elected(output, "additional_wager") == ["sevens"] * tables


def test_no_blackjack_table_offers_a_side_wager_if_none_is_asked_for(tmp_path: Path) -> None:
    output = tmp_path / "night.jsonl"
    simulate(output=output, tables=30, rounds=1, games="blackjack", offer=["none"], workers=1)
    wagers = {json.loads(line).get("wager") for line in output.read_text().splitlines()}
    assert wagers <= {None, "blackjack", "double", "split", "insurance"}


def test_as_much_goes_wrong_as_asked_for(tmp_path: Path) -> None:
    for share, happens in ((0.0, False), (1.0, True)):
        output = tmp_path / f"{share}.jsonl"
        simulate(output=output, tables=2, rounds=20, games="blackjack", accidents=share, workers=1)
        assert ("irregularity" in output.read_text()) is happens


def test_every_variant_and_offer_is_documented() -> None:
    text = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    assert [name for name in (*SINCE, *OFFERS) if f"`{name}`" not in text] == []


def test_the_breaches_are_listed_with_the_rules_that_find_them(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["breaches"]) == 0
    (line,) = [row for row in capsys.readouterr().out.splitlines() if row.startswith("late-wager ")]
    assert line.split()[:3] == ["late-wager", "blackjack", "no-wager-after-the-first-card"]
