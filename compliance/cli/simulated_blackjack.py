"""What a user asks of the blackjack tables of an invented night: how they are set up, their side
wagers, and how often something goes wrong at them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from datetime import date
from itertools import combinations

from compliance.api.refusal import Refused, unknown
from compliance.simulate.blackjack.side_wagers.offers import OFFERS, go_together
from compliance.simulate.blackjack.tables import blackjack_table
from compliance.simulate.floor import Wishes
from compliance.simulate.variants import SINCE, USUAL
from event_schemas import did_you_mean

NO_OFFER = "none"


def blackjack_wishes(
    variant: str | None, offers: Sequence[str], accidents: float | None, day: date
) -> Wishes:
    """What every blackjack table is to be like; whatever was not asked for is left to the lot."""
    if accidents is not None and not 0 <= accidents <= 1:
        raise Refused("--accidents is a share: at least 0 and at most 1.")
    if variant is not None:
        variant = known_name("variant", variant, SINCE)
        _refuse_before(SINCE[variant], variant, day)
    chosen = _offers(offers, day)
    if chosen:
        # By lot a table might be set up so that it cannot offer them.
        variant = variant or USUAL
        if not blackjack_table(variant).has_side_wagers:
            raise Refused(f"A table set up as {variant} offers no side wagers.")
    return Wishes(chosen, variant, accidents)


def known_name(what: str, name: str, known: Collection[str], listing: str = "") -> str:
    """The name as it is spelt, with - or _ alike; unknown ones are refused, the nearest offered.

    `listing` is the command that shows all names where these are too many for a sentence.
    """
    spelt = {each.replace("-", "_"): each for each in known}
    asked = name.strip().replace("-", "_")
    if asked in spelt:
        return spelt[asked]
    close = did_you_mean(asked, spelt)
    if listing:
        raise unknown(what, name, spelt[close] if close else None, listing)
    guess = f"Did you mean {spelt[close]}? " if close else ""
    hint = guess + "All of them: " + ", ".join(known)
    raise Refused(f'There is no {what} "{name}".', hint=hint)


def _offers(names: Sequence[str], day: date) -> tuple[str, ...] | None:
    if not names:
        return None
    chosen = tuple(dict.fromkeys(known_name("offer", n, (*OFFERS, NO_OFFER)) for n in names))
    if NO_OFFER in chosen:
        if len(chosen) > 1:
            raise Refused(f"--offer {NO_OFFER} goes with no other --offer.")
        return ()
    for name in chosen:
        _refuse_before(OFFERS[name].since, name, day)
    for one, other in combinations(chosen, 2):
        if not go_together(one, other):
            raise Refused(f"The law does not let one table offer both {one} and {other}.")
    return chosen


def _refuse_before(since: date, name: str, day: date) -> None:
    if day < since:
        raise Refused(f"The law has room for {name} from {since} on, not on {day}.")
