"""`rules test --write`: the examples that a rule lacks go below it, and nothing else changes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compliance.cli.entry import main
from compliance.cli.written_examples import Addition, with_additions

RULES = """\
rulebook "House" time zone "America/New_York"

-- a comment   with  odd spaces

rule burn
  "A dealer burns a card before dealing."
  cite "House rule 12"
  when first card_dealt since dealer_arrived
  only if option game is blackjack
  require card_burned since dealer_arrived
  otherwise say "none was burned"
  example complies
    given option game is blackjack
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player seat=1 card=9S   -- the last line

rule ends
  "A round ends within a minute."
  cite "House rule 13"
  when round_started
  require round_ended within 1 minute, later
  otherwise say "the round went on"
  example violates
    20:00:00 round_started round=1   <- here
    20:05:00 round_ended round=1"""


def test_lines_are_added_and_all_else_stays() -> None:
    assert with_additions(b"a\nb\n", [Addition(1, ("x", "y"))]) == b"a\nx\ny\nb\n"
    assert with_additions(b"a\r\nb\r\n", [Addition(2, ("x",))]) == b"a\r\nb\r\nx\r\n"
    assert with_additions(b"a\nb", [Addition(2, ("x",)), Addition(1, ("y",))]) == b"a\ny\nb\nx"
    assert with_additions(b"a\r\nb", [Addition(2, ("x",))]) == b"a\r\nb\r\nx"


@pytest.mark.parametrize("mark", ["\n", "\r\n"])
@pytest.mark.parametrize("end", ["", "\n\n-- the end\n"])
def test_written_examples_notice_what_was_suggested_and_change_nothing_else(
    tmp_path: Path, mark: str, end: str
) -> None:
    path = tmp_path / "house.rules"
    before = ("\ufeff" + RULES + end).replace("\n", mark).encode()
    path.write_bytes(before)
    assert main(["rules", "test", str(path), "--mutants"]) == 1
    assert main(["rules", "test", str(path), "--write"]) == 0
    after = path.read_bytes()
    rest = iter(after.split(b"\n"))
    assert all(
        any(new.rstrip(b"\r") == old.rstrip(b"\r") for new in rest) for old in before.split(b"\n")
    )
    assert after.count(b"\r\n") == (after.count(b"\n") if mark == "\r\n" else 0)
    assert after.startswith(before[: before.index(b"the last line")])
    assert after.endswith(end.replace("\n", mark).encode())
    assert main(["rules", "test", str(path), "--mutants"]) == 0


def test_it_says_what_was_written_and_where(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "house.rules"
    path.write_text(RULES)
    main(["rules", "test", str(path), "--write", "--format", "json"])
    (written,) = json.loads(capsys.readouterr().out)["mutants"]["written"]
    number = path.read_text().count("example ") - 2
    assert written == {"file": str(path), "examples": number}
    path.write_text(RULES)
    assert main(["rules", "test", str(path), "--write"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert f"Wrote {number} examples into" in shown
    assert "read it against the law" in shown


def test_one_rule_may_be_chosen(tmp_path: Path) -> None:
    path = tmp_path / "house.rules"
    path.write_text(RULES)
    assert main(["rules", "test", str(path), "--rule", "ends", "--write"]) == 0
    assert path.read_text().startswith(RULES)


def test_a_second_time_there_is_nothing_to_write(tmp_path: Path) -> None:
    path = tmp_path / "house.rules"
    path.write_text(RULES)
    main(["rules", "test", str(path), "--write"])
    once = path.read_bytes()
    assert main(["rules", "test", str(path), "--write"]) == 0
    assert path.read_bytes() == once


def test_where_an_example_fails_nothing_is_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "house.rules"
    path.write_text(RULES.replace("example complies", "example silent"))
    before = path.read_bytes()
    assert main(["rules", "test", str(path), "--write"]) == 1
    assert path.read_bytes() == before
    assert "Examples fail; nothing was written." in capsys.readouterr().err


def test_a_file_that_is_only_used_is_not_written_to(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "house.rules").write_text(RULES)
    mine = tmp_path / "mine.rules"
    mine.write_text('use "house.rules"\n')
    assert main(["rules", "test", str(mine), "--write"]) == 2
    assert (tmp_path / "house.rules").read_text() == RULES
    assert "is only used by these rules; name it itself" in capsys.readouterr().err


def test_the_bundled_law_is_not_written_to(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "test", "nj", "--write"]) == 2
    assert "The bundled law is not written to" in capsys.readouterr().err
