"""Recognises what people often write wrong, from the words around the place where reading stopped.

A `Mistake` is one line of a table: how the text looks before and after that place, the sentence
that says what is wrong, and what to write instead. The tables stand in `mistakes_in_conditions`
and `mistakes_in_clauses`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from rules_dsl.diagnostics import Diagnostic
from rules_dsl.parsing.wording import CLAUSE_WORDS, shown
from rules_dsl.source import Source
from rules_dsl.syntax import Span

_LOOK_BACK = 400
_LOOK_AHEAD = 400
_COMMENT = re.compile(r"--[^\n]*")
_CLAUSE = re.compile(CLAUSE_WORDS)
_WORD = re.compile(r'"[^"\n]*"?|[^\s,()"]+|\S')
_LAST_WORD = re.compile(r'(?:"[^"\n]*"|[^\s,()"]+|\S)$')

Groups = dict[str, str]
Suggestion = str | Callable[[Groups], str]


@dataclass(frozen=True)
class Place:
    """Where reading stopped, and what could have stood there."""

    source: Source
    block: Span
    at: int
    expected: frozenset[str]

    @cached_property
    def before(self) -> str:
        """What stands before, comments blanked out."""
        begin = max(self.block.start, self.at - _LOOK_BACK)
        text = self.source.text[begin : self.at]
        return _COMMENT.sub(lambda comment: " " * len(comment.group()), text)

    @cached_property
    def here(self) -> str:
        """The rest of the line; nothing when what stands before was not finished."""
        return "" if self.ended else self._rest_of_line

    @cached_property
    def ended(self) -> bool:
        """Whether the text, or the clause, stopped before it was complete."""
        if not self._rest_of_line:
            return True
        starts_a_clause = self.new_line and _CLAUSE.match(self._rest_of_line) is not None
        return starts_a_clause and "$END" not in self.expected

    @cached_property
    def new_line(self) -> bool:
        """Whether only blanks stand before it on its line."""
        return not self.before.rpartition("\n")[2].strip() and "\n" in self.before

    @cached_property
    def _rest_of_line(self) -> str:
        end = min(self.block.end, self.at + _LOOK_AHEAD)
        return self.source.text[self.at : end].partition("\n")[0].rstrip()

    @cached_property
    def word(self) -> Span:
        """The word that is wrong, or the last one of what was not finished."""
        if not self.ended:
            found = _WORD.match(self.here)
            return Span(self.at, self.at + max(1, found.end() if found else 1))
        text = self.before.rstrip()
        last = _LAST_WORD.search(text)
        begin = self.at - len(self.before)
        if last is None:
            return self.inside(Span(self.at, self.at + 1))
        return Span(begin + last.start(), begin + last.end())

    def inside(self, span: Span) -> Span:
        end = min(span.end, len(self.source.text))
        return Span(min(span.start, end), end)


@dataclass(frozen=True)
class Mistake:
    """One thing that people often write. Named groups of the patterns can stand in the sentences.

    The group `wrong` is what gets underlined; without it, the word at which reading stopped.
    """

    message: str
    suggestion: Suggestion
    before: str = ""
    here: str = ""
    expected: str = ""
    """Terminals, separated by blanks: one of them would have fitted."""
    excluded: str = ""
    """Terminals, separated by blanks: none of them would have fitted."""
    ended: bool | None = None
    new_line: bool | None = None
    code: str = "syntax"

    @cached_property
    def _before(self) -> re.Pattern[str]:
        # A pattern that does not say how it ends may be followed by blanks.
        return re.compile(self.before if self.before.endswith("$") else rf"(?:{self.before})\s*$")

    @cached_property
    def _here(self) -> re.Pattern[str]:
        return re.compile(self.here)

    @cached_property
    def _expected(self) -> frozenset[str]:
        return frozenset(self.expected.split())

    @cached_property
    def _excluded(self) -> frozenset[str]:
        return frozenset(self.excluded.split())

    def seen_at(self, place: Place) -> Diagnostic | None:
        """What to say when the text at this place shows the mistake."""
        if self.ended not in (None, place.ended) or self.new_line not in (None, place.new_line):
            return None
        if self._expected and not self._expected & place.expected:
            return None
        if self._excluded & place.expected:
            return None
        here = self._here.match(place.here)
        if here is None:
            return None
        before = self._before.search(place.before) if self.before else None
        if self.before and before is None:
            return None
        groups = {"word": shown(place.source.cut(place.word))}
        groups |= {k: shown(v or "") for m in (before, here) if m for k, v in m.groupdict().items()}
        message = self.message.format_map(groups)
        hint = self.suggestion
        suggestion = hint(groups) if callable(hint) else hint.format_map(groups)
        return Diagnostic(
            self.code, message, place.source, _underlined(place, before, here), suggestion
        )


def _underlined(place: Place, before: re.Match[str] | None, here: re.Match[str]) -> Span:
    back = place.at - len(place.before)
    starts = []
    ends = []
    for match, offset in ((before, back), (here, place.at)):
        if match is not None and match.groupdict().get("wrong"):
            starts.append(offset + match.start("wrong"))
            ends.append(offset + match.end("wrong"))
    return place.inside(Span(min(starts), max(ends))) if starts else place.word


def first_seen(mistakes: Iterable[Mistake], place: Place) -> Diagnostic | None:
    """The first mistake of a table that the text shows."""
    for mistake in mistakes:
        found = mistake.seen_at(place)
        if found is not None:
            return found
    return None
