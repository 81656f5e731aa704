"""States for every clause of the law what a run shows about it, so that each can be signed.

A clause with several rules gets the verdict that says the least in its favour:

1. violated: some rule was broken;
2. undetermined, then open: some check could not be decided, or not yet;
3. not evaluable: some rule could not be applied to this source, so part of the clause is unproven;
4. complied: every rule that was applied held, and at least one check complied;
5. excused: every check was excused by an exception of the law;
6. not exercised: nothing happened to which the clause applies;
7. not played: the game that it is about is not played at these tables;
8. not in force: no rule of it was law on the days of the log.

Nobody could sign "complied" while one of the rules could not be looked at, so 3 comes before 4;
what never happened takes nothing away from what did, so 6 comes after.

One rule may stand for several clauses, and its checks are then told under each of them. Their
statements say so, because a breach need not be one of all of them: the findings show what happened.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from reports.model import ClauseStatement, RuleOutcome, Scope
from reports.verdicts import ClauseStatus, RuleStatus
from reports.wording import counted
from rules_dsl import core
from rules_dsl.clauses import Clause
from rules_dsl.clauses.force import Force, chapter_of, force, holds, is_proposed
from rules_dsl.clauses.model import ANY_TABLE

_LEAST_IN_FAVOUR_FIRST = (
    RuleStatus.VIOLATED,
    RuleStatus.UNDETERMINED,
    RuleStatus.OPEN,
    RuleStatus.NOT_EVALUABLE,
    RuleStatus.COMPLIED,
    RuleStatus.EXCUSED,
    RuleStatus.NOT_EXERCISED,
    RuleStatus.NOT_PLAYED,
    RuleStatus.NOT_IN_FORCE,
)
_PLAIN_REASONS = {
    RuleStatus.NOT_EXERCISED: "nothing happened to which it applies",
    RuleStatus.NOT_EVALUABLE: "the source does not record what it needs",
    RuleStatus.NOT_PLAYED: "the game was not played",
    RuleStatus.NOT_IN_FORCE: "no rule of it was law on the days of the log",
}


def clause_statements(
    rulebook: core.Rulebook,
    outcomes: Iterable[RuleOutcome],
    scope: Scope,
    games: Collection[str] | None = None,
    readings: Mapping[str, str] | None = None,
) -> tuple[ClauseStatement, ...]:
    """One statement for each clause of the rulebook's map, in its order.

    With the `games` that were played, clauses of other games are not played here whatever else the
    rules that they share with played games found. A proposal is law only by its reading.
    """
    by_rule = {outcome.rule: outcome for outcome in outcomes}
    law = _Law(rulebook, scope, readings)
    not_law = [law.why_not(clause, days) for clause, days in law.dated]
    sharing: dict[tuple[str, str], set[int]] = {}
    for index, (clause, reason) in enumerate(zip(rulebook.clauses, not_law, strict=True)):
        if not reason:
            for rule in clause.rules:
                sharing.setdefault((rule, clause.game), set()).add(index)
    return tuple(
        _statement(
            clause,
            reason,
            by_rule,
            games,
            len(set().union(*(sharing.get((rule, clause.game), ()) for rule in clause.rules))) - 1,
        )
        for clause, reason in zip(rulebook.clauses, not_law, strict=True)
    )


class _Law:
    """Which clauses were law on the days of a log."""

    def __init__(
        self, rulebook: core.Rulebook, scope: Scope, readings: Mapping[str, str] | None
    ) -> None:
        zone = ZoneInfo(rulebook.time_zone)
        self.log = _day(scope.first, zone), _day(scope.last, zone)
        if rulebook.law_of is not None:
            self.log = rulebook.law_of, rulebook.law_of
        self.readings = readings or {}
        self.texts = {text.key: text for text in rulebook.texts}
        self.chapters = {item.citation.rpartition(" ")[2]: item for item in rulebook.chapters}
        ends = {number: chapter.until for number, chapter in self.chapters.items()}
        days = force(rulebook.clauses, rulebook.texts, ends)
        self.dated = list(zip(rulebook.clauses, days, strict=True))

    def why_not(self, clause: Clause, days: Force) -> str:
        """Why a clause was not law on any day of the log; empty where it was."""
        if is_proposed(clause, self.texts) and not any(map(self._is_law, clause.texts)):
            return "only proposed: no text at hand shows that it became law"
        if holds(days, *self.log):
            return ""
        since, until = days
        chapter = self.chapters.get(chapter_of(clause, self.chapters) or "")
        ended = f"; {chapter.told}" if chapter is not None and until == chapter.until else ""
        parts = [f"from {since}" if since else "", f"until {until}" if until else ""]
        return "law only " + " ".join(part for part in parts if part) + ended

    def _is_law(self, text: str) -> bool:
        chosen = self.texts[text].law_by
        return chosen is None or self.readings.get(chosen[0]) == chosen[1]


def _day(moment: datetime | None, zone: ZoneInfo) -> str | None:
    return moment.astimezone(zone).date().isoformat() if moment else None


def _statement(
    clause: Clause,
    not_law: str,
    by_rule: dict[str, RuleOutcome],
    games: Collection[str] | None,
    shared_with: int,
) -> ClauseStatement:
    checks = 0
    if not_law:
        status, reason = ClauseStatus.NOT_IN_FORCE, not_law
    elif clause.reason:
        status, reason = ClauseStatus.NOT_OBSERVABLE, clause.why
    elif not clause.rules:
        status, reason = ClauseStatus.NOT_COVERED, "no rule looks at it"
    elif games is not None and clause.game not in (*games, ANY_TABLE):
        status, reason = ClauseStatus.NOT_PLAYED, _PLAIN_REASONS[RuleStatus.NOT_PLAYED]
    else:
        found = [by_rule[name] for name in clause.rules if name in by_rule]
        status, reason = _summed(found, len(clause.rules) - len(found))
        checks = sum(outcome.counts.total for outcome in found)
        if checks and not reason and shared_with > 0:
            reason = f"checked together with {counted(shared_with, 'other clause')}"
            if status is ClauseStatus.VIOLATED:
                reason += ": the findings show which of them was broken"
    return ClauseStatement(
        clause=clause.clause,
        texts=clause.texts,
        game=clause.game,
        section=f"{clause.section} {clause.title}",
        says=clause.says,
        status=status,
        checks=checks,
        rules=clause.rules,
        reason=reason,
    )


def _summed(found: Sequence[RuleOutcome], left_out: int) -> tuple[ClauseStatus, str]:
    """The status that says the least in favour of a clause, and why, where it says nothing."""
    held = {outcome.status for outcome in found}
    worst = next((status for status in _LEAST_IN_FAVOUR_FIRST if status in held), None)
    if left_out and worst not in (RuleStatus.VIOLATED, RuleStatus.UNDETERMINED, RuleStatus.OPEN):
        return ClauseStatus.NOT_EVALUABLE, "not all of its rules were applied in this run"
    assert worst is not None  # a clause without outcomes has left all its rules out
    if worst not in _PLAIN_REASONS:
        return ClauseStatus(worst.value), ""
    told = [outcome for outcome in found if outcome.status is worst]
    reasons = dict.fromkeys(outcome.reason for outcome in told if outcome.reason)
    reason = "; ".join(reasons) or _PLAIN_REASONS[worst]
    return ClauseStatus(worst.value), reason
