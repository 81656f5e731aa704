"""All breaches with side wagers, gathered from where they are written down."""

from __future__ import annotations

from compliance.simulate.blackjack.side_wagers import (
    additional_breaches,
    bonus_breaches,
    late_breaches,
    match_breaches,
    optional_bonus_breaches,
    progressive_breaches,
    streak_breaches,
    streak_marker_breaches,
    twenty_point_breaches,
)

MODULES = (
    streak_breaches,
    streak_marker_breaches,
    match_breaches,
    twenty_point_breaches,
    optional_bonus_breaches,
    bonus_breaches,
    progressive_breaches,
    additional_breaches,
    late_breaches,
)
