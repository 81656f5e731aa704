"""The plan of a rulebook: a graph of small questions, each written once, that the engine asks."""
