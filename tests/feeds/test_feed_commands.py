"""The commands from a vendor's file to a report, as the page about feeds prints them."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from compliance.cli.entry import main
from tests.feeds import written_feeds
from tests.feeds.blackjack_game import Game
from tests.feeds.test_what_feeds_show import DOCS, documented
from tests.tree import text_of

COMMANDS = re.findall(r"\| `compliance (.*?)` \|", DOCS.read_text("utf-8"))


@pytest.fixture
def feed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    text = written_feeds.round_rows(Game(4, seats=1).rounds(60))
    (tmp_path / "rows.csv").write_text(text)
    return tmp_path


def test_the_page_prints_the_way_from_the_file_to_the_check() -> None:
    assert [command.split()[:2] for command in COMMANDS] == [
        ["check", "rows.csv"],
        ["mapping", "draft"],
        ["mapping", "preview"],
        ["manifest", "draft"],
        ["check", "rows.csv"],
    ]


def test_every_printed_command_does_what_the_page_says(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bare, draft, preview, manifest, check = (shlex.split(command) for command in COMMANDS)
    assert main(bare) == 2
    assert "compliance mapping draft" in capsys.readouterr().err
    assert main(draft) == 0
    text = (feed / "rows.toml").read_text()
    assert 'ts = { from = ["Day", "Clock"] }' in text
    assert 'time = "%m/%d/%Y %I:%M:%S %p"' in text
    assert 'suits = "unknown"' in text
    documented(feed, "rows_feed.toml").replace(feed / "rows.toml")
    documented(feed, "rows_manifest.toml")
    capsys.readouterr()
    assert main(preview) == 0
    shown = capsys.readouterr().out
    assert '"type":"wager_placed"' in shown.replace("\n", "")
    assert "60  round_started" in shown
    assert main(manifest) == 0
    assert "Which games are played?" in capsys.readouterr().out
    assert main(check) in (0, 1, 5)
    assert "not played here" in capsys.readouterr().out


def test_a_preview_says_what_fell_out(feed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    documented(feed, "rows_feed.toml")
    with (feed / "rows.csv").open("a") as rows:
        rows.write("61,03/20/2010,08:99:00 PM,BJ7,$5.00,9 9,K 9,$0.00\n")
    assert main(["mapping", "preview", "rows.csv", "--mapping", "rows_feed.toml"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "1 record set aside:" in shown
    assert "which is not a time written as" in shown


def test_mistakes_of_a_mapping_are_told_with_file_and_line(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = documented(feed, "rows_feed.toml")
    path.write_text(path.read_text().replace('table = "Tbl"', 'table = "Tabl"'))
    assert main(["mapping", "preview", "rows.csv", "--mapping", "rows_feed.toml"]) == 2
    told = " ".join(capsys.readouterr().err.split())
    assert 'rows_feed.toml, line 11: rows.csv has no column "Tabl". Did you mean Tbl?' in told


def test_the_sample_of_each_feed_is_what_its_system_writes() -> None:
    page = text_of("docs/feeds.md")
    rows = written_feeds.round_rows(Game(4, seats=1).rounds(2)).splitlines()
    assert "\n".join(rows) in page


def test_nights_that_are_simulated_in_a_row_join_up_without_a_finding(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    words = ["--tables", "2", "--rounds", "8", "--workers", "1"]
    assert main(["simulate", "-o", "month", "--nights", "2", *words]) == 0
    assert sorted(path.name for path in Path("month").iterdir()) == ["2010-03-06", "2010-03-07"]
    capsys.readouterr()
    assert main(["check", "month", "--workers", "1"]) in (0, 5)
    shown = " ".join(capsys.readouterr().out.split())
    assert "begin again (first at 2010-03-07" in shown
    assert "No violation found" in shown


def test_a_preview_names_events_as_the_check_does(
    feed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    documented(feed, "rows_feed.toml")
    words = ["mapping", "preview", "rows.csv", "--mapping", "rows_feed.toml", "--records"]
    assert main([*words, "1"]) == 0
    shown = capsys.readouterr().out
    assert shown.startswith("line 2  ")
    assert '"id":"rows.csv:2"' in shown.replace("\n", "")
    assert main([*words, "-1"]) == 2
    assert "--records must be 0 or more." in capsys.readouterr().err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("f.csv", "Table no;Time;Event;\nBJ7;20:00;Deal;\n", "are those of another system"),
        ("f.json", '[{"tableId": 1, "cards": ["9S"]}]', "does not say its type"),
        ("f.jsonl", '{"tableId": 1, "type": "CARD"}', "There is no event type"),
    ],
)
def test_a_feed_without_a_mapping_is_told_how_to_get_one(
    name: str, text: str, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / name).write_text(text, "utf-8")
    assert main(["check", str(tmp_path / name)]) == 2
    told = capsys.readouterr().err
    assert said in told
    assert "`compliance mapping draft FILE` writes" in told
    assert main(["mapping", "draft", str(tmp_path / name)]) == 0
