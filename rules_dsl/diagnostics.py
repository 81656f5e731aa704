"""What is wrong with a rule file, said as values: collected, never raised one at a time.

Each kind of diagnostic has a code, which is also the name of its page under docs/diagnostics/.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from rules_dsl.source import Source
from rules_dsl.syntax import NOWHERE, Span

_LONGEST_WORD = 100
"""Characters of a word to which a similar one is sought."""
_WIDEST = 400
"""Characters of a line that are shown with a mistake."""
Level = Literal["error", "warning"]

CATALOGUE: dict[str, Level] = {
    # reading the text
    "syntax": "error",
    "unknown-declaration": "error",
    "not-indented": "error",
    "bad-example-line": "error",
    "bad-table": "error",
    "bad-character": "error",
    "unclosed-text": "error",
    "too-large": "error",
    "unreadable-file": "error",
    # names
    "unknown-event": "error",
    "unknown-field": "error",
    "unknown-name": "error",
    "unknown-option": "error",
    "unknown-value": "error",
    "unknown-interval": "error",
    "unknown-function": "error",
    "unknown-template": "error",
    "unknown-rule": "error",
    "unknown-edition": "error",
    "unknown-reading": "error",
    "unknown-setting": "error",
    "unknown-word": "error",
    "declared-twice": "error",
    "name-taken": "error",
    "unused-definition": "warning",
    "circular-definition": "error",
    "circular-use": "error",
    "missing-file": "error",
    "forbidden-path": "error",
    "wrong-file": "error",
    "too-complex": "error",
    # types
    "type-mismatch": "error",
    "not-a-condition": "error",
    "not-a-value": "error",
    "wrong-arguments": "error",
    "bad-value": "error",
    "missing-field": "error",
    # events and windows
    "missing-scope": "error",
    "mixed-scopes": "error",
    "scope-in-trigger": "error",
    "brackets-needed": "error",
    "unclear-bound": "error",
    "looks-ahead": "warning",
    "key-not-in-trigger": "warning",
    "unknown-key": "error",
    # rules
    "missing-clause": "error",
    "repeated-clause": "error",
    "stray-exception": "error",
    "bad-citation": "error",
    "bad-date": "error",
    "overlapping-editions": "error",
    "gap-in-editions": "error",
    "edition-mix": "error",
    "bad-message": "error",
    "missing-message": "warning",
    # reading the law
    "no-default-reading": "error",
    "unused-reading": "warning",
    # examples
    "missing-example": "warning",
    "repeated-example": "warning",
    "missing-mark": "error",
    "stray-mark": "error",
    "time-goes-back": "error",
    "example-not-in-force": "error",
    # conditions that cannot be meant
    "never-true": "warning",
    "always-true": "warning",
    "unused-parameter": "warning",
}
OF_EXAMPLES = frozenset({"missing-example", "repeated-example"})
"""Said of a rule because of examples that may stand in the file beside it."""


@dataclass(frozen=True)
class Diagnostic:
    """One thing that is wrong, where it stands, and what to do about it."""

    code: str
    message: str
    source: Source = field(repr=False)
    span: Span = NOWHERE
    suggestion: str = ""

    def __str__(self) -> str:
        return f"{self.place}: {self.level}: {self.message}"

    @property
    def level(self) -> Level:
        return CATALOGUE[self.code]

    @property
    def page(self) -> str:
        """Where this kind of diagnostic is explained."""
        return f"docs/diagnostics/{self.code}.md"

    @property
    def line(self) -> int:
        return self.source.position(self.span.start)[0]

    @property
    def column(self) -> int:
        return self.source.position(self.span.start)[1]

    @property
    def place(self) -> str:
        return f"{self.source.name}:{self.line}:{self.column}"

    def as_dict(self) -> dict[str, object]:
        """The diagnostic as plain data, for other tools."""
        end_line, end_column = self.source.position(self.span.end)
        return {
            "code": self.code,
            "level": self.level,
            "file": self.source.name,
            "line": self.line,
            "column": self.column,
            "end_line": end_line,
            "end_column": end_column,
            "message": self.message,
            "suggestion": self.suggestion,
            "page": self.page,
        }


def in_order(diagnostics: Iterable[Diagnostic]) -> list[Diagnostic]:
    """By file and place, each said once."""
    unique = {(d.source.name, d.span, d.code, d.message): d for d in diagnostics}
    return sorted(unique.values(), key=lambda d: (d.source.name, d.span.start, d.span.end, d.code))


def caret_lines(diagnostic: Diagnostic) -> list[str]:
    """The source line and a caret under the part that is wrong."""
    line, column = diagnostic.line, diagnostic.column
    text = diagnostic.source.line(line)
    end_line, end_column = diagnostic.source.position(diagnostic.span.end)
    width = end_column - column if end_line == line else len(text) - column + 1
    shown = text.replace("\t", " ")
    width = max(1, min(width, len(text) - column + 1))
    if len(shown) <= _WIDEST:
        return [shown, " " * (column - 1) + "^" * width]
    # Of a line that no screen can show, the part around the mistake.
    start = max(0, column - 1 - _WIDEST // 4)
    part = shown[start : start + _WIDEST]
    return [f"…{part}…", " " * (column - start) + "^" * min(width, len(part) - column + 1 + start)]


def nearest(word: str, known: Iterable[str], cutoff: float = 0.6) -> str:
    """`did you mean ...?` when something known is close to what was written, else nothing."""
    # A short word is close to too many others: `y` to `by`.
    cutoff = cutoff if len(word) > 3 else 0.75
    if len(word) > _LONGEST_WORD:
        return ""
    close = difflib.get_close_matches(word, list(known), n=1, cutoff=cutoff)
    return f"did you mean `{close[0]}`?" if close else ""


def listed(words: Iterable[str], limit: int = 8, joined_by: str = "or") -> str:
    """Words as a readable enumeration: `a`, `b` or `c`."""
    quoted = [f"`{word}`" for word in words]
    if len(quoted) > limit:
        return ", ".join(quoted[:limit]) + f" and {len(quoted) - limit} more"
    if len(quoted) < 2:
        return "".join(quoted)
    return ", ".join(quoted[:-1]) + f" {joined_by} " + quoted[-1]
