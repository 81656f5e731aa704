"""Of every hand of cards the engine says what the functions of the rule language say."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from random import Random
from typing import Any

import pytest

from compliance.engine.bindings import PlanBindings
from compliance.engine.shown_checks import _poker_rank
from compliance.judgement.circumstances import circumstances
from compliance.plan.builder import build_plan
from compliance.plan.nodes import WORDS
from compliance.values.elected_options import ElectedOptions
from event_schemas import Card, Event
from event_schemas.cards import JOKER, Rank, Suit, full_deck
from rules_dsl import core
from rules_dsl.functions import OF_CARDS, POINTWISE, Unsuitable
from rules_dsl.poker import HAND_CLASSES
from tests.columns_of_events import from_events
from tests.property.both_engines import judged
from tests.property.random_logs import SCHEMA, ZONE
from tests.property.random_rulebook import rulebook

DECK = tuple(full_deck())
HANDS = 3000
MOST = 8
Values = tuple[object, ...]


def random_hand(random: Random, fewest: int) -> list[Card]:
    """One to eight cards: often of few ranks or of one suit, now and then with jokers or twice."""
    suits = random.sample(list(Suit), random.choice((1, 2, 4, 4)))
    first, number = random.randrange(len(Rank)), random.choice((2, 6, 13))
    ranks = [list(Rank)[(first + step) % len(Rank)] for step in range(number)]
    cards = [card for card in DECK if card.suit in suits and card.rank in ranks]
    cards += [JOKER] * random.choice((0, 0, 1, 2))
    size = random.randint(fewest, MOST)
    if random.random() < 0.1:
        return random.choices(cards, k=size)
    random.shuffle(cards)
    return cards[:size] or [JOKER]


def expected(hand: Sequence[Card]) -> Values:
    return tuple(_worked(function.work, hand) for function in OF_CARDS.values())


def _worked(work: Any, *arguments: object) -> object:
    try:
        return work(*arguments)
    except Unsuitable:
        return None


def told(events: list[Event], values: Sequence[core.Expr], trigger: str) -> list[list[Any]]:
    """What some expressions are at each event of a type: the numbers above the line, or None."""
    message = tuple(core.MessagePart("a value", value, "number") for value in values)
    always = core.Compare("=", core.Const("number", "1"), core.Const("number", "1"))
    edition = core.Edition(
        None, None, "", ("law",), core.Slice("table", None, (), ()),
        core.Trigger(core.Pattern((trigger,), 0), None, None), (),
        (core.Requirement(always, ""),), (), message, "", (),
    )  # fmt: skip
    book = rulebook(core.Rule("cards", "", "violation", "major", "", (edition,), ()))
    around = circumstances(book, SCHEMA, ElectedOptions(SCHEMA, events))
    bound = PlanBindings(build_plan(book, SCHEMA), around)
    found = judged(bound, from_events(SCHEMA, events), around, [0])
    known = WORDS["state"].index("known")
    return [
        [
            above if state == known else None
            for above, state in zip(check.quotes[::4], check.quotes[2::4], strict=True)
        ]
        for check in found.checks
    ]


def as_told(numbers: Sequence[Any]) -> Values:
    """The numbers of the engine as the functions give them."""
    forms: dict[str, Callable[[Any], object]] = {
        "is_soft": bool,
        "poker_rank": _poker_rank,
        "low_poker_rank": _poker_rank,
        "poker_class": HAND_CLASSES.__getitem__,
    }
    return tuple(
        None if number is None else forms.get(name, int)(number)
        for name, number in zip(OF_CARDS, numbers, strict=True)
    )


def event(seq: int, kind: str, **fields: object) -> Event:
    moment = datetime(2000, 1, 1, tzinfo=ZONE) + timedelta(seconds=seq)
    return Event(f"e{seq}", moment, seq, "C1", "T1", kind, fields)


@pytest.mark.parametrize("seed", range(3))
def test_a_list_of_cards_is_worth_the_same(seed: int) -> None:
    random = Random(seed)
    hands = [random_hand(random, 1) for _ in range(HANDS)]
    events = [event(seq, "hand_shown", cards=tuple(hand)) for seq, hand in enumerate(hands)]
    cards = core.Field(0, "cards", "cards")
    found = told(events, [core.Apply(name, (cards,)) for name in OF_CARDS], "hand_shown")
    assert len(found) == HANDS
    assert {expected(hand)[-1] for hand in hands} == {None, *HAND_CLASSES}
    for hand, numbers in zip(hands, found, strict=True):
        assert as_told(numbers) == expected(hand), " ".join(map(str, hand))


def test_cards_that_are_dealt_one_by_one_are_worth_the_same() -> None:
    random = Random(7)
    hands = [random_hand(random, 0) for _ in range(HANDS // 3)]
    events: list[Event] = []
    for hand in hands:
        events += [event(len(events) + i, "card_dealt", card=card) for i, card in enumerate(hand)]
        events.append(event(len(events), "cards_shuffled"))
    since = core.Pattern(("cards_shuffled",), 1)
    dealt = core.Events(0, core.Pattern(("card_dealt",), 1), core.Window("past", since=since))
    card = core.Field(1, "card", "card")
    values = [core.Aggregate(name, dealt, card, OF_CARDS[name].gives.name) for name in OF_CARDS]
    found = told(events, values, "cards_shuffled")
    for hand, numbers in zip(hands, found, strict=True):
        assert as_told(numbers) == expected(hand), " ".join(map(str, hand))


def test_single_cards_have_the_same_rank_suit_colour_and_value() -> None:
    cards = (*DECK, JOKER)
    names = ("pip_value", "rank", "suit", "color")
    events = [event(seq, "card_dealt", card=card) for seq, card in enumerate(cards)]
    card = core.Field(0, "card", "card")
    found = told(events, [core.Apply(name, (card,)) for name in names], "card_dealt")
    assert found[-1] == [None] * len(names)
    for one, (pips, rank, suit, color) in zip(DECK, found, strict=False):
        assert pips == POINTWISE["pip_value"].work(one)
        assert list(Rank)[rank] == one.rank
        assert list(Suit)[suit] == one.suit
        assert ("red", "black")[color] == POINTWISE["color"].work(one)
