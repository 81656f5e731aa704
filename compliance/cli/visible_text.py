"""Shows text from logs, rules and the command line without obeying it."""

from __future__ import annotations

import unicodedata

_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Zl", "Zp"}


def visible(text: str) -> str:
    """Text in which characters that hide, reorder or steer the terminal appear as their codes."""
    return "".join(f"\\u{ord(c):04x}" if unicodedata.category(c) in _UNSEEN else c for c in text)
