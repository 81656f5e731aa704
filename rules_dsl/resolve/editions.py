"""Sorts a rule's clauses into its editions and checks their dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TypeVar

from rules_dsl import syntax
from rules_dsl.resolve.names import Desk

C = TypeVar("C", bound=syntax.Clause)
ALWAYS = date.min
FOREVER = date.max

# Clauses of which the edition's own replaces the one that all editions share.
_REPLACED = (
    syntax.Title,
    syntax.Cite,
    syntax.Severity,
    syntax.KindOf,
    syntax.ForEach,
    syntax.When,
    syntax.WhenEnds,
    syntax.Say,
    syntax.Remedy,
)


@dataclass(frozen=True)
class PlacedClause:
    """A clause, the file it stands in, and whether it comes from the rule's template."""

    clause: syntax.Clause
    file: int
    from_template: bool = False


@dataclass
class EditionClauses:
    """The clauses of one edition, the shared ones included."""

    since: date
    until: date
    label: str
    span: syntax.Span
    clauses: list[PlacedClause] = field(default_factory=list)

    def all_of(self, *kinds: type[C]) -> list[tuple[C, int]]:
        """The clauses of some kinds, in order, each with its file."""
        return [
            (placed.clause, placed.file)
            for placed in self.clauses
            if isinstance(placed.clause, kinds)
        ]

    def last_of(self, kind: type[C]) -> tuple[C, int] | None:
        found = self.all_of(kind)
        return found[-1] if found else None


def split(
    desk: Desk, rule: syntax.Rule, file: int, clauses: Sequence[PlacedClause]
) -> list[EditionClauses]:
    """The editions of a rule, in order of their dates."""
    shared: list[PlacedClause] = []
    editions: list[EditionClauses] = []
    for placed in clauses:
        clause = placed.clause
        if isinstance(clause, syntax.EditionStart):
            since, until = _dates(desk, clause.since, clause.until, placed.file, clause)
            editions.append(EditionClauses(since, until, clause.label, clause.span))
        elif editions:
            editions[-1].clauses.append(placed)
        else:
            shared.append(placed)
    in_force = [p for p in clauses if isinstance(p.clause, syntax.InForce)]
    if editions and in_force:
        desk.report(
            "edition-mix",
            "A rule has either `in force` or editions, not both.",
            in_force[0].file,
            in_force[0].clause.span,
            "give the dates in the editions",
        )
    if not editions:
        editions = [_single(desk, rule, in_force)]
        editions[0].clauses = shared
        _no_repeats(desk, editions[0].clauses)
        return editions
    _no_repeats(desk, shared)
    for edition in editions:
        _no_repeats(desk, edition.clauses)
        own = {type(placed.clause) for placed in edition.clauses}
        if own & {syntax.When, syntax.WhenEnds}:
            own |= {syntax.When, syntax.WhenEnds}
        kept = [
            p for p in shared if not (isinstance(p.clause, _REPLACED) and type(p.clause) in own)
        ]
        edition.clauses = kept + edition.clauses
    editions.sort(key=lambda edition: edition.since)
    _check_dates(desk, file, editions, [p for p in clauses])
    return editions


def _single(desk: Desk, rule: syntax.Rule, in_force: Sequence[PlacedClause]) -> EditionClauses:
    since, until = ALWAYS, FOREVER
    for placed in in_force[-1:]:
        clause = placed.clause
        assert isinstance(clause, syntax.InForce)
        since, until = _dates(desk, clause.since, clause.until, placed.file, clause)
    return EditionClauses(since, until, "", rule.span)


def _no_repeats(desk: Desk, clauses: Iterable[PlacedClause]) -> None:
    """A second `when` or title would silently win over the first: that is never meant."""
    seen: dict[type, bool] = {}
    for placed in clauses:
        clause = placed.clause
        kind = syntax.When if isinstance(clause, syntax.WhenEnds) else type(clause)
        if not isinstance(clause, (*_REPLACED, syntax.InForce)):
            continue
        # A rule made from a template may restate what the template says.
        if seen.get(kind) is placed.from_template:
            desk.report(
                "repeated-clause",
                "This clause stands in the rule a second time.",
                placed.file,
                clause.span,
                "keep one of them, or use `edition` for law that changed",
            )
        seen[kind] = placed.from_template


def _dates(
    desk: Desk, since: str, until: str | None, file: int, node: syntax.Node
) -> tuple[date, date]:
    first = read_date(desk, since, file, node) or ALWAYS
    last = FOREVER if until is None else read_date(desk, until, file, node) or FOREVER
    if last <= first:
        desk.report(
            "bad-date",
            f"The rule ends on {until}, which is not after {since}.",
            file,
            node.span,
            "the date after `until` is the first day on which it no longer holds",
        )
    return first, last


def read_date(desk: Desk, text: str, file: int, node: syntax.Node) -> date | None:
    """A date as it is written, or None when there is no such day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        desk.report("bad-date", f"There is no day `{text}`.", file, node.span)
        return None


def _check_dates(
    desk: Desk, file: int, editions: list[EditionClauses], clauses: Sequence[PlacedClause]
) -> None:
    pauses = []
    for placed in clauses:
        if isinstance(placed.clause, syntax.NotInForce):
            clause = placed.clause
            pauses.append(_dates(desk, clause.since, clause.until, placed.file, clause))
    for before, after in zip(editions, editions[1:], strict=False):
        if before.until > after.since:
            end = "has no end" if before.until == FOREVER else f"lasts until {before.until}"
            desk.report(
                "overlapping-editions",
                f"This edition begins on {after.since}, but the one before it {end}.",
                file,
                after.span,
                f"let the earlier one end: `until {after.since}`",
            )
        elif before.until < after.since and (before.until, after.since) not in pauses:
            desk.report(
                "gap-in-editions",
                f"From {before.until} to {after.since} no edition is in force.",
                file,
                after.span,
                f"close the gap, or write `not in force from {before.until} "
                f'until {after.since} "why"`',
            )
