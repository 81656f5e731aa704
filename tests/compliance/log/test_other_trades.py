"""A log of another trade: the worked example of docs/logs.md does what the page says."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from compliance.cli import main
from tests.tree import text_of

PAGE = text_of("docs/logs.md").split("## Logs of other trades", 1)[1].split("\n## ", 1)[0]
COMMAND = ("--schema", "desk.toml", "--mapping", "desk_mapping.toml", "--rules", "desk.rules")


def blocks() -> dict[str, str]:
    """The files that the page shows, by the names in their first lines."""
    found = {}
    for text in re.findall(r"```(?:xml|toml|rules)\n(.*?)```", PAGE, flags=re.DOTALL):
        name = re.search(r"desk[_a-z]*\.[a-z]+", text)
        assert name is not None
        found[name.group()] = text
    return found


@pytest.fixture(autouse=True)
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    for name, text in blocks().items():
        Path(name).write_text(text, encoding="utf-8")
    return tmp_path


def run(capsys: pytest.CaptureFixture[str]) -> dict[str, Any]:
    assert main(["check", "desk.xes", *COMMAND, "--format", "json"]) == 1
    return dict(json.loads(capsys.readouterr().out))


def test_the_page_shows_what_the_command_says(capsys: pytest.CaptureFixture[str]) -> None:
    shown = re.search(r"```console\n\$ compliance (.*?)\n(.*?)```", PAGE, flags=re.DOTALL)
    assert shown is not None
    assert main(shown.group(1).split()) == 1
    assert capsys.readouterr().out == shown.group(2)


def test_the_rule_file_of_the_page_passes_its_own_examples(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["rules", "test", "desk.rules", "--schema", "desk.toml"]) == 0


def test_extensions_globals_classifiers_and_nested_attributes_are_no_events(
    capsys: pytest.CaptureFixture[str],
) -> None:
    answer = run(capsys)
    assert [source["events"] for source in answer["inputs"]] == [6]
    assert answer["quarantined"] == 0


def as_field() -> None:
    """The files changed as the page says, so that the case is a field."""
    mapping = Path("desk_mapping.toml").read_text(encoding="utf-8")
    mapping = mapping.replace('"trace.place"', '"log.place"').replace("table =", "order =")
    mapping = mapping.replace("[fields]", '[constants]\ntable = "desk"\n\n[fields]', 1)
    Path("desk_mapping.toml").write_text(mapping, encoding="utf-8")
    schema = Path("desk.toml").read_text(encoding="utf-8")
    order = 'fields.order = { kind = "text", doc = "The order" }\nfields.by'
    Path("desk.toml").write_text(schema.replace("fields.by", order), encoding="utf-8")
    rules = Path("desk.rules").read_text(encoding="utf-8").split("  example", 1)[0]
    Path("desk.rules").write_text(
        rules.replace("  when", "  for each order\n  when"), encoding="utf-8"
    )


def test_a_case_can_be_a_field_instead_of_the_table(capsys: pytest.CaptureFixture[str]) -> None:
    as_field()
    answer = run(capsys)
    assert answer["scope"]["tables"] == ["desk"]
    (found,) = [outcome for outcome in answer["outcomes"] if outcome["kind"] == "violation"]
    assert found["counts"]["violated"] == 1
    assert found["findings"][0]["where"]["order"] == "order 18"


def test_case_by_case_in_one_table_the_clock_goes_back_and_that_is_said(
    capsys: pytest.CaptureFixture[str],
) -> None:
    as_field()
    (defect,) = [item for item in run(capsys)["outcomes"] if item["kind"] == "data_defect"]
    assert defect["rule"] == "evidence-clock-back"
