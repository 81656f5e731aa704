"""Checks that compiled code has judged to the end, with their evidence for the report."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence, Set
from functools import partial
from typing import NamedTuple

from compliance.checks import FoundCheck
from compliance.columnar.scene import Table
from compliance.columnar.shown_checks import Shown, quoted, unrecorded
from compliance.first_look.program import WrittenEdition
from reports.verdicts import Verdict
from rules_dsl import core

PARTS = ("found", "since", "before", "counted")
"""What a witness showed, in the order of `witnesses.h`."""
HEAD = 4
"""How many numbers are said first of each check, in the order of `verdicts.h`."""
ROOM = 1 << 16
"""For so many numbers in all; what finds no room is left to the columnar engine."""
KNOWN = 0


class Settled(NamedTuple):
    """One check as compiled code writes it down."""

    place: int
    excuse: int
    unmet: int
    witnesses: Set[tuple[int, str]]
    values: Sequence[int]
    """What the message quotes: three numbers each, above the line, below it, and what is known."""


def settled(written: Sequence[int], number: int, values_each: int) -> list[Settled]:
    """So many checks, from the numbers that were written of them."""
    found, at = [], 0
    for _ in range(number):
        place, excuse, unmet, witnesses = written[at : at + HEAD]
        at += HEAD
        values_at = at + 2 * witnesses
        parts = [PARTS[part] for part in written[at + 1 : values_at : 2]]
        pairs = set(zip(written[at:values_at:2], parts, strict=True))
        at = values_at + 3 * values_each
        found.append(Settled(place, excuse, unmet, pairs, written[values_at:at]))
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
    texts: dict[int, tuple[str, ...]] = {}
    """What was not met, by the bits that say it: mostly the same."""
    for place, excuse, unmet, witnesses, values in checks:
        if unmet not in texts:
            missed = (which for bit, which in enumerate(written.required) if unmet >> bit & 1)
            texts[unmet] = tuple(edition.requirements[which].text for which in sorted(missed))
        check = FoundCheck(
            rule,
            edition,
            Verdict.VIOLATED if excuse < 0 else Verdict.EXCUSED,
            table.log,
            place,
            keys,
            witnesses,
            partial(_message, table, edition, values),
            None if excuse < 0 else edition.exemptions[excuse].authority,
            texts[unmet],
        )
        yield place, number, check, False


def _message(table: Table, edition: core.Edition, values: Sequence[int]) -> str:
    words, left = [], zip(values[::3], values[1::3], values[2::3], strict=True)
    for part in edition.message:
        if part.value is None:
            words.append(part.text)
            continue
        above, below, state = next(left)
        words.append(quoted(table, part, above, below) if state == KNOWN else unrecorded(part))
    return "".join(words)
