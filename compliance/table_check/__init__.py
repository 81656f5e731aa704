"""One table's events against a rulebook: the unit of work of every run."""
