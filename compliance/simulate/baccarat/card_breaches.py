"""Breaches with baccarat's cards: the third card, the shoe, the lacing and the burned cards."""

from __future__ import annotations

from compliance.simulate.baccarat.rounds import banker_draws
from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.hands import points
from compliance.simulate.table import Chapter, Record

NOTHING = "KS"
"""A card that counts nothing: whoever gets it, the winner stays the same."""


def _both(rule: str) -> dict[str, str]:
    return {"baccarat": rule, "minibaccarat": rule}


def _hands(chapter: Chapter) -> tuple[list[str], list[str]]:
    players = [record["card"] for record in chapter.all("card_dealt", to="player")]
    bankers = [record["card"] for record in chapter.all("card_dealt", to="banker")]
    return players, bankers


def _natural(players: list[str], bankers: list[str]) -> bool:
    return points(players[:2]) >= 8 or points(bankers[:2]) >= 8


def _deal(chapter: Chapter, to: str, number: int) -> Record:
    """A card that counts nothing, dealt after so many cards of the round."""
    before = chapter.all("card_dealt")[number - 1]
    place = chapter.place(before) + 1
    return chapter.insert(place, "card_dealt", **copied(before, to=to, card=NOTHING, face_up=True))


# ---- the third card ------------------------------------------------------------------------------


@breach("card-after-a-natural", "round", baccarat="baccarat-nobody-draws-after-a-natural")
def card_after_a_natural(op: Opportunity) -> Record | None:
    players, bankers = _hands(op.chapter)
    if not _natural(players, bankers):
        return None
    # A hand without a natural of its own would also break its table of draws.
    return _deal(op.chapter, "player" if points(bankers) >= 8 else "banker", 4)


@breach("player-draws-on-six", "round", baccarat="baccarat-player-draws-by-the-table")
def player_draws_on_six(op: Opportunity) -> Record | None:
    players, bankers = _hands(op.chapter)
    if _natural(players, bankers) or len(players) == 3:
        return None
    if banker_draws(points(bankers[:2]), 0) != (len(bankers) == 3):
        return None
    _deal(op.chapter, "player", 4)
    return op.chapter.first("round_ended")


@breach("wrong-third-card", "round", baccarat="baccarat-banker-draws-by-the-table")
def wrong_third_card(op: Opportunity) -> Record | None:
    players, bankers = _hands(op.chapter)
    if _natural(players, bankers) or len(bankers) == 3:
        return None
    _deal(op.chapter, "banker", len(players) + 2)
    return op.chapter.first("round_ended")


@breach("fourth-card", "round", baccarat="baccarat-one-more-card-a-hand")
def fourth_card(op: Opportunity) -> Record | None:
    players, bankers = _hands(op.chapter)
    if len(players) < 3:
        return None
    return _deal(op.chapter, "player", len(players) + len(bankers))


@breach("cards-not-alternating", "round", baccarat="baccarat-first-four-cards-alternate")
def cards_not_alternating(op: Opportunity) -> Record | None:
    """The player's hand gets its third card before the banker's hand its second one."""
    cards = op.chapter.all("card_dealt")
    if len(cards) < 5 or cards[4]["to"] != "player":
        return None
    op.chapter.move(cards[4], op.chapter.place(cards[3]))
    return cards[4]


@breach("third-card-face-down", "round", baccarat="baccarat-player-draws-before-the-banker")
def third_card_face_down(op: Opportunity) -> Record | None:
    cards = op.chapter.all("card_dealt")
    if len(cards) < 5:
        return None
    cards[4]["face_up"] = False
    return cards[4]


@breach(
    "card-the-wrong-way-up",
    "round",
    since="1992-02-03",
    minibaccarat="minibaccarat-cards-lie-as-elected",
)
def card_the_wrong_way_up(op: Opportunity) -> Record | None:
    card = op.chapter.all("card_dealt")[2]
    card["face_up"] = not card["face_up"]
    return card


# ---- the end of the shoe -------------------------------------------------------------------------


def cutting_card_comes_earlier(op: Opportunity) -> Chapter | None:
    """Let the cutting card have come out one round earlier; that round is returned."""
    reached = op.chapter.first("cutting_card_reached")
    earlier = op.round_just_before
    if reached is None or earlier is None:
        return None
    op.chapter.drop(reached)
    last = earlier.all("card_dealt")[-1]
    fields = copied(reached, to=last["to"], round=last["round"], dealer=last["dealer"])
    earlier.insert(earlier.place(last), "cutting_card_reached", **fields)
    return earlier


@breach("a-hand-too-many", "round", baccarat="baccarat-one-hand-after-the-cutting-card")
def a_hand_too_many(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="last_hand")
    following = op.next_round
    if said is None or following is None:
        return None
    earlier = cutting_card_comes_earlier(op)
    if earlier is None:
        return None
    op.chapter.drop(said)
    ended = earlier.all("round_ended")[0]
    earlier.insert(earlier.place(ended) + 1, "announcement", **copied(said))
    return following.first("round_started")


@breach("last-hand-unannounced", "round", baccarat="baccarat-last-hand-is-announced")
def last_hand_unannounced(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="last_hand")
    if said is None or op.next_round is None:
        return None
    op.chapter.drop(said)
    return op.chapter.first("round_ended")


# ---- who deals -----------------------------------------------------------------------------------


@breach("losing-shoe-kept", "round", baccarat="baccarat-curator-passes-a-losing-shoe")
def losing_shoe_kept(op: Opportunity) -> Record | None:
    players, bankers = _hands(op.chapter)
    passed = op.chapter.first("shoe_passed")
    if passed is None or points(bankers) >= points(players) or op.next_round is None:
        return None
    op.chapter.drop(passed)
    return op.chapter.first("round_ended")


@breach("shoe-not-to-seat-one", "shuffle", baccarat="baccarat-shoe-goes-first-to-seat-one")
def shoe_not_to_seat_one(op: Opportunity) -> Record | None:
    offers = op.chapter.all("shoe_offered")
    if op.before is not None or not offers or offers[0]["seat"] != 1:
        return None
    refused = op.chapter.first("shoe_refused", seat=1)
    if refused is not None:
        op.chapter.drop(offers[0])
        op.chapter.drop(refused)
        return offers[1]
    others = {seat: player for seat, player in op.seated().items() if seat != 1}
    accepted = op.chapter.first("shoe_accepted")
    if not others or accepted is None:
        return None
    seat, player = next(iter(others.items()))
    for record in (offers[0], accepted):
        record.update(seat=seat, player=player)
    return offers[0]


@breach(
    "shoe-offered-clockwise",
    "shuffle",
    "between",
    baccarat="baccarat-shoe-goes-round-counterclockwise",
)
def shoe_offered_clockwise(op: Opportunity) -> Record | None:
    offers, refusals = op.chapter.all("shoe_offered"), op.chapter.all("shoe_refused")
    if len(offers) < 3 or op.before is None:
        return None
    for one, other in (offers[:2], refusals[:2]):
        first, second = (one["seat"], one["player"]), (other["seat"], other["player"])
        one["seat"], one["player"] = second
        other["seat"], other["player"] = first
    return op.chapter.first("shoe_accepted")


# ---- preparing the cards -------------------------------------------------------------------------


@breach("too-few-cards-laced", "shuffle", **_both("baccarat-one-deck-is-laced-in"))
def too_few_cards_laced(op: Opportunity) -> Record | None:
    laced = op.chapter.first("cards_laced")
    if laced is None:
        return None
    laced["cards_total"] = 20
    return op.chapter.first("cut_offered")


@breach(
    "second-shuffle-against-the-option",
    "shuffle",
    since="1994-06-06",
    **_both("baccarat-elected-second-shuffle"),
)
def second_shuffle_against_the_option(op: Opportunity) -> Record | None:
    """Left out where it was elected, made where it was not."""
    laced, shuffled = op.chapter.first("cards_laced"), op.chapter.all("cards_shuffled")
    if laced is None:
        return None
    if len(shuffled) == 2:
        op.chapter.drop(shuffled[1])
    else:
        op.chapter.insert(op.chapter.place(laced) + 1, "cards_shuffled", **copied(shuffled[0]))
    return op.chapter.first("cut_offered")


@breach("cutting-card-too-near-the-back", "shuffle", **_both("baccarat-two-cutting-cards-behind"))
def cutting_card_too_near_the_back(op: Opportunity) -> Record | None:
    inserted = op.chapter.first("cutting_card_inserted")
    if inserted is None:
        return None
    inserted["position_from_back"] = 13
    return op.chapter.first("shoe_loaded")


@breach("one-card-too-few-burned", "shuffle", **_both("baccarat-burn-by-the-first-card"))
def one_card_too_few_burned(op: Opportunity) -> Record | None:
    burned, following = op.chapter.all("card_burned"), op.next_round
    if following is None or len(burned) != 2 or burned[1]["cards_total"] < 2:
        return None
    burned[1]["cards_total"] -= 1
    return following.first("card_dealt")


@breach(
    "second-shuffle-unannounced",
    "opening",
    since="1995-08-07",
    **_both("baccarat-notice-of-the-second-shuffle"),
)
def second_shuffle_unannounced(op: Opportunity) -> Record | None:
    notice = op.chapter.first("surveillance_notified", subject="reshuffle")
    if notice is None:
        return None
    op.chapter.drop(notice)
    return op.chapter.first("option_elected", option_name="reshuffle")
