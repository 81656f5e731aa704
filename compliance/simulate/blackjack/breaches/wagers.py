"""Breaches with blackjack's money: wagers, insurance, surrender, and what is paid or taken."""

from __future__ import annotations

from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    additional_cards,
    breach,
    first_cards_end,
    hand_at,
    plain_seats,
    restake,
    seat_records,
)
from compliance.simulate.hands import PIPS
from compliance.simulate.table import MINUTE, Chapter, Record

PROMPT = 6 * MINUTE
"""Longer than cash may wait to be turned into chips."""


def upcard_of(chapter: Chapter) -> int:
    """What the dealer's first card counts."""
    dealt = chapter.first("card_dealt", to="dealer")
    return PIPS[dealt["card"]] if dealt else 0


def of_seat(wager: Record) -> dict[str, object]:
    """The round, dealer, seat and player of an event."""
    return {name: wager[name] for name in ("round", "dealer", "seat", "player")}


# ---- making a wager ----------------------------------------------------------------------------


@breach("late-wager", "round", blackjack="no-wager-after-the-first-card")
def late_wager(op: Opportunity) -> Record | None:
    wager = op.chapter.all("wager_placed")[0]
    dealt = op.chapter.all("card_dealt")[0]
    return op.chapter.insert(
        op.chapter.place(dealt) + 1,
        "wager_increased",
        wager="blackjack",
        amount=wager["amount"],
        **of_seat(wager),
    )


@breach("wager-touched", "round", blackjack="wagers-not-touched-before-they-are-decided")
def wager_touched(op: Opportunity) -> Record | None:
    wager = op.chapter.all("wager_placed")[0]
    dealt = op.chapter.all("card_dealt")[0]
    return op.chapter.insert(
        op.chapter.place(dealt) + 1,
        "wager_handled",
        wager="blackjack",
        by=wager["player"],
        by_role="player",
        **of_seat(wager),
    )


@breach("cash-wager-unconfirmed", "round", blackjack="spoken-cash-wager-confirmed")
def cash_wager_unconfirmed(op: Opportunity) -> Record | None:
    wager = op.chapter.all("wager_placed")[0]
    if wager["medium"] != "chip" or _cash_lately(op, wager):
        return None
    wager["medium"] = "verbal_cash"
    place = op.chapter.place(wager) + 1
    op.chapter.insert(place, "cash_converted", amount=wager["amount"], **of_seat(wager))
    return wager


def _cash_lately(op: Opportunity, wager: Record) -> bool:
    """Cash was wagered at the seat so lately that this conversion would seem to be meant for it."""
    for record in op.earlier("wager_placed"):
        if record["ts"] < wager["ts"] - PROMPT:
            return False
        if record["seat"] == wager["seat"] and record["medium"] != "chip":
            return True
    return False


@breach("cash-not-converted", "round", blackjack="cash-wager-turned-into-chips")
def cash_not_converted(op: Opportunity) -> Record | None:
    wager = op.chapter.all("wager_placed")[0]
    later = [r for chapter in op.chapters[op.at :] for r in chapter.records]
    soon = wager["ts"] + PROMPT
    if wager["medium"] != "chip" or later[-1]["ts"] < soon:
        return None
    if any(r["type"] == "cash_converted" and r["ts"] < soon for r in later):
        return None
    wager["medium"] = "verbal_cash"
    place = op.chapter.place(wager) + 1
    for by, role in ((wager["dealer"], "dealer"), ("F1", "floorperson")):
        op.chapter.insert(place, "wager_confirmed", by=by, by_role=role, **of_seat(wager))
    return wager


@breach(
    "odd-wager-at-six-to-five",
    "round",
    since="2006-01-17",
    blackjack="wagers-in-fives-at-six-to-five-tables",
)
def odd_wager_at_six_to_five(op: Opportunity) -> Record | None:
    maximum = round(float(op.options["maximum_wager"].strip("$")) * 100)
    if not op.has("six_to_five"):
        return None
    for seat in plain_seats(op.chapter):
        wager = op.chapter.all("wager_placed", seat=seat)[0]
        if wager["amount"] < maximum:
            restake(op.chapter, wager, wager["amount"] + 100)
            return wager
    return None


@breach("two-boxes", "round", since="1999-02-16", blackjack="one-box-for-each-player")
def two_boxes(op: Opportunity) -> Record | None:
    wagers = op.chapter.all("wager_placed", wager="blackjack")
    if not op.has("multi_box", "no") or len(wagers) < 2:
        return None
    for record in op.chapter.records:
        if record.get("seat") == wagers[1]["seat"] and "player" in record:
            record["player"] = wagers[0]["player"]
    return wagers[1]


# ---- insurance ---------------------------------------------------------------------------------


@breach("insurance-against-a-low-card", "round", blackjack="insurance-only-against-an-ace")
def insurance_against_a_low_card(op: Opportunity) -> Record | None:
    if upcard_of(op.chapter) == 1 or op.has("hole_card", "face_up"):
        return None
    wager = op.chapter.all("wager_placed")[0]
    chip = round(float(op.options["chip_unit"].strip("$")) * 100)
    amount = -(-(wager["amount"] // 2) // chip) * chip
    place = first_cards_end(op.chapter)
    back = {"wager": "insurance", "amount": amount, "hand": 1}
    op.chapter.insert(place, "wager_returned", **back, **of_seat(wager))
    return op.chapter.insert(place, "insurance_placed", amount=amount, hand=1, **of_seat(wager))


@breach(
    "late-insurance", "round", since="1989-12-04", blackjack="no-insurance-after-the-third-card"
)
def late_insurance(op: Opportunity) -> Record | None:
    insured = op.chapter.first("insurance_placed")
    extra = additional_cards(op.chapter)
    if insured is None or not extra or op.has("card_reader") or op.has("late_insurance"):
        return None
    settled = seat_records(op.chapter, insured["seat"], *SETTLEMENTS)
    own = [record for record in settled if record["wager"] == "insurance"]
    if op.chapter.place(own[0]) < op.chapter.place(extra[0]):
        return None
    # Counted without the insurance itself, the place after the card is the card's own.
    op.chapter.move(insured, op.chapter.place(extra[0]))
    return insured


@breach(
    "insurance-after-the-reader",
    "round",
    since="1993-01-19",
    blackjack="insurance-before-the-card-reader",
)
def insurance_after_the_reader(op: Opportunity) -> Record | None:
    insured, read = op.chapter.first("insurance_placed"), op.chapter.first("hole_card_read")
    if insured is None or read is None:
        return None
    op.chapter.move(insured, op.chapter.place(read))
    return insured


@breach("insurance-over-half", "round", since="1986-10-20", blackjack="insurance-at-most-half")
def insurance_over_half(op: Opportunity) -> Record | None:
    insured = op.chapter.first("insurance_placed")
    if insured is None:
        return None
    wager = op.chapter.all("wager_placed", seat=insured["seat"])[0]
    own = [
        record
        for record in seat_records(op.chapter, insured["seat"], *SETTLEMENTS)
        if record["wager"] == "insurance"
    ]
    if own[0]["type"] == "wager_returned":
        return None
    chip = round(float(op.options["chip_unit"].strip("$")) * 100)
    amount = insured["amount"] = -(-(wager["amount"] // 2) // chip) * chip + chip
    if own[0]["type"] == "wager_paid":
        own[0].update(stake=amount, amount=amount * 2)
    else:
        own[0]["amount"] = amount
    return insured


@breach("insurance-paid-even", "round", blackjack="insurance-paid-two-to-one")
def insurance_paid_even(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="insurance")
    if paid is not None:
        paid.update(amount=paid["stake"], odds="1 to 1")
    return paid


@breach("insurance-settled-late", "round", blackjack="insurance-settled-before-the-dealer-draws")
def insurance_settled_late(op: Opportunity) -> Record | None:
    taken = op.chapter.first("wager_collected", wager="insurance")
    cards = op.chapter.all("card_dealt", to="dealer")
    if taken is None or len(cards) < 3:
        return None
    op.chapter.move(taken, op.chapter.place(cards[2]))
    return cards[2]


# ---- doubling and splitting ----------------------------------------------------------------------


@breach("double-over-the-wager", "round", blackjack="double-at-most-the-original-wager")
def double_over_the_wager(op: Opportunity) -> Record | None:
    wager = op.chapter.first("wager_placed", wager="double")
    if wager is not None:
        restake(op.chapter, wager, wager["amount"] + 500)
    return wager


@breach("unequal-split-wager", "round", blackjack="split-wager-equals-the-original")
def unequal_split_wager(op: Opportunity) -> Record | None:
    wager = op.chapter.first("wager_placed", wager="split")
    if wager is not None:
        restake(op.chapter, wager, wager["amount"] + 500)
    return wager


# ---- paying --------------------------------------------------------------------------------------


def _paid_blackjack(op: Opportunity) -> Record | None:
    """A blackjack that was paid at the odds of the table, not at even money by choice."""
    chosen = {record["seat"] for record in op.chapter.all("choice_accepted")}
    for paid in op.chapter.all("wager_paid", wager="blackjack"):
        seat = paid["seat"]
        insured = op.chapter.first("insurance_placed", seat=seat) is not None
        if seat not in chosen and not insured and _had_blackjack(op.chapter, seat):
            return paid
    return None


def _had_blackjack(chapter: Chapter, seat: int) -> bool:
    return hand_at(chapter, seat).is_blackjack


@breach("blackjack-paid-6-to-5", "round", blackjack="blackjack-paid-three-to-two")
def blackjack_paid_6_to_5(op: Opportunity) -> Record | None:
    paid = _paid_blackjack(op)
    if paid is None or op.has("six_to_five") or op.has("hole_card", "face_up"):
        return None
    paid.update(amount=paid["stake"] * 6 // 5, odds="6 to 5")
    return paid


@breach(
    "blackjack-paid-3-to-2-with-the-hole-card-up",
    "round",
    since="1991-11-04",
    blackjack="blackjack-paid-even-with-the-hole-card-up",
)
def blackjack_paid_3_to_2_with_the_hole_card_up(op: Opportunity) -> Record | None:
    paid = _paid_blackjack(op)
    if paid is None or not op.has("hole_card", "face_up"):
        return None
    paid.update(amount=paid["stake"] * 3 // 2, odds="3 to 2")
    return paid


def _tie(op: Opportunity) -> Record | None:
    """A wager that came back because the counts were equal."""
    seats = set(plain_seats(op.chapter))
    for back in op.chapter.all("wager_returned", wager="blackjack"):
        if back["seat"] in seats and not _had_blackjack(op.chapter, back["seat"]):
            return back
    return None


@breach("tie-paid", "round", blackjack="only-better-hands-are-paid")
def tie_paid(op: Opportunity) -> Record | None:
    back = _tie(op)
    if back is not None:
        back.update(type="wager_paid", stake=back["amount"], odds="1 to 1")
    return back


@breach("tie-collected", "round", blackjack="only-worse-hands-are-collected")
def tie_collected(op: Opportunity) -> Record | None:
    back = _tie(op)
    if back is not None:
        back["type"] = "wager_collected"
    return back


@breach(
    "blackjack-paid-early", "round", blackjack="blackjack-not-paid-before-the-dealers-second-card"
)
def blackjack_paid_early(op: Opportunity) -> Record | None:
    paid = _paid_blackjack(op)
    # The other players have their cards, the dealer has not.
    called = op.chapter.first("announcement", phrase="dealers_card")
    if paid is None or called is None or upcard_of(op.chapter) not in (1, 10):
        return None
    if op.has("six_to_five"):
        return None
    op.chapter.move(paid, op.chapter.place(called))
    return paid
