"""From when until when each clause of the map is taken as law.

A clause holds from its own first day to its own last one, where they are known. Where they are not,
the texts of the same section stand in for them: a text is taken from the day it stands, until the
next text that prints the section. A paragraph that no older text prints is taken as it is, because
the older texts at hand have gaps.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rules_dsl.clauses.model import Clause, Text

Force = tuple[str | None, str | None]
"""The first day, and the day after the last; none where it is not known."""


def force(clauses: Sequence[Clause], texts: Iterable[Text]) -> list[Force]:
    """The days of each clause, in the order of the clauses."""
    known = {text.key: text for text in texts}
    printed: dict[str, set[str]] = {}
    for clause in clauses:
        for key in clause.texts:
            for number in _oldest_numbers(clause, known[key]):
                printed.setdefault(number, set()).add(key)
    return [_force(clause, known, printed) for clause in clauses]


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
