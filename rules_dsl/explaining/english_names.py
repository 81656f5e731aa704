"""The names of events, fields and options in words, each with its exact name the first time."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

_FIELDS = {
    "to": "recipient",
    "by": "person",
    "by_role": "person's role",
    "ts": "time",
    "seq": "number in the log",
}
_VOWELS = "aeiou"


@dataclass
class Names:
    """Remembers which exact names have been given already."""

    given: set[str] = field(default_factory=set)

    def event(self, name: str) -> str:
        """An event type: `“card dealt”`, at first `“card dealt” (card_dealt)`."""
        return f"“{in_words(name)}”{self._exact(name, in_words(name))}"

    def events(self, types: Iterable[str], joint: str = "or") -> str:
        """Several event types: `“a”, “b” or “c”`."""
        return listed([self.event(name) for name in types], joint)

    def field(self, name: str) -> str:
        """A field: `card number`, at first `card number (card_number)`."""
        words = _FIELDS.get(name, in_words(name))
        return f"{words}{self._exact(name, words)}"

    def quoted(self, name: str) -> str:
        """The name of an option or setting: `“soft 17”`, with its exact name at first."""
        return f"“{in_words(name)}”{self._exact(name, in_words(name))}"

    def titled(self, name: str, title: str) -> str:
        """Something that has a title of its own, such as a table."""
        words = title or in_words(name)
        return f"“{words}”{self._exact(name, words)}"

    def _exact(self, name: str, words: str) -> str:
        if name in self.given or name == words:
            return ""
        self.given.add(name)
        return f" ({name})"


def in_words(name: str) -> str:
    """A name with blanks instead of underscores."""
    return name.replace("_", " ")


def article(noun: str) -> str:
    """The noun with `a` or `an` before it."""
    return f"{'an' if noun.lstrip('“')[:1].lower() in _VOWELS else 'a'} {noun}"


def listed(items: Iterable[str], joint: str = "and") -> str:
    """`a`, `a and b`, `a, b and c`."""
    words = list(items)
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} {joint} {words[-1]}"
