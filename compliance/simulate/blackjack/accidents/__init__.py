"""What goes wrong at a simulated blackjack table by accident, and how the law has it put right."""
