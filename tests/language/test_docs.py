"""The pages about the language are true: their examples load, and no word is left unexplained."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compliance.rule_tests.example_runs import run_example
from event_schemas import PLAIN_KINDS, builtin_schema
from reports.verdicts import FindingKind, RuleStatus, Severity, Verdict
from rules_dsl.explaining.formula import formula_of_edition
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve.examples import EXPECTED
from rules_dsl.rulebook import load_text
from tests.language.words import keywords

DOCS = Path(__file__).resolve().parents[2] / "docs"
PAGE = (DOCS / "language.md").read_text(encoding="utf-8")
GLOSSARY = (DOCS / "glossary.md").read_text(encoding="utf-8")
SCHEMA = builtin_schema()

RULES = re.findall(r"^```rules\n(.*?)^```$", PAGE, re.S | re.M)
EXPLAINED = re.findall(r"^```rules\n(.*?)^```\n\n```formula\n(.*?)^```$", PAGE, re.S | re.M)
TERMS = re.findall(r"^- \*\*(.+?)\*\*: (.+)$", GLOSSARY, re.M)

SECTIONS = (
    "A rule, read aloud",
    "What a rule file is",
    "Events and fields",
    "Intervals",
    "Slices: for each",
    "Triggers: when",
    "Requirements",
    "Phrases and scopes: which events, and where to look",
    "How many, and every",
    "Counts and values",
    "Order round the table",
    "Hands of cards",
    "Tables",
    "Odds, money, rounding, tolerance, time",
    "Options, readings, settings, profiles",
    "Definitions, groups, templates, files",
    "Editions",
    "Exceptions",
    "Messages",
    "Examples",
    "Verdicts",
    "How the exact parts are read",
    "Lost records",
    "What is refused, and why",
)


def test_the_keywords_of_the_grammar_are_found() -> None:
    found = keywords()
    assert {"rule", "so far", "time zone", "or above", "with same", "since"} <= found
    assert len(found) > 100


@pytest.mark.parametrize("text", RULES, ids=lambda text: re.findall(r"^rule (\S+)", text, re.M)[0])
def test_every_example_on_the_page_loads(text: str) -> None:
    loaded = load_text(text, SCHEMA)
    assert [d.message for d in loaded.errors] == []
    results = [
        run_example(rule, example, loaded.rulebook, SCHEMA)
        for rule in loaded.rulebook.rules
        for example in rule.examples
    ]
    assert [result.problem for result in results if not result.passed] == []


@pytest.mark.parametrize(
    ("text", "shown"),
    EXPLAINED,
    ids=[re.findall(r"^rule (\S+)", text, re.M)[0] for text, _ in EXPLAINED],
)
def test_every_formula_on_the_page_is_that_of_its_example(text: str, shown: str) -> None:
    rules = load_text(text, SCHEMA).rulebook.rules
    formulas = [formula_of_edition(edition) for rule in rules for edition in rule.editions]
    assert shown.split() == " ".join(formulas).split()


def test_the_page_begins_with_a_whole_rule() -> None:
    first = PAGE.split("\n## ")[1]
    (text,) = re.findall(r"^```rules read aloud\n(.*?)^```$", first, re.S | re.M)
    loaded = load_text(text, SCHEMA)
    assert loaded.diagnostics == ()
    (rule,) = loaded.rulebook.rules
    results = [run_example(rule, e, loaded.rulebook, SCHEMA) for e in rule.examples]
    assert [result.passed for result in results] == [True, True]


def test_every_example_on_the_page_has_its_formula() -> None:
    assert [text for text, _ in EXPLAINED] == RULES


def test_the_page_has_all_its_sections_in_order() -> None:
    found = re.findall(r"^## (.+)$", PAGE, re.M)
    assert found == list(SECTIONS)


def test_the_contents_lead_to_every_section() -> None:
    links = re.findall(r"^- \[(.+?)\]\(#(.+?)\)$", PAGE, re.M)
    assert [title for title, _ in links] == list(SECTIONS)
    for title, anchor in links:
        assert anchor == re.sub(r"[^a-z0-9 -]", "", title.lower()).replace(" ", "-")


@pytest.mark.parametrize("word", sorted(keywords()))
def test_every_word_of_the_language_stands_on_the_page(word: str) -> None:
    assert re.search(rf"\b{word}\b", PAGE)


def test_every_construct_has_a_timeline() -> None:
    scopes = PAGE.split("### earlier", 1)[1].split("## How many", 1)[0]
    sections = re.split(r"^### .+$", scopes, flags=re.M)
    assert all("```text" in section for section in sections)


# ---- the glossary


def test_the_glossary_is_in_alphabetical_order() -> None:
    words = [word.casefold() for word, _ in TERMS]
    assert words == sorted(words)


def test_no_word_is_explained_twice() -> None:
    words = [word for word, _ in TERMS]
    assert len(words) == len(set(words))


def test_each_term_has_one_sentence() -> None:
    assert [word for word, sentence in TERMS if not sentence.endswith(".")] == []


@pytest.mark.parametrize("word", sorted(keywords()))
def test_the_glossary_has_every_word_of_the_language(word: str) -> None:
    assert word in dict(TERMS)


@pytest.mark.parametrize(
    "word",
    sorted(
        {str(item).replace("_", " ") for item in (*Verdict, *RuleStatus, *FindingKind, *Severity)}
    ),
)
def test_the_glossary_has_every_verdict_status_kind_and_severity(word: str) -> None:
    assert word in dict(TERMS)


@pytest.mark.parametrize("word", sorted({*POINTWISE, *OF_CARDS, *AGGREGATES}))
def test_the_glossary_has_every_function(word: str) -> None:
    assert word in dict(TERMS)


@pytest.mark.parametrize("word", sorted(set(PLAIN_KINDS) - {"cards"}))
def test_the_glossary_has_every_kind_of_value(word: str) -> None:
    assert word in dict(TERMS)


@pytest.mark.parametrize("word", EXPECTED)
def test_the_page_has_every_outcome_of_an_example(word: str) -> None:
    assert f"| `{word}` |" in PAGE
