"""One table's events in order: the frame that travels, and the columns that are judged."""
