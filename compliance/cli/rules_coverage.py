"""`compliance rules coverage`: every clause of the law against the rules that cover it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from compliance.api.opening import RulePath, open_rules, open_schema
from compliance.api.refusal import Refused, unknown
from compliance.cli.screen import Column, Screen, Styled
from event_schemas import did_you_mean
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl import core
from rules_dsl.clauses import Clause


@dataclass(frozen=True)
class CoverageRequest:
    """What of the clause map is asked for."""

    paths: Sequence[RulePath]
    schema: Path | None = None
    game: str | None = None
    section: str | None = None
    text: str | None = None
    missing: bool = False
    mutated: bool = False
    sample: bool = False
    form: str = "text"


@dataclass(frozen=True)
class Tally:
    """How many clauses there are, and what stands behind them."""

    clauses: int
    full: int
    partial: int
    nominal: int
    reasons: int
    uncovered: int

    @classmethod
    def of(cls, clauses: Iterable[Clause]) -> Tally:
        """Count the clauses, each once however many texts print it."""
        covers: list[str] = [clause.level or clause.cover for clause in clauses]
        words = ("full", "partial", "nominal", "reason", "uncovered")
        return cls(len(covers), *(covers.count(word) for word in words))

    @property
    def covered(self) -> int:
        """Clauses that a rule looks at, in full, in part or in name only."""
        return self.full + self.partial + self.nominal

    @property
    def checkable(self) -> int:
        """Clauses that a log can show: all but those with a reason."""
        return self.covered + self.uncovered

    def as_dict(self) -> dict[str, int]:
        return {
            "clauses": self.clauses,
            "checkable": self.checkable,
            "covered": self.covered,
            "full": self.full,
            "partial": self.partial,
            "nominal": self.nominal,
            "reasons": self.reasons,
            "uncovered": self.uncovered,
        }


def cover_clauses(request: CoverageRequest) -> int:
    """Print the map by section; clauses with neither rule nor reason make it fail."""
    schema = open_schema(request.schema)
    rulebook = open_rules(request.paths, schema).rulebook
    chosen = sorted(_chosen(rulebook, request), key=_reading_order)
    if request.mutated:
        from compliance.cli.mutated_coverage import MutatedRequest, cover_by_mutated_nights

        asked = MutatedRequest(rulebook, schema, chosen, request.sample, request.form)
        return cover_by_mutated_nights(asked)
    total = Tally.of(chosen)
    screen = Screen()
    if request.form == "json":
        screen.json(_data(rulebook, chosen, request.missing))
    else:
        _show(screen, chosen, total, request.missing)
    return ExitCode.VIOLATIONS if total.uncovered else ExitCode.CLEAN


# ---- choosing ------------------------------------------------------------------------------


def _chosen(rulebook: core.Rulebook, request: CoverageRequest) -> list[Clause]:
    clauses = rulebook.clauses
    if not clauses:
        raise Refused(
            "This rulebook has no clause map.",
            hint="docs/clauses.md says how one is written.",
        )
    see = "`compliance rules coverage`"
    for what, word, known in (
        ("game", request.game, {clause.game for clause in clauses}),
        ("section", request.section, {clause.section for clause in clauses}),
        ("text", request.text, {text.key for text in rulebook.texts}),
    ):
        if word is not None and word not in known:
            raise unknown(what, word, did_you_mean(word, sorted(known)), see)
    return [
        clause
        for clause in clauses
        if request.game in (None, clause.game)
        and request.section in (None, clause.section)
        and (request.text is None or request.text in clause.texts)
    ]


def _reading_order(clause: Clause) -> tuple[tuple[tuple[int, str], ...], str]:
    """Sections in the order of their numbers, not of their letters."""
    parts = re.findall(r"\d+|\D+", clause.section)
    # The order of the rows inside a section stays as it is in the files.
    return tuple((int(p), "") if p.isdigit() else (0, p) for p in parts), clause.game


# ---- showing -------------------------------------------------------------------------------

_SHORT_LIST = 30
"""So many clauses without cover are listed even when nobody asks."""
_NUMBERS = tuple(
    Column(title, right=True)
    for title in ("clauses", "checkable", "full", "partial", "nominal", "reason", "lacking")
)


def _show(screen: Screen, chosen: Sequence[Clause], total: Tally, missing: bool) -> None:
    """What lacks a rule comes first, so that the sums stay in sight at the end."""
    lacking = [clause for clause in chosen if clause.cover == "uncovered"]
    if lacking and (missing or len(lacking) <= _SHORT_LIST):
        screen.line(Styled("Neither rule nor reason", "bold"))
        for clause in lacking:
            screen.line(
                Styled(clause.clause, "cyan"),
                Styled(f" [{', '.join(clause.texts)}] ", "dim"),
                clause.says,
                indent=2,
            )
        screen.line()
    by_game = {game: list(held) for game, held in groupby(sorted(chosen, key=_game), key=_game)}
    for game, clauses in by_game.items():
        if missing and not Tally.of(clauses).uncovered:
            continue
        screen.line(Styled(_spoken(game), "bold"))
        _sections(screen, clauses, missing)
        screen.line()
    if len(by_game) > 1:
        tallies = [(_spoken(game), Tally.of(held)) for game, held in by_game.items()]
        rows = [_row([name], tally) for name, tally in tallies]
        screen.table((Column("game", names=True), *_NUMBERS), [*rows, _row(["all"], total)])
        screen.line()
    mark = Styled("✗ ", "bold red") if total.uncovered else Styled("✓ ", "bold green")
    screen.line(
        mark,
        f"{counted(total.clauses, 'clause')}: {total.covered:,} of {total.checkable:,} that a log"
        f" can show have a rule; {total.reasons:,} have a reason; {total.uncovered:,} lack both.",
    )
    screen.line(
        f"Of those with a rule {total.full:,} are covered in full, {total.partial:,} in part and"
        f" {total.nominal:,} in name only: --format json says what escapes.",
        indent=2,
    )
    if len(lacking) > _SHORT_LIST and not missing:
        screen.line("With --missing they are listed.", indent=2)


def _game(clause: Clause) -> str:
    return clause.game


def _spoken(game: str) -> str:
    return game.replace("_", " ").capitalize()


def _sections(screen: Screen, clauses: Sequence[Clause], missing: bool) -> None:
    rows = []
    for section, group in groupby(clauses, key=lambda clause: clause.section):
        held = list(group)
        tally = Tally.of(held)
        if tally.uncovered or not missing:
            rows.append(_row([section, held[-1].title], tally))
    columns = (Column("section", names=True), Column("subject", wraps=True), *_NUMBERS)
    screen.table(columns, [*rows, _row(["all", ""], Tally.of(clauses))])


def _row(names: Sequence[str], tally: Tally) -> tuple[Styled | str, ...]:
    return (
        Styled(names[0], "bold" if names[0] == "all" else "cyan"),
        *names[1:],
        str(tally.clauses),
        str(tally.checkable),
        str(tally.full),
        str(tally.partial),
        str(tally.nominal),
        str(tally.reasons),
        Styled(str(tally.uncovered), "bold red" if tally.uncovered else "green"),
    )


def _data(rulebook: core.Rulebook, chosen: Sequence[Clause], missing: bool) -> dict[str, object]:
    sections = [
        (key, list(group))
        for key, group in groupby(chosen, key=lambda clause: (clause.section, clause.game))
    ]
    return {
        "schema_version": "1",
        "rulebook": rulebook.title,
        "texts": [
            {"key": text.key, "source": text.source, "what": text.what} for text in rulebook.texts
        ],
        **Tally.of(chosen).as_dict(),
        "sections": [
            {"section": section, "game": game, "title": held[-1].title, **Tally.of(held).as_dict()}
            for (section, game), held in sections
        ],
        "rows": [
            {
                "clause": clause.clause,
                "texts": list(clause.texts),
                "game": clause.game,
                "says": clause.says,
                "kind": clause.kind,
                "cover": clause.cover,
                "level": clause.level,
                "escapes": clause.escapes,
                "rules": list(clause.rules),
                "reason": clause.reason,
                "why": clause.why,
                "note": clause.note,
                "from": clause.since,
                "until": clause.until,
            }
            for clause in chosen
            if not missing or clause.cover == "uncovered"
        ],
    }
