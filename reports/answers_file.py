"""Takes the answers out of a filled action plan: a workbook, or the same as CSV."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from io import StringIO
from pathlib import Path

from event_schemas import did_you_mean
from reports.action_plan import COLUMNS
from reports.answer import STATUSES, Answer
from reports.csv_table import without_guard
from reports.wording import counted
from reports.workbook_cells import NoWorkbook, Row, day_of, sheets

_NAMED = ("Owner", "Due date", "Response", "Status")
_FINGERPRINT = "Fingerprint"
_WHOLE = re.compile(r"[0-9a-f]{64}")
MOST_PROBLEMS = 20


class AnswersMistake(Exception):
    """A file of answers that cannot be used; `problems` say what is wrong, and where."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__(problems[0])
        more = len(problems) - MOST_PROBLEMS
        self.problems = (
            *problems[:MOST_PROBLEMS],
            *((f"and {counted(more, 'more problem')}.",) if more > 0 else ()),
        )


@dataclass(frozen=True)
class _Sheet:
    """A sheet with findings: where its columns are, and its rows."""

    place: str
    """The file, with the sheet of a workbook."""
    columns: dict[str, str]
    rows: list[Row]
    unit: str
    """What a row is called: `row`, or in text `line`."""

    def cell(self, row: dict[str, str], title: str) -> str:
        return row.get(self.columns.get(title, ""), "").strip()

    def at(self, number: int, title: str) -> str:
        if self.unit == "row" and title in self.columns:
            return f"{self.place}, cell {self.columns[title]}{number}"
        return f"{self.place}, {self.unit} {number}"


def read_answers(path: Path) -> tuple[Answer, ...]:
    """Every answer of a file; rows whose blanks were left blank are none."""
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise AnswersMistake([f"{path} cannot be read: {problem.strerror}."]) from None
    problems: list[str] = []
    answers: dict[str, Answer] = {}
    seen: dict[str, str] = {}
    found = list(_sheets(path, content))
    if not found:
        raise AnswersMistake(
            [f"{path} is not an action plan: no row names the column {_FINGERPRINT}."]
        )
    for sheet in found:
        problems += _without_columns(sheet)
        for number, row in sheet.rows:
            answer = _answer(sheet, number, row, problems)
            if answer is None:
                continue
            here = sheet.at(number, "")
            if answer.fingerprint in seen:
                first = seen[answer.fingerprint]
                problems.append(f"{here}: this finding was answered before, at {first}.")
            seen[answer.fingerprint] = here
            answers[answer.fingerprint] = answer
    if problems:
        raise AnswersMistake(problems)
    return tuple(answers.values())


def _without_columns(sheet: _Sheet) -> Iterator[str]:
    """Columns that were renamed: what was written there would be lost. To take one out is no
    mistake."""
    known = {column.title for column in COLUMNS}
    strange = [title for title in sheet.columns if title and title not in known]
    for title in _NAMED:
        if strange and title not in sheet.columns:
            name = did_you_mean(title, strange) or strange[0]
            yield (
                f"{sheet.place} has no column {title}, but one called {name}: give it its name "
                "again, or take it out."
            )


def _answer(sheet: _Sheet, number: int, row: dict[str, str], problems: list[str]) -> Answer | None:
    texts = {title: sheet.cell(row, title) for title in _NAMED}
    if not any(texts.values()):
        return None
    name = sheet.cell(row, _FINGERPRINT)
    if not _WHOLE.fullmatch(name):
        what = f"`{name[:20]}` is not a fingerprint" if name else "the fingerprint is missing"
        problems.append(f"{sheet.at(number, _FINGERPRINT)}: {what}; take it from the action plan.")
        return None
    due = _due(sheet, number, texts["Due date"], problems)
    status = " ".join(texts["Status"].lower().split())
    if status and status not in STATUSES:
        close = did_you_mean(status, STATUSES)
        hint = f"did you mean {close}?" if close else f"it can be {', '.join(STATUSES)}."
        problems.append(f"{sheet.at(number, 'Status')}: `{texts['Status']}` is no status; {hint}")
        return None
    return Answer(
        fingerprint=name,
        owner=texts["Owner"],
        due=due,
        response=texts["Response"],
        status=status,
    )


def _due(sheet: _Sheet, number: int, text: str, problems: list[str]) -> date | None:
    day = day_of(text) if text else None
    if text and day is None:
        where = sheet.at(number, "Due date")
        problems.append(f"{where}: `{text}` is not a date; write it as in 2024-03-31.")
    return day


def _sheets(path: Path, content: bytes) -> Iterator[_Sheet]:
    if content[:2] == b"PK" or path.suffix.lower() == ".xlsx":
        try:
            for name, rows in sheets(content):
                yield from _with_columns(f"{path}, sheet {name}", rows, "row")
        except NoWorkbook as problem:
            raise AnswersMistake([f"{path} cannot be read: {problem}."]) from None
        return
    try:
        text = content.decode("utf-8-sig")
        reader = csv.reader(StringIO(text, newline=""), delimiter=_delimiter(text), strict=True)
        lines = [
            (reader.line_num, {str(place): without_guard(cell) for place, cell in enumerate(cells)})
            for cells in reader
        ]
    except UnicodeDecodeError:
        raise AnswersMistake([f"{path} cannot be read: it is not text in UTF-8."]) from None
    except csv.Error as problem:
        raise AnswersMistake([f"{path}, line {reader.line_num}: {problem}."]) from None
    yield from _with_columns(str(path), lines, "line")


def _delimiter(text: str) -> str:
    """Excel writes semicolons where the comma is used in numbers."""
    first = text.partition("\n")[0]
    return ";" if first.count(";") > first.count(",") else ","


def _with_columns(place: str, rows: list[Row], unit: str) -> Iterator[_Sheet]:
    """The sheet, if one of its first rows names the columns of an action plan."""
    for at, (_, cells) in enumerate(rows[:10]):
        columns = {text.strip(): column for column, text in cells.items()}
        if _FINGERPRINT in columns:
            yield _Sheet(place, columns, rows[at + 1 :], unit)
            return
