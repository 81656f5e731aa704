"""A whole log from its files to the result, night after night."""
