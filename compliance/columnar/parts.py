"""What a witness showed: the words in which reports name it, each with a number."""

from __future__ import annotations


class Parts:
    """What witnesses showed, each phrase with its number."""

    def __init__(self) -> None:
        self.names = ["found", "since", "before", "counted", "unclear"]

    def number(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


FOUND, SINCE, BEFORE, COUNTED, UNCLEAR = range(5)
