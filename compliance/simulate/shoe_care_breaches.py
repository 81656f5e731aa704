"""Breaches of the duties about decks, shoes and shuffling machines that all games share."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import HOUR, Record

SINCE = "2011-11-07"
GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")
BUT_BACCARAT = ("blackjack", "minibaccarat", "red_dog")


def _first_after(op: Opportunity, type: str) -> Record | None:
    """The first event of a type after this chapter."""
    for chapter in op.chapters[op.at + 1 :]:
        found = chapter.first(type)
        if found is not None:
            return found
    return None


# ---- decks -------------------------------------------------------------------------------------


@breach("card-too-many", "opening", since=SINCE, **dict.fromkeys(GAMES, "decks-are-whole"))
def card_too_many(op: Opportunity) -> Record | None:
    received = op.chapter.first("decks_received")
    if received is not None:
        received["cards_total"] += 1
    return received


@breach(
    "set-of-decks-parted",
    "opening",
    since=SINCE,
    **dict.fromkeys(GAMES, "sets-of-decks-stay-together"),
)
def set_of_decks_parted(op: Opportunity) -> Record | None:
    received = op.chapter.first("decks_received")
    if received is not None:
        received["package_decks"] = received["decks_total"] + 1
    return received


@breach(
    "no-cutting-card-with-the-decks",
    "opening",
    since="2006-01-17",
    blackjack="cutting-cards-come-with-the-decks",
)
def no_cutting_card_with_the_decks(op: Opportunity) -> Record | None:
    received = op.chapter.first("decks_received")
    if received is not None:
        received["cutting_cards"] -= 1
    return received


@breach(
    "joker-dealt",
    "round",
    since=SINCE,
    blackjack="jokers-only-in-joker-games",
    minibaccarat="jokers-only-in-joker-games",
)
def joker_dealt(op: Opportunity) -> Record | None:
    """When the hands are over a joker comes out, and counts for nobody."""
    place = op.chapter.place(op.chapter.all("cards_collected")[-1]) + 1
    last = op.chapter.all("card_dealt")[-1]
    if op.chapter.first("hole_card_read", result="blackjack"):
        return None
    which = {n: last[n] for n in ("round", "dealer", "shoe", "source", "deck") if n in last}
    return op.chapter.insert(place, "card_dealt", to="community", card="JOKER", **which)


# ---- what cards are dealt from -----------------------------------------------------------------


@breach(
    "card-dealt-from-the-hand",
    "round",
    blackjack="blackjack-dealt-from-a-shoe",
)
def card_dealt_from_the_hand(op: Opportunity) -> Record | None:
    card = op.chapter.all("card_dealt")[-1]
    if op.has("six_to_five"):
        return None
    card["source"] = "dealer_hand"
    return card


@breach(
    "card-not-from-the-shoe",
    "round",
    since=SINCE,
    **dict.fromkeys(("baccarat", "minibaccarat", "red_dog"), "cards-dealt-from-a-shoe"),
)
def card_not_from_the_shoe(op: Opportunity) -> Record | None:
    card = op.chapter.all("card_dealt")[-1]
    card["source"] = "dealer_hand"
    return card


@breach(
    "six-to-five-from-a-shoe",
    "round",
    since="2006-01-17",
    blackjack="six-to-five-dealt-from-the-hand",
)
def six_to_five_from_a_shoe(op: Opportunity) -> Record | None:
    card = op.chapter.all("card_dealt")[-1]
    if not op.has("six_to_five"):
        return None
    card["source"] = "manual_shoe"
    return card


# ---- shoes and machines ------------------------------------------------------------------------


def _not_fastened(op: Opportunity, device: str) -> Record | None:
    fastened = op.chapter.first("shoe_secured", device=device, place="table")
    dealt = _first_after(op, "card_dealt")
    if fastened is None or dealt is None:
        return None
    op.chapter.drop(fastened)
    return dealt


def _not_checked(op: Opportunity, device: str) -> Record | None:
    checked = op.chapter.first("shoe_inspected", device=device)
    loaded = _first_after(op, "shoe_loaded" if device == "shoe" else "shuffler_loaded")
    if checked is None or loaded is None:
        return None
    op.chapter.drop(checked)
    return loaded


def _not_locked_away(op: Opportunity, device: str) -> Record | None:
    """Half a day later the table opens again."""
    locked = op.chapter.first("shoe_secured", device=device, place="locked_compartment")
    closed = op.chapter.first("table_closed")
    if locked is None or closed is None:
        return None
    op.chapter.drop(locked)
    opened = op.chapter.insert(
        len(op.chapter.records), "table_opened", game=op.options["game"], by_role="floorperson"
    )
    opened["ts"] += 12 * HOUR
    return closed


@breach(
    "shoe-not-fastened",
    "opening",
    since=SINCE,
    **dict.fromkeys(BUT_BACCARAT, "shoe-fixed-while-the-table-is-open"),
)
def shoe_not_fastened(op: Opportunity) -> Record | None:
    return _not_fastened(op, "shoe")


@breach(
    "shuffler-not-fastened",
    "opening",
    since=SINCE,
    blackjack="shuffler-fixed-while-the-table-is-open",
)
def shuffler_not_fastened(op: Opportunity) -> Record | None:
    return _not_fastened(op, "shuffler")


@breach("baccarat-shoe-fastened", "opening", since=SINCE, baccarat="baccarat-shoe-is-not-fixed")
def baccarat_shoe_fastened(op: Opportunity) -> Record | None:
    checked = op.chapter.first("shoe_inspected", device="shoe")
    if checked is None:
        return None
    by = {"by": checked["by"], "by_role": "floorperson"}
    place = op.chapter.place(checked) + 1
    return op.chapter.insert(place, "shoe_secured", device="shoe", place="table", **by)


@breach(
    "shoe-not-checked",
    "opening",
    since=SINCE,
    **dict.fromkeys(GAMES, "shoe-checked-before-cards-go-in"),
)
def shoe_not_checked(op: Opportunity) -> Record | None:
    return _not_checked(op, "shoe")


@breach(
    "shuffler-not-checked",
    "opening",
    since=SINCE,
    blackjack="shuffler-checked-before-cards-go-in",
)
def shuffler_not_checked(op: Opportunity) -> Record | None:
    return _not_checked(op, "shuffler")


@breach(
    "shoe-not-locked-away",
    "closing",
    since=SINCE,
    **dict.fromkeys(GAMES, "shoe-locked-away-while-the-table-is-closed"),
)
def shoe_not_locked_away(op: Opportunity) -> Record | None:
    return None if op.has("six_to_five") else _not_locked_away(op, "shoe")


@breach(
    "shuffler-not-locked-away",
    "closing",
    since=SINCE,
    blackjack="shuffler-locked-away-while-the-table-is-closed",
)
def shuffler_not_locked_away(op: Opportunity) -> Record | None:
    return _not_locked_away(op, "shuffler")
