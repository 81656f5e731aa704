"""Breaches at a double shoe: the determinant card, and the shuffle of one side."""

from __future__ import annotations

from compliance.simulate.blackjack.set_ups.double_shoe import RED_SUITS, SIDES, side_of
from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.table import Chapter, Record

VARIANT = "double_shoe"
GATHERED = "1994-06-06"


def _other(side: str) -> str:
    return next(other for other in SIDES if other != side)


# ---- two sides ---------------------------------------------------------------------------------


def _first_round(op: Opportunity) -> Chapter | None:
    return next((c for c in op.chapters if c.kind == "round"), None)


@breach(
    "double-shoe-with-one-deck",
    "opening",
    variant=VARIANT,
    blackjack="double-shoe-with-two-decks-or-more",
)
def double_shoe_with_one_deck(op: Opportunity) -> Record | None:
    first = _first_round(op)
    decks = op.chapter.first("option_elected", option_name="decks")
    if first is None or decks is None:
        return None
    decks["value"] = "1"
    return first.first("round_started")


@breach(
    "one-side-left-empty",
    "shuffle",
    variant=VARIANT,
    blackjack="double-shoe-filled-from-two-sides",
    also=("cut-offered-before-the-shoe-is-loaded", "shuffled-before-the-shoe-is-loaded-again"),
)
def one_side_left_empty(op: Opportunity) -> Record | None:
    """All cards are put into the same side."""
    loaded, first = op.chapter.all("shoe_loaded"), _first_round(op)
    if op.before is not None or len(loaded) != 2 or first is None:
        return None
    inserted = op.chapter.all("cutting_card_inserted")[1]
    loaded[1]["side"] = inserted["side"] = loaded[0]["side"]
    return first.first("round_started")


@breach(
    "side-without-a-cutting-card",
    "shuffle",
    variant=VARIANT,
    blackjack="cutting-card-for-each-side",
)
def side_without_a_cutting_card(op: Opportunity) -> Record | None:
    inserted = op.chapter.last("cutting_card_inserted")
    loaded = op.chapter.last("shoe_loaded")
    if inserted is None or loaded is None:
        return None
    op.chapter.drop(inserted)
    return loaded


@breach("sides-spread-as-one", "opening", variant=VARIANT, blackjack="sides-spread-apart")
def sides_spread_as_one(op: Opportunity) -> Record | None:
    spread = op.chapter.first("cards_spread")
    if spread is not None:
        spread["decks_total"] *= 2
    return spread


@breach("sides-stacked-as-one", "opening", variant=VARIANT, blackjack="sides-stacked-apart")
def sides_stacked_as_one(op: Opportunity) -> Record | None:
    stacked = op.chapter.first("cards_stacked")
    if stacked is not None:
        stacked["cards_total"] *= 2
    return stacked


# ---- the determinant card ----------------------------------------------------------------------


@breach(
    "no-determinant-card",
    "round",
    variant=VARIANT,
    blackjack="determinant-card-before-each-round",
)
def no_determinant_card(op: Opportunity) -> Record | None:
    """The side of the round before is dealt again, without asking the cards."""
    drawn, before = op.chapter.first("determinant_card_drawn"), op.round_just_before
    last = before.first("determinant_card_drawn") if before else None
    if drawn is None or last is None or drawn["side"] != side_of(drawn["card"]):
        return None
    dealt = op.chapter.first("card_dealt")
    # A card that was drawn before and fitted its side is still looked for as the first one.
    if dealt is None or side_of(last["card"]) != dealt["side"]:
        return None
    op.chapter.drop(drawn)
    return dealt


@breach(
    "card-from-the-wrong-side",
    "round",
    variant=VARIANT,
    blackjack="round-dealt-from-the-determined-side",
)
def card_from_the_wrong_side(op: Opportunity) -> Record | None:
    card = op.chapter.all("card_dealt")[-1]
    card["side"] = _other(card["side"])
    return card


@breach(
    "both-colours-for-one-side",
    "round",
    variant=VARIANT,
    blackjack="red-and-black-stand-for-different-sides",
)
def both_colours_for_one_side(op: Opportunity) -> Record | None:
    """While the card is drawn, black suits stand for the side of the red ones, too."""
    drawn = op.chapter.first("determinant_card_drawn")
    if drawn is None or side_of(drawn["card"]) != RED_SUITS:
        return None
    name = {"option_name": "black_suits_side", "by_role": "floorperson"}
    place = op.chapter.place(drawn)
    op.chapter.insert(place + 1, "option_elected", value=_other(RED_SUITS), **name)
    op.chapter.insert(place, "option_elected", value=RED_SUITS, **name)
    return drawn


@breach(
    "fitting-card-not-dealt",
    "round",
    variant=VARIANT,
    blackjack="fitting-determinant-card-is-dealt-first",
)
def fitting_card_not_dealt(op: Opportunity) -> Record | None:
    """Another card of the same colour was drawn, and laid away."""
    drawn, dealt = op.chapter.first("determinant_card_drawn"), op.chapter.first("card_dealt")
    if drawn is None or dealt is None or drawn["card"] != dealt["card"]:
        return None
    drawn["card"] = {"H": "2D", "D": "2H", "S": "2C", "C": "2S"}[drawn["card"][-1]]
    return dealt


@breach(
    "unfitting-card-into-the-rack",
    "round",
    variant=VARIANT,
    blackjack="unfitting-determinant-card-is-burned",
)
def unfitting_card_into_the_rack(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned", reason="determinant_card")
    if burned is None:
        return None
    burned["place"] = "discard_rack"
    return op.chapter.first("determinant_card_drawn")


# ---- after the cutting card --------------------------------------------------------------------


def _not_gathered(op: Opportunity, origin: str) -> Record | None:
    shuffled = op.chapter.first("cards_shuffled", reason="cutting_card_reached")
    removed = op.chapter.first("cards_removed", origin=origin)
    if shuffled is None or removed is None:
        return None
    op.chapter.drop(removed)
    return shuffled


@breach(
    "rest-of-the-side-left-out",
    "shuffle",
    since=GATHERED,
    variant=VARIANT,
    blackjack="cards-of-the-finished-side-are-gathered",
)
def rest_of_the_side_left_out(op: Opportunity) -> Record | None:
    return _not_gathered(op, "shoe")


@breach(
    "discards-of-the-side-left-out",
    "shuffle",
    since=GATHERED,
    variant=VARIANT,
    blackjack="discards-of-the-finished-side-are-gathered",
)
def discards_of_the_side_left_out(op: Opportunity) -> Record | None:
    return _not_gathered(op, "segregated_area")


@breach(
    "other-side-shuffled",
    "shuffle",
    variant=VARIANT,
    blackjack="only-the-finished-side-is-shuffled",
)
def other_side_shuffled(op: Opportunity) -> Record | None:
    shuffled = op.chapter.first("cards_shuffled", reason="cutting_card_reached")
    if shuffled is not None:
        shuffled["side"] = _other(shuffled["side"])
    return shuffled
