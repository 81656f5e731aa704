"""Promises about reading a saved result piece by piece."""

from __future__ import annotations

import json

import pytest
from pydantic import ValidationError

from reports.model import Run
from reports.packed import Packed
from reports.saved_json import render_json
from reports.saved_json_reading import run_from_json
from tests.reports.many_findings import many
from tests.reports.sample import full_run


def test_a_saved_result_is_read_as_it_was() -> None:
    content = render_json(full_run())
    assert run_from_json(content) == Run.model_validate_json(content)
    assert render_json(run_from_json(content)) == content


def test_findings_are_packed_as_they_come(monkeypatch: pytest.MonkeyPatch) -> None:
    content = render_json(many(2, 10))
    monkeypatch.setattr(Run, "model_validate_json", _only_without_outcomes(content))
    read = run_from_json(content)
    assert [type(outcome.findings) for outcome in read.outcomes] == [Packed, Packed]
    assert [len(outcome.findings) for outcome in read.outcomes] == [10, 10]


def _only_without_outcomes(content: bytes) -> classmethod[Run, ..., Run]:
    whole = Run.model_validate_json

    def read(_: type[Run], part: bytes) -> Run:
        assert part != content, "the result was read as a whole"
        return whole(part)

    return classmethod(read)


def test_findings_that_were_moved_are_put_in_order() -> None:
    content = render_json(many(1, 5))
    moved = json.loads(content)
    moved["outcomes"][0]["findings"].reverse()
    assert run_from_json(json.dumps(moved).encode()) == run_from_json(content)


@pytest.mark.parametrize("wrong", [{"rule": "another"}, {"severity": "grave"}, {"more": 1}])
def test_what_is_wrong_is_said_as_of_the_whole(wrong: dict[str, object]) -> None:
    changed = json.loads(render_json(many(2, 3)))
    changed["outcomes"][1]["findings"][2].update(wrong)
    content = json.dumps(changed).encode()
    with pytest.raises(ValidationError) as said:
        run_from_json(content)
    with pytest.raises(ValidationError) as whole:
        Run.model_validate_json(content)
    assert _told(said.value) == _told(whole.value)


def _told(problem: ValidationError) -> list[object]:
    return [(error["loc"], error["msg"]) for error in problem.errors()]
