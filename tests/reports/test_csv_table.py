"""CSV: one row for a finding, and nothing that a spreadsheet would run."""

from __future__ import annotations

import csv
from io import StringIO

import pytest

from reports.action_plan import COLUMNS as PLAN
from reports.action_plan import render_action_plan_csv
from reports.csv_table import render_csv, safe_cell
from reports.model import Run
from reports.verdicts import FindingKind
from tests.reports.payloads import FORMULA, LINES, attacked
from tests.reports.sample import full_run


def rows(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(content.decode("utf-8-sig"), newline="")))


def test_every_finding_has_a_row() -> None:
    night = full_run()
    expected = [found.fingerprint for kind in FindingKind for found in night.findings(kind)]
    assert [row["fingerprint"] for row in rows(render_csv(night))] == expected


def test_the_file_says_that_it_is_utf_8() -> None:
    assert render_csv(full_run()).startswith(b"\xef\xbb\xbf")


def test_what_was_not_measured_is_empty_and_not_zero() -> None:
    measured, unmeasured, *_ = rows(render_csv(full_run()))
    assert (measured["exposed_rounds"], unmeasured["exposed_rounds"]) == ("9", "")


@pytest.mark.parametrize(
    "text",
    ["=1+1", "+1", "-1", "@SUM(A1)", "  =1+1", "\u00a0=1", "\uff1d1+1", "a;=1+1", "a; +1", "-"],
)
def test_a_formula_gets_an_apostrophe_before_its_sign(text: str) -> None:
    sign = next(place for place, c in enumerate(text) if c in "=+-@\uff1d")
    assert safe_cell(text) == f"{text[:sign]}'{text[sign:]}"


@pytest.mark.parametrize("text", ["\t=1+1", "\r=1+1", "\n=1+1"])
def test_a_blank_that_hides_a_formula_becomes_its_code(text: str) -> None:
    assert safe_cell(text) == f"\\u{ord(text[0]):04x}=1+1"


@pytest.mark.parametrize("text", ["9♠ to seat 1", "a=b", "BJ-12", "2024-03-09 20:00 -05:00", ""])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert safe_cell(text) == text


@pytest.mark.parametrize("render", [render_csv, render_action_plan_csv])
def test_no_cell_of_an_attacked_night_is_a_formula(render: object) -> None:
    assert callable(render)
    for row in rows(render(attacked(FORMULA))):
        assert not [cell for cell in row.values() if cell.lstrip().startswith(("=", "+", "-", "@"))]


def test_a_line_break_in_a_log_begins_no_row() -> None:
    assert len(render_csv(attacked(LINES)).splitlines()) == len(render_csv(full_run()).splitlines())


def test_the_action_plan_has_blanks_for_the_answer() -> None:
    plan = rows(render_action_plan_csv(full_run()))
    blanks = [column.title for column in PLAN if column.blank]
    assert {"Owner", "Due date", "Response"} <= set(blanks)
    assert {row[name] for row in plan for name in blanks} == {""}


def test_the_action_plan_names_violations_first() -> None:
    plan = rows(render_action_plan_csv(full_run()))
    assert [row["Kind"] for row in plan] == ["violation", "violation", "indicator", "data defect"]


def test_a_run_without_findings_has_a_heading_only() -> None:
    empty = Run(rulebook=full_run().rulebook, inputs=())
    assert rows(render_csv(empty)) == []
