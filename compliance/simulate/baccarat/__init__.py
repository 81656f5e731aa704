"""Baccarat and minibaccarat."""
