"""The fast engine: the same meaning as the reference interpreter, on whole columns at once."""
