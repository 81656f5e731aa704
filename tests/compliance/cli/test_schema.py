"""`compliance schema`: every word of the vocabulary can be found and is explained."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

from event_schemas import builtin_schema
from tests.compliance.small_rulebook import answer, json_answer

HOUSE = """\
name = "house"
extends = "builtin"

[events.chips_recounted]
doc = "The chips in the tray were counted again."

[events.chips_recounted.fields]
amount = { kind = "money", required = true, doc = "The amount found" }

[events.card_dealt.fields]
camera = { kind = "text", doc = "The camera that saw the card" }
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    path = tmp_path / "house.toml"
    path.write_text(HOUSE, encoding="utf-8")
    return path


def test_the_list_names_every_event_type_enum_and_option(
    capsys: pytest.CaptureFixture[str],
) -> None:
    words = answer(capsys, "schema", "list")[1].split()
    schema = builtin_schema()
    assert {*schema.events, *schema.enums, *schema.options} <= set(words)


def test_the_list_groups_event_types_by_subject(capsys: pytest.CaptureFixture[str]) -> None:
    lines = answer(capsys, "schema", "list")[1].splitlines()
    heading = lines.index("The shuffle, by hand or by machine")
    group = lines[heading : lines.index("", heading)]
    assert any(line.split()[0] == "cards_shuffled" for line in group)
    assert not any(line.split()[0] == "card_dealt" for line in group)


def test_an_event_type_is_shown_with_all_its_fields(capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "schema", "show", "card_burned")[1]
    rows = {line.split()[0]: line for line in out.splitlines() if line}
    for field in builtin_schema().events["card_burned"].fields.values():
        assert field.kind.name in rows[field.name]
        assert field.doc in rows[field.name]


def test_a_word_that_is_both_an_enum_and_an_option_is_shown_as_both(
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = answer(capsys, "schema", "show", "game")[1]
    assert "game  enum" in out
    assert "game  option of the licensee" in out


def test_an_option_says_what_holds_if_nothing_was_elected(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert json_answer(capsys, "schema", "show", "shuffle")["option"]["default"] == "normal"
    assert json_answer(capsys, "schema", "show", "decks")["option"]["default"] is None


def test_an_unknown_name_exits_2_with_the_nearest_one(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = answer(capsys, "schema", "show", "card_delt")
    assert (code, out) == (2, "")
    assert "Did you mean card_dealt?" in err


def test_the_export_accepts_a_record_and_refuses_a_bad_one(
    capsys: pytest.CaptureFixture[str],
) -> None:
    schema = json.loads(answer(capsys, "schema", "export", "card_burned")[1])
    record = {
        "id": "1",
        "ts": "2024-03-09T20:00:00-05:00",
        "seq": 1,
        "casino": "C",
        "table": "T",
        "type": "card_burned",
    }
    jsonschema.validate(record, schema)
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate(record | {"cardz": "9S"}, schema)


def test_the_export_of_everything_is_a_json_schema(capsys: pytest.CaptureFixture[str]) -> None:
    jsonschema.Draft202012Validator.check_schema(
        json.loads(answer(capsys, "schema", "export", "--format", "json")[1])
    )


def test_exporting_an_unknown_event_type_exits_2(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer(capsys, "schema", "export", "game")[0] == 2


def test_a_schema_file_adds_its_own_events(house: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "schema", "show", "chips_recounted", "--schema", house)[1]
    assert "The amount found" in out


def test_a_built_in_event_with_an_added_field_stays_in_its_group(
    house: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def groups(*words: object) -> dict[str, str]:
        events = json_answer(capsys, "schema", "list", *words)["events"]
        return {event["name"]: event["group"] for event in events}

    with_house = groups("--schema", house)
    assert with_house["card_dealt"] == groups()["card_dealt"]
    assert with_house["chips_recounted"] == "Added by the schema file"


def test_a_faulty_schema_file_exits_2_and_lists_every_mistake(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "faulty.toml"
    path.write_text(HOUSE.replace('"money"', '"mony"').replace('doc = "The chips', 'dok = "The'))
    code, out, err = answer(capsys, "schema", "list", "--schema", path)
    assert (code, out) == (2, "")
    assert f"{path}:5: " in err
    assert 'unknown kind "mony". Did you mean money?' in err
    assert err.splitlines()[-1] == f"compliance: The schema file {path} has mistakes."


def test_a_missing_schema_file_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    code, _, err = answer(capsys, "schema", "list", "--schema", tmp_path / "none.toml")
    assert code == 2
    assert "There is no schema file" in err
