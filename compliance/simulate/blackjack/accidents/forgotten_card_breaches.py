"""Breaches with cards that were forgotten, or dealt the wrong way up."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach, seat_records
from compliance.simulate.table import Record

WHO = ("round", "dealer", "seat", "player", "hand")


@breach(
    "dealers-card-made-up-too-early",
    "round",
    accident="dealers-card-forgotten",
    blackjack="missed-dealers-card-waits-for-the-players",
)
def dealers_card_made_up_too_early(op: Opportunity) -> Record | None:
    chapter = op.chapter
    missed, made_up = chapter.first("irregularity"), chapter.first("card_dealt", to="dealer")
    if missed is None or made_up is None:
        return None
    before = chapter.records[: chapter.place(missed)]
    last = [record for record in before if record["type"] == "card_dealt"][-1]
    place = chapter.place(last)
    chapter.move(made_up, place)
    chapter.move(missed, place)
    return made_up


@breach(
    "hole-card-not-made-up",
    "round",
    accident="dealers-card-forgotten",
    blackjack="missed-dealers-card-is-made-up",
)
def hole_card_not_made_up(op: Opportunity) -> Record | None:
    """Only one of the two cards that the dealer lacks is there when the players decide."""
    chapter = op.chapter
    cards, decided = chapter.all("card_dealt", to="dealer"), chapter.first("decision")
    if op.has("hole_card", "dealt_last") or decided is None or decided["kind"] != "stand":
        return None
    if chapter.first("hole_card_read") or chapter.place(cards[1]) > chapter.place(decided):
        return None
    # Counted without the card itself, the place after the decision is the decision's own.
    chapter.move(cards[1], chapter.place(decided))
    return decided


@breach(
    "forgotten-player-loses-the-wager",
    "round",
    accident="player-forgotten",
    blackjack="hand-without-cards-is-dead",
)
def forgotten_player_loses_the_wager(op: Opportunity) -> Record | None:
    """It is treated like a hand that counts nothing."""
    chapter = op.chapter
    missed, called = (
        chapter.first("irregularity"),
        chapter.last("point_total_announced", to="dealer"),
    )
    if missed is None or called is None or called["total"] > 21:
        return None
    back = seat_records(chapter, missed["seat"], "wager_returned")[0]
    back["type"] = "wager_collected"
    # Counted without the wager itself, the place after the call is the call's own.
    chapter.move(back, chapter.place(called))
    return seat_records(chapter, missed["seat"], "wager_placed")[0]


@breach(
    "late-second-card-out-of-turn",
    "round",
    accident="second-card-forgotten",
    blackjack="late-second-card-after-the-others",
)
def late_second_card_out_of_turn(op: Opportunity) -> Record | None:
    chapter = op.chapter
    missed = chapter.first("irregularity")
    if missed is None:
        return None
    late = seat_records(chapter, missed["seat"], "card_dealt")[1]
    before = chapter.records[: chapter.place(missed)]
    place = chapter.place([record for record in before if record["type"] == "card_dealt"][-1])
    for record in chapter.records[chapter.place(missed) : chapter.place(late) + 1]:
        chapter.move(record, place)
        place += 1
    return late


@breach(
    "late-card-without-a-choice",
    "round",
    accident="second-card-forgotten",
    blackjack="forgotten-card-is-the-players-choice",
)
def late_card_without_a_choice(op: Opportunity) -> Record | None:
    for type in ("choice_offered", "choice_accepted"):
        asked = op.chapter.first(type, kind="late_card")
        if asked is not None:
            op.chapter.drop(asked)
    return op.chapter.first("irregularity")


@breach(
    "late-card-never-dealt",
    "round",
    accident="requested-card-forgotten",
    blackjack="late-card-goes-to-who-wants-it",
)
def late_card_never_dealt(op: Opportunity) -> Record | None:
    """The player chooses the card, and the hand is called dead all the same."""
    chosen = op.chapter.first("choice_accepted", kind="void_wager")
    if chosen is not None:
        chosen["kind"] = "late_card"
    return chosen


@breach(
    "dead-hand-not-called",
    "round",
    since="1995-09-05",
    accident="requested-card-forgotten",
    blackjack="dead-hand-gets-its-wager-back",
)
def dead_hand_not_called(op: Opportunity) -> Record | None:
    chosen = op.chapter.first("choice_accepted", kind="void_wager")
    dead = op.chapter.first("hand_declared_dead")
    if chosen is None or dead is None:
        return None
    op.chapter.drop(dead)
    return chosen


@breach(
    "forgotten-card-out-of-turn",
    "round",
    since="1995-09-05",
    blackjack="forgotten-card-after-the-other-players",
)
def forgotten_card_out_of_turn(op: Opportunity) -> Record | None:
    """A card that was forgotten comes at once, before the other players have got theirs."""
    chapter = op.chapter
    for asked in chapter.all("decision", kind="hit"):
        place = chapter.place(asked) + 1
        dealt = chapter.records[place]
        later = chapter.records[place + 1 :]
        others = [r for r in later if r["type"] == "card_dealt" and r["to"] == "player"]
        split = chapter.first("decision", seat=asked["seat"], kind="split")
        if dealt["type"] != "card_dealt" or split or not others:
            continue
        if others[-1]["seat"] == asked["seat"]:
            continue
        who = {name: asked[name] for name in WHO}
        chapter.insert(place, "choice_accepted", kind="late_card", **who)
        chapter.insert(place, "choice_offered", kind="late_card", **who)
        missed = {"kind": "requested_card_missed", "to": "player"}
        chapter.insert(place, "irregularity", **missed, **who)
        return dealt
    return None


@breach(
    "open-double-card-ends-the-hand",
    "round",
    since="2005-01-18",
    accident="open-double-card",
    blackjack="double-card-dealt-up-changes-nothing",
)
def open_double_card_ends_the_hand(op: Opportunity) -> Record | None:
    shown = op.chapter.first("irregularity")
    if shown is not None:
        who = {name: shown[name] for name in WHO}
        op.chapter.insert(len(op.chapter.records) - 1, "hand_declared_dead", **who)
    return shown
