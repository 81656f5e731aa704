"""What a breach is: a name, the rule that must find it, and how it alters a lawful night."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random
from typing import Any

from compliance.simulate.hands import Hand
from compliance.simulate.table import Chapter, Record
from compliance.simulate.variants import USUAL

SETTLEMENTS = ("wager_paid", "wager_collected", "wager_returned")
BEFORE_HOLE_CARD = ("cutting_card_reached", *SETTLEMENTS)
"""What may come between the players' second cards and a hole card."""


@dataclass(frozen=True)
class Opportunity:
    """A chapter of a night in which something may go wrong, and what holds there."""

    chapters: list[Chapter]
    at: int
    options: dict[str, str]
    """What the licensee has elected by then."""
    day: date
    random: Random

    @property
    def chapter(self) -> Chapter:
        """The chapter in question."""
        return self.chapters[self.at]

    @property
    def before(self) -> Chapter | None:
        """The last round before this chapter."""
        rounds = (c for c in reversed(self.chapters[: self.at]) if c.kind == "round")
        return next(rounds, None)

    @property
    def next_round(self) -> Chapter | None:
        """The round that follows before the cards are touched again, if one does."""
        for chapter in self.chapters[self.at + 1 :]:
            if chapter.kind != "between":
                return chapter if chapter.kind == "round" else None
        return None

    @property
    def round_just_before(self) -> Chapter | None:
        """The round before this one, if the cards were not touched in between."""
        for chapter in reversed(self.chapters[: self.at]):
            if chapter.kind != "between":
                return chapter if chapter.kind == "round" else None
        return None

    @property
    def after_a_rest(self) -> bool:
        """Nobody has played since the table last rested."""
        last = self.earlier("round_ended", "table_idle_started")
        return bool(last) and last[0]["type"] == "table_idle_started"

    def has(self, option: str, value: str = "yes") -> bool:
        """Whether an option was elected so."""
        return self.options.get(option) == value

    def earlier(self, *types: str) -> list[Record]:
        """All events of some types before this chapter, the latest first."""
        return [
            record
            for chapter in reversed(self.chapters[: self.at])
            for record in reversed(chapter.records)
            if record["type"] in types
        ]

    def seated(self) -> dict[int, str]:
        """Who sits where when the chapter ends."""
        found: dict[int, str] = {}
        for chapter in self.chapters[: self.at + 1]:
            for record in chapter.records:
                if record["type"] == "player_seated":
                    found[record["seat"]] = record["player"]
                elif record["type"] == "player_left":
                    found.pop(record["seat"], None)
        return dict(sorted(found.items()))


Alteration = Callable[[Opportunity], Record | list[Record] | None]
"""Alters the chapter and returns the event that must be found, or alters nothing: None.

A rule that looks at several events may find the breach at each of them.
"""


@dataclass(frozen=True)
class Breach:
    """A named breach: where it may happen, and the rule of each game that must find it."""

    name: str
    kinds: tuple[str, ...]
    """The chapters in which it may happen."""
    rules: dict[str, str]
    alter: Alteration
    since: date | None = None
    """The day from which the rule is law."""
    offer: str | None = None
    """The side wager that the table offers: elsewhere the breach cannot happen."""
    variant: str = USUAL
    """The way in which the table is set up: elsewhere the breach cannot happen."""
    until: date | None = None
    """The day from which the rule is no longer law."""
    accident: str = ""
    """The accident after which it may happen, by its name; other breaches happen without one."""
    also: tuple[str, ...] = ()
    """Rules that the same act breaks, too, or that what follows from it breaks."""

    def possible_on(self, day: date) -> bool:
        """Whether the rule is law on a day."""
        return (self.since or day) <= day and (self.until is None or day < self.until)

    def fits(self, chapter: Chapter, offers: frozenset[str], variant: str) -> bool:
        """Whether it may happen in this chapter, at a table that is set up like this.

        In a round with side wagers, or with an accident, a breach that knows nothing of them
        could break their rules, too.
        """
        if chapter.kind not in self.kinds or variant != self.variant:
            return False
        if chapter.accident != self.accident:
            return False
        return self.offer in offers if self.offer else chapter.kind != "round" or not offers


BREACHES: dict[str, Breach] = {}


def breach(
    name: str,
    *kinds: str,
    since: str | None = None,
    offer: str | None = None,
    variant: str = USUAL,
    until: str | None = None,
    accident: str = "",
    also: str | tuple[str, ...] = (),
    **rules: str,
) -> Callable[[Alteration], Alteration]:
    """Register a breach by name, with the rule that must find it in each game."""

    def register(alter: Alteration) -> Alteration:
        begin = date.fromisoformat(since) if since else None
        end = date.fromisoformat(until) if until else None
        follow = (also,) if isinstance(also, str) else also
        BREACHES[name] = Breach(
            name, kinds, rules, alter, begin, offer, variant, end, accident, follow
        )
        return alter

    return register


def copied(record: Record, **changed: object) -> dict[str, Any]:
    """The fields of an event, for another event like it."""
    return {n: v for n, v in record.items() if n not in ("type", "ts")} | changed


# ---- reading and changing a round --------------------------------------------------------------


def seat_records(chapter: Chapter, seat: int, *types: str) -> list[Record]:
    """All events of some types at a seat."""
    return [r for r in chapter.records if r["type"] in types and r.get("seat") == seat]


def hand_at(chapter: Chapter, seat: int, until: int | None = None) -> Hand:
    """The cards of a seat that did not split, up to a place in the chapter."""
    hand = Hand(seat, "", 1, 0)
    for record in chapter.records[:until]:
        if record["type"] == "card_dealt" and record.get("seat") == seat:
            hand.take(record["card"])
    return hand


def dealers_hand(chapter: Chapter) -> Hand:
    """The dealer's cards; a hole card that was hidden is known from its turning."""
    hand = Hand(0, "", 0, 0)
    turned = chapter.first("hole_card_revealed")
    for record in chapter.all("card_dealt", to="dealer"):
        card = record.get("card") or (turned and turned["card"])
        if card:
            hand.take(card)
    return hand


def plain_seats(chapter: Chapter) -> list[int]:
    """Seats with one hand: no split, no double, no surrender, no insurance."""
    special = {
        record["seat"]
        for record in chapter.records
        if (record["type"] == "decision" and record["kind"] in ("split", "double", "surrender"))
        or record["type"] in ("insurance_placed", "choice_accepted")
    }
    return [r["seat"] for r in chapter.all("wager_placed") if r["seat"] not in special]


def restake(chapter: Chapter, wager: Record, amount: int) -> None:
    """Let a wager have been of another amount, also where it is settled."""
    wager["amount"] = amount
    for record in chapter.records:
        same = all(record.get(n) == wager.get(n) for n in ("seat", "wager", "hand", "player"))
        if not same or record["type"] not in SETTLEMENTS:
            continue
        if record["type"] == "wager_paid":
            gain, per = record["odds"].split(" to ")
            record["stake"] = amount
            record["amount"] = amount * int(gain) // int(per)
        else:
            record["amount"] = amount


def settled_by_count(chapter: Chapter) -> list[tuple[Record, int]]:
    """Main wagers that were settled by counting against the dealer, with the player's total."""
    cards = chapter.all("card_dealt", to="dealer")
    if not cards:
        return []
    last = chapter.place(cards[-1])
    found = []
    for record in chapter.records[last:]:
        if record["type"] in SETTLEMENTS and record["wager"] == "blackjack":
            hand = hand_at(chapter, record["seat"])
            decisions = seat_records(chapter, record["seat"], "decision")
            odd = {"split", "surrender"} & {decision["kind"] for decision in decisions}
            if not odd and not hand.is_blackjack:
                found.append((record, hand.total))
    return found


def still_settles(settled: list[tuple[Record, int]], total: int) -> bool:
    """Whether every hand would have been settled alike against another total of the dealer."""
    for record, own in settled:
        won = total > 21 or own > total
        due = "wager_paid" if won else "wager_returned" if own == total else "wager_collected"
        if record["type"] != due:
            return False
    return True


def no_splits(chapter: Chapter) -> bool:
    """Nobody split a pair in this round."""
    return chapter.first("decision", kind="split") is None


def additional_cards(chapter: Chapter) -> list[Record]:
    """Cards to players beyond the first two of a seat."""
    held: dict[int, int] = {}
    found = []
    for record in chapter.all("card_dealt", to="player"):
        held[record["seat"]] = held.get(record["seat"], 0) + 1
        if held[record["seat"]] > 2:
            found.append(record)
    return found


def first_cards_end(chapter: Chapter) -> int:
    """The place after the first two cards of every seat, and after a hole card."""
    seats = len({record["seat"] for record in chapter.all("card_dealt", to="player")})
    cards = chapter.all("card_dealt")
    number = 2 * seats + 1
    last = cards[number - 1]
    if len(cards) > number and cards[number]["to"] == "dealer":
        # A second card that the dealer does not announce is a hole card.
        between = chapter.records[chapter.place(last) + 1 : chapter.place(cards[number])]
        if all(record["type"] in BEFORE_HOLE_CARD for record in between):
            last = cards[number]
    return chapter.place(last) + 1


def extra_card(chapter: Chapter, like: Record, card: str, place: int | None = None) -> Record:
    """One more card to the same hand, at the end of the round unless a place is given."""
    fields = copied(like, card=card, face_up=True)
    return chapter.insert(
        len(chapter.records) - 1 if place is None else place, "card_dealt", **fields
    )


def asks_for(chapter: Chapter, like: Record, card: str, place: int) -> tuple[Record, Record]:
    """A player asks for one more card and gets it; its new count is called."""
    who = {n: like[n] for n in ("round", "dealer", "seat", "player", "hand")}
    asked = chapter.insert(place, "decision", kind="hit", **who)
    dealt = extra_card(chapter, like, card, place + 1)
    hand = hand_at(chapter, like["seat"], place + 2)
    count = {"total": hand.total, "soft": hand.soft, "to": "player"}
    chapter.insert(place + 2, "point_total_announced", **count, **who)
    collected = chapter.first("cards_collected", seat=like["seat"])
    if collected is not None:
        collected.update(cards=" ".join(hand.cards), cards_total=len(hand.cards))
    return asked, dealt
