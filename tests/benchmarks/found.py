"""What each tool says about the eight rules: how often a rule was asked, and who broke it where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Violation:
    """One breach of a rule, with the events that show it."""

    rule: str
    trigger: str
    """The event at which the rule is violated."""
    player: str | None
    """Whom it is about, where a rule looks at every player."""
    witnesses: frozenset[str]
    """The other events that decide it."""


@dataclass(frozen=True)
class Found:
    """Two tools agree if these are equal."""

    checks: Mapping[str, int]
    """By rule: the events to which it applies, whether they comply or not."""
    violations: frozenset[Violation]

    @property
    def ids(self) -> set[tuple[str, str]]:
        """Only the rule and the event of every violation."""
        return {(violation.rule, violation.trigger) for violation in self.violations}
