"""The action plan as a workbook: text stays text, and the blanks can be filled."""

from __future__ import annotations

from io import BytesIO
from xml.etree import ElementTree as ET
from zipfile import ZipFile

from reports.action_plan_workbook import CUT, LONGEST_CELL, render_action_plan
from reports.model import Run
from tests.reports.payloads import FORMULA, attacked
from tests.reports.sample import full_run

MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


def sheet(run: Run, part: str = "xl/worksheets/sheet1.xml") -> ET.Element:
    with ZipFile(BytesIO(render_action_plan(run))) as book:
        return ET.fromstring(book.read(part))  # noqa: S314 - our own file


def strings(run: Run) -> list[str]:
    table = sheet(run, "xl/sharedStrings.xml")
    return [node.text or "" for node in table.iter(f"{MAIN}t")]


def test_a_formula_in_a_log_is_a_text_in_the_workbook() -> None:
    assert list(sheet(attacked(FORMULA)).iter(f"{MAIN}f")) == []
    assert FORMULA in strings(attacked(FORMULA))


def test_an_address_in_a_log_is_no_link() -> None:
    assert list(sheet(attacked("http://evil.example")).iter(f"{MAIN}hyperlink")) == []


def test_every_finding_has_a_row_below_the_heading() -> None:
    assert len(list(sheet(full_run()).iter(f"{MAIN}row"))) == 1 + 4


def test_the_due_date_and_the_status_are_checked_when_filled_in() -> None:
    kinds = [node.get("type") for node in sheet(full_run()).iter(f"{MAIN}dataValidation")]
    assert kinds == ["date", "list"]


def test_a_text_too_long_for_a_cell_is_cut_and_says_so() -> None:
    cut = [text for text in strings(attacked("x" * 40_000)) if text.endswith(CUT)]
    assert {len(text) for text in cut} == {LONGEST_CELL + len(CUT)}
