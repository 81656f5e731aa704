"""The values next to a value that a rule names: one step more, one step less, the next word.

A step is one in the last digit as it is written: $25 becomes $26 and $24, 30 minutes become 29 and
31, and $0.25 becomes $0.26. An author who wrote a bound can be expected to have an example there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date, timedelta
from decimal import Decimal

from event_schemas import Rank, Schema, Suit
from rules_dsl import core
from rules_dsl.functions import COLOR, POKER_CLASS

_NUMBER = re.compile(r"[0-9][0-9,]*(?:\.[0-9]+)?")
_STEPPED = {"number", "money", "percent", "odds", "duration", "seat"}
_BUILT_IN = {
    "rank": tuple(rank.value for rank in Rank),
    "suit": tuple(suit.value for suit in Suit),
    COLOR.name: COLOR.enum.values if COLOR.enum else (),
    POKER_CLASS.name: POKER_CLASS.enum.values if POKER_CLASS.enum else (),
}


def neighbours(
    const: core.Const, rulebook: core.Rulebook, schema: Schema, taken: Collection[str] = ()
) -> Iterator[str]:
    """The texts that a constant is changed into. `taken` are words that the rule names anyway."""
    if const.kind in _STEPPED:
        lowest = 1 if const.kind == "seat" else 0
        yield from _stepped(const.text, lowest)
    elif const.kind == "date":
        yield from moved_days(const.text)
    else:
        words = _words(const.kind, rulebook, schema)
        if const.text in words:
            yield from _next_words(const.text, words, taken)


def moved_days(text: str) -> Iterator[str]:
    """The days before and after a date."""
    day = date.fromisoformat(text)
    yield (day - timedelta(days=1)).isoformat()
    yield (day + timedelta(days=1)).isoformat()


def _words(kind: str, rulebook: core.Rulebook, schema: Schema) -> tuple[str, ...]:
    """All words of a closed list: of the vocabulary, or the readings of a doubtful passage."""
    if kind in schema.enums:
        return schema.enums[kind].values
    if kind in rulebook.interpretations:
        return tuple(reading.name for reading in rulebook.interpretations[kind].readings)
    return _BUILT_IN.get(kind, ())


def _next_words(text: str, words: tuple[str, ...], taken: Collection[str]) -> Iterator[str]:
    """The next word that the rule does not name already, or else simply the next one."""
    place = words.index(text)
    others = [*words[place + 1 :], *reversed(words[:place])]
    free = [word for word in others if word not in taken]
    yield from (free or others)[:1]


def _stepped(text: str, lowest: int) -> Iterator[str]:
    found = _NUMBER.search(text)
    if found is None:
        return
    digits = found.group().replace(",", "")
    decimals = len(digits.partition(".")[2])
    step = Decimal(1).scaleb(-decimals)
    for changed in (Decimal(digits) - step, Decimal(digits) + step):
        if changed >= lowest:
            new = f"{changed:.{decimals}f}"
            yield text[: found.start()] + new + text[found.end() :]
