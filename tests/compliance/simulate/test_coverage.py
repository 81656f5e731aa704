"""Every rule of the simulated games is kept in lawful play and broken by a breach, or has a reason.

The reasons stand in unplayed.toml, beside this file.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from typing import Any

from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.breaches import BREACHES
from compliance.simulate.night import TablePlan, play_night
from rules_dsl import core
from tests.compliance.simulate.checking import (
    as_events,
    bundled_rulebook,
    kept_rules,
    table_plan,
)

DAY = "2009-05-05"
SECTIONS = ("All tables", "Blackjack", "Baccarat", "Minibaccarat", "Red dog")


@cache
def rules() -> dict[str, core.Rule]:
    """The rules of the simulated games."""
    found = {r.name: r for r in bundled_rulebook().rules if r.section.startswith(SECTIONS)}
    assert len(found) > 100
    return found


@cache
def reasons() -> dict[str, dict[str, Any]]:
    return tomllib.loads(Path(__file__).with_name("unplayed.toml").read_text(encoding="utf-8"))


def unplayed() -> set[str]:
    """Rules that lawful play is known not to come upon: alone, or with their whole section."""
    sections = reasons()["unplayed_sections"]
    whole = {name for name, rule in rules().items() if rule.section in sections}
    return whole | set(reasons()["unplayed"])


def lawful_nights() -> Iterator[TablePlan]:
    """Nights of every game, of blackjack under several laws, and with every side wager."""
    for game in ("baccarat", "minibaccarat", "red_dog"):
        yield from (table_plan(game, DAY, seed, hours=4) for seed in (1, 2))
    yield from (table_plan("blackjack", DAY, seed, hours=3, offers=()) for seed in range(10))
    for offer, seed in product(OFFERS, (1, 2, 3)):
        yield table_plan("blackjack", DAY, seed, hours=3, offers=(offer,))
    for day, seed in (("1985-06-01", 4), ("1999-01-10", 1), ("1999-01-10", 2), (DAY, 15)):
        yield table_plan("blackjack", day, seed, hours=3, offers=())
    # In these the licensee changes something during the night, or the table rests.
    yield from (table_plan("blackjack", DAY, seed, hours=6, offers=()) for seed in (13, 24, 46))
    yield table_plan("blackjack", DAY, 10, hours=6, offers=("same_suit",))
    yield table_plan("blackjack", DAY, 1, hours=6, offers=("twenty_point",))
    for game, seed in product(("blackjack", "baccarat", "minibaccarat", "red_dog"), (0, 1)):
        yield table_plan(game, "2011-12-03", seed, hours=1, offers=())
    # In this one multiple action is withdrawn during the night.
    yield table_plan("blackjack", DAY, 19, hours=1.5, offers=(), variant="multiple_action")
    yield table_plan("blackjack", DAY, 2, hours=1, offers=(), variant="shared_boxes")
    yield table_plan("blackjack", DAY, 1, hours=1.5, offers=(), variant="extra_odds")
    # The first of these lively tables pays 6 to 5, the second has a hole card.
    for seed, hours, offers in (
        (1, 0.5, ()),
        (3, 1, ()),
        (1, 1, ("streak",)),
        (1, 1.5, ("sevens",)),
    ):
        yield table_plan("blackjack", DAY, seed, hours=hours, offers=offers, variant="lively")
    for variant in (
        *("double_shoe", "bart_carter"),
        *("continuous_shuffler", "burning_from_the_hand"),
    ):
        yield table_plan("blackjack", DAY, 1, hours=1, offers=(), variant=variant)
    # In these something goes wrong by accident in most rounds.
    trouble = partial(table_plan, "blackjack", DAY, hours=1, offers=(), accidents=0.9)
    yield from (trouble(seed) for seed in (0, 2, 3))
    yield trouble(0, offers=("blackjack_bonus",))
    yield trouble(0, variant="multiple_action")


@cache
def kept() -> frozenset[str]:
    """The rules that applied in lawful play."""
    return frozenset(
        name
        for plan in lawful_nights()
        for name in kept_rules(as_events(plan.place, play_night(plan)))
    )


def broken() -> set[str]:
    """The rules that a breach is made for."""
    return {rule for breach in BREACHES.values() for rule in breach.rules.values()}


def test_every_rule_is_kept_in_lawful_play_or_has_a_reason() -> None:
    assert sorted(set(rules()) - kept() - unplayed()) == []


def test_every_rule_has_a_breach_or_a_reason() -> None:
    assert sorted(set(rules()) - broken() - unplayed() - set(reasons()["unbroken"])) == []


def test_no_reason_is_given_for_a_rule_that_needs_none() -> None:
    assert sorted(kept() & set(reasons()["unplayed"])) == []
    assert sorted(broken() & set(reasons()["unbroken"])) == []


def test_every_reason_is_given_for_a_rule_or_section_of_the_rulebook() -> None:
    named = {*reasons()["unplayed"], *reasons()["unbroken"]}
    assert sorted(named - set(rules())) == []
    sections = {rule.section for rule in rules().values()}
    assert sorted(set(reasons()["unplayed_sections"]) - sections) == []
