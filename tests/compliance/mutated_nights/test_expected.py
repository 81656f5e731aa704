"""What mutated nights are known to show: breaches that are found stay found, and what escapes has
a reason. The short form looks at the nights of the sample, the long form at all of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

import pytest

from compliance.mutated_nights.clause_table import MutatedCoverage, mutated_coverage, unused
from compliance.mutated_nights.expected import Explained, expected
from compliance.mutated_nights.mutation import KINDS
from compliance.mutated_nights.nights import all_nights, sampled_nights
from compliance.mutated_nights.outcomes import ESCAPED, Subject
from compliance.mutated_nights.trial import try_rules
from compliance.simulate.night import TablePlan
from compliance.table_check.settings import Settings
from tests.compliance.simulate.checking import SCHEMA, bundled_rulebook


def coverage(nights: Iterable[TablePlan]) -> MutatedCoverage:
    clauses = bundled_rulebook().clauses
    rules = {name for clause in clauses for name in clause.rules}
    found = try_rules(Settings(bundled_rulebook(), SCHEMA), rules, nights)
    return mutated_coverage(clauses, found, expected())


@cache
def sample() -> MutatedCoverage:
    return coverage(sampled_nights())


@cache
def whole() -> MutatedCoverage:
    return coverage(all_nights())


def fewer(found: Mapping[str, int], known: Mapping[str, int]) -> dict[str, tuple[int, int]]:
    """Games with fewer cells than there were: how many are found, how many were."""
    pairs = {game: (found.get(game, 0), number) for game, number in known.items()}
    return {game: pair for game, pair in pairs.items() if pair[0] < pair[1]}


def test_what_escapes_in_the_sample_has_a_reason() -> None:
    assert [str(escape.subject) for escape in sample().unexplained] == []


def test_what_was_found_in_the_sample_is_still_found() -> None:
    assert expected().sample
    assert fewer(sample().found_cells, expected().sample) == {}


@pytest.mark.long
def test_what_escapes_has_a_reason() -> None:
    assert [str(escape.subject) for escape in whole().unexplained] == []


@pytest.mark.long
def test_what_was_found_is_still_found() -> None:
    assert expected().whole
    assert fewer(whole().found_cells, expected().whole) == {}


def called_full(found: MutatedCoverage) -> list[str]:
    """Clauses that are called covered in full, though a breach is known to escape their rules."""
    return [
        f"{row.clause.clause} of {', '.join(row.clause.texts)}: {kind}"
        for row in found.rows
        for kind in KINDS
        if row.mark(kind) == ESCAPED and row.clause.level == "full"
    ]


def test_no_clause_is_called_full_of_which_something_escapes_in_the_sample() -> None:
    assert called_full(sample()) == []


@pytest.mark.long
def test_no_clause_is_called_full_of_which_something_escapes() -> None:
    assert called_full(whole()) == []


@pytest.mark.long
def test_no_reason_is_given_for_what_is_found() -> None:
    assert list(unused(whole(), expected())) == []


def test_every_reason_names_kinds_events_and_rules_that_there_are() -> None:
    known = {rule.name for rule in bundled_rulebook().rules}
    for item in expected().escapes:
        assert item.kinds
        assert set(item.kinds) <= set(KINDS)
        assert item.events
        assert set(item.events) <= set(SCHEMA.events)
        # A reason without rules would cover what a new rule misses.
        assert item.rules
        assert sorted(set(item.rules) - known) == []


def test_a_reason_speaks_only_of_what_it_names() -> None:
    item = Explained("Why.", "hole", ("omitted",), ("cards_cut",), (), ("one",))
    assert item.speaks_of(Subject("one", "omitted", "cards_cut"))
    assert not item.speaks_of(Subject("another", "omitted", "cards_cut"))
    assert not item.speaks_of(Subject("one", "delayed", "cards_cut"))
    assert not item.speaks_of(Subject("one", "omitted", "cut_offered"))
