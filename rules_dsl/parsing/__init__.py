"""From text to syntax tree: the grammar, and a sentence for every mistake in it."""
