"""Breaches with the payment of blackjacks: when they are paid and picked up, and even money."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.wagers import of_seat, upcard_of
from compliance.simulate.blackjack.side_wagers.altered_rounds import pay
from compliance.simulate.breach import (
    Opportunity,
    additional_cards,
    breach,
    dealers_hand,
    hand_at,
)
from compliance.simulate.table import Record

CALL = "point_total_announced"


def _blackjacks(op: Opportunity, type: str, *, against: tuple[int, ...]) -> list[Record]:
    """Where a blackjack against such a card of the dealer's was settled or picked up."""
    if op.has("six_to_five") or upcard_of(op.chapter) not in against:
        return []
    chosen = {r["seat"] for r in op.chapter.records if r["type"] == "choice_accepted"}
    insured = {r["seat"] for r in op.chapter.records if r["type"] == "insurance_placed"}
    return [
        record
        for record in op.chapter.all(type)
        if record.get("wager", "blackjack") == "blackjack"
        and record.get("seat") not in {None, *chosen, *insured}
        and hand_at(op.chapter, record["seat"]).is_blackjack
    ]


LOW = tuple(range(2, 10))
ACE_OR_TEN = (1, 10)


def _second_card(op: Opportunity, seat: int) -> Record:
    return op.chapter.all("card_dealt", seat=seat)[1]


def _after_the_first_draw(op: Opportunity, record: Record) -> bool:
    """Put an event behind the first card that a player draws, and behind its call."""
    drawn = additional_cards(op.chapter)
    if not drawn:
        return False
    place = op.chapter.place(drawn[0])
    call, following = op.chapter.records[place + 1 : place + 3]
    # Nobody must be settled just there, and more must follow in the round.
    if call["type"] != CALL or following["type"] not in ("decision", CALL):
        return False
    if op.chapter.place(record) > place:
        return False
    op.chapter.move(record, place + 1)
    return True


# ---- against a low card ------------------------------------------------------------------------


@breach("blackjack-paid-late", "round", blackjack="blackjack-paid-at-once-against-a-low-card")
def blackjack_paid_late(op: Opportunity) -> Record | None:
    for paid in _blackjacks(op, "wager_paid", against=LOW):
        if _after_the_first_draw(op, paid):
            return _second_card(op, paid["seat"])
    return None


@breach("paid-blackjack-left-lying", "round", blackjack="paid-blackjack-is-picked-up")
def paid_blackjack_left_lying(op: Opportunity) -> Record | None:
    for cards in _blackjacks(op, "cards_collected", against=LOW):
        if _after_the_first_draw(op, cards):
            return _second_card(op, cards["seat"])
    return None


# ---- against an ace or a ten -------------------------------------------------------------------


@breach(
    "blackjack-picked-up-early",
    "round",
    blackjack="blackjack-stays-until-the-dealers-second-card",
)
def blackjack_picked_up_early(op: Opportunity) -> Record | None:
    drawn = additional_cards(op.chapter)
    for cards in _blackjacks(op, "cards_collected", against=ACE_OR_TEN) if drawn else ():
        op.chapter.move(cards, op.chapter.place(drawn[0]) - 1)
        return cards
    return None


@breach(
    "blackjack-paid-after-the-reading",
    "round",
    since="1993-01-19",
    blackjack="blackjack-paid-after-the-other-players-cards",
)
def blackjack_paid_after_the_reading(op: Opportunity) -> Record | None:
    """The card reader found no blackjack: the player's is paid while others still draw."""
    read = op.chapter.first("hole_card_read", result="no_blackjack")
    if read is None or not additional_cards(op.chapter):
        return None
    for paid in _blackjacks(op, "wager_paid", against=ACE_OR_TEN):
        op.chapter.move(paid, op.chapter.place(read) + 1)
        return paid
    return None


@breach("blackjack-against-a-blackjack-paid", "round", blackjack="two-blackjacks-are-a-stand-off")
def blackjack_against_a_blackjack_paid(op: Opportunity) -> Record | None:
    if not dealers_hand(op.chapter).is_blackjack:
        return None
    for back in _blackjacks(op, "wager_returned", against=ACE_OR_TEN):
        return pay(back, 3, 2)
    return None


# ---- even money and net payment ----------------------------------------------------------------


@breach(
    "even-money-not-elected",
    "round",
    since="2007-01-02",
    blackjack="even-money-offered-in-its-place",
)
def even_money_not_elected(op: Opportunity) -> Record | None:
    """A table that does not know it offers even money; the player declines."""
    if op.has("even_money") or op.has("hole_card", "face_up"):
        return None
    for said in _blackjacks(op, "announcement", against=(1,)):
        place = op.chapter.place(said) + 1
        choice = {"kind": "even_money", "hand": 1, **of_seat(said)}
        op.chapter.insert(place, "choice_declined", **choice)
        return op.chapter.insert(place, "choice_offered", **choice)
    return None


@breach("even-money-not-paid", "round", since="2007-01-02", blackjack="even-money-is-paid")
def even_money_not_paid(op: Opportunity) -> Record | None:
    """The player is paid as if there had been no such choice, with the other players."""
    chapter = op.chapter
    said, dealers = chapter.first(CALL, to="dealer"), dealers_hand(chapter)
    if said is None or op.has("six_to_five") or len(dealers.cards) < 2 or dealers.is_blackjack:
        return None
    for taken in chapter.all("choice_accepted", kind="even_money"):
        paid = chapter.first("wager_paid", wager="blackjack", seat=taken["seat"])
        if paid is not None:
            paid.update(amount=paid["stake"] * 3 // 2, odds="3 to 2")
            chapter.move(paid, chapter.place(said))
            return taken
    return None


@breach(
    "net-payment-delayed",
    "round",
    since="1998-12-07",
    until="2007-01-02",
    blackjack="net-payment-of-an-insured-blackjack",
)
def net_payment_delayed(op: Opportunity) -> Record | None:
    for insured in op.chapter.all("insurance_placed"):
        seat = insured["seat"]
        back = op.chapter.first("wager_returned", wager="insurance", seat=seat)
        paid = op.chapter.first("wager_paid", wager="blackjack", odds="1 to 1", seat=seat)
        if op.has("net_payout") and back and paid and _after_the_first_draw(op, paid):
            return insured
    return None
