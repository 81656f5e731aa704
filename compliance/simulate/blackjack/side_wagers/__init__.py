"""The side wagers of blackjack: which a table offers, and how each is made and settled."""
