"""JUnit XML: a case for every rule, failures for violations, reasons for what was skipped."""

from __future__ import annotations

from xml.etree import ElementTree as ET

import pytest

from reports.junit import SHOWN_FINDINGS, render_junit
from reports.model import Run
from tests.reports.many_findings import many
from tests.reports.payloads import MARKUP, PAYLOADS, attacked
from tests.reports.sample import full_run


def document(run: Run) -> ET.Element:
    return ET.fromstring(render_junit(run))  # noqa: S314 - our own file


def case(name: str) -> ET.Element:
    found = document(full_run()).find(f".//testcase[@name='{name}']")
    assert found is not None
    return found


def test_every_rule_is_a_case() -> None:
    names = [node.get("name") for node in document(full_run()).iter("testcase")]
    assert sorted(map(str, names)) == sorted(outcome.rule for outcome in full_run().outcomes)


def test_a_violated_rule_fails_with_its_findings() -> None:
    failure = case("burn-by-each-new-dealer").find("failure")
    assert failure is not None
    assert failure.get("message", "").endswith("2 violations in 214 checks")
    assert "D7 dealt 9♠ to seat 1 without burning a card." in (failure.text or "")


def test_a_rule_that_was_not_evaluable_is_skipped_with_its_reason() -> None:
    skipped = case("wager-within-limits").find("skipped")
    assert skipped is not None
    said = skipped.get("message")
    assert said == "not evaluable: The source records cards but not single wagers."


def test_an_indicator_does_not_fail() -> None:
    assert case("same-cards-after-preshuffled-pack").find("failure") is None
    assert case("same-cards-after-preshuffled-pack").find("system-out") is not None


def test_the_numbers_add_up() -> None:
    root = document(full_run())
    for name, tag in (("tests", "testcase"), ("failures", "failure"), ("skipped", "skipped")):
        assert int(root.get(name, "-1")) == len(list(root.iter(tag)))
        assert int(root.get(name, "-1")) == sum(int(s.get(name, "-1")) for s in root)


def test_rules_stand_under_the_section_of_the_law() -> None:
    suites = {node.get("name") for node in document(full_run())}
    assert {"N.J.A.C. 19:47-2.6", "Indicators", "Integrity of the evidence"} <= suites


@pytest.mark.parametrize("payload", PAYLOADS)
def test_an_attacked_run_is_sound_xml(payload: str) -> None:
    assert len(list(document(attacked(payload)).iter("testcase"))) == len(full_run().outcomes)


def test_markup_in_a_log_is_text() -> None:
    root = document(attacked(MARKUP))
    assert list(root.iter("script")) == []
    assert any(MARKUP in (node.text or "") for node in root.iter("failure"))


def test_of_very_many_findings_the_rest_are_counted() -> None:
    failures = [node.text or "" for node in document(many(1, 1_000)).iter("failure")]
    assert failures
    assert max(text.count("\n") for text in failures) <= SHOWN_FINDINGS + 2
    assert any(" more\n" in text for text in failures)
