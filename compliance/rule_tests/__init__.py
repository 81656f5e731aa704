"""Are the rules themselves good? Examples, mutants, coverage and made-up logs."""
