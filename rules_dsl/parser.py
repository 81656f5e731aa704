"""From text to syntax tree, with every mistake of the file found in one run.

A line that begins in the first column starts a new declaration. Each declaration is parsed on its
own, so a mistake in one rule hides nothing in the next; inside a rule, the clause with the mistake
is set aside and the rest is read.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from lark import Lark
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken, VisitError
from lark.utils import TextSlice

from rules_dsl import syntax
from rules_dsl.build import Builder
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.lines import LineProblem
from rules_dsl.source import Source
from rules_dsl.syntax import Span
from rules_dsl.syntax_errors import CLAUSE_WORDS, explain_unexpected, explain_unknown_start

MAX_FILE_CHARACTERS = 4_000_000
MAX_MISTAKES_PER_BLOCK = 20
MAX_NESTING = 60

_BLOCK_START = re.compile(r"^(?=[^\s])(?!--)", re.M)
_FIRST_WORD = re.compile(r"[a-z][a-z_]*")
_CLAUSE_START = re.compile(rf"^[ \t]+(?={CLAUSE_WORDS})", re.M)


@dataclass(frozen=True)
class Parsed:
    """A file's tree, as far as it could be read, and what was wrong with it."""

    source: Source
    file: syntax.File
    diagnostics: tuple[Diagnostic, ...]
    damaged: frozenset[str]
    """Names of the rules of which a part could not be read: nothing is said about what they lack."""


class _Parsers(threading.local):
    """One parser a thread: the parser itself is not made for sharing."""

    @property
    def lark(self) -> Lark:
        if not hasattr(self, "_lark"):
            self._lark = make_lark(with_tree=True)
        return self._lark


_parsers = _Parsers()


@cache
def grammar() -> str:
    """The text of the grammar."""
    return files("rules_dsl").joinpath("grammar.lark").read_text(encoding="utf-8")


def make_lark(*, with_tree: bool) -> Lark:
    """The Lark parser for the grammar, building our syntax tree or Lark's plain one."""
    return Lark(
        grammar(),
        parser="lalr",
        lexer="contextual",
        start=["file", "expr"],
        maybe_placeholders=False,
        transformer=Builder() if with_tree else None,
    )


def parse(source: Source) -> Parsed:
    """Read one rule file."""
    problems: list[Diagnostic] = []
    damaged: set[str] = set()
    declarations: list[syntax.Declaration] = []
    refusal = _refusal(source)
    if refusal is not None:
        return Parsed(source, syntax.File(()), (refusal,), frozenset())
    for start, end in _blocks(source.text):
        found, mistakes = _parse_block(source, start, end)
        declarations.extend(found)
        problems.extend(mistakes)
        if mistakes:
            damaged.update(d.name for d in found if isinstance(d, syntax.Rule | syntax.Template))
    file = syntax.File(tuple(declarations), span=Span(0, len(source.text)))
    return Parsed(source, file, tuple(problems), frozenset(damaged))


def parse_expression(source: Source, span: Span) -> syntax.Expr | Diagnostic:
    """Read one expression inside a file, such as the `{...}` of a message."""
    if _too_nested(source.text, span.start, span.end):
        return Diagnostic("too-complex", "Too many brackets inside brackets.", source, span)
    try:
        result = _parsers.lark.parse(
            TextSlice(source.text, span.start, span.end),  # type: ignore[arg-type]
            start="expr",
        )
    except (UnexpectedToken, UnexpectedCharacters, UnexpectedEOF) as error:
        return explain_unexpected(error, source, span)
    except VisitError as error:
        return _line_problem(error, source)
    assert isinstance(result, syntax.Expr)
    return result


def _refusal(source: Source) -> Diagnostic | None:
    """Files that are not worth reading at all."""
    if len(source.text) > MAX_FILE_CHARACTERS:
        return Diagnostic(
            "too-large",
            f"The file has more than {MAX_FILE_CHARACTERS:,} characters.",
            source,
            suggestion="split it into several files and bring them together with `use`",
        )
    return None


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    starts = [match.start() for match in _BLOCK_START.finditer(text)]
    first = starts[0] if starts else len(text)
    lead = text[:first]
    if re.sub(r"--[^\n]*", "", lead).strip():
        starts.insert(0, 0)
    for index, start in enumerate(starts):
        yield start, starts[index + 1] if index + 1 < len(starts) else len(text)


def _too_nested(text: str, start: int, end: int) -> bool:
    depth = 0
    for character in text[start:end]:
        if character == "(":
            depth += 1
            if depth > MAX_NESTING:
                return True
        elif character == ")":
            depth = max(0, depth - 1)
    return False


def _parse_block(
    source: Source, start: int, end: int
) -> tuple[tuple[syntax.Declaration, ...], list[Diagnostic]]:
    unknown = explain_unknown_start(source, start, end)
    if unknown is not None:
        return (), [unknown]
    if _too_nested(source.text, start, end):
        message = f"Brackets are nested more than {MAX_NESTING} deep."
        return (), [Diagnostic("too-complex", message, source, Span(start, start + 1))]
    text = source.text
    mistakes: list[Diagnostic] = []
    while True:
        mistake: Diagnostic
        try:
            tree = _parsers.lark.parse(
                TextSlice(text, start, end),  # type: ignore[arg-type]
                start="file",
            )
        except (UnexpectedToken, UnexpectedCharacters, UnexpectedEOF) as error:
            mistake = explain_unexpected(error, source, Span(start, end))
        except VisitError as error:
            mistake = _line_problem(error, source)
        except LineProblem as problem:
            mistake = _as_diagnostic(problem, source)
        else:
            assert isinstance(tree, syntax.File)
            return tree.declarations, mistakes
        mistakes.append(mistake)
        shortened = _without_clause(text, start, end, mistake.span.start)
        if shortened is None or len(mistakes) >= MAX_MISTAKES_PER_BLOCK:
            return (), mistakes
        text = shortened


def _line_problem(error: VisitError, source: Source) -> Diagnostic:
    if isinstance(error.orig_exc, LineProblem):
        return _as_diagnostic(error.orig_exc, source)
    raise error


def _as_diagnostic(problem: LineProblem, source: Source) -> Diagnostic:
    return Diagnostic(problem.code, problem.message, source, problem.span, problem.suggestion)


def _without_clause(text: str, start: int, end: int, at: int) -> str | None:
    """The text with the clause around an offset blanked out, so that offsets stay as they were."""
    marks = [match.end() for match in _CLAUSE_START.finditer(text, start, end)]
    before = [mark for mark in marks if mark <= at]
    if not before:
        return None
    clause_start = before[-1]
    clause_end = next((mark for mark in marks if mark > at), end)
    blanked = re.sub(r"[^\n]", " ", text[clause_start:clause_end])
    if not text[clause_start:clause_end].strip():
        return None
    return text[:clause_start] + blanked + text[clause_end:]
