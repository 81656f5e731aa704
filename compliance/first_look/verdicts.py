"""Checks that compiled code has judged to the end, with their evidence for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

from compliance.checks import FoundCheck
from compliance.columnar.scene import Table
from compliance.columnar.shown_checks import Shown, quoted, unrecorded
from compliance.columns import Integers
from compliance.first_look.program import WrittenEdition
from reports.verdicts import Verdict
from rules_dsl import core

PARTS = ("found", "since", "before", "counted")
"""What a witness showed, in the order of `witnesses.h`."""
PLACE, EXCUSE, UNMET, WITNESSES, HEAD = range(5)
"""What is said first of each check, in the order of `verdicts.h`."""
ROOM = 1 << 16
"""For so many numbers in all; what finds no room is left to the columnar engine."""
KNOWN = 0


class Settled(NamedTuple):
    """One check as compiled code writes it down."""

    place: int
    excuse: int
    unmet: int
    witnesses: Set[tuple[int, str]]
    values: Sequence[tuple[int, int, int]]
    """What the message quotes: above the line, below it, and what is known of it."""


def settled(numbers: Integers, number: int, values_each: int) -> list[Settled]:
    """So many checks, from the numbers that were written of them."""
    # Short stretches are had faster so than from the array itself.
    written = numbers.data
    found, at = [], 0
    for _ in range(number):
        head = written[at : at + HEAD].tolist()
        at += HEAD
        values_at = at + 2 * head[WITNESSES]
        pairs = written[at:values_at].tolist()
        at = values_at + 3 * values_each
        values = written[values_at:at].tolist()
        witnesses = set(zip(pairs[::2], [PARTS[part] for part in pairs[1::2]], strict=True))
        told = list(zip(values[::3], values[1::3], values[2::3], strict=True))
        found.append(Settled(head[PLACE], head[EXCUSE], head[UNMET], witnesses, told))
    return found


def shown(
    table: Table,
    rule: core.Rule,
    edition: core.Edition,
    written: WrittenEdition,
    checks: Sequence[Settled],
    number: int,
    keys: Mapping[str, object],
) -> Iterator[Shown]:
    """These checks as a report shows them; `number` and `keys` are those of their slice."""
    for item in checks:
        unmet = {place for bit, place in enumerate(written.required) if item.unmet >> bit & 1}
        excused = item.excuse >= 0
        check = FoundCheck(
            rule,
            edition,
            Verdict.EXCUSED if excused else Verdict.VIOLATED,
            table.log,
            item.place,
            keys,
            item.witnesses,
            partial(_message, table, edition, item.values),
            edition.exemptions[item.excuse].authority if excused else None,
            tuple(edition.requirements[place].text for place in sorted(unmet)),
        )
        yield item.place, number, check, False


def _message(table: Table, edition: core.Edition, values: Sequence[tuple[int, int, int]]) -> str:
    words, left = [], iter(values)
    for part in edition.message:
        if part.value is None:
            words.append(part.text)
            continue
        above, below, state = next(left)
        words.append(quoted(table, part, above, below) if state == KNOWN else unrecorded(part))
    return "".join(words)
