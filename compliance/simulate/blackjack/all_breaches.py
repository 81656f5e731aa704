"""All breaches of blackjack, gathered from where they are written down."""

from __future__ import annotations

from compliance.simulate.blackjack.accidents import breaches as of_accidents
from compliance.simulate.blackjack.breaches import (
    cards,
    cuts,
    dealing,
    decks,
    double_shoe,
    extra_odds,
    hole_card,
    insurance,
    lively_table,
    multiple_action_dealer,
    multiple_action_wagers,
    order,
    other_shuffles,
    outcomes,
    payments,
    shared_boxes,
    shuffles,
    six_to_five,
    split_hands,
    splits,
    surrender,
    turns,
    wagers,
)
from compliance.simulate.blackjack.side_wagers import breaches as of_side_wagers

MODULES = (
    cards,
    cuts,
    dealing,
    decks,
    double_shoe,
    extra_odds,
    hole_card,
    insurance,
    lively_table,
    multiple_action_dealer,
    multiple_action_wagers,
    order,
    other_shuffles,
    outcomes,
    payments,
    shared_boxes,
    shuffles,
    six_to_five,
    split_hands,
    splits,
    surrender,
    turns,
    wagers,
    *of_side_wagers.MODULES,
    *of_accidents.MODULES,
)
