"""The manifest says what a source records; without one there is what occurs."""

from __future__ import annotations

import json
from pathlib import Path

from compliance.log import inferred_manifest, load_manifest, tables
from tests.compliance.log.small_logs import SCHEMA, line, written


def test_a_manifest_says_which_types_and_fields_are_recorded(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(
        'source = "Shoe"\ncasino = "C1"\nzone = "America/New_York"\n'
        '[records]\ncard_dealt = ["to", "card"]\nround_started = "all"\n'
    )
    manifest, problems = load_manifest(path, SCHEMA)
    assert problems == ()
    assert manifest is not None
    assert (manifest.source, manifest.casino, manifest.zone) == ("Shoe", "C1", "America/New_York")
    assert manifest.records("card_dealt", "card")
    assert manifest.records("card_dealt", "ts")
    assert not manifest.records("card_dealt", "seat")
    assert manifest.records("round_started", "round")
    assert not manifest.records("wager_placed")
    assert manifest.title == "Shoe"


def test_a_manifest_may_be_json(tmp_path: Path) -> None:
    path = tmp_path / "manifest.json"
    path.write_text(json.dumps({"records": "all"}))
    manifest, _problems = load_manifest(path, SCHEMA)
    assert manifest is not None
    assert manifest.records("wager_placed", "amount")


def test_a_source_may_record_all_but_some_types(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text('records = "all"\nexcept = ["card_burned"]\n')
    manifest, problems = load_manifest(path, SCHEMA)
    assert problems == ()
    assert manifest is not None
    assert manifest.records("card_dealt", "card")
    assert not manifest.records("card_burned")


def test_a_source_may_record_only_some_events_of_a_type(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(
        '[records]\ncard_dealt = "all"\nannouncement = "some"\n'
        'card_exposed = { events = "some", fields = ["card"] }\n'
        'round_started = { events = "all", fields = ["round"] }\n'
    )
    manifest, problems = load_manifest(path, SCHEMA)
    assert problems == ()
    assert manifest is not None
    assert manifest.partly == {"announcement", "card_exposed"}
    assert manifest.records("announcement", "round")
    assert manifest.records("card_exposed", "card")
    assert not manifest.records("card_exposed", "round")


def test_a_source_of_all_types_names_those_that_it_does_not_always_record(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text('records = "all"\nsome = ["announcement"]\n')
    manifest, problems = load_manifest(path, SCHEMA)
    assert problems == ()
    assert manifest is not None
    assert manifest.partly == {"announcement"}
    assert manifest.records("announcement")


def test_mistakes_in_what_is_recorded_in_part_are_told_with_their_line(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text(
        'some = ["anouncement"]\n[records]\ncard_dealt = "few"\n'
        'card_exposed = { events = "few", field = ["card"] }\n'
    )
    manifest, problems = load_manifest(path, SCHEMA)
    assert manifest is None
    assert [(problem.line, problem.message) for problem in problems] == [
        (1, 'some goes with records = "all".'),
        (1, 'There is no event type "anouncement".'),
        (3, 'card_dealt is "all", "some", or a list of the fields that are recorded.'),
        (
            4,
            '"field" is not known in records.card_exposed; known are events, fields.',
        ),
        (4, 'events of card_exposed is "all" or "some": whether each of them is recorded.'),
    ]


def test_mistakes_in_what_is_left_out_are_told(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text('except = ["card_burnt"]\n[records]\ncard_dealt = "all"\n')
    manifest, problems = load_manifest(path, SCHEMA)
    assert manifest is None
    assert [problem.message for problem in problems] == [
        'except goes with records = "all".',
        'There is no event type "card_burnt".',
    ]


def test_mistakes_in_a_manifest_are_listed_by_line_with_guesses(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text('sauce = "Shoe"\n[records]\ncard_delt = "all"\ncard_dealt = ["crad"]\n')
    manifest, problems = load_manifest(path, SCHEMA)
    assert manifest is None
    assert [(problem.line, problem.suggestion) for problem in problems] == [
        (1, "source"),
        (3, "card_dealt"),
        (4, "card"),
    ]


def test_a_field_that_is_no_text_is_refused_with_its_line(tmp_path: Path) -> None:
    path = tmp_path / "manifest.toml"
    path.write_text("[records]\ncard_dealt = [{ name = 1 }]\n")
    _manifest, problems = load_manifest(path, SCHEMA)
    assert [problem.line for problem in problems] == [2]


def test_what_occurs_in_a_log_can_be_told_without_a_manifest(tmp_path: Path) -> None:
    path = written(tmp_path, line(card="9S"), line(table="T2"), line(type="table_closed", to=None))
    frames = [table.frame for table in tables([path], SCHEMA)]
    manifest = inferred_manifest(SCHEMA, frames)
    assert manifest.records("card_dealt", "card")
    assert not manifest.records("card_dealt", "seat")
    assert not manifest.records("table_closed", "card")
