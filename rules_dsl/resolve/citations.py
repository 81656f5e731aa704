"""Says what is wrong with a citation that names no paragraph that can be looked up."""

from __future__ import annotations

import re

PROPOSED = " (proposed)"
"""What stands after a citation of a text that was proposed, and is not law."""
_LAW = "N.J.A.C."
_LIKE_THE_LAW = re.compile(r"N\.?\s*J\.?\s*A\.?\s*C\b\.?\s*")
_SECTION = re.compile(r"[0-9]+:[0-9]+[A-Z]*-[0-9]+\.[0-9]+[A-Z]*")
_PARAGRAPH = re.compile(r"(?:\([0-9a-z]+\)|\[[0-9a-z]+\]|\.?(?:[0-9]+|[ivx]+)|#[0-9]+)*")
_FORM = "write it like `N.J.A.C. 19:47-2.6(c)`"


def citation_problem(text: str) -> tuple[str, str] | None:
    """What is wrong, and what to write; None where nothing is."""
    if not text.strip():
        return "This citation is empty.", "name the paragraph, like `N.J.A.C. 19:47-2.6(c)`"
    brackets = re.sub(r"[^()]", "", text)
    while "()" in brackets:
        brackets = brackets.replace("()", "")
    if ")" in brackets:
        return "This citation closes a bracket that is not open.", "leave one bracket out"
    if brackets:
        return "A bracket of this citation is not closed.", _closed(text, brackets)
    law = _LIKE_THE_LAW.match(text)
    if law is None:
        return None
    rest = text[law.end() :].removesuffix(PROPOSED)
    if law.group().strip() != _LAW:
        return f"The law is written `{_LAW}`.", f"write `{_LAW} {rest}`"
    section = _SECTION.match(rest)
    if section is None:
        return f"`{rest}` is not a section of the law.", _FORM
    if _PARAGRAPH.fullmatch(rest[section.end() :]) is None or "()" in text:
        return f"`{rest}` is not a paragraph of the law.", _FORM
    return None


def _closed(text: str, brackets: str) -> str:
    whole = brackets == "(" and text[-1].isalnum()
    return f"write `{text})`" if whole else _FORM
