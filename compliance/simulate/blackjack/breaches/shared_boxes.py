"""Breaches on boxes that several players share: who may wager, who agrees, who decides."""

from __future__ import annotations

from compliance.simulate.breach import (
    SETTLEMENTS,
    Opportunity,
    breach,
    copied,
    plain_seats,
)
from compliance.simulate.table import Chapter, Record

VARIANT = "shared_boxes"


def _wagers(chapter: Chapter, seat: int) -> list[Record]:
    """The main wagers on a box, the first player's first."""
    return chapter.all("wager_placed", seat=seat, wager="blackjack")


def _shared_seats(chapter: Chapter) -> list[int]:
    wagers = chapter.all("wager_placed", wager="blackjack")
    seats = {wager["seat"] for wager in wagers}
    return sorted(seat for seat in seats if len(_wagers(chapter, seat)) > 1)


def _join(chapter: Chapter, seat: int, player: str) -> Record:
    """One more player wagers on a box with consent, and wins or loses like the first one."""
    first, last = _wagers(chapter, seat)[0], _wagers(chapter, seat)[-1]
    who = {name: first[name] for name in ("round", "dealer", "seat", "player")}
    place = chapter.place(last) + 1
    chapter.insert(place, "box_share_consent", guest=player, **who)
    joined = chapter.insert(place + 1, "wager_placed", **copied(first, player=player))
    for record in list(chapter.records):
        own = record.get("seat") == seat and record.get("player") == first["player"]
        if own and record["type"] in SETTLEMENTS and record["wager"] == "blackjack":
            fields = copied(record, player=player)
            chapter.insert(chapter.place(record) + 1, record["type"], **fields)
    return joined


@breach(
    "fourth-player-on-a-box", "round", variant=VARIANT, blackjack="at-most-three-players-on-a-box"
)
def fourth_player_on_a_box(op: Opportunity) -> Record | None:
    for seat in plain_seats(op.chapter):
        number = len(_wagers(op.chapter, seat))
        joined = [_join(op.chapter, seat, f"X{n}") for n in range(number, 4)]
        return joined[-1]
    return None


@breach(
    "box-shared-without-consent",
    "round",
    variant=VARIANT,
    blackjack="first-player-agrees-to-share-the-box",
)
def box_shared_without_consent(op: Opportunity) -> Record | None:
    """Somebody whom the first player never agreed to takes the place of a friend."""
    for seat in _shared_seats(op.chapter):
        wager = _wagers(op.chapter, seat)[-1]
        friend = wager["player"]
        if op.chapter.first("decision", seat=seat, player=friend):
            continue
        consent = op.chapter.first("box_share_consent", seat=seat, guest=friend)
        assert consent is not None
        op.chapter.drop(consent)
        for record in op.chapter.records:
            if record.get("seat") == seat and record.get("player") == friend:
                record["player"] = "stranger"
        return wager
    return None


@breach(
    "box-shared-beside-the-progressive",
    "round",
    offer="progressive",
    since="1996-07-15",
    blackjack="no-shared-box-with-the-progressive-wager",
)
def box_shared_beside_the_progressive(op: Opportunity) -> Record | None:
    """For one round the licensee lets players share boxes."""
    seats = plain_seats(op.chapter)
    if not seats:
        return None
    by = {"by": "F1", "by_role": "floorperson", "option_name": "box_sharing"}
    joined = _join(op.chapter, seats[0], "X1")
    op.chapter.insert(0, "option_elected", value="yes", **by)
    op.chapter.insert(len(op.chapter.records), "option_elected", value="no", **by)
    return joined


def _other_decides(op: Opportunity, *, seated: bool) -> Record | None:
    """Another player on the box, with a smaller wager, makes one of the decisions."""
    sitting = op.seated()
    for seat in _shared_seats(op.chapter):
        decision = op.chapter.first("decision", seat=seat)
        if decision is None or (seat in sitting) != seated:
            continue
        wagers = _wagers(op.chapter, seat)
        largest = max(wager["amount"] for wager in wagers)
        for wager in wagers:
            if wager["player"] != decision["player"] and (seated or wager["amount"] < largest):
                decision["player"] = wager["player"]
                return decision
    return None


@breach(
    "standing-player-decides",
    "round",
    variant=VARIANT,
    blackjack="seated-player-decides-on-a-shared-box",
)
def standing_player_decides(op: Opportunity) -> Record | None:
    return _other_decides(op, seated=True)


@breach(
    "smaller-wager-decides",
    "round",
    variant=VARIANT,
    blackjack="highest-wager-decides-on-a-box-without-a-seated-player",
)
def smaller_wager_decides(op: Opportunity) -> Record | None:
    return _other_decides(op, seated=False)


@breach(
    "split-unanswered",
    "round",
    variant=VARIANT,
    blackjack="everybody-on-a-split-box-answers",
)
def split_unanswered(op: Opportunity) -> Record | None:
    """A player does not say with which hand the wager stays."""
    named = op.chapter.first("split_hand_designated")
    if named is None:
        return None
    place = op.chapter.place(named)
    op.chapter.drop(named)
    following = op.chapter.records[place:]
    return next(record for record in following if record["type"] == "card_dealt")
