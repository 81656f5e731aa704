"""All breaches that follow an accident, gathered from where they are written down."""

from __future__ import annotations

from compliance.simulate.blackjack.accidents import (
    called_off_breaches,
    device_breaches,
    forgotten_card_breaches,
    run_out_breaches,
    stray_card_breaches,
    upcard_breaches,
)

MODULES = (
    stray_card_breaches,
    forgotten_card_breaches,
    run_out_breaches,
    upcard_breaches,
    called_off_breaches,
    device_breaches,
)
