"""The JSON Schema of a result: published, described in words, and true of real results."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from compliance.cli import main
from reports.model import Run
from reports.run_schema import run_schema
from tests.reports.sample import full_run
from tests.tree import text_of

SCHEMA = run_schema()
VALIDATOR = jsonschema.Draft202012Validator(
    SCHEMA, format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER
)


def test_the_published_schema_is_that_of_the_program() -> None:
    published = json.loads(text_of("docs/run.schema.json"))
    assert published == SCHEMA, "write it anew: compliance schema result > docs/run.schema.json"


def test_the_command_writes_the_published_schema(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "result"]) == 0
    assert capsys.readouterr().out == text_of("docs/run.schema.json")


def test_the_schema_is_a_sound_schema() -> None:
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


MODELS: list[tuple[str, dict[str, Any]]] = [("Run", SCHEMA), *SCHEMA["$defs"].items()]


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_every_key_has_a_meaning_in_words(name: str, model: dict[str, Any]) -> None:
    assert model["description"].endswith((".", ":"))
    silent = [
        key for key, value in model.get("properties", {}).items() if "description" not in value
    ]
    assert silent == []


@pytest.mark.parametrize(("name", "model"), MODELS)
def test_every_key_is_always_there(name: str, model: dict[str, Any]) -> None:
    assert sorted(model.get("required", ())) == sorted(model.get("properties", ()))


def test_a_key_that_is_added_later_does_not_break_readers() -> None:
    VALIDATOR.validate(json.loads(full_run().model_dump_json()) | {"added_later": 1})


def test_a_full_result_fits_the_schema() -> None:
    VALIDATOR.validate(json.loads(full_run().model_dump_json()))


def test_the_result_of_a_real_check_fits_the_schema(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    log = tmp_path / "night.jsonl"
    words = ["--tables", "2", "--rounds", "12", "--violations", "all", "--rate", "0.5"]
    assert main(["simulate", "-o", str(log), "--workers", "1", *words]) == 0
    capsys.readouterr()
    assert main(["check", str(log), "--workers", "1", "--format", "json"]) == 1
    run = json.loads(capsys.readouterr().out)
    VALIDATOR.validate(run)
    assert any(outcome["findings"] for outcome in run["outcomes"])


@pytest.mark.parametrize(
    ("change", "value"), [("schema_version", "2"), ("quarantined", -1), ("outcomes", {})]
)
def test_a_result_of_another_form_does_not_fit(change: str, value: object) -> None:
    run = json.loads(full_run().model_dump_json()) | {change: value}
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(run)


def test_the_schema_names_the_version_of_the_result() -> None:
    version = Run.model_fields["schema_version"].default
    assert SCHEMA["$id"] == f"urn:table-compliance:run:{version}"
