"""Finds holes in the rulebook: spoils lawful nights by machine, and sees which rule notices."""
