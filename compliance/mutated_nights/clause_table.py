"""The table of mutated nights: for each clause and each kind of mutation, what came of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from compliance.mutated_nights.expected import Expected, Explained
from compliance.mutated_nights.mutation import KINDS
from compliance.mutated_nights.outcomes import (
    DOUBT,
    ELSEWHERE,
    ESCAPED,
    FOUND,
    LAWFUL,
    Mutant,
    Subject,
)
from rules_dsl.clauses import Clause

NOT_TRIED: Final = "not tried"
_WORST_FIRST: Final = (ESCAPED, FOUND, ELSEWHERE, DOUBT, LAWFUL)
"""A cell in which anything escapes has escaped; otherwise it says the best that can be said."""


@dataclass
class ClauseRow:
    """One clause, and how many of its mutations of each kind came to what."""

    clause: Clause
    cells: dict[str, Counter[str]] = field(default_factory=dict)

    def mark(self, kind: str) -> str:
        """What is said of one kind of mutation."""
        counted = self.cells.get(kind, Counter())
        return next((word for word in _WORST_FIRST if counted[word]), NOT_TRIED)

    @property
    def total(self) -> Counter[str]:
        """All kinds together."""
        return sum(self.cells.values(), Counter())


@dataclass
class Escape:
    """Mutations of one subject of which some are found by nobody."""

    subject: Subject
    known: Explained | None
    clauses: tuple[str, ...]
    escaped: int = 0
    tried: int = 0
    example: str = ""


@dataclass(frozen=True)
class MutatedCoverage:
    """What mutated nights show of a rulebook."""

    rows: tuple[ClauseRow, ...]
    escapes: tuple[Escape, ...]
    """The most serious kinds first."""
    reasons: Mapping[str, int]
    """How many mutations are lawful for each general reason."""
    mutants: int

    @property
    def unexplained(self) -> tuple[Escape, ...]:
        """Escapes that nobody has given a reason for."""
        return tuple(escape for escape in self.escapes if escape.known is None)

    @property
    def found_cells(self) -> dict[str, int]:
        """By game: in how many cells every breach is found by a rule of the clause."""
        return dict(
            sorted(
                Counter(
                    row.clause.game
                    for row in self.rows
                    for kind in KINDS
                    if row.mark(kind) == FOUND
                ).items()
            )
        )


def mutated_coverage(
    clauses: Iterable[Clause], mutants: Iterable[Mutant], known: Expected
) -> MutatedCoverage:
    """Count what came of every mutant, for every clause that its rule covers."""
    rows = [ClauseRow(clause) for clause in clauses if clause.rules]
    of_rule: dict[str, list[ClauseRow]] = {}
    for row in rows:
        for rule in row.clause.rules:
            of_rule.setdefault(rule, []).append(row)
    reasons: Counter[str] = Counter()
    subjects: dict[Subject, Escape] = {}
    number = 0
    for mutant in mutants:
        subject = mutant.subject
        concerned = of_rule.get(subject.rule, ())
        if not concerned:
            continue
        number += 1
        told = subjects.get(subject)
        if told is None:
            names = tuple(dict.fromkeys(row.clause.clause for row in concerned))
            told = subjects[subject] = Escape(subject, known.explanation(subject), names)
        told.tried += 1
        for row in concerned:
            outcome = mutant.outcome(row.clause.rules)
            if outcome == ESCAPED and told.known is not None and told.known.is_ == "lawful":
                outcome = LAWFUL
            row.cells.setdefault(subject.kind, Counter())[outcome] += 1
        if mutant.outcome(()) == ESCAPED:
            told.escaped += 1
            told.example = told.example or mutant.described
        elif mutant.outcome(()) == LAWFUL:
            reasons[mutant.reason] += 1
    escapes = sorted(
        (item for item in subjects.values() if item.escaped),
        key=lambda item: (KINDS.index(item.subject.kind), str(item.subject)),
    )
    return MutatedCoverage(tuple(rows), tuple(escapes), dict(reasons.most_common()), number)


def unused(coverage: MutatedCoverage, known: Expected) -> Iterator[Explained]:
    """Reasons that no escape needs any more."""
    needed = [escape.known for escape in coverage.escapes]
    return (item for item in known.escapes if item not in needed)
