"""Breaches around the cut: whom it is offered to, who makes it, and when it is made again."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.table import Chapter, Record

RECUT = "1996-05-20"


CUTTING = (
    *("cut_offered", "cards_cut", "stack_transposed"),
    *("cutting_card_inserted", "shoe_loaded", "card_burned"),
)
"""What happens between the shuffle and the first card."""


@breach("no-cut-offered", "shuffle", blackjack="cut-offered-before-the-shoe-is-loaded")
def no_cut_offered(op: Opportunity) -> Record | None:
    """The player who cut last time does so again, unasked."""
    loaded, found = op.chapter.first("shoe_loaded"), _only_cut(op)
    before = op.earlier("cut_offered", "cut_refused")
    if loaded is None or found is None or not before or before[0]["type"] == "cut_refused":
        return None
    if before[0]["seat"] != found[1]["seat"]:
        return None
    op.chapter.drop(found[0])
    return loaded


@breach(
    "cut-too-near-the-end",
    "shuffle",
    blackjack="blackjack-cut-ten-cards-from-either-end",
    baccarat="baccarat-cut-ten-cards-from-either-end",
    minibaccarat="baccarat-cut-ten-cards-from-either-end",
    red_dog="red-dog-cut-ten-cards-from-either-end",
)
def cut_too_near_the_end(op: Opportunity) -> Record | None:
    cut = op.chapter.first("cards_cut")
    if cut is not None:
        near = 1 + int(op.random.random() * 9)
        cut["position"] = near if op.random.random() < 0.5 else cut["cards_total"] - near
    return cut


# ---- whose cut it is ---------------------------------------------------------------------------


def _only_cut(op: Opportunity) -> tuple[Record, Record] | None:
    """The offer and the cut of a shuffle in which the first player asked has cut."""
    offers, cuts = op.chapter.all("cut_offered"), op.chapter.all("cards_cut")
    if len(offers) != 1 or len(cuts) != 1 or "seat" not in cuts[0]:
        return None
    return offers[0], cuts[0]


def _give_cut_to(op: Opportunity, seat: int) -> Record | None:
    found = _only_cut(op)
    if found is None:
        return None
    player = op.seated()[seat]
    offered, cut = found
    offered.update(seat=seat, player=player)
    cut.update(seat=seat, player=player, by=player)
    return offered


@breach("wrong-player-cuts-first", "shuffle", blackjack="first-player-cuts-a-new-game")
def wrong_player_cuts_first(op: Opportunity) -> Record | None:
    found = _only_cut(op)
    if found is None or op.before is not None:
        return None
    others = [seat for seat in op.seated() if seat != found[0]["seat"]]
    return _give_cut_to(op, others[0]) if others else None


@breach("cut-given-to-another", "shuffle", blackjack="player-with-the-cutting-card-cuts")
def cut_given_to_another(op: Opportunity) -> Record | None:
    found = _only_cut(op)
    if found is None or op.before is None:
        return None
    seat = found[0]["seat"]
    if op.before.first("cutting_card_reached", to="player", seat=seat) is None:
        return None
    if any(left["seat"] == seat for left in _left_since_the_last_round(op)):
        return None
    others = [other for other in op.seated() if other != seat]
    return _give_cut_to(op, others[0]) if others else None


def _left_since_the_last_round(op: Opportunity) -> list[Record]:
    chapters = op.chapters[: op.at]
    last = max(place for place, chapter in enumerate(chapters) if chapter.kind == "round")
    return [r for chapter in chapters[last:] for r in chapter.all("player_left")]


@breach("cut-not-from-the-right", "shuffle", blackjack="player-farthest-right-cuts")
def cut_not_from_the_right(op: Opportunity) -> Record | None:
    found = _only_cut(op)
    if found is None or op.before is None:
        return None
    by_choice = op.chapter.first("cards_shuffled", reason="licensee_decision")
    reached = op.before.first("cutting_card_reached")
    if (reached is None and by_choice is None) or (reached and reached["to"] != "dealer"):
        return None
    others = [seat for seat in op.seated() if seat < found[0]["seat"]]
    return _give_cut_to(op, others[0]) if others else None


@breach("refused-cut-offered-again", "shuffle", blackjack="refused-cut-goes-on-clockwise")
def refused_cut_offered_again(op: Opportunity) -> Record | None:
    offers, refusals = op.chapter.all("cut_offered"), op.chapter.all("cut_refused")
    cuts = op.chapter.all("cards_cut")
    if len(offers) != 2 or len(refusals) != 1 or len(cuts) != 1 or "seat" not in cuts[0]:
        return None
    seat, player = refusals[0]["seat"], refusals[0]["player"]
    offers[1].update(seat=seat, player=player)
    cuts[0].update(seat=seat, player=player, by=player)
    return offers[1]


@breach("dealer-cuts-unasked", "shuffle", blackjack="dealer-cuts-only-after-all-refused")
def dealer_cuts_unasked(op: Opportunity) -> Record | None:
    found = _only_cut(op)
    if found is None:
        return None
    cut = found[1]
    del cut["seat"], cut["player"]
    cut.update(by=cut["dealer"], by_role="dealer")
    return cut


# ---- the second cut ------------------------------------------------------------------------------


def _cut_by_a_player(op: Opportunity) -> Record | None:
    """The cut of a shuffle by hand, if a player made it and nobody ordered another."""
    cuts = op.chapter.all("cards_cut")
    by_hand = op.chapter.first("cards_shuffled", method="manual") is not None
    return cuts[0] if by_hand and len(cuts) == 1 and "seat" in cuts[0] else None


def _order_recut(op: Opportunity, cut: Record, role: str) -> Record:
    by = cut["dealer"] if role == "dealer" else "F1"
    place = op.chapter.place(cut) + 1
    return op.chapter.insert(
        place, "recut_ordered", by=by, by_role=role, reason="improper_cut", shoe=cut["shoe"]
    )


def _cut_again(op: Opportunity, ordered: Record, cut: Record, seat: int) -> Record:
    player = op.seated().get(seat, cut["player"])
    fields = copied(cut, seat=seat, player=player, by=player)
    return op.chapter.insert(op.chapter.place(ordered) + 1, "cards_cut", **fields)


@breach(
    "second-cut-before-the-law",
    "shuffle",
    until=RECUT,
    blackjack="no-second-cut-before-1996",
)
def second_cut_before_the_law(op: Opportunity) -> Record | None:
    cut = _cut_by_a_player(op)
    if cut is None:
        return None
    ordered = _order_recut(op, cut, "floorperson")
    _cut_again(op, ordered, cut, cut["seat"])
    return ordered


@breach(
    "recut-by-dealer",
    "shuffle",
    since=RECUT,
    blackjack="recut-ordered-by-a-supervisor",
    red_dog="red-dog-recut-by-a-supervisor-before-dealing",
)
def recut_by_dealer(op: Opportunity) -> Record | None:
    cut = _cut_by_a_player(op)
    if cut is None:
        return None
    ordered = _order_recut(op, cut, "dealer")
    _cut_again(op, ordered, cut, cut["seat"])
    return ordered


@breach(
    "recut-too-late",
    "shuffle",
    since=RECUT,
    blackjack="recut-between-cut-and-first-card",
    red_dog="red-dog-recut-by-a-supervisor-before-dealing",
)
def recut_too_late(op: Opportunity) -> Record | None:
    """The order comes when the first card of the round lies on the table."""
    cut, following = _cut_by_a_player(op), op.next_round
    dealt = following.first("card_dealt") if following else None
    if cut is None or following is None or dealt is None:
        return None
    place = following.place(dealt) + 1
    _cut_and_load(op, following, place)
    return following.insert(
        place, "recut_ordered", by="F1", by_role="floorperson", reason="improper_cut"
    )


def _cut_and_load(op: Opportunity, following: Chapter, place: int) -> None:
    """Cut the cards in the middle of a round, and put them back into the shoe."""
    offered = op.chapter.last("cut_offered")
    assert offered is not None
    again = [r for r in op.chapter.records[op.chapter.place(offered) :] if r["type"] in CUTTING]
    moment = following.records[place - 1]["ts"]
    following.records[place:place] = [record | {"ts": moment} for record in again]


@breach(
    "recut-not-made",
    "shuffle",
    since=RECUT,
    blackjack="ordered-recut-is-made",
    red_dog="red-dog-recut-is-carried-out",
    also="shuffled-before-the-shoe-is-loaded-again",
)
def recut_not_made(op: Opportunity) -> Record | None:
    """The cards are cut again only when one of them is dealt already."""
    cut, following = _cut_by_a_player(op), op.next_round
    dealt = following.first("card_dealt") if following else None
    if cut is None or following is None or dealt is None:
        return None
    _cut_and_load(op, following, following.place(dealt) + 1)
    return _order_recut(op, cut, "floorperson")


@breach(
    "recut-by-the-wrong-player",
    "shuffle",
    since=RECUT,
    blackjack="recut-by-last-or-next-cutter",
)
def recut_by_the_wrong_player(op: Opportunity) -> Record | None:
    cut = _cut_by_a_player(op)
    seats = list(op.seated())
    if cut is None or len(seats) < 3:
        return None
    wrong = seats[seats.index(cut["seat"]) - 1]
    ordered = _order_recut(op, cut, "floorperson")
    return _cut_again(op, ordered, cut, wrong)
