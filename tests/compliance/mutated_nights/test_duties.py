"""The duty of a rule is read from its form, and spoilt in every way that the form allows."""

from __future__ import annotations

from compliance.mutated_nights.duties import Duty
from compliance.mutated_nights.lawful_night import LawfulNight
from compliance.mutated_nights.outcomes import Mutant, mutants
from compliance.mutated_nights.trial import ChosenDuties
from compliance.table_check.settings import Settings
from tests.compliance.simulate.checking import SCHEMA, bundled_rulebook, table_plan

SETTINGS = Settings(bundled_rulebook(), SCHEMA)
NIGHT = LawfulNight(SETTINGS, table_plan("blackjack", "2009-05-05", 2, rounds=12, offers=()))


def duties(rule: str) -> list[Duty]:
    return list(ChosenDuties(SETTINGS, [rule], 2).of(NIGHT))


def tried(rule: str) -> list[Mutant]:
    return list(mutants(NIGHT, duties(rule)))


def test_what_a_rule_asks_for_is_told_from_what_it_looks_at() -> None:
    reads = duties("burn-by-each-new-dealer")[0].reads
    assert "card_burned" in reads.owed
    assert "dealer_arrived" not in reads.owed


def test_a_duty_that_is_left_out_delayed_or_in_the_wrong_order_is_found() -> None:
    found = {m.mutation.kind for m in tried("burn-by-each-new-dealer") if m.broken}
    assert {"omitted", "delayed", "swapped"} <= found


def test_an_act_that_is_repeated_and_moves_nothing_is_lawful() -> None:
    repeated = [m for m in tried("new-count-called-after-each-card") if m.mutation.kind == "twice"]
    assert repeated
    assert {m.reason for m in repeated if not m.broken} <= {"repeated"}


def test_the_same_nights_give_the_same_mutants() -> None:
    once, again = tried("insurance-at-most-half"), tried("insurance-at-most-half")
    assert [m.mutation for m in once] == [m.mutation for m in again]
    assert [m.broken for m in once] == [m.broken for m in again]


def test_a_clause_whose_own_rule_is_broken_has_found_the_breach() -> None:
    mutant = next(m for m in tried("burn-by-each-new-dealer") if m.broken)
    own = sorted(mutant.broken)[:1]
    assert mutant.outcome(own) == "found"
    assert mutant.outcome([]) == "elsewhere"
