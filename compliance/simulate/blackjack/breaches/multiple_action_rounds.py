"""Reading and changing a round of multiple action: the dealer's hands, and the wagers on the spots
against them."""

from __future__ import annotations

from dataclasses import dataclass, field

from compliance.simulate.breach import SETTLEMENTS, Opportunity, hand_at
from compliance.simulate.hands import Hand
from compliance.simulate.table import Chapter, Record


@dataclass
class DealersHand:
    """One of the dealer's hands: the cards drawn to the upcard, and how it ended."""

    number: int
    hand: Hand
    """With the upcard."""
    collected: Record
    drawn: list[Record] = field(default_factory=list)
    called: Record | None = None
    """Where its count was called."""


def is_multiple_action(chapter: Chapter) -> bool:
    """The round was played against several hands of the dealer's."""
    first = chapter.first("wager_placed")
    return first is not None and "area" in first


def dealers_hands(chapter: Chapter) -> list[DealersHand]:
    """The dealer's hands in a round; none if the players lost everything before."""
    found = []
    cards = chapter.all("card_dealt", to="dealer")
    upcard = cards[0]
    start = chapter.place(upcard) + 1
    for number, collected in enumerate(chapter.all("cards_collected", to="dealer"), start=1):
        hand = Hand(0, "", 0, 0)
        hand.take(upcard["card"])
        end = chapter.place(collected)
        part = chapter.records[start:end]
        drawn = [r for r in part if r["type"] == "card_dealt" and r["to"] == "dealer"]
        for record in drawn:
            hand.take(record["card"])
        calls = [r for r in part if r["type"] == "point_total_announced" and r["to"] == "dealer"]
        if drawn:
            called = calls[-1] if calls else None
            found.append(DealersHand(number, hand, collected, drawn, called))
        start = end + 1
    return found


def plain_seats(chapter: Chapter) -> list[int]:
    """Seats with one hand that was neither split nor doubled nor insured."""
    special = {r["seat"] for r in chapter.all("insurance_placed")}
    special |= {r["seat"] for r in chapter.all("decision") if r["kind"] in ("split", "double")}
    return sorted({r["seat"] for r in chapter.all("wager_placed")} - special)


def on_spot(chapter: Chapter, seat: int, spot: int) -> list[Record]:
    """All that is staked and settled on one spot of a seat."""
    return [r for r in chapter.records if r.get("seat") == seat and r.get("area") == spot]


def settlement(chapter: Chapter, seat: int, spot: int) -> Record:
    """How the main wager on a spot was settled."""
    own = on_spot(chapter, seat, spot)
    return next(r for r in own if r["type"] in SETTLEMENTS and r["wager"] == "blackjack")


def settled_at_once(chapter: Chapter) -> list[int]:
    """Plain seats whose wagers were all won or lost before the dealer took a second card."""
    later = chapter.all("card_dealt", to="dealer")[1:]
    end = chapter.place(later[0]) if later else len(chapter.records)
    return [s for s in plain_seats(chapter) if chapter.place(settlement(chapter, s, 1)) < end]


def settled_with(chapter: Chapter, dealers: DealersHand) -> list[Record]:
    """The wagers of seats without a split that one of the dealer's hands decided."""
    split = {record["seat"] for record in chapter.all("decision", kind="split")}
    first, last = chapter.place(dealers.drawn[-1]), chapter.place(dealers.collected)
    return [
        record
        for record in chapter.records[first:last]
        if record["type"] in SETTLEMENTS
        and record["wager"] in ("blackjack", "double")
        and record["seat"] not in split
    ]


def due(own: Hand, dealers: Hand) -> str:
    """How a wager on a hand that is not over 21 is settled against a hand of the dealer's."""
    standing = 22 if own.is_blackjack else own.total
    against = 22 if dealers.is_blackjack else dealers.total if dealers.total <= 21 else 1
    if standing == against:
        return "wager_returned"
    return "wager_paid" if standing > against else "wager_collected"


def still_settles(chapter: Chapter, dealers: DealersHand, other: Hand) -> bool:
    """Whether every hand would have been settled alike against other cards of the dealer's."""
    return all(
        record["type"] == due(hand_at(chapter, record["seat"]), other)
        for record in settled_with(chapter, dealers)
    )


def now_holds(dealers: DealersHand, other: Hand) -> None:
    """Let the dealer hold other cards where their count is called and they are picked up."""
    if dealers.called is not None:
        dealers.called.update(total=other.total, soft=other.soft)
    grown = len(other.cards) - len(dealers.hand.cards)
    total = dealers.collected["cards_total"] + grown
    dealers.collected.update(cards=" ".join(other.cards[-total:]), cards_total=total)


def cents(op: Opportunity, option: str) -> int:
    """An amount that the table has elected."""
    return round(float(op.options[option].strip("$")) * 100)
