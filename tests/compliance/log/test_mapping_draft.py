"""A draft of a mapping: what can be guessed from a feed, questions where nothing can, and always a
file that can be read.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest

from compliance.log import load_mapping
from compliance.log.manifest_draft import LogFacts, drafted_manifest
from compliance.log.mapping_draft import FeedFacts, drafted_mapping
from tests.compliance.log.small_logs import SCHEMA


def draft(*records: dict[str, Any], feed: str = "feed.csv") -> str:
    facts = FeedFacts()
    for record in records:
        facts.take(record)
    return drafted_mapping(facts, SCHEMA, feed)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        (["9S 10H"], 'each = { from = "x", split = " " } and card = "x"'),
        (["9S|10H", "AS"], 'each = { from = "x", split = "|" } and card = "x"'),
        (["9/K/A"], 'split = "/" } and card = { from = "x", suits = "unknown" }'),
        (["9S", "10H"], 'cards: card = "x"'),
        (["9", "K"], 'cards without suits: card = { from = "x", suits = "unknown" }'),
        ([["9S", "10H"]], 'cards in a list: each = "x" and card = "x"'),
        (["12.50", "$1,250.00"], 'money: amount = { from = "x", money = "dollars" }'),
        (["ON", "OFF", "ON"], 'perhaps the kind of record: when = { "x" = "ON" }'),
    ],
)
def test_what_a_column_looks_like_is_told(values: list[object], said: str) -> None:
    assert said in draft(*({"x": value} for value in values))


@pytest.mark.parametrize("values", [["9", "10"], ["12,50"], ["ON"], ["n/a", "12.50"], ["A-1"]])
def test_what_a_column_may_be_by_chance_is_not_told(values: list[object]) -> None:
    text = draft(*({"x": value} for value in values))
    assert "cards" not in text
    assert "money" not in text
    assert "perhaps" not in text


def test_a_feed_of_many_kinds_of_records_gets_a_section_for_each() -> None:
    text = draft(*({"event": f"KIND_{number}"} for number in range(30)))
    assert text.count("[[events]]") == 30


def test_signs_that_toml_refuses_are_written_so_that_it_reads_them() -> None:
    odd = 'a"b\\c\x00\x7f\nd'
    text = draft({odd: odd, "event": odd}, feed=f"{odd}.csv")
    content = tomllib.loads(text)
    assert content["name"] == f"{odd}.csv"
    assert content["events"][0]["when"] == {"event": odd}
    manifest = tomllib.loads(drafted_manifest(LogFacts(casinos={odd}), SCHEMA, odd, {}))
    assert (manifest["source"], manifest["casino"]) == (odd, odd)


def test_a_yes_or_no_is_compared_as_the_feed_says_it() -> None:
    facts = FeedFacts()
    for kind in (True, False, True):
        facts.take({"event": kind})
    (first, second) = tomllib.loads(drafted_mapping(facts, SCHEMA, "f.jsonl"))["events"]
    assert (first["when"], second["when"]) == ({"event": "true"}, {"event": "false"})


def test_a_question_that_is_still_open_is_a_mistake_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "draft.toml"
    path.write_text(draft({"x": 1}), "utf-8")
    mapping, problems = load_mapping(path, SCHEMA)
    assert mapping is None
    lines = path.read_text("utf-8").splitlines()
    told = [(lines[(problem.line or 1) - 1].split()[0], problem.message) for problem in problems]
    assert told == [
        ("casino", "casino is still a question; answer it, or name a column for it."),
        ("table", "table is still a question; answer it, or name a column for it."),
        ("ts", "fields.ts is still a question; name their column."),
        ("type", "An event section does not name its type."),
    ]


def test_days_that_can_be_read_both_ways_are_a_question() -> None:
    text = draft({"Date": "06/03/2010", "Time": "20:00:00"})
    assert tomllib.loads(text)["time"] == "%m/%d/%Y %H:%M:%S"
    assert '# time = "%d/%m/%Y %H:%M:%S"' in text
    at_once = draft({"At": "06/03/2010 20:00:00"})
    assert '# time = "%d/%m/%Y %H:%M:%S"' in at_once


@pytest.mark.parametrize(("day", "way"), [("24/03/2010", "%d/%m/%Y"), ("03/24/2010", "%m/%d/%Y")])
def test_days_that_can_be_read_one_way_only_are_none(day: str, way: str) -> None:
    text = draft({"Date": "06/03/2010", "Time": "20:00:00"}, {"Date": day, "Time": "20:01:00"})
    assert tomllib.loads(text)["time"] == f"{way} %H:%M:%S"
    assert "# time =" not in text


@pytest.mark.parametrize("name", ["Table No", "tableNo", "TABLE-NO", "table_no"])
def test_names_are_known_however_their_words_are_joined(name: str) -> None:
    fields = tomllib.loads(draft({name: "BJ 4"}))["fields"]
    assert fields["table"] == name


def test_a_round_that_is_no_number_is_not_taken_for_one() -> None:
    assert "round" not in tomllib.loads(draft({"gameId": "g0001"}))["fields"]
    assert tomllib.loads(draft({"gameId": "17"}))["fields"]["round"] == "gameId"


def test_the_numbers_of_seats_in_a_list_are_not_taken_for_cards() -> None:
    text = draft({"seats": [{"no": 3, "cards": ["9S"]}, {"no": 4, "cards": ["2C"]}]})
    assert 'each = "seats.cards"' in text
    assert 'each = "seats.no"' not in text
