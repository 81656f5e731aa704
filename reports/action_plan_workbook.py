"""The action plan as an Excel workbook: filters, frozen headings, and shaded blanks to fill in."""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from itertools import islice
from typing import Any

from xlsxwriter import Workbook

from reports.action_plan import COLUMNS, plan_rows
from reports.answer import STATUSES
from reports.hidden_characters import visible
from reports.model import Run
from reports.run_hash import run_hash
from reports.wording import counted
from reports.zone import Clock

ROWS_OF_A_SHEET = 1_000_000
"""A sheet of Excel ends at 1,048,576 rows."""
LONGEST_CELL = 32_000
"""A cell of Excel ends at 32,767 characters."""
CUT = " … (cut: too long for a cell)"
_TEXT_ONLY = {
    "in_memory": True,
    "strings_to_formulas": False,
    "strings_to_urls": False,
    "strings_to_numbers": False,
}
_PAPER_A4 = 9


def render_action_plan(run: Run) -> bytes:
    """The plan as a workbook; whatever stands in a log is text in it, never a formula or a link."""
    out = BytesIO()
    book = Workbook(out, _TEXT_ONLY)
    # A fixed day: the same run gives the same bytes.
    book.set_properties({"title": "Action plan", "created": datetime(2000, 1, 1, tzinfo=UTC)})
    rows = plan_rows(run)
    number = 1
    part = list(islice(rows, ROWS_OF_A_SHEET))
    while part or number == 1:
        _findings(book, f"Findings {number}" if number > 1 else "Findings", part)
        part = list(islice(rows, ROWS_OF_A_SHEET))
        number += 1
    _about(book, run)
    book.close()
    return out.getvalue()


def _findings(book: Any, name: str, rows: list[list[str]]) -> None:
    sheet = book.add_worksheet(name)
    head = {"bold": True, "text_wrap": True, "valign": "top", "bottom": 1}
    cell = {"text_wrap": True, "valign": "top"}
    heading, text = book.add_format(head), book.add_format(cell)
    blank_heading = book.add_format(head | {"bg_color": "#FFF2CC"})
    blank = book.add_format(cell | {"bg_color": "#FFFBEB", "border": 1, "border_color": "#D9D9D9"})
    day = book.add_format(
        cell
        | {
            "bg_color": "#FFFBEB",
            "border": 1,
            "border_color": "#D9D9D9",
            "num_format": "yyyy-mm-dd",
        }
    )
    for place, column in enumerate(COLUMNS):
        sheet.set_column(place, place, column.width)
        sheet.write_string(0, place, column.title, blank_heading if column.blank else heading)
    for line, row in enumerate(rows, start=1):
        for place, (column, value) in enumerate(zip(COLUMNS, row, strict=True)):
            if column.blank and not value:
                sheet.write_blank(line, place, None, day if column.title == "Due date" else blank)
            elif column.title == "Due date":
                sheet.write_datetime(line, place, datetime.fromisoformat(value), day)
            elif column.blank:
                sheet.write_string(line, place, _cell(value), blank)
            else:
                sheet.write_string(line, place, _cell(value), text)
    sheet.freeze_panes(1, 4)
    sheet.autofilter(0, 0, max(1, len(rows)), len(COLUMNS) - 1)
    if rows:
        _answers(sheet, len(rows))
    sheet.set_landscape()
    sheet.set_paper(_PAPER_A4)
    sheet.fit_to_pages(1, 0)
    sheet.repeat_rows(0)
    sheet.set_footer("&CPage &P of &N")


def _answers(sheet: Any, last: int) -> None:
    """What may be filled in: a day, and a word from the list."""
    titles = [column.title for column in COLUMNS]
    due, status = titles.index("Due date"), titles.index("Status")
    sheet.data_validation(
        1,
        due,
        last,
        due,
        {
            "validate": "date",
            "criteria": ">=",
            "value": datetime(2000, 1, 1),
            "error_title": "No date",
            "error_message": "Write a date, as in 2024-03-31.",
        },
    )
    sheet.data_validation(1, status, last, status, {"validate": "list", "source": list(STATUSES)})


def _about(book: Any, run: Run) -> None:
    sheet = book.add_worksheet("About")
    bold = book.add_format({"bold": True, "valign": "top"})
    text = book.add_format({"text_wrap": True, "valign": "top"})
    clock = Clock(run.time_zone)
    scope = run.scope
    period = (
        f"{clock.moment(scope.first)} to {clock.moment(scope.last)}"
        if scope.first and scope.last
        else ""
    )
    facts = (
        ("Casino", ", ".join(scope.casinos)),
        ("Period", period),
        ("Tables", ", ".join(scope.tables)),
        ("Law", run.rulebook.name),
        ("Findings", counted(sum(len(item.findings) for item in run.outcomes), "finding")),
        ("Result", run_hash(run)),
        ("Blanks", "The shaded columns are for the answer of whoever owns the finding."),
    )
    sheet.set_column(0, 0, 14)
    sheet.set_column(1, 1, 90)
    for line, (name, value) in enumerate(facts):
        sheet.write_string(line, 0, name, bold)
        sheet.write_string(line, 1, _cell(value), text)


def _cell(text: str) -> str:
    shown = visible(text)
    return shown if len(shown) <= LONGEST_CELL else shown[:LONGEST_CELL] + CUT
