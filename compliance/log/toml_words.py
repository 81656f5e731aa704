"""Writes texts into the drafts of files that a user fills in, whatever signs they hold."""

from __future__ import annotations

import json
import re

_UNSEEN = re.compile("[\x00-\x1f\x7f]+")


def toml_text(text: str) -> str:
    """A text in quotation marks, as TOML reads it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


def toml_comment(text: str) -> str:
    """A text for a comment: on one line, without signs that TOML refuses there."""
    return _UNSEEN.sub(" ", text)
