"""Ranks poker hands: the best five of up to seven cards, high or low.

A joker stands for an ace, or fills a straight or a flush, as in pai gow poker.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations

from event_schemas.cards import Card, Rank, Suit

HAND_CLASSES = (
    "no_pair",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
)
_CLASS = {name: place for place, name in enumerate(HAND_CLASSES)}
PokerRank = tuple[int, ...]


def poker_rank(cards: Sequence[Card]) -> PokerRank:
    """A value that is larger for a better hand; equal hands have equal values."""
    size = min(5, len(cards))
    return max(_rank_of(hand) for hand in combinations(cards, size))


def poker_class(cards: Sequence[Card]) -> str:
    """The name of the best hand's class."""
    return HAND_CLASSES[poker_rank(cards)[0]]


def low_rank(cards: Sequence[Card]) -> PokerRank:
    """A value that is larger for a better low hand: aces low, straights and flushes ignored."""
    size = min(5, len(cards))
    return max(_low(hand) for hand in combinations(cards, size))


def _number(card: Card) -> int:
    assert card.rank is not None
    return 14 if card.rank is Rank.ACE else card.rank.number


def _low(hand: Iterable[Card]) -> PokerRank:
    numbers = [1 if card.rank is None else card.rank.number for card in hand]
    counts = Counter(numbers)
    groups = sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    pairing = sorted(counts.values(), reverse=True)
    return (*[-count for count in pairing], *[-number for number, _ in groups])


def _rank_of(hand: Sequence[Card]) -> PokerRank:
    jokers = sum(card.rank is None for card in hand)
    naturals = [card for card in hand if card.rank is not None]
    if jokers == 0:
        return _natural(naturals)
    best = _natural(
        [*naturals, *[Card(Rank.ACE, suit) for suit in _unused_aces(naturals)[:jokers]]]
    )
    if len(hand) == 5:
        for filler in (Card(rank, suit) for rank in Rank for suit in Suit):
            if jokers == 1 and filler not in naturals:
                rank = _natural([*naturals, filler])
                # Away from an ace the joker may only complete a straight or a flush.
                if rank[0] in (4, 5, 8, 9):
                    best = max(best, rank)
    return best


def _unused_aces(cards: Sequence[Card]) -> list[Suit]:
    held = {card.suit for card in cards if card.rank is Rank.ACE}
    free = [suit for suit in Suit if suit not in held]
    return free or [Suit.SPADES]


def _natural(cards: Sequence[Card]) -> PokerRank:
    numbers = sorted((_number(card) for card in cards), reverse=True)
    counts = Counter(numbers)
    groups = sorted(counts.items(), key=lambda item: (item[1], item[0]), reverse=True)
    kickers = tuple(number for number, _ in groups)
    shape = tuple(count for _, count in groups)
    flush = len(cards) == 5 and len({card.suit for card in cards}) == 1
    straight = _straight_height(numbers) if len(cards) == 5 else 0
    if shape[0] == 5:
        return (_CLASS["five_aces"], *kickers)
    if flush and straight:
        name = "royal_flush" if straight == 14 else "straight_flush"
        return (_CLASS[name], straight)
    if shape[0] == 4:
        return (_CLASS["four_of_a_kind"], *kickers)
    if shape[:2] == (3, 2):
        return (_CLASS["full_house"], *kickers)
    if flush:
        return (_CLASS["flush"], *kickers)
    if straight:
        return (_CLASS["straight"], straight)
    if shape[0] == 3:
        return (_CLASS["three_of_a_kind"], *kickers)
    if shape[:2] == (2, 2):
        return (_CLASS["two_pair"], *kickers)
    if shape[0] == 2:
        return (_CLASS["one_pair"], *kickers)
    return (_CLASS["no_pair"], *kickers)


def _straight_height(numbers: Sequence[int]) -> int:
    """The top of a straight, or 0. The ace may stand at either end."""
    if len(set(numbers)) != 5:
        return 0
    if numbers[0] - numbers[4] == 4:
        return numbers[0]
    return 5 if list(numbers) == [14, 5, 4, 3, 2] else 0
