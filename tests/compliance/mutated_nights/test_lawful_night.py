"""A night is judged as the checker would judge it, spoilt or not."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from compliance.mutated_nights.lawful_night import VIOLATED, LawfulNight, NotLawful
from compliance.mutated_nights.mutation import Mutation
from compliance.simulate.table import Chapter, Record
from compliance.table_check.settings import Settings
from tests.compliance.simulate.checking import (
    SCHEMA,
    as_events,
    bundled_rulebook,
    findings,
    table_plan,
)


@cache
def night() -> LawfulNight:
    plan = table_plan("blackjack", "2009-05-05", 2, rounds=3, offers=())
    return LawfulNight(Settings(bundled_rulebook(), SCHEMA), plan)


def first(type: str) -> int:
    return next(row for row, record in enumerate(night().records) if record["type"] == type)


def broken(records: list[Record]) -> set[str]:
    counts = night().judgement(records)
    assert counts is not None
    return {night().rule_name(place) for place in np.flatnonzero(counts[:, VIOLATED]).tolist()}


@pytest.mark.parametrize(
    "mutation",
    [
        Mutation("omitted", first("card_burned")),
        Mutation("swapped", first("card_burned"), other=first("card_dealt")),
        Mutation("other seat", first("wager_placed"), "seat", 7),
        Mutation("twice", first("wager_paid")),
    ],
    ids=lambda mutation: mutation.kind,
)
def test_a_spoilt_night_is_judged_as_its_log_would_be(mutation: Mutation) -> None:
    records = mutation.applied(night().records)
    log = as_events(night().plan.place, [Chapter("", records)])
    assert broken(records) == {found.rule for found in findings(log) if found.verdict == "violated"}


def test_a_night_that_is_not_lawful_is_refused() -> None:
    plan = night().plan
    spoilt = LawfulNight(night().settings, plan)
    spoilt.__dict__["records"] = Mutation("omitted", first("card_burned")).applied(night().records)
    with pytest.raises(NotLawful, match="burn"):
        _ = spoilt.counts


def test_a_record_that_is_no_event_is_not_judged() -> None:
    nonsense = Mutation("other value", first("card_dealt"), "card", "no card")
    assert night().judgement(nonsense.applied(night().records)) is None
