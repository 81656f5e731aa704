"""SARIF: valid against the standard's own schema, and true to the run."""

from __future__ import annotations

import json
from typing import Any

import jsonschema
import pytest

from reports.model import Run
from reports.sarif import FINGERPRINT, sarif_pieces
from reports.verdicts import FindingKind
from tests.reports.payloads import LINK, PAYLOADS, TEMPLATE, attacked
from tests.reports.sample import full_run
from tests.tree import text_of

VALIDATOR = jsonschema.Draft202012Validator(
    json.loads(text_of("tests/reports/schemas/sarif-2.1.0.json")),
    format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
)


def log(run: Run) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads("".join(sarif_pieces(run)))
    return loaded


def results(run: Run) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = log(run)["runs"][0]["results"]
    return found


def test_a_full_run_is_valid() -> None:
    VALIDATOR.validate(log(full_run()))


def test_a_run_of_one_file_is_valid_and_names_the_file() -> None:
    night = full_run()
    one = night.model_copy(update={"inputs": night.inputs[:1]})
    VALIDATOR.validate(log(one))
    place = results(one)[0]["locations"][0]["physicalLocation"]["artifactLocation"]
    assert place == {"uri": "pit-1.jsonl", "index": 0}


@pytest.mark.parametrize("payload", PAYLOADS)
def test_an_attacked_run_is_valid(payload: str) -> None:
    VALIDATOR.validate(log(attacked(payload)))


def test_the_schema_can_say_no() -> None:
    broken = log(full_run())
    broken["runs"][0]["results"][0]["level"] = "terrible"
    with pytest.raises(jsonschema.ValidationError):
        VALIDATOR.validate(broken)


def test_every_finding_keeps_its_fingerprint() -> None:
    night = full_run()
    expected = {found.fingerprint for kind in FindingKind for found in night.findings(kind)}
    told = [
        item["partialFingerprints"][FINGERPRINT] for item in results(night) if "locations" in item
    ]
    assert set(told) == expected
    assert len(told) == len(expected)


def test_only_violations_are_failures() -> None:
    failed = {item["ruleId"] for item in results(full_run()) if item["kind"] == "fail"}
    assert failed == {"burn-by-each-new-dealer"}


def test_a_rule_without_findings_says_how_it_ended() -> None:
    kinds = {item["ruleId"]: item["kind"] for item in results(full_run())}
    assert kinds["no-insurance-after-third-card"] == "pass"
    assert kinds["banker-third-card"] == "open"
    assert kinds["wager-within-limits"] == "notApplicable"


def test_a_waived_finding_is_there_and_marked() -> None:
    marked = [item for item in results(full_run()) if item.get("suppressions")]
    assert len(marked) == 1
    assert "letter 12" in marked[0]["suppressions"][0]["justification"]


def test_braces_in_a_log_are_no_placeholders() -> None:
    text = results(attacked(TEMPLATE))[0]["message"]["text"]
    assert text.replace("{{", "{").replace("}}", "}") == TEMPLATE


def test_brackets_in_a_log_make_no_link() -> None:
    assert "](" not in results(attacked(LINK))[0]["message"]["text"]


def test_each_result_points_at_its_rule() -> None:
    run = log(full_run())["runs"][0]
    rules = run["tool"]["driver"]["rules"]
    assert all(rules[item["ruleIndex"]]["id"] == item["ruleId"] for item in run["results"])


def test_a_result_has_the_line_of_its_event() -> None:
    whole = full_run()
    (outcome, *others) = [item for item in whole.outcomes if item.findings]
    name = whole.inputs[0].name
    found = tuple(
        item.model_copy(update={"file": name, "line": 7 + place})
        for place, item in enumerate(outcome.findings)
    )
    placed = outcome.model_copy(update={"findings": found})
    run = whole.model_copy(update={"outcomes": (placed, *others)})
    places = [item["locations"][0]["physicalLocation"] for item in results(run)[: len(found)]]
    assert [place["region"]["startLine"] for place in places] == [
        7 + place for place in range(len(found))
    ]
    assert {place["artifactLocation"]["uri"] for place in places} == {name}
