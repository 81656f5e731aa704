"""A log that is one JSON array says the same as the same records in lines."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import compliance
from compliance.demo import MANIFEST, NIGHT


def _records() -> list[dict[str, Any]]:
    lines = NIGHT.read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines if line.startswith("{") and line.endswith("}")]


@pytest.mark.parametrize("indent", [None, 2])
def test_an_array_is_judged_like_the_same_records_in_lines(
    tmp_path: Path, indent: int | None
) -> None:
    array, lines = tmp_path / "night.json", tmp_path / "night.jsonl"
    array.write_text(json.dumps(_records(), indent=indent), encoding="utf-8")
    lines.write_text("".join(json.dumps(each) + "\n" for each in _records()), encoding="utf-8")
    one, other = (compliance.check(log, manifest=MANIFEST) for log in (array, lines))
    assert len(one.violations) == 7
    assert [found.fingerprint for found in one] == [found.fingerprint for found in other]


def test_a_bad_record_of_an_array_is_set_aside_with_its_line(tmp_path: Path) -> None:
    records = _records()
    records[3]["ts"] = "yesterday"
    array, aside = tmp_path / "night.json", tmp_path / "aside.jsonl"
    array.write_text(json.dumps(records, indent=0), encoding="utf-8")
    result = compliance.check(array, quarantine=aside)
    line = 1 + array.read_text("utf-8").split('"yesterday"')[0].rsplit("{", 1)[0].count("\n")
    assert result.run.quarantined == 1
    assert json.loads(aside.read_text("utf-8"))["line"] == line


def test_an_array_that_is_cut_off_is_refused_with_its_line(tmp_path: Path) -> None:
    array = tmp_path / "night.json"
    array.write_text(json.dumps(_records(), indent=1)[:-500], encoding="utf-8")
    with pytest.raises(compliance.Refused) as refused:
        compliance.check(array)
    (problem,) = refused.value.problems
    assert "not a whole one" in str(problem)
