"""Promises about the files of examples that stand beside rule files, and about folders of both."""

from __future__ import annotations

from pathlib import Path

import pytest

from compliance.rule_tests.example_runs import run_example
from event_schemas import builtin_schema
from rules_dsl.formatting import format_source
from rules_dsl.rulebook import load
from rules_dsl.source import Source

SCHEMA = builtin_schema()
RULE = """\
rule burn
  "A card is burned before one is dealt."
  cite N.J.A.C. 19:47-2.6(c)
  when card_dealt
  require card_burned earlier
  otherwise say "no card was burned before one was dealt to the {to}"
  example violates
    20:00:09 card_dealt to=player   <- here
"""
EDITIONS = """\
  edition "first" from 1982-09-15 until 2007-03-19
  edition "second" from 2007-03-19
"""
BESIDE = """\
examples of burn
  -- The plain case.
  example complies
    20:00:00 card_burned
    20:00:09 card_dealt to=player
  note "equivalent mutant: nothing changes: there is nothing to change"
"""


def book(folder: Path, rules: str, examples: str, name: str = "main") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.rules").write_text(rules, encoding="utf-8")
    (folder / f"{name}.examples").write_text(examples, encoding="utf-8")
    return folder


@pytest.mark.parametrize("name", ["", "main.rules", "main.examples"])
def test_a_rule_has_its_own_examples_and_those_beside_it(tmp_path: Path, name: str) -> None:
    loaded = load([book(tmp_path, RULE, BESIDE) / name], SCHEMA)
    (rule,) = loaded.rulebook.rules
    assert not loaded.diagnostics
    assert [example.expected for example in rule.examples] == ["violates", "complies"]
    assert all(run_example(rule, e, loaded.rulebook, SCHEMA).passed for e in rule.examples)


def test_notes_on_equivalent_mutants_are_kept_apart_from_notes_on_the_law(tmp_path: Path) -> None:
    loaded = load([book(tmp_path, RULE + '  note "The law is old."\n', BESIDE)], SCHEMA)
    (rule,) = loaded.rulebook.rules
    assert rule.editions[0].notes == ("The law is old.",)
    assert rule.equivalents == ("equivalent mutant: nothing changes: there is nothing to change",)


def test_an_example_of_one_edition_plays_on_its_first_day(tmp_path: Path) -> None:
    beside = BESIDE.replace("examples of burn\n", "examples of burn\n  edition from 2007-03-19\n")
    loaded = load([book(tmp_path, RULE + EDITIONS, beside)], SCHEMA)
    (rule,) = loaded.rulebook.rules
    days = {example.date for example in rule.examples if example.expected == "complies"}
    assert days == {"2007-03-19"}


def test_examples_beside_no_rule_file_are_reported(tmp_path: Path) -> None:
    folder = book(tmp_path, RULE, BESIDE)
    (folder / "mian.examples").write_text(BESIDE, encoding="utf-8")
    (problem,) = load([folder], SCHEMA).errors
    assert (problem.code, Path(problem.source.name).name) == ("missing-file", "mian.examples")


def test_a_file_of_examples_is_laid_out_like_a_rule_file() -> None:
    untidy = BESIDE.replace("  example complies", "    example   complies")
    assert format_source(Source("main.examples", untidy)) == (BESIDE, ())


@pytest.mark.parametrize("place", ["", "games", "games/main.rules"])
def test_a_file_in_a_folder_uses_one_above_it_and_keeps_its_examples(
    tmp_path: Path, place: str
) -> None:
    (tmp_path / "rulebook.rules").write_text('rulebook "House rules"\n', encoding="utf-8")
    words = "events given_card are card_dealt where to is player\n"
    (tmp_path / "words.rules").write_text(words, encoding="utf-8")
    rules = 'use "../words"\n\n' + RULE.replace("when card_dealt", "when given_card")
    book(tmp_path / "games", rules, BESIDE)
    loaded = load([tmp_path / place], SCHEMA)
    assert not loaded.diagnostics
    assert len(loaded.rulebook.rules[0].examples) == 2


def test_without_the_head_of_a_rulebook_no_file_above_is_used(tmp_path: Path) -> None:
    (tmp_path / "words.rules").write_text("", encoding="utf-8")
    book(tmp_path / "games", 'use "../words"\n\n' + RULE, BESIDE)
    errors = load([tmp_path / "games" / "main.rules"], SCHEMA).errors
    assert [problem.code for problem in errors] == ["forbidden-path"]
