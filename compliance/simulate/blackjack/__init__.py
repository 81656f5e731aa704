"""Blackjack: how its rounds are dealt and settled, and what may be different at a table."""
