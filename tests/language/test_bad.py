"""Every rule file in `bad/` holds a mistake, and says below exactly how it is reported.

The wording of a diagnostic is reviewed like code: it is part of these files. After a change of
wording, `pytest tests/language --update-expected` rewrites them; read the difference critically.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

from event_schemas import builtin_schema
from rules_dsl.diagnostics import CATALOGUE, Diagnostic
from rules_dsl.parsing import parser
from rules_dsl.rulebook import load, load_text
from tests.language.expected import announced, rendered, rewrite

BAD = Path(__file__).parent / "bad"
FILES = sorted([*BAD.glob("*.rules"), *BAD.glob("*/main.rules")])
SCHEMA = builtin_schema()
SMALL_LIMIT = 300
WHOLE_FILE = {"too-large", "missing-file", "unreadable-file"}
"""What is wrong with these stands at no word of the file itself."""

# Words of the trade of language makers. They do not belong into sentences for compliance officers.
JARGON = re.compile(
    r"\b(token|parser?|parsing|resolved?|node|lexer|terminal|syntax|grammar|string|integer|boolean|"
    r"null|enum|identifier|operand|operator|expression|argument|mismatch|undefined|invalid|"
    r"unexpected)s?\b",
    re.I,
)
TERMINAL_NAME = re.compile(r"\b(?!UTF-8\b|JOKER\b)[A-Z][A-Z_]{2,}\b")
PYTHON_REPR = re.compile(r"<[\w.]+ object|\b(True|False|Span|Token|frozenset)\b|=None|\['|\('|\\n")
QUOTED = re.compile(r"`[^`]*`")
SENTENCE = re.compile(r"(?:[A-Z0-9`](?:[^\n.?!]|(?<=\d)\.|[.](?=\S))*)\.")
HINT = re.compile(r"[a-z`][^\n]*[^.\s]")

every_file = pytest.mark.parametrize(
    "path", FILES, ids=lambda path: path.parent.name if path.stem == "main" else path.stem
)


@cache
def diagnostics(path: Path) -> tuple[Diagnostic, ...]:
    """What is wrong with a file, read from its own folder, so that messages name no other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path.parent)
        if path.stem == "too_large":
            patch.setattr(parser, "LARGEST_RULE_FILE", SMALL_LIMIT)
        return load([path.name], SCHEMA).diagnostics


def everything() -> list[Diagnostic]:
    return [diagnostic for path in FILES for diagnostic in diagnostics(path)]


def plain(text: str) -> str:
    """A sentence without what it quotes from a rule."""
    return QUOTED.sub("`x`", text)


@every_file
def test_a_file_gives_exactly_the_diagnostics_it_announces(
    path: Path, update_expected: bool
) -> None:
    found = diagnostics(path)
    if update_expected:
        rewrite(path, found)
    assert rendered(found, path) == announced(path)


@every_file
def test_a_file_announces_at_least_one_diagnostic(path: Path) -> None:
    assert announced(path)


@every_file
def test_a_file_says_in_its_first_line_what_is_wrong(path: Path) -> None:
    assert re.match(r"-- [A-Z`].*\.\n", path.read_text(encoding="utf-8"))


def test_there_are_enough_files() -> None:
    assert len(FILES) >= 90


def test_every_code_of_the_catalogue_is_shown() -> None:
    assert {d.code for d in everything()} == set(CATALOGUE)


@every_file
def test_no_beginning_of_a_file_brings_the_reader_down(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").removesuffix(announced(path)).splitlines()
    for count in range(len(lines)):
        loaded = load_text("\n".join(lines[:count]), SCHEMA)
        assert all(d.code in CATALOGUE for d in loaded.diagnostics)


@every_file
def test_no_single_word_left_out_brings_the_reader_down(path: Path) -> None:
    text = path.read_text(encoding="utf-8").removesuffix(announced(path))
    for word in list(re.finditer(r"\S+", text))[len(path.stem) % 5 :: 5]:
        loaded = load_text(text[: word.start()] + text[word.end() :], SCHEMA)
        assert all(d.code in CATALOGUE for d in loaded.diagnostics)


# ---- the wording ---------------------------------------------------------------------------


def sayings() -> list[str]:
    """Every message and every suggestion of the whole collection."""
    return [text for d in everything() for text in (d.message, d.suggestion) if text]


def test_messages_speak_no_jargon() -> None:
    assert [text for text in sayings() if JARGON.search(plain(text))] == []


def test_messages_show_no_name_of_the_grammar() -> None:
    assert [text for text in sayings() if TERMINAL_NAME.search(plain(text))] == []


def test_messages_show_nothing_as_python_prints_it() -> None:
    assert [text for text in sayings() if PYTHON_REPR.search(text)] == []


def test_a_message_is_one_sentence() -> None:
    messages = [d.message for d in everything()]
    assert [text for text in messages if not SENTENCE.fullmatch(plain(text))] == []


def test_a_suggestion_is_no_sentence_but_a_hint() -> None:
    hints = [d.suggestion for d in everything() if d.suggestion]
    assert [text for text in hints if not HINT.fullmatch(text)] == []


@every_file
def test_the_mark_stands_under_a_part_of_one_line(path: Path) -> None:
    for d in diagnostics(path):
        if d.code not in WHOLE_FILE or d.span.start:
            marked = d.source.text[d.span.start : d.span.end]
            assert marked == marked.strip() != "", d
            assert "\n" not in marked, d
