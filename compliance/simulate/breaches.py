"""Puts named breaches into a lawful night, and tells where.

injected = spoil(plan, chapters, ["skip-burn-of-new-dealer"], rate=0.05)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from compliance.simulate import notice_breaches, settlement_breaches, shoe_care_breaches
from compliance.simulate.baccarat import breaches as baccarat_breaches
from compliance.simulate.baccarat import card_breaches as baccarat_card_breaches
from compliance.simulate.blackjack import all_breaches as blackjack_breaches
from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.breach import BREACHES, Breach, Opportunity
from compliance.simulate.night import TablePlan, variant_of
from compliance.simulate.red_dog import breaches as red_dog_breaches
from compliance.simulate.table import Chapter, Record
from compliance.simulate.truth import Injected
from compliance.simulate.writing import event_id, flattened

__all__ = ["BREACHES", "Breach", "spoil"]

MODULES = (
    notice_breaches,
    settlement_breaches,
    shoe_care_breaches,
    *blackjack_breaches.MODULES,
    baccarat_card_breaches,
    baccarat_breaches,
    red_dog_breaches,
)
"""Where the breaches are written down, each by its name."""

APART = 4
"""So many chapters lie between two breaches, that one does not hide or cause another."""


def spoil(
    plan: TablePlan, chapters: list[Chapter], names: Sequence[str], rate: float
) -> list[Injected]:
    """Alter a night; `rate` is the share of its chapters in which a breach is tried."""
    place = plan.place
    random = plan.chance("breaches")
    game, variant = place.game, variant_of(plan)
    usable = [
        BREACHES[name]
        for name in names
        if game in BREACHES[name].rules and BREACHES[name].possible_on(plan.day)
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
        order = [breach for breach in usable if breach.fits(chapter, offers, variant)]
        random.shuffle(order)
        order.sort(key=lambda breach: tried[breach.name])
        opportunity = Opportunity(chapters, at, options, plan.day, random)
        for breach in order:
            found = breach.alter(opportunity)
            if found is not None:
                triggers = found if isinstance(found, list) else [found]
                done.extend((breach, trigger) for trigger in triggers)
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
