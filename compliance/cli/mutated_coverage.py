"""`compliance rules coverage --mutated`: which breaches, made by machine, no rule finds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from compliance.cli.screen import Column, Screen, Styled
from compliance.mutated_nights.clause_table import (
    NOT_TRIED,
    ClauseRow,
    Escape,
    MutatedCoverage,
    mutated_coverage,
)
from compliance.mutated_nights.expected import expected
from compliance.mutated_nights.mutation import KINDS
from compliance.mutated_nights.nights import all_nights, sampled_nights
from compliance.mutated_nights.outcomes import LAWFUL_REASONS, OUTCOMES
from compliance.mutated_nights.trial import try_rules
from compliance.table_check.settings import Settings
from event_schemas import Schema
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl import core
from rules_dsl.clauses import Clause
from rules_dsl.clauses.model import ANY_TABLE

_HEADS: Final = {
    "never settled": "unpaid",
    "given back": "back",
    "omitted": "omit",
    "delayed": "late",
    "swapped": "order",
    "twice": "twice",
    "other amount": "amount",
    "other seat": "seat",
    "other role": "role",
    "other word": "word",
    "other value": "value",
    "other option": "option",
}
_MARKS: Final = {
    "found": Styled("✓", "green"),
    "elsewhere": Styled("+", "green"),
    "doubt": Styled("?", "yellow"),
    "lawful": Styled("-", "dim"),
    "escaped": Styled("✗", "bold red"),
    NOT_TRIED: Styled("·", "dim"),
}
_MEANINGS: Final = (
    "✓ found by a rule of the clause   + found by a rule of another clause   ? put in doubt",
    "- lawful   ✗ some escape   · not tried",
)


@dataclass(frozen=True)
class MutatedRequest:
    """What of the mutated nights is asked for."""

    rulebook: core.Rulebook
    schema: Schema
    clauses: Sequence[Clause]
    sample: bool
    """Only the few nights that every test run looks at."""
    form: str


def cover_by_mutated_nights(request: MutatedRequest) -> int:
    """Spoil lawful nights, print what came of it; an escape without a reason makes it fail."""
    games = {clause.game for clause in request.clauses}
    nights = sampled_nights() if request.sample else all_nights()
    plans = (plan for plan in nights if plan.place.game in games or ANY_TABLE in games)
    rules = {name for clause in request.clauses for name in clause.rules}
    found = try_rules(Settings(request.rulebook, request.schema), rules, plans)
    coverage = mutated_coverage(request.clauses, found, expected())
    screen = Screen()
    if request.form == "json":
        screen.json(mutated_data(request.rulebook, coverage))
    else:
        _show(screen, coverage)
    return ExitCode.VIOLATIONS if coverage.unexplained else ExitCode.CLEAN


def _show(screen: Screen, coverage: MutatedCoverage) -> None:
    tried = [row for row in coverage.rows if row.cells]
    columns = (Column("clause", names=True), *(Column(_HEADS[kind]) for kind in KINDS))
    for game, group in groupby(sorted(tried, key=_game), key=_game):
        screen.line(Styled(game.replace("_", " ").capitalize(), "bold"))
        screen.table(
            columns,
            [
                (Styled(row.clause.clause, "cyan"), *(_MARKS[row.mark(kind)] for kind in KINDS))
                for row in group
            ],
        )
        screen.line()
    for line in _MEANINGS:
        screen.line(line)
    screen.line()
    screen.table(
        (Column("mutation", names=True), *(Column(word, right=True) for word in OUTCOMES)),
        [
            (
                kind,
                *(
                    f"{sum(row.cells[kind][word] for row in tried if kind in row.cells):,}"
                    for word in OUTCOMES
                ),
            )
            for kind in KINDS
        ],
    )
    screen.line()
    for reason, number in coverage.reasons.items():
        screen.line(f"{number:,} lawful: ", LAWFUL_REASONS[reason])
    for title, listed in (
        ("Breaches that the rules are known to miss", _known(coverage)),
        ("Escapes without a reason", coverage.unexplained),
    ):
        if listed:
            screen.line()
            screen.line(Styled(title, "bold"))
            for escape in listed:
                _show_escape(screen, escape)
    screen.line()
    bad = len(coverage.unexplained)
    screen.line(
        Styled("✗ ", "bold red") if bad else Styled("✓ ", "bold green"),
        f"{counted(coverage.mutants, 'mutation')} of {counted(len(tried), 'clause')};"
        f" {len(coverage.rows) - len(tried):,} with rules were not tried;"
        f" {counted(bad, 'escape')} without a reason.",
    )


def _known(coverage: MutatedCoverage) -> list[Escape]:
    return [item for item in coverage.escapes if item.known and item.known.is_ == "hole"]


def _show_escape(screen: Screen, escape: Escape) -> None:
    screen.line(
        Styled(str(escape.subject), "cyan"),
        f" ({escape.escaped:,} of {escape.tried:,}; {', '.join(escape.clauses[:3])}"
        f"{' ...' if len(escape.clauses) > 3 else ''})",
        indent=2,
    )
    screen.line(escape.known.why if escape.known else escape.example, indent=4)


def mutated_data(rulebook: core.Rulebook, coverage: MutatedCoverage) -> dict[str, object]:
    """What came of the mutations, in the keys that docs/command-line.md lists."""
    return {
        "schema_version": "1",
        "rulebook": rulebook.title,
        "mutations": coverage.mutants,
        "unexplained": len(coverage.unexplained),
        "games": [{"game": game, "found": number} for game, number in coverage.found_cells.items()],
        "lawful": [
            {"reason": LAWFUL_REASONS[reason], "mutations": number}
            for reason, number in coverage.reasons.items()
        ],
        "rows": [_row(row) for row in coverage.rows],
        "escapes": [
            {
                "rule": escape.subject.rule,
                "mutation": escape.subject.kind,
                "event": escape.subject.event,
                "field": escape.subject.field,
                "clauses": list(escape.clauses),
                "escaped": escape.escaped,
                "tried": escape.tried,
                "example": escape.example,
                "is": escape.known.is_ if escape.known else None,
                "why": escape.known.why if escape.known else None,
            }
            for escape in coverage.escapes
        ],
    }


def _row(row: ClauseRow) -> dict[str, object]:
    return {
        "clause": row.clause.clause,
        "texts": list(row.clause.texts),
        "game": row.clause.game,
        "mutations": [
            {"mutation": kind, "outcome": row.mark(kind)}
            | {word: row.cells[kind][word] if kind in row.cells else 0 for word in OUTCOMES}
            for kind in KINDS
        ],
    }


def _game(row: ClauseRow) -> str:
    return row.clause.game
