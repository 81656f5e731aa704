"""Breaches with cards that lay or came out wrongly, each after an accident that could be mended."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach
from compliance.simulate.hands import DECK
from compliance.simulate.table import Record


def _cards_after(op: Opportunity, record: Record) -> list[Record]:
    """All cards that are dealt in the round after an event."""
    later = op.chapter.records[op.chapter.place(record) :]
    return [other for other in later if other["type"] == "card_dealt"]


@breach(
    "face-up-card-dealt", "round", accident="face-up-card", blackjack="face-up-card-is-not-dealt"
)
def face_up_card_dealt(op: Opportunity) -> Record | None:
    found = op.chapter.first("card_found_face_up")
    put_away = op.chapter.first("cards_discarded")
    if found is None or put_away is None:
        return None
    for dealt in _cards_after(op, found):
        if "card" in dealt:
            found.update(card=dealt["card"], card_id=dealt["card_id"])
            put_away["cards"] = dealt["card"]
            return found
    return None


@breach(
    "face-up-card-left-lying",
    "round",
    accident="face-up-card",
    blackjack="face-up-card-is-put-away",
)
def face_up_card_left_lying(op: Opportunity) -> Record | None:
    put_away = op.chapter.first("cards_discarded")
    if put_away is not None:
        put_away["place"] = "layout"
    return op.chapter.first("card_found_face_up")


@breach(
    "unseen-card-burned",
    "round",
    accident="unseen-card",
    blackjack="unseen-stray-card-is-dealt-next",
)
def unseen_card_burned(op: Opportunity) -> Record | None:
    drawn = op.chapter.first("irregularity")
    if drawn is None:
        return None
    burned = {"face_up": False, "place": "discard_rack", "reason": "irregularity"}
    where = {name: drawn[name] for name in ("round", "dealer", "shoe")}
    op.chapter.insert(op.chapter.place(drawn) + 1, "card_burned", **burned, **where)
    return drawn


@breach(
    "seen-card-passed-over",
    "round",
    accident="seen-card",
    blackjack="exposed-stray-card-is-dealt-next",
)
def seen_card_passed_over(op: Opportunity) -> Record | None:
    drawn = op.chapter.first("irregularity")
    if drawn is None or not _cards_after(op, drawn):
        return None
    other = op.random.choice([card for card in DECK if card != drawn["card"]])
    for record in (drawn, *op.chapter.all("card_refused")):
        record["card"] = other
    return drawn


@breach(
    "refused-card-dealt-all-the-same",
    "round",
    accident="seen-card",
    blackjack="refusing-player-gets-no-more-cards",
)
def refused_card_dealt_all_the_same(op: Opportunity) -> Record | None:
    drawn = op.chapter.first("irregularity")
    cards = _cards_after(op, drawn) if drawn else []
    if not cards or cards[0]["to"] != "player":
        return None
    who = {name: cards[0][name] for name in ("round", "dealer", "seat", "player", "hand", "card")}
    return op.chapter.insert(op.chapter.place(cards[0]), "card_refused", **who)


@breach(
    "seen-card-not-burned",
    "round",
    accident="seen-card",
    blackjack="stray-card-that-nobody-takes-is-burned",
)
def seen_card_not_burned(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned")
    if burned is None:
        return None
    op.chapter.drop(burned)
    return op.chapter.first("irregularity")


@breach(
    "overdrawn-card-not-burned",
    "round",
    accident="overdrawn-card",
    blackjack="overdrawn-card-is-burned",
)
def overdrawn_card_not_burned(op: Opportunity) -> Record | None:
    burned = op.chapter.first("card_burned")
    if burned is None:
        return None
    op.chapter.drop(burned)
    return op.chapter.first("irregularity")
