"""Answers are taken out of a filled action plan, and what cannot be read is said with its place."""

from __future__ import annotations

from datetime import date
from io import BytesIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from xlsxwriter import Workbook

from reports.action_plan import COLUMNS, render_action_plan_csv
from reports.action_plan_workbook import render_action_plan
from reports.answer import Answer
from reports.answers_file import AnswersMistake, read_answers
from reports.model import Finding
from reports.verdicts import FindingKind
from tests.reports.sample import full_run

TITLES = [column.title for column in COLUMNS]


def first() -> Finding:
    return full_run().findings(FindingKind.VIOLATION)[0]


def filled(folder: Path, *rows: dict[str, object], name: str = "plan.xlsx") -> Path:
    """A workbook like the action plan, with some cells filled in."""
    out = BytesIO()
    book = Workbook(out, {"in_memory": True, "default_date_format": "yyyy-mm-dd"})
    sheet = book.add_worksheet("Findings")
    sheet.write_row(0, 0, TITLES)
    for number, row in enumerate(rows, start=1):
        for title, value in row.items():
            sheet.write(number, TITLES.index(title), value)
    book.close()
    path = folder / name
    path.write_bytes(out.getvalue())
    return path


def refused(path: Path) -> str:
    with pytest.raises(AnswersMistake) as problem:
        read_answers(path)
    return str(problem.value.problems[0])


def test_owner_day_response_and_status_are_read(tmp_path: Path) -> None:
    row = {
        "Owner": "Pit manager",
        "Due date": date(2024, 3, 31),
        "Response": "The dealer was retrained.",
        "Status": "Marked as incorrect",
        "Fingerprint": first().fingerprint,
    }
    (answer,) = read_answers(filled(tmp_path, row))
    assert answer == Answer(
        fingerprint=first().fingerprint,
        owner="Pit manager",
        due=date(2024, 3, 31),
        response="The dealer was retrained.",
        status="marked as incorrect",
    )
    assert answer.incorrect


def test_a_plan_that_nobody_filled_in_has_no_answers(tmp_path: Path) -> None:
    path = tmp_path / "plan.xlsx"
    path.write_bytes(render_action_plan(full_run()))
    assert read_answers(path) == ()


@pytest.mark.parametrize("render", [render_action_plan, render_action_plan_csv])
def test_answers_come_back_as_they_were_written(render: object, tmp_path: Path) -> None:
    given = Answer(
        fingerprint=first().fingerprint, owner="M. Ames", due=date(2024, 4, 2), status="done"
    )
    run = full_run().model_copy(update={"answers": (given,)})
    path = tmp_path / "plan"
    path.write_bytes(render(run))  # type: ignore[operator]
    assert read_answers(path) == (given,)


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ({"Due date": "soon"}, "cell Q2: `soon` is not a date; write it as in 2024-03-31."),
        ({"Status": "finished"}, "cell S2: `finished` is no status; it can be open, in progress"),
        ({"Status": "in progres"}, "cell S2: `in progres` is no status; did you mean in progress?"),
        ({"Owner": "A", "Fingerprint": ""}, "cell T2: the fingerprint is missing"),
        ({"Owner": "A", "Fingerprint": "abc"}, "cell T2: `abc` is not a fingerprint"),
    ],
)
def test_a_cell_that_cannot_be_read_is_named(
    row: dict[str, object], said: str, tmp_path: Path
) -> None:
    problem = refused(filled(tmp_path, {"Fingerprint": first().fingerprint} | row))
    assert problem.startswith(f"{tmp_path / 'plan.xlsx'}, sheet Findings, {said}")


def test_a_number_that_is_no_day_of_this_century_is_no_day(tmp_path: Path) -> None:
    row = {"Due date": 2024, "Owner": "Pit manager", "Fingerprint": first().fingerprint}
    assert "`2024` is not a date" in refused(filled(tmp_path, row))


def test_problems_that_are_not_shown_are_counted(tmp_path: Path) -> None:
    rows: list[dict[str, object]] = [
        {"Owner": "Pit manager", "Fingerprint": "?"} for _ in range(23)
    ]
    with pytest.raises(AnswersMistake) as problem:
        read_answers(filled(tmp_path, *rows))
    assert problem.value.problems[-1] == "and 3 more problems."
    assert len(problem.value.problems) == 21


def test_a_response_that_looks_like_a_formula_comes_back_from_a_csv(tmp_path: Path) -> None:
    said = Answer(fingerprint=first().fingerprint, response="-5 dollars; =paid back")
    path = tmp_path / "plan.csv"
    path.write_bytes(render_action_plan_csv(full_run().model_copy(update={"answers": (said,)})))
    assert [answer.response for answer in read_answers(path)] == [said.response]


def test_the_sheet_is_the_one_that_the_book_names(tmp_path: Path) -> None:
    """A sheet before it was taken out, so that its number is not its place."""
    row: dict[str, object] = {"Owner": "Pit manager", "Fingerprint": first().fingerprint}
    path = filled(tmp_path, row)
    with ZipFile(path) as book:
        parts = {name: book.read(name) for name in book.namelist()}
    parts["xl/worksheets/sheet7.xml"] = parts.pop("xl/worksheets/sheet1.xml")
    relations = "xl/_rels/workbook.xml.rels"
    parts[relations] = parts[relations].replace(b"sheet1.xml", b"sheet7.xml")
    with ZipFile(path, "w") as book:
        for name, content in parts.items():
            book.writestr(name, content)
    assert [answer.owner for answer in read_answers(path)] == ["Pit manager"]


def test_a_finding_that_is_answered_twice_is_named_with_both_rows(tmp_path: Path) -> None:
    row: dict[str, object] = {"Owner": "A", "Fingerprint": first().fingerprint}
    problem = refused(filled(tmp_path, row, row))
    assert "row 3: this finding was answered before" in problem
    assert problem.endswith("row 2.")


def test_a_line_of_a_csv_is_named(tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    path.write_text(f"Owner,Due date,Fingerprint\nA,never,{first().fingerprint}\n")
    assert refused(path) == f"{path}, line 2: `never` is not a date; write it as in 2024-03-31."


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"PK\x03\x04 no workbook", "cannot be read: it is not an Excel workbook."),
        (b"a,b\n1,2\n", "is not an action plan: no row names the column Fingerprint."),
        (b"\xff\xfe\x00", "cannot be read: it is not text in UTF-8."),
    ],
)
def test_a_file_that_is_no_plan_is_refused(content: bytes, said: str, tmp_path: Path) -> None:
    path = tmp_path / "plan"
    path.write_bytes(content)
    assert refused(path) == f"{path} {said}"


def test_a_workbook_that_declares_entities_is_not_read(tmp_path: Path) -> None:
    path = filled(tmp_path, {"Owner": "A", "Fingerprint": first().fingerprint})
    bomb = tmp_path / "bomb.xlsx"
    with ZipFile(path) as old, ZipFile(bomb, "w") as new:
        for item in old.infolist():
            content = old.read(item)
            if item.filename == "xl/sharedStrings.xml":
                content = b'<!DOCTYPE sst [<!ENTITY a "aaaa">]><sst><si><t>&a;</t></si></sst>'
            new.writestr(item, content)
    assert refused(bomb) == f"{bomb} cannot be read: it is damaged."


@pytest.mark.parametrize("renamed", ["status", "Stand"])
def test_a_column_that_was_renamed_is_not_lost_without_a_word(renamed: str, tmp_path: Path) -> None:
    path = tmp_path / "plan.csv"
    text = ",".join(TITLES).replace("Status", renamed)
    cells = {"Owner": "Ames", "Status": "done", "Fingerprint": first().fingerprint}
    path.write_text(f"{text}\n{','.join(cells.get(title, '') for title in TITLES)}\n")
    said = f"{path} has no column Status, but one called {renamed}: give it its name again"
    assert refused(path).startswith(said)
