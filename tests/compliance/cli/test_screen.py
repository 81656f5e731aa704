"""What a terminal and a pipe show: nothing vanishes, nothing is obeyed."""

from __future__ import annotations

import io
import re

import pytest

from compliance.cli.screen import Cell, Column, Screen, Styled

COLUMNS = (Column("rule", names=True), Column("law", wraps=True), Column("examples", right=True))
ROW: tuple[Cell, ...] = ("burn-by-each-new-dealer", "N.J.A.C. 19:47-2.6(c); " * 4, "12")


@pytest.fixture
def stream() -> io.StringIO:
    return io.StringIO()


@pytest.fixture
def terminal(stream: io.StringIO, monkeypatch: pytest.MonkeyPatch) -> Screen:
    """A screen that takes its stream for a terminal of sixty columns."""
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("COLUMNS", "60")
    monkeypatch.setenv("TERM", "xterm")
    return Screen(stream)


def seen(stream: io.StringIO) -> list[str]:
    """The lines as a reader sees them, without colours."""
    return re.sub(r"\x1b\[[0-9;]*m", "", stream.getvalue()).splitlines()


def test_on_a_narrow_terminal_every_column_stays(terminal: Screen, stream: io.StringIO) -> None:
    terminal.table(COLUMNS, [ROW])
    assert re.search(r"rule +law +examples", seen(stream)[0])
    assert seen(stream)[2].endswith("12")


def test_on_a_terminal_names_are_not_broken(terminal: Screen, stream: io.StringIO) -> None:
    terminal.table(COLUMNS, [ROW])
    assert seen(stream)[2].startswith("burn-by-each-new-dealer ")


def test_no_line_of_a_table_is_wider_than_the_terminal(
    terminal: Screen, stream: io.StringIO
) -> None:
    terminal.table(COLUMNS, [ROW])
    assert max(map(len, seen(stream))) <= 60


def test_in_a_pipe_a_table_is_aligned_and_never_cut(stream: io.StringIO) -> None:
    Screen(stream).table(COLUMNS, [ROW, ("x", "y", "3")])
    head, first, second = stream.getvalue().splitlines()
    assert str(ROW[1]) in first
    assert len(head) == len(first) == len(second)
    assert "\x1b" not in stream.getvalue()


SHARING = (Column("name"), Column("title", below=True))


def test_a_column_below_another_shares_its_space_on_a_terminal(
    terminal: Screen, stream: io.StringIO
) -> None:
    terminal.table(SHARING, [("a", "b")])
    assert [line.strip() for line in seen(stream)[2:4]] == ["a", "b"]


def test_a_column_below_another_stands_beside_it_in_a_pipe(stream: io.StringIO) -> None:
    Screen(stream).table(SHARING, [("a", "b")])
    assert stream.getvalue().splitlines()[1].split() == ["a", "b"]


def test_a_long_line_goes_on_below_its_beginning(terminal: Screen, stream: io.StringIO) -> None:
    terminal.line("word " * 30, indent=4)
    assert len(seen(stream)) > 1
    assert all(line.startswith("    word") for line in seen(stream))


def test_words_that_belong_together_stay_on_one_line(terminal: Screen, stream: io.StringIO) -> None:
    terminal.line("x" * 50, " ", Styled("N.J.A.C. 19:47-2.6(c)", whole=True))
    assert seen(stream)[1] == "N.J.A.C. 19:47-2.6(c)"


def test_a_line_of_a_file_is_never_broken(terminal: Screen, stream: io.StringIO) -> None:
    terminal.source("word " * 30 + "end")
    assert len(seen(stream)) == 1


def test_a_listing_has_one_item_a_line_in_a_pipe(stream: io.StringIO) -> None:
    Screen(stream).listing(["a 1", "b 2"], indent=2)
    assert stream.getvalue() == "  a 1\n  b 2\n"


def test_a_listing_is_one_paragraph_on_a_terminal(terminal: Screen, stream: io.StringIO) -> None:
    terminal.listing(["a 1", "b 2"], indent=2)
    assert seen(stream) == ["  a 1, b 2"]


@pytest.mark.parametrize("text", ["\x1b]0;gone\x07", "a\u202eb", "\x9b2J", "a\nb", "a\u2028b"])
def test_text_that_would_steer_the_terminal_is_shown_as_codes(
    text: str, terminal: Screen, stream: io.StringIO
) -> None:
    terminal.line(text)
    terminal.source(text)
    terminal.table((Column("text"),), [(text,)])
    unseen = {character for character in text if not character.isprintable()}
    assert not unseen & set("".join(seen(stream)))


def test_brackets_in_text_are_no_styles(terminal: Screen, stream: io.StringIO) -> None:
    terminal.line("[red]not red[/red] :smile:")
    assert seen(stream) == ["[red]not red[/red] :smile:"]
