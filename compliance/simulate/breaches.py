"""Puts named breaches into a lawful night, and tells where.

injected = spoil(plan, chapters, ["skip-burn-of-new-dealer"], rate=0.05)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from random import Random

from compliance.simulate import (
    baccarat_breaches,
    baccarat_card_breaches,
    blackjack_card_breaches,
    blackjack_cut_breaches,
    blackjack_dealing_breaches,
    blackjack_order_breaches,
    blackjack_six_to_five_breaches,
    blackjack_surrender_breaches,
    blackjack_wager_breaches,
    notice_breaches,
    red_dog_breaches,
)
from compliance.simulate.breach import BREACHES, Breach, Opportunity
from compliance.simulate.night import TablePlan
from compliance.simulate.side_wagers import breaches as side_wager_breaches
from compliance.simulate.side_wagers.offers import OFFERS
from compliance.simulate.table import Chapter, Record
from compliance.simulate.truth import Injected
from compliance.simulate.writing import event_id, flattened

__all__ = ["BREACHES", "Breach", "spoil"]

MODULES = (
    notice_breaches,
    blackjack_card_breaches,
    blackjack_cut_breaches,
    blackjack_dealing_breaches,
    blackjack_order_breaches,
    blackjack_six_to_five_breaches,
    blackjack_wager_breaches,
    blackjack_surrender_breaches,
    baccarat_card_breaches,
    baccarat_breaches,
    red_dog_breaches,
    *side_wager_breaches.MODULES,
)
"""Where the breaches are written down, each by its name."""

APART = 4
"""So many chapters lie between two breaches, that one does not hide or cause another."""


def spoil(
    plan: TablePlan, chapters: list[Chapter], names: Sequence[str], rate: float
) -> list[Injected]:
    """Alter a night; `rate` is the share of its chapters in which a breach is tried."""
    place = plan.place
    random = Random(f"{plan.seed}/{place.casino}/{place.table}/breaches")  # noqa: S311
    game = place.game
    usable = [
        BREACHES[name]
        for name in names
        if game in BREACHES[name].rules and plan.day >= (BREACHES[name].since or plan.day)
    ]
    options: dict[str, str] = {}
    done: list[tuple[Breach, Record]] = []
    tried: Counter[str] = Counter()
    free_from = 0
    for at, chapter in enumerate(chapters):
        before = _offers(options)
        _note_elections(options, chapter)
        if at < free_from or random.random() >= rate:
            continue
        # The one that happened least often goes first: rare occasions would be lost otherwise.
        # An offer that ends or begins in this chapter counts as well.
        offers = before | _offers(options)
        order = [breach for breach in usable if breach.fits(chapter.kind, offers)]
        random.shuffle(order)
        order.sort(key=lambda breach: tried[breach.name])
        opportunity = Opportunity(chapters, at, options, plan.day, random)
        for breach in order:
            trigger = breach.alter(opportunity)
            if trigger is not None:
                done.append((breach, trigger))
                tried[breach.name] += 1
                free_from = at + APART
                break
    numbers = {id(record): seq for seq, record in enumerate(flattened(chapters), start=1)}
    return [
        Injected(
            breach=breach.name,
            rule=breach.rules[game],
            casino=place.casino,
            table=place.table,
            event_id=event_id(place, numbers[id(trigger)]),
        )
        for breach, trigger in done
    ]


def _offers(options: Mapping[str, str]) -> frozenset[str]:
    """The side wagers that a table has elected."""
    found = {name for name in OFFERS if options.get(name) == "yes"}
    if options.get("additional_wager", "not_offered") != "not_offered":
        found.add(options["additional_wager"])
    return frozenset(found)


def _note_elections(options: dict[str, str], chapter: Chapter) -> None:
    for record in chapter.records:
        if record["type"] == "option_elected":
            options[record["option_name"]] = record["value"]
