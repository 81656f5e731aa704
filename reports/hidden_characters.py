"""Shows text from a log without obeying it: what hides, reorders or steers appears as its code."""

from __future__ import annotations

import re

# Control characters but for tab and line feed, those that reorder or hide text, private and
# half characters, and what XML forbids.
_UNSEEN = (
    "\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u2069"
    "\ud800-\udfff\ue000-\uf8ff\ufe00-\ufe0f\ufeff\ufff9-\ufffb\ufffe\uffff"
    "\U000e0000-\U000e007f"
)
_HIDDEN = re.compile(f"[{_UNSEEN}]")
_HIDDEN_OR_BREAK = re.compile(f"[{_UNSEEN}\t\n]")


def visible(text: str) -> str:
    """The text, with codes for what a reader would not see; lines stay lines."""
    return text if _plain(text) else _HIDDEN.sub(_code, text)


def one_line(text: str) -> str:
    """The same on one line: a log cannot begin a new row or a new heading."""
    return text if _plain(text) else _HIDDEN_OR_BREAK.sub(_code, text)


def _plain(text: str) -> bool:
    """Most text is, and is quickly passed on."""
    return text.isascii() and text.isprintable()


def _code(found: re.Match[str]) -> str:
    return f"\\u{ord(found.group()):04x}"
