"""The example logs of docs/scenarios: the whole law of New Jersey finds what their pages say."""

from __future__ import annotations

import gzip
import json
from functools import cache
from typing import Any

import pytest

from reports.model import Run
from reports.verdicts import FindingKind
from tests.compliance.scenario_checks import MANIFEST, checked, stated
from tests.compliance.scenario_stories import LONG, SCENARIOS, STORIES, lines, log_of, on
from tests.compliance.small_rulebook import answer

KINDS = {
    "violations": FindingKind.VIOLATION,
    "indicators": FindingKind.INDICATOR,
    "data_defects": FindingKind.DATA_DEFECT,
}


@cache
def result(name: str) -> Run:
    """A scenario's result, worked out once."""
    return checked(log_of(name), expected(name).get("profile"))


def expected(name: str) -> Any:
    return json.loads((SCENARIOS / name / "expected.json").read_text(encoding="utf-8"))


def test_every_folder_is_a_scenario() -> None:
    assert {path.name for path in SCENARIOS.iterdir() if path.is_dir()} == set(STORIES)


def test_every_scenario_is_in_the_list_of_examples() -> None:
    page = (SCENARIOS / "README.md").read_text(encoding="utf-8")
    assert [name for name in STORIES if f"]({name}/)" not in page] == []


@pytest.mark.parametrize("name", STORIES)
def test_the_log_is_what_the_story_tells(name: str) -> None:
    story, day = STORIES[name]
    raw = log_of(name).read_bytes()
    text = gzip.decompress(raw) if name in LONG else raw
    assert text.decode().splitlines() == lines(on(day, story()))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", STORIES)
def test_these_findings_are_made_and_no_others(name: str, kind: str) -> None:
    found: dict[str, list[str]] = {}
    for finding in result(name).findings(KINDS[kind]):
        assert finding.trigger is not None
        found.setdefault(finding.rule, []).append(finding.trigger.event_id)
    assert found == expected(name)[kind]


@pytest.mark.parametrize("name", STORIES)
def test_nothing_is_left_in_doubt_and_no_line_is_set_aside(name: str) -> None:
    run = result(name)
    doubtful = [o.rule for o in run.outcomes if o.status.value in ("open", "undetermined")]
    assert (doubtful, run.quarantined) == ([], 0)


@pytest.mark.parametrize("name", STORIES)
def test_the_clauses_of_the_story_are_stated_as_the_page_says(name: str) -> None:
    wanted = expected(name)["clauses"]
    statements = result(name).statements
    assert {clause: stated(statements, clause) for clause in wanted} == {
        clause: {status} for clause, status in wanted.items()
    }


def test_the_unshuffled_night_counts_until_the_first_shuffle() -> None:
    findings = result("cards-never-shuffled").findings(FindingKind.VIOLATION)
    (finding,) = [found for found in findings if found.rule == "shuffle-before-play"]
    assert finding.exposure is not None
    shown = finding.exposure.model_dump()
    wanted = expected("cards-never-shuffled")["exposure"][finding.rule]
    assert {key: shown[key] for key in wanted} == wanted


def test_the_short_decks_are_dealt_for_400_hands() -> None:
    story, _ = STORIES["card-missing-for-400-hands"]
    hands = {
        (record["round"], record["seat"])
        for record in story()
        if record["type"] == "card_dealt" and record["to"] == "player"
    }
    assert len(hands) == 400


def test_the_page_of_every_finding_names_its_rule_and_event() -> None:
    missing = [
        (name, word)
        for name in STORIES
        for kind in KINDS
        for rule, events in expected(name)[kind].items()
        for word in (rule, *events)
        if word not in (SCENARIOS / name / "README.md").read_text(encoding="utf-8")
    ]
    assert missing == []


def test_the_command_says_the_same(capsys: pytest.CaptureFixture[str]) -> None:
    name = "maximum-lowered-for-one-player"
    words = ("check", log_of(name), "--manifest", MANIFEST, "--workers", "1", "--format", "json")
    code, out, _ = answer(capsys, *words)
    found = {
        outcome["rule"]: [finding["trigger"]["event_id"] for finding in outcome["findings"]]
        for outcome in json.loads(out)["outcomes"]
        if outcome["findings"]
    }
    wanted = expected(name)
    assert (code, found) == (wanted["exit_code"], wanted["violations"])


def test_a_lawful_shuffle_at_will_exits_0(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("check", log_of("shuffle-at-will"), "--manifest", MANIFEST, "--workers", "1")
    code, out, _ = answer(capsys, *words)
    assert (code, out.splitlines()[-1].startswith("No violation found")) == (0, True)
