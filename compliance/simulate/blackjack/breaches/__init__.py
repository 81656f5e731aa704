"""The breaches of blackjack, each module by what they concern."""
