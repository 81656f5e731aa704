"""The compiled engine: judges a table's log by the plan of a rulebook, in one call."""
