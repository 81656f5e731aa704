"""Contexts and witnesses: at which rows an expression is asked, and which rows decided it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from compliance.columnar.vectors import Vector, as_truth, conjunction, negation
from compliance.columns import Flags, Integers


@dataclass(frozen=True)
class Contexts:
    """Many places at which to ask: for each event variable the row where it stands."""

    rows: Mapping[int, Integers]
    size: int
    token: object = None
    """A name for exactly these contexts, under which what was found for them is kept."""
    root: Integers | None = None
    """To which check each context belongs, where that is asked."""

    spans: dict[int, tuple[Integers, Integers, Flags]] = field(default_factory=dict)
    """Where the segments of the rows lie, once somebody has asked for it."""

    def take(self, chosen: Integers, token: object = None) -> Contexts:
        """Some of the contexts, possibly some of them several times."""
        root = None if self.root is None else self.root[chosen]
        rows = {var: rows[chosen] for var, rows in self.rows.items()}
        return Contexts(rows, len(chosen), token, root)

    def with_var(self, var: int, rows: Integers) -> Contexts:
        """The same contexts with one more event in hand."""
        return Contexts({**self.rows, var: rows}, self.size, None, self.root)


@dataclass(frozen=True)
class Seen:
    """Witnesses: context, row, and what the row showed (a number in the list of parts)."""

    context: Integers
    row: Integers
    part: Integers

    def where(self, kept: Flags) -> Seen:
        """The witnesses of some contexts only."""
        if not len(self.context):
            return self
        mask = kept[self.context] if len(kept) > 1 else np.broadcast_to(kept, self.context.shape)
        return Seen(self.context[mask], self.row[mask], self.part[mask])


MAX_PAIRS = 100_000
"""How many pairs of events are looked at in one go: more need memory, and are not faster."""
_NONE = np.zeros(0, dtype=np.int64)
NOBODY = Seen(_NONE, _NONE, _NONE)


def together(parts: Iterable[Seen]) -> Seen:
    """All witnesses of several answers."""
    found = [part for part in parts if len(part.context)]
    if not found:
        return NOBODY
    if len(found) == 1:
        return found[0]
    return Seen(
        np.concatenate([part.context for part in found]),
        np.concatenate([part.row for part in found]),
        np.concatenate([part.part for part in found]),
    )


@dataclass(frozen=True)
class Answer:
    """Values for all contexts, with their witnesses when these are asked for."""

    vector: Vector
    seen: Seen = NOBODY


def spread_ranges(starts: Integers, ends: Integers) -> tuple[Integers, Integers]:
    """Every number in each range, and the place of the range it comes from."""
    lengths = np.maximum(ends - starts, 0)
    total = int(lengths.sum())
    if total == 0:
        return _NONE, _NONE
    owners = np.repeat(np.arange(len(starts), dtype=np.int64), lengths)
    firsts = np.cumsum(lengths) - lengths
    numbers = np.arange(total, dtype=np.int64)
    numbers += np.repeat(starts - firsts, lengths)
    return numbers, owners


def portions(lengths: Integers) -> list[tuple[int, int]]:
    """Contexts in portions that together have a bounded number of pairs."""
    if not len(lengths):
        return []
    total = np.cumsum(lengths)
    found, begin = [], 0
    while begin < len(lengths):
        used = int(total[begin - 1]) if begin else 0
        stop = max(begin + 1, int(total.searchsorted(used + MAX_PAIRS, side="right")))
        found.append((begin, stop))
        begin = stop
    return found


def all_of(answers: list[Answer]) -> Answer:
    """All hold. Where one fails, only those that fail are witnesses."""
    result = conjunction([answer.vector for answer in answers])
    if all(not len(answer.seen.context) for answer in answers):
        return Answer(result)
    fails = result.false
    seen = []
    for answer in answers:
        own = as_truth(answer.vector).false
        kept = ~fails | own
        seen.append(answer.seen.where(kept))
    return Answer(result, together(seen))


def opposite(answer: Answer) -> Answer:
    return Answer(negation(answer.vector), answer.seen)


def any_of(answers: list[Answer]) -> Answer:
    """At least one holds: the mirror image of `all_of`."""
    return opposite(all_of([opposite(answer) for answer in answers]))
