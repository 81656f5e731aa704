"""What the clause map holds: the texts of the law, and their clauses one by one."""

from __future__ import annotations

from typing import Literal

import msgspec

KINDS = (
    "duty",
    "prohibition",
    "permission",
    "definition",
    "payout",
    "settlement",
    "equipment",
    "administrative",
)
REASONS = {
    "definition": "gives a meaning, an example or a scope",
    "permission": "allows something and asks for nothing",
    "equipment": "is about a thing, not about what happens",
    "handling": "is about how hands, cards or voices move",
    "discretion": "turns on a judgement or a state of mind",
    "administrative": "happens in papers, away from the table",
    "empty": "has no words",
}
"""Why no log can show a clause, with what that means."""

ANY_TABLE = "any_table"
"""The game of clauses that hold whatever is played."""

Cover = Literal["covered", "reason", "uncovered"]


class Text(msgspec.Struct, frozen=True, array_like=True):
    """A text of the law: one state of it, as it was printed."""

    key: str
    source: str
    """The name of its file in the inventory of clauses."""
    what: str
    stands: str
    """The day from which it is taken in place of an older text of the same section."""
    begins: str | None = None
    """The day before which none of it was law, where the text was new as a whole."""
    formerly: dict[str, str] = {}
    """Sections that had another number in older texts, with that number."""
    law_by: tuple[str, str] | None = None
    """The interpretation and the reading of it by which a proposal is taken for law."""


class Clause(msgspec.Struct, frozen=True, array_like=True):
    """A clause of the law in one text, or in several that say the same."""

    clause: str
    """Its key: the citation, and #1, #2 where a paragraph asks for several things."""
    texts: tuple[str, ...]
    section: str
    title: str
    game: str
    says: str
    kind: str
    rules: tuple[str, ...] = ()
    reason: str = ""
    why: str = ""
    note: str = ""
    since: str | None = None
    until: str | None = None

    @property
    def cover(self) -> Cover:
        """Whether rules cover it, a reason stands for them, or neither."""
        return "covered" if self.rules else "reason" if self.reason else "uncovered"
