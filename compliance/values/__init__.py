"""Single values and what is said of them: moments, numbers, elections, events in words."""
