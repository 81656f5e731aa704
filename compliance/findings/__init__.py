"""From checks to what a reader is told: findings, what surrounds a breach, statements."""
