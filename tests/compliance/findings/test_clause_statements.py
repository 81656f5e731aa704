"""The statement of compliance: one line for every clause, no better than its rules allow."""

from __future__ import annotations

from datetime import datetime

import pytest

from compliance.findings.clause_statements import clause_statements
from reports.model import ClauseStatement, Counts, RuleOutcome, Scope
from reports.verdicts import ClauseStatus, RuleStatus, Severity, Verdict
from rules_dsl import core
from rules_dsl.clauses import Clause, Text

TEXT = Text("2010", "003.txt", "", "2010-06-01")
NIGHT = Scope(
    first=datetime.fromisoformat("2012-03-10T20:00:00-05:00"),
    last=datetime.fromisoformat("2012-03-11T04:00:00-04:00"),
)


def clause(
    *rules: str,
    reason: str = "",
    since: str | None = None,
    until: str | None = None,
    game: str = "blackjack",
    escapes: str = "",
) -> Clause:
    return Clause(
        "19:47-2.6(c)#1",
        ("2010",),
        "19:47-2.6",
        "Dealing",
        game,
        "Burn a card.",
        "duty",
        rules,
        reason,
        "It is never seen." if reason else "",
        since=since,
        until=until,
        limit="partial" if escapes else "",
        escapes=escapes,
    )


def outcome(rule: str, status: RuleStatus, reason: str = "", checks: int = 3) -> RuleOutcome:
    judged = status.value in set(Verdict)
    return RuleOutcome(
        rule=rule,
        title="A rule.",
        severity=Severity.MAJOR,
        status=status,
        reason=reason,
        counts=Counts.of({Verdict(status.value): checks}) if judged else Counts(),
    )


def stated(
    one: Clause,
    *outcomes: RuleOutcome,
    scope: Scope = NIGHT,
    games: tuple[str, ...] | None = None,
) -> ClauseStatement:
    book = core.Rulebook(
        "Rules", "America/New_York", "", (), {}, {}, {}, {}, {}, (), (TEXT,), (one,)
    )
    (statement,) = clause_statements(book, outcomes, scope, games)
    return statement


def test_a_statement_says_what_the_clause_is_and_how_often_it_was_checked() -> None:
    statement = stated(
        clause("a", "b"),
        outcome("a", RuleStatus.COMPLIED),
        outcome("b", RuleStatus.COMPLIED, checks=4),
        outcome("c", RuleStatus.VIOLATED),
    )
    assert statement == ClauseStatement(
        clause="19:47-2.6(c)#1",
        texts=("2010",),
        game="blackjack",
        section="19:47-2.6 Dealing",
        says="Burn a card.",
        status=ClauseStatus.COMPLIED,
        checks=7,
        rules=("a", "b"),
        level="full",
    )


LEAST_IN_FAVOUR_FIRST = [
    "violated",
    "undetermined",
    "open",
    "not_evaluable",
    "complied",
    "excused",
    "not_exercised",
    "not_in_force",
]


@pytest.mark.parametrize(
    ("worse", "better"),
    [
        (worse, better)
        for index, worse in enumerate(LEAST_IN_FAVOUR_FIRST)
        for better in LEAST_IN_FAVOUR_FIRST[index:]
    ],
)
def test_of_two_rules_the_one_that_says_less_in_favour_decides(worse: str, better: str) -> None:
    two = (outcome("a", RuleStatus(better)), outcome("b", RuleStatus(worse)))
    assert stated(clause("a", "b"), *two).status.value == worse


def test_clauses_that_share_a_rule_say_that_their_checks_are_the_same() -> None:
    one, other = clause("a"), clause("a", game="blackjack")
    book = core.Rulebook(
        "Rules", "America/New_York", "", (), {}, {}, {}, {}, {}, (), (TEXT,), (one, other)
    )
    reasons = {
        status: clause_statements(book, [outcome("a", RuleStatus(status))], NIGHT)[0].reason
        for status in ("complied", "violated")
    }
    assert reasons == {
        "complied": "checked together with 1 other clause",
        "violated": "checked together with 1 other clause: the findings show which of them was"
        " broken",
    }


def test_the_reason_of_a_rule_that_was_not_evaluable_is_passed_on() -> None:
    found = outcome("a", RuleStatus.NOT_EVALUABLE, "no card_burned is recorded")
    assert stated(clause("a"), found).reason == "no card_burned is recorded"


def test_a_clause_that_was_not_exercised_says_so_in_words() -> None:
    statement = stated(clause("a"), outcome("a", RuleStatus.NOT_EXERCISED))
    assert statement.reason == "nothing happened to which it applies"


def test_a_clause_that_no_log_can_show_is_not_observable() -> None:
    statement = stated(clause(reason="definition"))
    assert (statement.status.value, statement.reason) == ("not_observable", "It is never seen.")


def test_a_clause_without_rule_and_reason_is_not_covered() -> None:
    assert stated(clause()).status is ClauseStatus.NOT_COVERED


def test_a_clause_with_a_rule_that_was_left_out_is_never_complied() -> None:
    statement = stated(clause("a", "b"), outcome("a", RuleStatus.COMPLIED))
    assert statement.status is ClauseStatus.NOT_EVALUABLE


def test_a_violation_counts_although_another_rule_was_left_out() -> None:
    statement = stated(clause("a", "b"), outcome("a", RuleStatus.VIOLATED))
    assert statement.status is ClauseStatus.VIOLATED


def test_a_clause_of_another_time_is_not_in_force_whatever_its_rules_say() -> None:
    statement = stated(clause("a", until="2007-01-02"), outcome("a", RuleStatus.VIOLATED))
    assert (statement.status.value, statement.reason, statement.checks) == (
        "not_in_force",
        "law only until 2007-01-02",
        0,
    )


def test_the_day_is_that_of_the_casino_not_of_the_log_s_clock() -> None:
    begins = clause("a", since="2012-03-11")
    late = Scope(
        first=datetime.fromisoformat("2012-03-11T00:30:00+00:00"),
        last=datetime.fromisoformat("2012-03-11T01:00:00+00:00"),
    )
    statement = stated(begins, outcome("a", RuleStatus.COMPLIED), scope=late)
    assert statement.status is ClauseStatus.NOT_IN_FORCE


def test_a_log_without_events_leaves_every_clause_in_force() -> None:
    statement = stated(clause("a"), outcome("a", RuleStatus.NOT_EXERCISED), scope=Scope())
    assert statement.status is ClauseStatus.NOT_EXERCISED


def test_a_clause_of_a_game_that_was_not_played_says_so() -> None:
    shared = outcome("a", RuleStatus.COMPLIED)
    statement = stated(clause("a", game="minibaccarat"), shared, games=("baccarat",))
    assert (statement.status.value, statement.checks) == ("not_played", 0)


def test_a_clause_of_every_table_is_exercised_by_any_game() -> None:
    shared = outcome("a", RuleStatus.COMPLIED)
    statement = stated(clause("a", game="any_table"), shared, games=("baccarat",))
    assert statement.status is ClauseStatus.COMPLIED


@pytest.mark.parametrize(("escapes", "level"), [("", "full"), ("split hands", "partial")])
def test_a_statement_says_how_far_the_rules_of_its_clause_go(escapes: str, level: str) -> None:
    statement = stated(clause("a", escapes=escapes), outcome("a", RuleStatus.COMPLIED))
    assert (statement.level, statement.escapes) == (level, escapes)


def test_a_clause_without_rules_has_no_level() -> None:
    assert stated(clause(reason="handling")).level == ""
