"""`compliance rules coverage`: the clauses of the law against the rules."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.compliance.small_rulebook import answer, json_answer, write

TEXTS = """\
[[text]]
key = "2010"
source = "003.txt"
stands = 2010-06-01
what = "As of 2010"

[[text]]
key = "1996"
source = "001.txt"
stands = 1996-01-01
what = "As of 1996"
"""
CUT = """\
section = "19:47-2.5"
title = "Shuffle and cut"
texts = ["2010"]
game = "blackjack"

[[row]]
clause = "19:47-2.5(b)"
says = "Cut after the shuffle."
kind = "duty"
rules = ["shuffle-is-followed-by-a-cut"]

[[row]]
clause = "19:47-2.5(k)"
says = "The house may do otherwise."
kind = "permission"
reason = "permission"
why = "It asks for nothing."
"""
CARDS = """\
section = "19:47-14.2"
title = "Decks"
texts = ["1996"]
game = "poker"

[[row]]
clause = "19:47-14.2(a)"
says = "One deck a round."
kind = "duty"
rules = []
"""


@pytest.fixture
def book(tmp_path: Path) -> Path:
    write(tmp_path)
    (tmp_path / "clauses").mkdir()
    for name, text in (("texts", TEXTS), ("cut", CUT), ("cards", CARDS)):
        (tmp_path / "clauses" / f"{name}.toml").write_text(text, encoding="utf-8")
    return tmp_path


def test_a_clause_with_neither_rule_nor_reason_exits_1(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(capsys, "rules", "coverage", book)[0] == 1


def test_a_selection_in_which_all_is_covered_exits_0(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(capsys, "rules", "coverage", "--rules", book, "--game", "blackjack")[0] == 0


def test_a_row_holds_the_numbers_of_a_section(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = answer(capsys, "rules", "coverage", book)[1]
    row = next(line for line in out.splitlines() if line.startswith("19:47-2.5"))
    assert row.split()[-7:] == ["2", "1", "1", "0", "0", "1", "0"]


def test_a_clause_without_cover_is_listed_with_its_text_and_what_it_says(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = answer(capsys, "rules", "coverage", book)[1]
    assert "  19:47-14.2(a) [1996] One deck a round.\n" in out


def test_the_last_lines_sum_up(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "rules", "coverage", book)[1]
    assert out.splitlines()[-2:] == [
        "✗ 3 clauses: 1 of 2 that a log can show have a rule; 1 have a reason; 1 lack both.",
        "  Of those with a rule 1 are covered in full, 0 in part and 0 in name only: "
        "--format json says what escapes.",
    ]


@pytest.mark.parametrize(
    ("option", "value", "clauses"),
    [
        ("--game", "poker", ["19:47-14.2(a)"]),
        ("--section", "19:47-2.5", ["19:47-2.5(b)", "19:47-2.5(k)"]),
        ("--text", "1996", ["19:47-14.2(a)"]),
    ],
)
def test_an_option_chooses_a_part(
    book: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, clauses: list[str]
) -> None:
    data = json_answer(capsys, "rules", "coverage", book, option, value)
    assert [row["clause"] for row in data["rows"]] == clauses


def test_levels_are_counted_apart_and_what_escapes_is_said(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    cut = CUT.replace(
        "]\n\n[[row]]", ']\nlevel = "partial"\nescapes = "a second cut"\n\n[[row]]', 1
    )
    (book / "clauses" / "cut.toml").write_text(cut, encoding="utf-8")
    told = json.loads(answer(capsys, "rules", "coverage", book, "--format", "json")[1])
    counts = [told[key] for key in ("covered", "full", "partial", "nominal")]
    said = [(row["level"], row["escapes"]) for row in told["rows"] if row["cover"] == "covered"]
    assert (counts, said) == ([1, 0, 1, 0], [("partial", "a second cut")])


def test_sections_are_in_the_order_of_their_numbers(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json_answer(capsys, "rules", "coverage", book)
    assert [section["section"] for section in data["sections"]] == ["19:47-2.5", "19:47-14.2"]


def test_missing_leaves_out_what_is_covered(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = answer(capsys, "rules", "coverage", book, "--missing")[1]
    assert [line for line in out.splitlines() if line.startswith("19:47-2.5")] == []


def test_a_long_list_is_shown_only_when_asked_for(
    book: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    row = CARDS[CARDS.index("[[row]]") :]
    many = "".join(row.replace("(a)", f"(a){number}") for number in range(1, 32))
    (book / "clauses" / "cards.toml").write_text(CARDS + many, encoding="utf-8")
    short = answer(capsys, "rules", "coverage", book)[1]
    long = answer(capsys, "rules", "coverage", book, "--missing")[1]
    assert ("19:47-14.2(a)31 [" in short, "19:47-14.2(a)31 [" in long) == (False, True)


@pytest.mark.parametrize(
    ("option", "value", "guess"),
    [
        ("--game", "pokr", "poker"),
        ("--section", "19:47-2.51", "19:47-2.5"),
        ("--text", "2011", "2010"),
    ],
)
def test_an_unknown_choice_is_refused_with_the_nearest(
    book: Path, capsys: pytest.CaptureFixture[str], option: str, value: str, guess: str
) -> None:
    code, _, err = answer(capsys, "rules", "coverage", book, option, value)
    assert (code, f"Did you mean {guess}?" in err) == (2, True)


def test_a_rulebook_without_a_map_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = answer(capsys, "rules", "coverage", write(tmp_path))
    assert (code, "no clause map" in err) == (2, True)


def test_a_mistake_in_the_map_exits_3(book: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = CUT.replace("shuffle-is-followed-by-a-cut", "shuffle-is-followed-by-cut")
    (book / "clauses" / "cut.toml").write_text(wrong, encoding="utf-8")
    code, _, err = answer(capsys, "rules", "coverage", book)
    assert (code, "did you mean `shuffle-is-followed-by-a-cut`?" in err) == (3, True)
