"""Sorts a rule's clauses into its editions and checks their dates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date
from itertools import pairwise
from typing import TypeVar, overload

from rules_dsl import syntax
from rules_dsl.resolve.names import Desk

C = TypeVar("C", bound=syntax.Clause)
D = TypeVar("D", bound=syntax.Clause)
E = TypeVar("E", bound=syntax.Clause)
ALWAYS = date.min
FOREVER = date.max

# Clauses of which the edition's own replaces the one that all editions share.
_REPLACED: dict[type[syntax.Clause], str] = {
    syntax.Title: "The title",
    syntax.Cite: "`cite`",
    syntax.Severity: "`severity`",
    syntax.KindOf: "`kind`",
    syntax.ForEach: "`for each`",
    syntax.When: "`when`",
    syntax.WhenEnds: "`when`",
    syntax.Say: "`otherwise say`",
    syntax.Remedy: "`remedy`",
}
_ONCE: dict[type[syntax.Clause], str] = {**_REPLACED, syntax.InForce: "`in force`"}


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
    file: int
    clauses: list[PlacedClause] = field(default_factory=list)
    ended: str = ""
    """The chapter that ended it, where it did not end before."""

    @overload
    def all_of(self, kind: type[C], /) -> list[tuple[C, int]]: ...
    @overload
    def all_of(self, kind: type[C], other: type[D], /) -> list[tuple[C | D, int]]: ...
    @overload
    def all_of(
        self, kind: type[C], other: type[D], third: type[E], /
    ) -> list[tuple[C | D | E, int]]: ...
    def all_of(self, *kinds: type[syntax.Clause]) -> list[tuple[syntax.Clause, int]]:  # type: ignore[misc]
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
    before = len(desk.diagnostics)
    shared: list[PlacedClause] = []
    editions: list[EditionClauses] = []
    for placed in clauses:
        clause = placed.clause
        if isinstance(clause, syntax.EditionStart):
            since, until = _dates(desk, clause.since, clause.until, placed.file, clause)
            editions.append(EditionClauses(since, until, clause.label, clause.span, placed.file))
        elif editions:
            editions[-1].clauses.append(placed)
        else:
            shared.append(placed)
    in_force = [(p.clause, p.file) for p in clauses if isinstance(p.clause, syntax.InForce)]
    if not editions:
        editions = [_single(desk, rule, file, in_force)]
        editions[0].clauses = shared
        _no_repeats(desk, shared)
        _no_pauses(desk, clauses)
        return editions
    if in_force:
        desk.report(
            "edition-mix",
            "A rule has either `in force` or editions, not both.",
            in_force[0][1],
            in_force[0][0].span,
            "give the dates in the editions",
        )
    _no_repeats(desk, shared)
    for edition in editions:
        _no_repeats(desk, edition.clauses)
        own = {type(placed.clause) for placed in edition.clauses}
        if own & {syntax.When, syntax.WhenEnds}:
            own |= {syntax.When, syntax.WhenEnds}
        kept = [p for p in shared if type(p.clause) not in _REPLACED or type(p.clause) not in own]
        edition.clauses = kept + edition.clauses
    editions.sort(key=lambda edition: edition.since)
    pauses = _pauses(desk, clauses)
    if len(desk.diagnostics) == before:
        # Only sound dates can be held against each other.
        _check_dates(desk, editions, pauses)
    return editions


def _single(
    desk: Desk, rule: syntax.Rule, file: int, in_force: Sequence[tuple[syntax.InForce, int]]
) -> EditionClauses:
    since, until = ALWAYS, FOREVER
    for clause, home in in_force[-1:]:
        since, until = _dates(desk, clause.since, clause.until, home, clause)
    return EditionClauses(since, until, "", rule.span, file)


def _no_repeats(desk: Desk, clauses: Iterable[PlacedClause]) -> None:
    """A second `when` or title would silently win over the first: that is never meant."""
    seen: set[tuple[str, bool]] = set()
    for placed in clauses:
        what = _ONCE.get(type(placed.clause))
        if what is None:
            continue
        # A rule made from a template may restate what the template says.
        key = (what, placed.from_template)
        if key in seen:
            desk.report(
                "repeated-clause",
                f"{what} stands in this rule a second time.",
                placed.file,
                placed.clause.span,
                "keep one of the two, or use `edition` for law that changed",
            )
        seen.add(key)


# ---- dates ---------------------------------------------------------------------------------


def _dates(
    desk: Desk, since: str, until: str | None, file: int, node: syntax.Node
) -> tuple[date, date]:
    first = read_date(desk, since, file, node) or ALWAYS
    last = FOREVER if until is None else read_date(desk, until, file, node) or FOREVER
    if last <= first:
        desk.report(
            "bad-date",
            f"{until} is not after {since}.",
            file,
            desk.spot(file, node.span, until or "", after="until"),
            "the date after `until` is the first day on which it no longer holds",
        )
        last = FOREVER
    return first, last


def read_date(desk: Desk, text: str, file: int, node: syntax.Node) -> date | None:
    """A date as it is written, or None when there is no such day."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        span = desk.spot(file, node.span, text)
        desk.report("bad-date", f"There is no day `{text}`.", file, span, "check month and day")
        return None


Pause = tuple[date, date, PlacedClause]


def _no_pauses(desk: Desk, clauses: Iterable[PlacedClause]) -> None:
    for placed in clauses:
        if isinstance(placed.clause, syntax.NotInForce):
            desk.report(
                "edition-mix",
                "`not in force` speaks of the time between two editions, and this rule has none.",
                placed.file,
                desk.spot(placed.file, placed.clause.span, "not in force"),
                "write one `edition from ... until ...` before the break and one after it",
            )


def _pauses(desk: Desk, clauses: Iterable[PlacedClause]) -> list[Pause]:
    pauses = []
    for placed in clauses:
        clause = placed.clause
        if isinstance(clause, syntax.NotInForce):
            first, last = _dates(desk, clause.since, clause.until, placed.file, clause)
            pauses.append((first, last, placed))
    return pauses


def _check_dates(desk: Desk, editions: list[EditionClauses], pauses: Sequence[Pause]) -> None:
    gaps = set()
    announced = {(first, last) for first, last, _ in pauses}
    for before, after in pairwise(editions):
        if before.until > after.since:
            end = "has no end" if before.until == FOREVER else f"lasts until {before.until}"
            desk.report(
                "overlapping-editions",
                f"This edition begins on {after.since}, but the one before it {end}.",
                after.file,
                after.span,
                f"let the earlier one end: `until {after.since}`",
            )
        elif before.until < after.since:
            gaps.add((before.until, after.since))
            if (before.until, after.since) not in announced:
                desk.report(
                    "gap-in-editions",
                    f"From {before.until} to {after.since} no edition is in force.",
                    after.file,
                    after.span,
                    f"close the gap, or write `not in force from {before.until} "
                    f'until {after.since} "why"`',
                )
    for first, last, placed in pauses:
        if (first, last) not in gaps:
            desk.report(
                "gap-in-editions",
                f"There is no gap between two editions from {first} to {last}.",
                placed.file,
                placed.clause.span,
                "give the day on which one edition ends and the day on which the next begins",
            )
