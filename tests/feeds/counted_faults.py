"""Counts the dealer's mistakes in what systems wrote, straight from their files.

It shares nothing with the checker, nor with the game that made the mistakes: another way to add up
cards, and the feeds' own words.
"""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal


@dataclass
class Told:
    """One round as a feed tells it."""

    dealer: list[str] = field(default_factory=list)
    hands: dict[int, list[str]] = field(default_factory=dict)
    stakes: dict[int, Decimal] = field(default_factory=dict)
    won: dict[int, Decimal] = field(default_factory=dict)
    """What a seat was paid besides its stake."""
    shuffles: int = 0


def total(cards: list[str]) -> int:
    """The total of a hand: every ace as eleven, and as one again while that is too much."""
    points = {"A": 11, "J": 10, "Q": 10, "K": 10}
    ranks = [card.rstrip("SHDC") for card in cards]
    added = sum(points.get(rank) or int(rank) for rank in ranks)
    aces = ranks.count("A")
    while added > 21 and aces:
        added, aces = added - 10, aces - 1
    return added


def natural(cards: list[str]) -> bool:
    return len(cards) == 2 and total(cards) == 21


def faults(rounds: list[Told]) -> Counter[str]:
    """How often each mistake was made."""
    found: Counter[str] = Counter()
    for told in rounds:
        waiting = [c for c in told.hands.values() if total(c) <= 21 and not natural(c)]
        found["stopped early"] += total(told.dealer) < 17 and bool(waiting)
        found["drew too long"] += any(
            total(told.dealer[:n]) >= 17 for n in range(2, len(told.dealer))
        )
        found["shuffled in the round"] += told.shuffles
        for seat, won in told.won.items():
            cards, stake = told.hands[seat], told.stakes[seat]
            if natural(cards):
                found["blackjack paid wrongly"] += 2 * won != 3 * stake
            elif won:
                better = total(told.dealer) > 21 or total(cards) > total(told.dealer)
                found["loser paid"] += not better
    return found


def engine_rounds(text: str) -> list[Told]:
    rounds: list[Told] = []
    inside = False
    for record in map(json.loads, text.splitlines()):
        kind, seat = record["type"], record.get("seat", 0)
        if kind == "round_started":
            rounds.append(Told())
            inside = True
        elif kind == "round_ended":
            inside = False
        elif kind == "cards_shuffled" and inside:
            rounds[-1].shuffles += 1
        elif kind == "card_dealt" and record["to"] == "dealer":
            rounds[-1].dealer.append(record["card"])
        elif kind == "card_dealt":
            rounds[-1].hands.setdefault(seat, []).append(record["card"])
        elif kind == "wager_paid":
            rounds[-1].stakes[seat] = Decimal(record["stake"])
            rounds[-1].won[seat] = Decimal(record["amount"])
    return rounds


def shoe_rounds(text: str) -> list[Told]:
    rounds: list[Told] = []
    inside = False
    for row in csv.DictReader(io.StringIO(text)):
        if row["EVT"] == "GAME_ON":
            rounds.append(Told())
            inside = True
        elif row["EVT"] == "GAME_OFF":
            inside = False
        elif row["EVT"] == "NEW_SHOE" and inside:
            rounds[-1].shuffles += 1
        elif row["EVT"] == "CARD" and row["DEST"] == "D":
            rounds[-1].dealer.append(row["CARD"])
        elif row["EVT"] == "CARD":
            rounds[-1].hands.setdefault(int(row["DEST"][1:]), []).append(row["CARD"])
    return rounds


def live_rounds(text: str) -> list[Told]:
    rounds = []
    for record in map(json.loads, text.splitlines()):
        told = Told(record["dealer"]["cards"])
        for seat in record["seats"]:
            stake, back = Decimal(seat["stake"]), Decimal(seat["returned"])
            told.hands[seat["pos"]] = seat["cards"]
            told.stakes[seat["pos"]] = stake
            if back > stake:
                told.won[seat["pos"]] = back - stake
        rounds.append(told)
    return rounds


def row_rounds(text: str) -> list[Told]:
    rounds = []
    for row in csv.DictReader(io.StringIO(text)):
        stake, back = (Decimal(row[name].strip("$").replace(",", "")) for name in ("Bet", "Paid"))
        told = Told(row["Dealer"].split(), {1: row["Player"].split()}, {1: stake})
        if back > stake:
            told.won[1] = back - stake
        rounds.append(told)
    return rounds
