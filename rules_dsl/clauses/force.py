"""From when until when each clause of the map is taken as law.

A clause holds from its own first day to its own last one, where they are known. Where they are not,
the texts of the same section stand in for them: a text is taken from the day it stands, until the
next text that prints the section. A paragraph that no older text prints is taken as it is, because
the older texts at hand have gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from rules_dsl.clauses.model import Clause, Text

Force = tuple[str | None, str | None]
"""The first day, and the day after the last; none where it is not known."""
NO_ENDS: Final[Mapping[str, str]] = MappingProxyType({})


def force(
    clauses: Sequence[Clause], texts: Iterable[Text], ends: Mapping[str, str] = NO_ENDS
) -> list[Force]:
    """The days of each clause, in the order of the clauses; `ends` has the days on which whole
    chapters ended, by the beginning of the numbers of their sections."""
    known = {text.key: text for text in texts}
    printed: dict[str, set[str]] = {}
    for clause in clauses:
        for key in clause.texts:
            for number in _oldest_numbers(clause, known[key]):
                printed.setdefault(number, set()).add(key)
    return [
        days if is_proposed(clause, known) else _ended(days, clause, ends)
        for clause in clauses
        for days in [_force(clause, known, printed)]
    ]


def is_proposed(clause: Clause, texts: Mapping[str, Text]) -> bool:
    """Whether a clause stands in proposals only."""
    return all(texts[key].law_by is not None for key in clause.texts)


def chapter_of(clause: Clause, chapters: Iterable[str]) -> str | None:
    """The chapter that a clause stands in, of some."""
    numbers = clause.section
    return next((name for name in chapters if numbers.startswith(f"{name}-")), None)


def _ended(days: Force, clause: Clause, ends: Mapping[str, str]) -> Force:
    chapter = chapter_of(clause, ends)
    if chapter is None:
        return days
    since, until = days
    return since, min(until or ends[chapter], ends[chapter])


def _oldest_numbers(clause: Clause, text: Text) -> tuple[str, str]:
    """The section and the paragraph, numbered as in the oldest texts."""
    section = text.formerly.get(clause.section, clause.section)
    within = clause.clause.removeprefix(clause.section).partition("#")[0]
    return section, section + within


def _force(clause: Clause, known: dict[str, Text], printed: dict[str, set[str]]) -> Force:
    own = sorted((known[key] for key in clause.texts), key=lambda text: text.stands)
    first, last = own[0], own[-1]
    section, paragraph = (printed[number] for number in _oldest_numbers(clause, first))
    older = [known[key].stands for key in paragraph if known[key].stands < first.stands]
    newer = [known[key].stands for key in section if known[key].stands > last.stands]
    since = clause.since
    if first.begins is not None:
        since = max(since or first.begins, first.begins)
    elif older and (since is None or since <= max(older)):
        # The older text says it in its own row; this one takes over when it stands.
        since = first.stands
    until = min((day for day in (clause.until, *newer) if day is not None), default=None)
    return since, until


def holds(days: Force, first: str | None, last: str | None) -> bool:
    """Whether a clause was law on some day from the first to the last, both included."""
    since, until = days
    return not ((since and last and last < since) or (until and first and first >= until))
