"""The bundled law has a name, which works on the command line and in a rule file."""

from __future__ import annotations

from pathlib import Path

import pytest

from compliance.demo import NIGHT
from event_schemas import builtin_schema
from rules_dsl.bundled import bundled_names, bundled_rulebook, named_place
from rules_dsl.cache import RulebookCache
from rules_dsl.rulebook import load
from tests.compliance.small_rulebook import answer

SCHEMA = builtin_schema()
OWN = """use "nj"

rule house-burn
  "A card is burned before each is dealt."
  cite "House manual 3"
  when card_dealt
  require card_burned since round_started
  otherwise say "no card was burned"
"""


def test_a_name_means_the_bundled_rulebook_and_a_path_does_not() -> None:
    assert named_place("nj") == bundled_rulebook()
    assert [named_place(Path("nj")), named_place("./nj")] == [Path("nj"), Path("nj")]
    assert bundled_names() == ("nj",)


def test_a_file_that_uses_the_bundled_law_brings_all_of_it_with_its_clauses(tmp_path: Path) -> None:
    own = tmp_path / "own.rules"
    own.write_text(OWN, encoding="utf-8")
    law, both = load(["nj"], SCHEMA, RulebookCache()), load([own], SCHEMA)
    assert both.errors == ()
    assert [rule.name for rule in both.rulebook.rules] == [
        "house-burn",
        *(rule.name for rule in law.rulebook.rules),
    ]
    assert both.rulebook.clauses == law.rulebook.clauses


def test_what_uses_the_bundled_law_is_remembered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.rules"
    own.write_text(OWN, encoding="utf-8")
    cache = RulebookCache(tmp_path / "cache", precompiled=None)
    first = load([own], SCHEMA, cache)
    monkeypatch.setattr("rules_dsl.rulebook._read", lambda *_: pytest.fail("read again"))
    assert load([own], SCHEMA, cache).rulebook == first.rulebook


def test_a_file_of_its_own_folder_goes_before_the_bundled_law(tmp_path: Path) -> None:
    (tmp_path / "nj.rules").write_text("interval shift from table_opened to table_closed\n")
    own = tmp_path / "own.rules"
    own.write_text(OWN, encoding="utf-8")
    assert [rule.name for rule in load([own], SCHEMA).rulebook.rules] == ["house-burn"]


def test_own_rules_are_checked_beside_the_law_and_named_in_the_result(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("own.rules").write_text(OWN, encoding="utf-8")
    code, out, _ = answer(capsys, "check", NIGHT, "--rules", "nj", "--rules", "own.rules")
    assert code == 1
    assert "under Rules of the games of New Jersey, with own.rules" in out
    assert "house-burn" in out
    assert "burn-by-each-new-dealer" in out


@pytest.mark.parametrize(
    "words", [["rules", "list", "nj"], ["rules", "coverage", "--rules", "nj"]], ids=str
)
def test_other_commands_know_the_name(
    words: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    named = answer(capsys, *words)
    assert named == answer(capsys, *(word for word in words if word not in ("nj", "--rules")))
    assert named[1]


def test_a_folder_of_that_name_makes_it_doubtful_which_law_is_meant(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("nj").mkdir()
    Path("nj", "own.rules").write_text(OWN.partition("\n")[2], encoding="utf-8")
    code, _, err = answer(capsys, "check", NIGHT, "--rules", "nj")
    assert code == 2
    assert "write ./nj if you mean that one" in err
    code, out, _ = answer(capsys, "check", NIGHT, "--rules", "./nj")
    assert code == 1
    assert "of 1 rule" in out


def test_a_misspelt_name_is_answered_with_the_one_that_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    code, _, err = answer(capsys, "check", NIGHT, "--rules", "njj")
    assert code == 2
    assert "There is no file or folder njj. Did you mean the bundled rulebook nj?" in err
