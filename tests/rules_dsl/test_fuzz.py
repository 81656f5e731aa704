"""No text, however broken, ends in anything but sentences about what is wrong with it."""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from event_schemas import builtin_schema
from rules_dsl.diagnostics import CATALOGUE, Diagnostic
from rules_dsl.formatting import format_source
from rules_dsl.parsing.parser import grammar, parse
from rules_dsl.parsing.syntax_errors import INVISIBLE
from rules_dsl.rulebook import load_text
from rules_dsl.source import Source
from tests.rules_dsl.mutations import spoiled

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("rules_dsl/rulebooks", "tests/language/good")
IN_CI = 2_500
IN_ALL = 100_000
BATCHES = 10


def _parse(source: Source) -> Iterable[Diagnostic]:
    return parse(source).diagnostics


def _format(source: Source) -> Iterable[Diagnostic]:
    text, diagnostics = format_source(source)
    assert (text is None) == bool(diagnostics)
    if text is not None:
        assert format_source(Source(source.name, text)) == (text, ())
    return diagnostics


def _load(source: Source) -> Iterable[Diagnostic]:
    return load_text(source.text, builtin_schema()).diagnostics


UNDER_TEST: list[Callable[[Source], Iterable[Diagnostic]]] = [_parse, _format, _load]
"""What is fed with broken text; each gives what it found wrong."""

QUOTED = re.compile(r"`[^`]*`")
TERMINALS = re.findall(r"^([A-Z_]+)", grammar(), re.M)
JARGON = re.compile(
    rf"\b(?:{'|'.join(TERMINALS)}|NO_NAME|__\w+|[A-Z]+_[A-Z_]+)\b|\$END|END-OF-FILE"
    r"|\b(?:tokens?|parsers?|lexers?|terminals?|unexpected|grammar|Traceback)\b"
)


def _blocks(folder: str) -> list[str]:
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / folder).rglob("*.rules"))]
    return [block for text in texts for block in re.split(r"\n\n(?=\S)", text) if block.strip()]


def check(text: str) -> None:
    source = Source("fuzz.rules", text)
    for function in UNDER_TEST:
        for diagnostic in function(source):
            assert diagnostic.code in CATALOGUE
            assert 0 <= diagnostic.span.start <= diagnostic.span.end <= len(text)
            # Messages quote the text between backticks, so one in the text itself confuses us.
            if "`" not in text:
                check_sentence(diagnostic.message)
                check_words(diagnostic.suggestion)


def check_sentence(message: str) -> None:
    plain = QUOTED.sub("it", message)
    assert message.endswith("."), message
    assert ". " not in plain, message
    assert not plain[0].islower() or message.startswith("`"), message
    check_words(message)


def check_words(text: str) -> None:
    assert not INVISIBLE.search(text), ascii(text)
    assert "\n" not in text, text
    plain = QUOTED.sub("it", text)
    assert "`" not in plain, text
    # Values of an example are quoted with quotation marks: a card may read like a terminal's name.
    assert not JARGON.search(re.sub(r'"[^"]*"', "it", plain)), text


def _spoil_some(blocks: list[str], batch: int, number: int) -> None:
    chance = random.Random(batch)
    for _ in range(number):
        chosen = [chance.choice(blocks)[:3_000] for _ in range(chance.choice([1, 1, 1, 2]))]
        check(spoiled("\n\n".join(chosen), chance))


@pytest.mark.parametrize("batch", range(BATCHES))
def test_broken_rules_are_explained(batch: int) -> None:
    _spoil_some(_blocks("tests/language/good"), batch, IN_CI // BATCHES)


@pytest.mark.long
@pytest.mark.parametrize("batch", range(BATCHES))
@pytest.mark.parametrize("folder", FOLDERS)
def test_very_many_broken_rules_are_explained(folder: str, batch: int) -> None:
    _spoil_some(_blocks(folder), 1_000 + batch, IN_ALL // BATCHES // len(FOLDERS))


RULE = "rule a\n  require "
MANY = 5_000
HOSTILE = {
    "not_not_not": RULE + "not " * MANY + "x",
    "if_then_if_then": RULE + "if a then " * MANY + "x",
    "if_else_if_else": RULE + "if a then b else " * MANY + "x",
    "where_where": RULE + "x where " * MANY + "a",
    "has_has": RULE + "some x has " * MANY + "a",
    "since_since": RULE + "x since (" * 50 + "x" + ")" * 50,
    "sum_of_sum_of": RULE + "sum of " * MANY + "x",
    "long_sum": RULE + "1 + " * MANY + "1",
    "long_product": RULE + "1 * " * MANY + "1",
    "many_ands": RULE + "a and " * MANY + "a",
    "many_scopes": RULE + "x" + " earlier" * MANY,
    "many_sames": RULE + "x" + " with same a" * MANY,
    "many_fields": "rule a\n  example complies\n    20:00 x" + " a=1" * MANY,
    "many_texts": "rule a\n" + ' "a"\n' * MANY,
    "many_clauses": "rule a\n" + "  require x\n" * MANY,
    "many_bad_clauses": "rule a\n" + "  require ,\n" * MANY,
    "many_bad_rules": "rule a\n  require ,\n" * MANY,
    "many_unknown_words": "foo bar\n" * MANY,
    "many_open_brackets": RULE + "(" * MANY,
    "many_brackets": RULE + "(" * MANY + "x" + ")" * MANY,
    "many_closing_brackets": RULE + "x" + ")" * MANY,
    "many_commas": RULE + "f(" + "," * MANY,
    "many_quotes": "rule a\n  " + '"' * MANY,
    "many_hyphens_after_a_comma": RULE + "x where a, " + "-" * MANY + "\n  foo",
    "many_comments_after_a_comma": RULE + "x where a," + "\n  --" * MANY + "\n  foo",
    "long_word": RULE + "a" * 50 * MANY,
    "long_number": RULE + "1" * 50 * MANY,
    "long_time": "rule a\n  example complies\n    20:" + "0" * 50 * MANY,
    "long_blank": RULE + "x in" + " " * 50 * MANY + "y",
    "long_blank_in_an_example": "rule a\n  example complies\n    20:00 x" + " " * 50 * MANY + "y",
    "long_text": "rule a\n  " + '"' + "a " * 50 * MANY,
    "long_citation": "rule a\n  cite " + "A " * 50 * MANY,
    "long_row_without_a_bar": "table t\n  " + "x " * 50 * MANY,
    "long_row": "table t\n  a | " + "x " * MANY,
    "no_line_ends": " ".join(["rule a require x"] * MANY),
    "control_characters": "".join(map(chr, range(32))) * 100,
    "every_character_once": "".join(map(chr, range(0xD800))),
    "too_large": "-" * 4_000_001,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_text_is_refused_in_reasonable_time(name: str) -> None:
    start = time.process_time()
    check(HOSTILE[name])
    assert time.process_time() - start < 20


@pytest.mark.parametrize(
    "name", ["not_not_not", "if_then_if_then", "where_where", "sum_of_sum_of", "many_open_brackets"]
)
def test_rules_nested_beyond_reason_are_too_complex(name: str) -> None:
    parsed = parse(Source("fuzz.rules", HOSTILE[name]))
    assert [diagnostic.code for diagnostic in parsed.diagnostics] == ["too-complex"]
    assert parsed.damaged == {"a"}
