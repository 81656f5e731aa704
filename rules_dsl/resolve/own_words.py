"""Says what to write in words that the log at hand has: no card is offered to a taxi rank.

Messages show examples, and their events come from the vocabulary of table games. Where a house has
a vocabulary of its own, its own events stand in their place.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

from event_schemas import Schema, builtin_schema
from rules_dsl.diagnostics import Diagnostic

_WORD = re.compile(r"\b[a-z][a-z0-9_]*\b")
_ONE_WORD = re.compile(r"(?:write|did you mean) `(?P<word>[a-z][a-z0-9_]*)`\??")


def in_own_words(diagnostics: Iterable[Diagnostic], schema: Schema) -> list[Diagnostic]:
    """The same diagnostics, with suggestions that name only events of the schema."""
    foreign = builtin_schema().events.keys() - schema.events.keys()
    if not foreign or not schema.events:
        return list(diagnostics)
    return [_in_own_words(item, foreign, list(schema.events)) for item in diagnostics]


def _in_own_words(item: Diagnostic, foreign: Iterable[str], own: list[str]) -> Diagnostic:
    said = [word for word in _WORD.findall(item.suggestion) if word in foreign]
    if not said:
        return item
    only = _ONE_WORD.fullmatch(item.suggestion)
    if only is not None:
        # The suggestion is nothing but an event that there is not.
        return replace(item, suggestion="")
    others = {word: own[n % len(own)] for n, word in enumerate(dict.fromkeys(said))}
    text = _WORD.sub(lambda word: others.get(word[0], word[0]), item.suggestion)
    return replace(item, suggestion=text)
