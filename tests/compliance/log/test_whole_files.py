"""A file that cannot be used at all is one problem in one sentence, never a traceback."""

from __future__ import annotations

import gzip
import io
import sys
from pathlib import Path

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from tests.compliance.log.random_events import write_parquet
from tests.compliance.log.small_logs import (
    GOOD_CSV,
    HEADER,
    line,
    problem,
    read,
    reasons,
    written,
)

LINES = "".join(line(id=f"e{number}", seq=number) + "\n" for number in range(3000)).encode()


def packed(form: str) -> bytes:
    if form == "gz":
        return gzip.compress(LINES)
    content: bytes = pa.compress(LINES, codec="zstd", asbytes=True)
    return content


@pytest.mark.parametrize("form", ["gz", "zst"])
def test_a_packed_log_is_read_like_any_other(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"log.jsonl.{form}"
    path.write_bytes(packed(form))
    log, events = read(path)
    assert (len(events), log.problems) == (3000, ())


@pytest.mark.parametrize("form", ["gz", "zst"])
def test_a_packed_log_that_is_cut_off_is_a_problem(tmp_path: Path, form: str) -> None:
    path = tmp_path / f"log.jsonl.{form}"
    path.write_bytes(packed(form)[:-40])
    log, _events = read(path)
    assert "is damaged or cut off, so it cannot be unpacked to its end" in problem(log)


def test_a_parquet_file_that_is_cut_off_is_a_problem(tmp_path: Path) -> None:
    path = tmp_path / "log.parquet"
    whole = write_parquet(path, read(written(tmp_path, line()))[1]).read_bytes()
    path.write_bytes(whole[:-30])
    log, _events = read(path)
    assert problem(log) == (
        "log.parquet: The Parquet file is damaged or cut off, and cannot be read."
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "log.csv: The file is empty: it does not even name its columns."),
        (HEADER, "log.csv: The file holds no events."),
        (
            GOOD_CSV,
            f'log.csv, line 1: The first line, "{GOOD_CSV}'
            '", does not name the columns. A CSV file begins with a line of names such as '
            "id,ts,seq,casino,table,type; commas, semicolons, tabs or bars stand between them.",
        ),
        (
            HEADER.replace(",", "#"),
            'log.csv, line 1: The first line, "id#ts#seq#casino#table#type#to", does not name the '
            "columns. A CSV file begins with a line of names such as id,ts,seq,casino,table,type; "
            "commas, semicolons, tabs or bars stand between them.",
        ),
        (HEADER + ",to", 'log.csv, line 1: Two columns are named "to".'),
        (HEADER + ",", "log.csv, line 1: Column 8 has no name."),
        (
            HEADER + ",dealr",
            'log.csv, line 1: The column "dealr" is no field of any event type; a mapping file can '
            "rename it or leave it out. Did you mean dealer?",
        ),
        (
            HEADER.replace("seq", "sequ"),
            'log.csv, line 1: There is no column "seq" (there is a column "sequ"); every record '
            "needs id, ts, seq, casino, table, type. A mapping file can rename columns.",
        ),
    ],
)
def test_a_csv_file_without_the_right_header_is_a_problem(
    tmp_path: Path, content: str, message: str
) -> None:
    log, _events = read(written(tmp_path, content, name="log.csv"))
    assert problem(log) == message


def test_semicolons_and_tabs_separate_columns_too(tmp_path: Path) -> None:
    for mark in (";", "\t", "|"):
        rows = (HEADER.replace(",", mark), GOOD_CSV.replace(",", mark))
        _log, events = read(written(tmp_path, *rows, name="log.csv"))
        assert [event.id for event in events] == ["a"]


def test_a_csv_line_with_other_columns_is_set_aside(tmp_path: Path) -> None:
    log, events = read(
        written(tmp_path, HEADER, GOOD_CSV, "1,2,3", GOOD_CSV + ",x", name="log.csv")
    )
    assert reasons(log) == [
        (3, "The line has 3 columns where 7 are named."),
        (4, "The line has 8 columns where 7 are named."),
    ]
    assert len(events) == 1


@pytest.mark.parametrize("cell", ["\t", " ", '"\t"', '" "'])
@pytest.mark.parametrize("other", ["5", '"5"'])
def test_white_space_in_a_column_of_numbers_is_no_empty_cell(
    tmp_path: Path, cell: str, other: str
) -> None:
    rows = (f"{GOOD_CSV},{other}", f"{GOOD_CSV},{cell}", f"{GOOD_CSV},")
    log, events = read(written(tmp_path, f"{HEADER},round", *rows, name="log.csv"))
    said = cell.strip('"')
    assert reasons(log) == [(3, f'The field round could not be read. "{said}" is not a number.')]
    assert [event.get("round") for event in events] == [5, None]


def test_a_quotation_mark_that_is_not_closed_costs_one_line(tmp_path: Path) -> None:
    broken = GOOD_CSV.replace("a,", '"a,')
    log, events = read(written(tmp_path, HEADER, broken, GOOD_CSV, name="log.csv"))
    assert reasons(log) == [(2, "A quotation mark on this line is not closed.")]
    assert len(events) == 1


def test_a_quoted_cell_may_hold_commas_quotes_and_line_breaks(tmp_path: Path) -> None:
    row = GOOD_CSV.replace("a,", '"one, ""two""\nthree",')
    log, events = read(written(tmp_path, HEADER, row, GOOD_CSV, name="log.csv"), block_size=20)
    assert [event.id for event in events] == ['one, "two"\nthree', "a"]
    assert log.quarantine.total == 0


def test_lines_after_a_line_break_in_a_cell_keep_their_numbers(tmp_path: Path) -> None:
    row = GOOD_CSV.replace("a,", '"x\ny",')
    log, _events = read(written(tmp_path, HEADER, row, "bad", name="log.csv"))
    assert [number for number, _reason in reasons(log)] == [4]


def test_text_in_utf_16_is_a_problem(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, line().encode("utf-16")))
    assert problem(log) == "log.jsonl: The text is UTF-16; save the file as UTF-8."


def test_an_empty_log_is_a_problem(tmp_path: Path) -> None:
    assert problem(read(written(tmp_path, ""))[0]) == "log.jsonl: The file holds no events."


def test_a_log_of_nothing_but_bad_lines_is_a_problem(tmp_path: Path) -> None:
    assert problem(read(written(tmp_path, "x", "y"))[0]) == (
        "log.jsonl: None of the 2 records could be read as an event. The first, line 1: The line "
        "is not valid JSON at place 1."
    )


def test_a_missing_file_is_a_problem_with_a_guess(tmp_path: Path) -> None:
    written(tmp_path, line(), name="monday.jsonl")
    log, _events = read(tmp_path / "mondy.jsonl")
    assert problem(log).endswith("There is no such file or folder. Did you mean monday.jsonl?")


def test_a_folder_without_logs_is_a_problem(tmp_path: Path) -> None:
    written(tmp_path, "notes", name="notes.txt")
    assert problem(read(tmp_path)[0]) == (
        f"{tmp_path}: The folder holds no log; it holds notes.txt. Logs end in .jsonl, .csv, "
        ".parquet or .xes, also with .gz or .zst."
    )


def test_a_folder_is_read_with_its_folders_and_names_what_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "pit").mkdir()
    written(tmp_path / "pit", line(id="b", table="T2"), name="b.jsonl")
    written(tmp_path, line(), name="a.jsonl")
    written(tmp_path, "notes", name="notes.txt")
    log, events = read(tmp_path)
    assert [event.id for event in events] == ["a", "b"]
    assert log.notes == (f"The folder {tmp_path.name} also holds notes.txt, which is no log.",)


def test_a_pattern_names_files(tmp_path: Path) -> None:
    written(tmp_path, line(), name="a.jsonl")
    written(tmp_path, line(id="b", seq=2), name="b.jsonl")
    assert len(read(str(tmp_path / "*.jsonl"))[1]) == 2
    assert problem(read(str(tmp_path / "*.csv"))[0]).endswith("No file fits this pattern.")


def test_a_file_that_is_named_twice_is_read_once(tmp_path: Path) -> None:
    path = written(tmp_path, line())
    assert len(read(path, tmp_path, path)[1]) == 1


@pytest.mark.parametrize("content", [LINES, packed("gz"), f"{HEADER}\n{GOOD_CSV}\n".encode()])
def test_the_format_of_the_standard_input_is_found_out(
    monkeypatch: pytest.MonkeyPatch, content: bytes
) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(content)))
    log, events = read("-")
    assert events
    assert log.inputs[0].name == "standard input"


def test_what_is_no_log_at_all_is_a_problem(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\x7fELF\x02")))
    assert "It is neither JSON lines, CSV, Parquet nor XES" in problem(read("-")[0])


def test_an_unknown_format_is_a_problem_with_a_guess(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, line()), form="json")
    assert problem(log).endswith("Did you mean jsonl?")


def test_the_fingerprint_is_that_of_the_file_as_it_lies_there(tmp_path: Path) -> None:
    import hashlib

    path = tmp_path / "log.jsonl.gz"
    path.write_bytes(packed("gz"))
    (source,) = read(path)[0].inputs
    assert source.sha256 == hashlib.sha256(path.read_bytes()).hexdigest()
    assert (source.name, source.events) == ("log.jsonl.gz", 3000)
