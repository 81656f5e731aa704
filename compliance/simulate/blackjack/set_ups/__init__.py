"""Blackjack tables that are set up otherwise than the usual one."""
