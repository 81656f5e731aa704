"""From text to syntax tree, with every mistake of the file found in one run.

A line that begins in the first column starts a new declaration. Each declaration is parsed on its
own, so a mistake in one rule hides nothing in the next; inside a rule, the clause with the mistake
is set aside and the rest is read.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, cast

from lark import Lark, Token
from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken
from lark.utils import TextSlice

from event_schemas.limits import (
    DEEPEST_BRACKETS,
    DEEPEST_RULE,
    LARGEST_RULE_FILE,
    LONGEST_RULE_LINE,
    MOST_MISTAKES,
)
from rules_dsl import syntax
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.parsing.build import Builder
from rules_dsl.parsing.keywords import KeywordGuard
from rules_dsl.parsing.lines import LineProblem
from rules_dsl.parsing.nesting import bracket_too_deep, part_too_deep
from rules_dsl.parsing.syntax_errors import (
    INVISIBLE,
    explain_invisible,
    explain_unexpected,
    explain_unknown_start,
)
from rules_dsl.parsing.wording import CLAUSE_WORDS
from rules_dsl.source import Source
from rules_dsl.syntax import Span

MAX_MISTAKES_PER_BLOCK = 20
MAX_CHARACTERS_READ_AGAIN = 2_000_000

_BLOCK_START = re.compile(r"^(?=[^\s])(?!--)", re.M)
_CLAUSE_START = re.compile(rf"^[ \t]+(?={CLAUSE_WORDS})", re.M)
_COMMENT = re.compile(r"--[^\n]*")
_NAMED_BLOCK = re.compile(r"\s*(?:rule|template|examples\s+of)\s+([a-z0-9][a-z0-9_-]*)")
_ANY_RULE = "rule x"
_BYTE_ORDER_MARK = "\ufeff"


@dataclass(frozen=True)
class Parsed:
    """A file's tree, as far as it could be read, and what was wrong with it."""

    source: Source
    file: syntax.File
    diagnostics: tuple[Diagnostic, ...]
    damaged: frozenset[str]
    """The rules of which a part could not be read: nothing is said about what they lack."""
    comments: tuple[Span, ...] = ()
    """Where the comments stand, in order; complete when there are no diagnostics."""


class _Reader(threading.local):
    """One parser a thread, with the comments that it passed: it is not made for sharing."""

    def __init__(self) -> None:
        self.comments: dict[int, Span] = {}
        self._lark: Lark | None = None

    def read(self, text: str, span: Span, start: str) -> syntax.Node:
        if self._lark is None:
            self._lark = make_lark(with_tree=True, on_comment=self._keep)
        self.comments.clear()
        # Lark says that it gives its own trees; with our builder inside, it gives ours.
        tree: Any = self._lark.parse(TextSlice(text, span.start, span.end), start=start)
        if not isinstance(tree, syntax.Node):
            raise TypeError(f"{type(tree).__name__} instead of a part of a rule")
        return tree

    def _keep(self, comment: Token) -> Token:
        begin = comment.start_pos or 0
        self.comments[begin] = Span(begin, begin + len(comment.rstrip()))
        return comment


_reader = _Reader()


@cache
def grammar() -> str:
    """The text of the grammar."""
    return files("rules_dsl.parsing").joinpath("grammar.lark").read_text(encoding="utf-8")


def make_lark(*, with_tree: bool, on_comment: Callable[[Token], Token] | None = None) -> Lark:
    """The Lark parser for the grammar, building our syntax tree or Lark's plain one."""
    return Lark(
        grammar(),
        parser="lalr",
        lexer="contextual",
        start=["file", "expr"],
        maybe_placeholders=False,
        postlex=KeywordGuard(),
        transformer=Builder() if with_tree else None,
        lexer_callbacks={"COMMENT": on_comment} if on_comment else {},
    )


def parse(source: Source) -> Parsed:
    """Read one rule file."""
    if source.text.startswith(_BYTE_ORDER_MARK):
        # Some editors put an invisible mark first. A blank in its place keeps every offset.
        source = Source(source.name, " " + source.text[1:])
    if len(source.text) > LARGEST_RULE_FILE:
        return Parsed(source, syntax.File(()), (_too_large(source),), frozenset())
    long = _long_line(source)
    if long is not None:
        return Parsed(source, syntax.File(()), (long,), frozenset())
    problems: list[Diagnostic] = []
    damaged: set[str] = set()
    declarations: list[syntax.Declaration] = []
    blocks = list(_blocks(source.text))
    comments = _comments_before(source.text, blocks)
    last_rule = ""
    for block in blocks:
        if len(problems) >= MOST_MISTAKES:
            problems.append(_too_many(source, block))
            break
        found, mistakes = _parse_block(source, block)
        declarations.extend(found)
        problems.extend(mistakes)
        comments.extend(_reader.comments.values())
        # A clause in the first column was meant for the rule before it.
        if not any(mistake.code == "not-indented" for mistake in mistakes):
            last_rule = _name_of(source.text, block)
        if mistakes:
            damaged.add(last_rule)
    file = syntax.File(tuple(declarations), span=Span(0, len(source.text)))
    return Parsed(source, file, tuple(problems), frozenset(damaged - {""}), tuple(comments))


def parse_expression(source: Source, span: Span) -> syntax.Expr | Diagnostic:
    """Read one expression inside a file, such as the `{...}` of a message."""
    return cast("syntax.Expr | Diagnostic", _attempt(source, source.text, span, "expr"))


def _too_large(source: Source) -> Diagnostic:
    return Diagnostic(
        "too-large",
        f"The file has more than {LARGEST_RULE_FILE:,} characters.",
        source,
        suggestion="split it into several files and bring them together with `use`",
    )


def _long_line(source: Source) -> Diagnostic | None:
    """A line beyond all reason, of which every message would show a part."""
    start = 0
    for line in source.text.split("\n"):
        if len(line) > LONGEST_RULE_LINE:
            message = f"The line has more than {LONGEST_RULE_LINE:,} characters."
            suggestion = "go on in the next line, indented further"
            return Diagnostic("too-large", message, source, Span(start, start + 1), suggestion)
        start += len(line) + 1
    return None


def _too_many(source: Source, block: Span) -> Diagnostic:
    return Diagnostic(
        "syntax",
        f"More than {MOST_MISTAKES} mistakes were found, so the rest of the file was not read.",
        source,
        Span(block.start, block.start + 1),
        "mend those above first",
    )


def _blocks(text: str) -> Iterator[Span]:
    starts = [match.start() for match in _BLOCK_START.finditer(text)]
    first = starts[0] if starts else len(text)
    if _COMMENT.sub("", text[:first]).strip():
        starts.insert(0, 0)
    for index, start in enumerate(starts):
        yield Span(start, starts[index + 1] if index + 1 < len(starts) else len(text))


def _comments_before(text: str, blocks: list[Span]) -> list[Span]:
    """The comments above the first block; those below stand inside the blocks."""
    end = blocks[0].start if blocks else len(text)
    return [
        Span(match.start(), match.start() + len(match.group().rstrip()))
        for match in _COMMENT.finditer(text, 0, end)
    ]


def _name_of(text: str, block: Span) -> str:
    match = _NAMED_BLOCK.match(text, block.start, block.end)
    return match[1] if match else ""


def _parse_block(
    source: Source, block: Span
) -> tuple[tuple[syntax.Declaration, ...], list[Diagnostic]]:
    _reader.comments.clear()
    unknown = explain_unknown_start(source, block.start, block.end)
    if unknown is not None:
        return (), [unknown]
    text: str | None = source.text
    name_is_lost = False
    mistakes: list[Diagnostic] = []
    # A block is read again after each mistake; a huge one not often.
    again = MAX_CHARACTERS_READ_AGAIN // (block.end - block.start + 1)
    while text is not None and len(mistakes) <= min(MAX_MISTAKES_PER_BLOCK - 1, again):
        result = cast("syntax.File | Diagnostic", _attempt(source, text, block, "file"))
        if isinstance(result, syntax.File):
            return () if name_is_lost else result.declarations, mistakes
        mistakes.append(result)
        shortened = _without_clause(text, block, result.span.start)
        if shortened is None and not name_is_lost:
            shortened = _with_any_name(text, block)
            name_is_lost = True
        text = shortened
    return (), mistakes


def _attempt(source: Source, text: str, span: Span, start: str) -> syntax.Node | Diagnostic:
    """Read a stretch of text; what is wrong with it is explained from the source."""
    hidden = INVISIBLE.search(text, span.start, span.end)
    if hidden is not None:
        return explain_invisible(source, hidden.start())
    deep = bracket_too_deep(text, span.start, span.end)
    if deep is not None:
        message = f"More than {DEEPEST_BRACKETS} brackets stand inside one another."
        return Diagnostic("too-complex", message, source, deep, "give a part a name with `define`")
    try:
        tree = _reader.read(text, span, start)
    except (UnexpectedToken, UnexpectedCharacters, UnexpectedEOF) as error:
        return explain_unexpected(error, source, span)
    except LineProblem as problem:
        return Diagnostic(problem.code, problem.message, source, problem.span, problem.suggestion)
    deep = part_too_deep(tree)
    if deep is not None:
        message = f"More than {DEEPEST_RULE} parts of this rule stand inside one another."
        return Diagnostic("too-complex", message, source, deep, "give a part a name with `define`")
    return tree


def _without_clause(text: str, block: Span, at: int) -> str | None:
    """The text with the clause around an offset blanked out, so that offsets stay as they were."""
    clause_start, clause_end = -1, block.end
    for match in _CLAUSE_START.finditer(text, block.start, block.end):
        if match.end() > at:
            clause_end = match.end()
            break
        clause_start = match.end()
    if clause_start < 0 or not text[clause_start:clause_end].strip():
        return None
    return _blanked(text, clause_start, clause_end)


def _with_any_name(text: str, block: Span) -> str | None:
    """The text with a rule's unreadable first line replaced, so that its clauses can be read."""
    if not _NAMED_BLOCK.match(text, block.start, block.end) and not text.startswith(
        ("rule", "template", "examples"), block.start
    ):
        return None
    first = _CLAUSE_START.search(text, block.start, block.end)
    if first is None or first.start() - block.start < len(_ANY_RULE):
        return None
    blanked = _blanked(text, block.start, first.start())
    return blanked[: block.start] + _ANY_RULE + blanked[block.start + len(_ANY_RULE) :]


def _blanked(text: str, start: int, end: int) -> str:
    return text[:start] + re.sub(r"[^\n]", " ", text[start:end]) + text[end:]
