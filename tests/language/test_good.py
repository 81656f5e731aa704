"""Every rule file in `good/` keeps the promise in its name: its own examples say so.

The first line of a file says which diagnostics it gives, and lines that begin with
`-- expect message:` say which sentences its rules write about the examples.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compliance.rule_tests.example_runs import ExampleResult, run_example
from event_schemas import builtin_schema
from rules_dsl.diagnostics import CATALOGUE
from rules_dsl.formatting import format_source
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.rulebook import Loaded, load
from rules_dsl.source import Source
from tests.language.words import keywords

GOOD = Path(__file__).parent / "good"
FILES = sorted(GOOD.glob("*.rules"))
SCHEMA = builtin_schema()
_EXPECTED = re.compile(r"(warning) ([a-z-]+) line ([0-9]+)")
_MESSAGE = re.compile(r"^-- expect message: (.*)$", re.M)

every_file = pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)


def expected_diagnostics(path: Path) -> list[tuple[str, str, int]]:
    """What the first line of a file announces."""
    first = path.read_text(encoding="utf-8").split("\n", 1)[0]
    if first == "-- expect: no diagnostics":
        return []
    parts = first.removeprefix("-- expect: ").split(", ")
    found = [_EXPECTED.fullmatch(part) for part in parts]
    assert all(found), f"the first line of {path.name} cannot be read: {first}"
    return [(m[1], m[2], int(m[3])) for m in found if m]


def results(path: Path) -> list[ExampleResult]:
    """Every example of every rule of a file."""
    rulebook = load([path], SCHEMA).rulebook
    return [
        run_example(rule, example, rulebook, SCHEMA)
        for rule in rulebook.rules
        for example in rule.examples
    ]


def written_examples(loaded: Loaded) -> int:
    """How many examples the text holds: none may get lost on the way."""
    return sum(len(re.findall(r"^ +example ", s.text, re.M)) for s in loaded.sources)


def test_there_is_a_file_for_every_construct() -> None:
    assert len(FILES) >= 60


@every_file
def test_a_file_gives_exactly_the_diagnostics_it_announces(path: Path) -> None:
    found = [(d.level, d.code, d.line) for d in load([path], SCHEMA).diagnostics]
    # These rules show one thing each: what they would say is left out where it is not that.
    assert [item for item in found if item[1] != "missing-message"] == expected_diagnostics(path)


@every_file
def test_every_example_ends_as_it_says(path: Path) -> None:
    ran = results(path)
    assert [r.problem for r in ran if not r.passed] == []
    assert len(ran) == written_examples(load([path], SCHEMA))


@every_file
def test_rules_say_the_announced_sentences(path: Path) -> None:
    announced = _MESSAGE.findall(path.read_text(encoding="utf-8"))
    said = {check.message for result in results(path) for check in result.checks}
    assert [message for message in announced if message not in said] == []


# Other spellings, which the formatter replaces; test_synonyms.py shows that they mean the same.
SYNONYMS = {"divided by", "times", "or above", "or below", "or fewer", "or less", "or more"}


@pytest.mark.parametrize(
    "word", sorted((keywords() | {*POINTWISE, *OF_CARDS, *AGGREGATES}) - SYNONYMS)
)
def test_every_word_of_the_language_is_used_in_some_file(word: str) -> None:
    texts = (path.read_text(encoding="utf-8") for path in (*FILES, *GOOD.glob("*.examples")))
    plain = (re.sub(r'--[^\n]*|"[^"\n]*"', "", text) for text in texts)
    assert any(re.search(rf"\b{word}\b", " ".join(text.split())) for text in plain)


def test_all_six_outcomes_occur_in_the_folder() -> None:
    outcomes = {result.example.expected for path in FILES for result in results(path)}
    assert outcomes == {"complies", "violates", "excused", "open", "undetermined", "silent"}


def test_every_announced_code_is_in_the_catalogue() -> None:
    codes = {code for path in FILES for _, code, _ in expected_diagnostics(path)}
    assert codes <= set(CATALOGUE)


@every_file
def test_a_file_is_already_formatted(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    formatted, _ = format_source(Source(path.name, text))
    assert formatted == text
