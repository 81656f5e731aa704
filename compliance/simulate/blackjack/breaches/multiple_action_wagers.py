"""Breaches of multiple action by the licensee's offer and by the players' wagers."""

from __future__ import annotations

from compliance.simulate.blackjack.breaches.multiple_action_rounds import (
    cents,
    is_multiple_action,
    on_spot,
    plain_seats,
    settled_at_once,
    settlement,
)
from compliance.simulate.breach import (
    Opportunity,
    breach,
    copied,
    hand_at,
)
from compliance.simulate.notice_breaches import option_without
from compliance.simulate.table import Chapter, Record

VARIANT = "multiple_action"


def _ends_without(name: str, warning: str, rule: str) -> None:
    def alter(op: Opportunity) -> Record | None:
        return option_without(op, warning, (VARIANT,))

    breach(name, "between", variant=VARIANT, blackjack=rule)(alter)


_ends_without(
    "multiple-action-ends-without-sign", "notice_posted", "sign-before-multiple-action-ends"
)
_ends_without(
    "multiple-action-ends-untold", "patrons_told", "patrons-told-before-multiple-action-ends"
)
_ends_without(
    "multiple-action-ends-without-notice",
    "commission_notified",
    "commission-notified-before-multiple-action-ends",
)


@breach(
    "multiple-action-beside-match-the-dealer",
    "round",
    variant=VARIANT,
    blackjack="multiple-action-alone-on-its-table",
)
def multiple_action_beside_match_the_dealer(op: Opportunity) -> Record | None:
    """For one round the table offers another wager, which nobody makes."""
    if not is_multiple_action(op.chapter):
        return None
    started = op.chapter.records[0]
    by = {"by": "F1", "by_role": "floorperson", "option_name": "match_dealer"}
    op.chapter.insert(0, "option_elected", value="yes", **by)
    op.chapter.insert(len(op.chapter.records), "option_elected", value="no", **by)
    return started


@breach(
    "multiple-action-not-offered-to-all",
    "round",
    variant=VARIANT,
    blackjack="multiple-action-offered-to-everybody",
)
def multiple_action_not_offered_to_all(op: Opportunity) -> list[Record] | None:
    offers = [offer for offer in op.chapter.all("wager_offered") if "seat" in offer]
    if len(offers) < 2:
        return None
    op.chapter.drop(offers[-1])
    return op.chapter.all("wager_placed", wager="blackjack", seat=offers[-1]["seat"])


@breach(
    "no-sign-of-the-number-of-wagers",
    "opening",
    variant=VARIANT,
    blackjack="multiple-action-signs-posted",
)
def no_sign_of_the_number_of_wagers(op: Opportunity) -> Record | None:
    sign = op.chapter.first("notice_posted", subject="multiple_action_minimum_wagers")
    first = next((chapter for chapter in op.chapters if chapter.kind == "round"), None)
    if sign is None or first is None:
        return None
    op.chapter.drop(sign)
    return first.first("wager_placed")


# ---- the wagers on the spots ---------------------------------------------------------------------


@breach(
    "four-wagers-on-a-box", "round", variant=VARIANT, blackjack="two-or-three-wagers-for-each-box"
)
def four_wagers_on_a_box(op: Opportunity) -> Record | None:
    """The fourth is lost or won with the others, before it would need a hand of the dealer's."""
    chapter = op.chapter
    if not is_multiple_action(chapter):
        return None
    for seat in settled_at_once(chapter):
        third = on_spot(chapter, seat, 3)
        for record in third:
            fields = copied(record, area=4)
            chapter.insert(chapter.place(record) + 1, record["type"], **fields)
        if third:
            return chapter.first("card_dealt")
    return None


@breach(
    "fewer-wagers-than-asked-for",
    "round",
    variant=VARIANT,
    blackjack="as-many-wagers-as-the-table-asks-for",
)
def fewer_wagers_than_asked_for(op: Opportunity) -> Record | None:
    if not is_multiple_action(op.chapter) or not op.has("multiple_action_minimum_wagers", "3"):
        return None
    for seat in settled_at_once(op.chapter):
        for record in on_spot(op.chapter, seat, 3):
            op.chapter.drop(record)
        return op.chapter.first("card_dealt")
    return None


def _added(chapter: Chapter) -> Record | None:
    """What was added to the last of a seat's wagers, to double or to split."""
    if not is_multiple_action(chapter):
        return None
    added = [r for r in chapter.all("wager_placed") if r["wager"] in ("double", "split")]
    return added[-1] if added else None


@breach(
    "double-on-some-spots-only",
    "round",
    variant=VARIANT,
    blackjack="double-or-split-against-every-dealer-hand",
)
def double_on_some_spots_only(op: Opportunity) -> Record | None:
    added = _added(op.chapter)
    if added is None or added["wager"] != "double":
        return None
    for record in on_spot(op.chapter, added["seat"], added["area"]):
        if record.get("wager") == "double" and record["hand"] == added["hand"]:
            op.chapter.drop(record)
    place = added["seat"], added["hand"]
    decisions = op.chapter.all("decision", kind="double")
    return next(decision for decision in decisions if place == (decision["seat"], decision["hand"]))


@breach(
    "too-much-added-on-a-spot",
    "round",
    variant=VARIANT,
    blackjack="added-wager-fits-the-wager-on-its-spot",
)
def too_much_added_on_a_spot(op: Opportunity) -> Record | None:
    added = _added(op.chapter)
    if added is None:
        return None
    amount = added["amount"] + 500
    for record in on_spot(op.chapter, added["seat"], added["area"]):
        if record.get("wager") == added["wager"] and record["hand"] == added["hand"]:
            if record["type"] == "wager_paid":
                record["stake"] = amount
            record["amount"] = amount
    return added


# ---- insurance -----------------------------------------------------------------------------------


@breach(
    "insurance-over-half-of-a-spot",
    "round",
    variant=VARIANT,
    blackjack="insurance-on-a-wager-against-its-hand",
    also="insurance-at-most-half",
)
def insurance_over_half_of_a_spot(op: Opportunity) -> Record | None:
    """Too much for the wager on the spot, though not for all wagers of the box together."""
    insured = op.chapter.first("insurance_placed")
    if insured is None or "area" not in insured:
        return None
    chip, seat = cents(op, "chip_unit"), insured["seat"]
    stakes = {r["area"]: r["amount"] for r in op.chapter.all("wager_placed", seat=seat, hand=1)}
    amount = -(-(stakes[insured["area"]] // 2) // chip) * chip + chip
    if amount > sum(stakes.values()) // 2:
        return None
    for record in on_spot(op.chapter, seat, insured["area"]):
        if record.get("wager") == "insurance" and record["type"] == "wager_paid":
            record.update(stake=amount, amount=amount * 2)
        elif record.get("wager") == "insurance" or record is insured:
            record["amount"] = amount
    return insured


@breach(
    "insurance-paid-without-a-ten",
    "round",
    variant=VARIANT,
    blackjack="insurance-decided-by-its-own-dealer-hand",
)
def insurance_paid_without_a_ten(op: Opportunity) -> Record | None:
    taken = op.chapter.first("wager_collected", wager="insurance")
    if taken is None or "area" not in taken:
        return None
    stake = taken["amount"]
    taken.update(type="wager_paid", stake=stake, amount=stake * 2, odds="2 to 1")
    return taken


# ---- settling ------------------------------------------------------------------------------------


@breach(
    "wager-settled-with-another-hand",
    "round",
    variant=VARIANT,
    blackjack="wagers-settled-with-their-own-dealer-hand",
)
def wager_settled_with_another_hand(op: Opportunity) -> Record | None:
    """The second wager of a box is settled with the first one; the third one waits."""
    chapter = op.chapter
    if not is_multiple_action(chapter):
        return None
    early = settled_at_once(chapter)
    for seat in plain_seats(chapter):
        if seat in early or not on_spot(chapter, seat, 3):
            continue
        first, second = settlement(chapter, seat, 1), settlement(chapter, seat, 2)
        if first["type"] == second["type"]:
            chapter.move(second, chapter.place(first) + 1)
            return second
    return None


@breach(
    "lost-wager-given-back",
    "round",
    variant=VARIANT,
    blackjack="wagers-decided-by-their-own-dealer-hand",
)
def lost_wager_given_back(op: Opportunity) -> Record | None:
    chapter = op.chapter
    if not is_multiple_action(chapter):
        return None
    early = settled_at_once(chapter)
    for seat in plain_seats(chapter):
        first = settlement(chapter, seat, 1)
        if seat not in early and first["type"] == "wager_collected":
            first["type"] = "wager_returned"
            return first
    return None


@breach(
    "cards-over-21-left-there",
    "round",
    variant=VARIANT,
    blackjack="hand-over-21-loses-every-wager-at-once",
)
def cards_over_21_left_there(op: Opportunity) -> Record | None:
    """The cards stay until after the next card or decision."""
    chapter = op.chapter
    if not is_multiple_action(chapter):
        return None
    for seat in settled_at_once(chapter):
        if hand_at(chapter, seat).total <= 21:
            continue
        taken = chapter.first("cards_collected", seat=seat)
        assert taken is not None
        following = chapter.records[chapter.place(taken) + 1 :]
        for record in following:
            if record["type"] in ("decision", "card_dealt"):
                chapter.move(taken, chapter.place(record))
                return chapter.all("card_dealt", seat=seat)[-1]
    return None
