"""How players decide in blackjack: mostly sensibly, sometimes not."""

from __future__ import annotations

from random import Random

from compliance.simulate.elections import BlackjackRules
from compliance.simulate.hands import PIPS, Hand

RESERVE = 14
"""With so few cards left nobody draws if it can be helped: the dealer may need them all."""


def decide(
    hand: Hand, upcard: int, rules: BlackjackRules, splits: int, left: int, random: Random
) -> str:
    """The player's next decision on a hand of less than 21."""
    total, cards = hand.total, len(hand.cards)
    if left < RESERVE:
        return "stand"
    first = cards == 2
    if first and not hand.split and rules.surrender and _gives_up(hand, upcard, random):
        return "surrender"
    if first and splits < _splits_allowed(hand, rules) and hand.is_pair and _splits(hand, upcard):
        return "split"
    if first and _may_double(hand, rules) and _doubles(hand, upcard):
        return "double"
    if random.random() < 0.04:
        return "stand" if total >= 12 else "hit"
    if hand.soft:
        return "stand" if total >= 19 or (total == 18 and upcard < 9) else "hit"
    if total >= 17 or (total >= 13 and 2 <= upcard <= 6) or (total == 12 and 4 <= upcard <= 6):
        return "stand"
    return "hit"


def _gives_up(hand: Hand, upcard: int, random: Random) -> bool:
    bad = not hand.soft and hand.total in (15, 16) and upcard in (1, 9, 10)
    return bad and not hand.is_pair and random.random() < 0.5


def _splits_allowed(hand: Hand, rules: BlackjackRules) -> int:
    if PIPS[hand.cards[0]] == 1 and not rules.resplit_aces:
        return 1
    return rules.splits


def _splits(hand: Hand, upcard: int) -> bool:
    value = PIPS[hand.cards[0]]
    return value in (1, 8) or (value in (2, 3, 6, 7, 9) and 2 <= upcard <= 6)


def _may_double(hand: Hand, rules: BlackjackRules) -> bool:
    if hand.split and not rules.double_after_split:
        return False
    return rules.hole_card != "face_up" or 9 <= hand.total <= 11


def _doubles(hand: Hand, upcard: int) -> bool:
    if hand.soft:
        return hand.total in (16, 17) and 4 <= upcard <= 6
    return (hand.total == 11 and upcard != 1) or (
        hand.total in (9, 10) and (3 <= upcard <= 6 or (hand.total == 10 and 2 <= upcard <= 9))
    )
