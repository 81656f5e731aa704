"""Says what a rule asks: in plain English and as a formula."""
