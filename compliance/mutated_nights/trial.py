"""Tries the rulebook on mutated nights: chooses the duties, spoils them, and counts the outcomes.

found = try_rules(Settings(rulebook, schema), ["burn-by-each-new-dealer"], sampled_nights())
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from compliance.mutated_nights.duties import Duty
from compliance.mutated_nights.lawful_night import LawfulNight
from compliance.mutated_nights.outcomes import Mutant, mutants
from compliance.mutated_nights.reads import Reads
from compliance.simulate.night import TablePlan
from compliance.table_check.rule_walk import RuleWalk
from compliance.table_check.settings import Settings

EACH: Final = 2
"""How many duties of one shape are spoilt."""


@dataclass
class ChosenDuties:
    """Chooses the duties that are spoilt: a few of each edition, as different as they come."""

    settings: Settings
    rules: Collection[str]
    """The rules that are tried."""
    each: int
    """How many of one shape."""

    def __post_init__(self) -> None:
        around = self.settings.circumstances()
        self._walk = RuleWalk(around.rulebook, around.readings, around.schema)
        self._reads: dict[int, Reads] = {}
        self._taken: Counter[int] = Counter()
        self._shapes: Counter[tuple[str, ...]] = Counter()

    def of(self, night: LawfulNight) -> Iterator[Duty]:
        """The duties of a night that are spoilt."""
        for check in night.complied:
            edition = night.editions[check.edition]
            if self._taken[edition] >= 2 * self.each:
                continue
            planned = self.settings.plan.editions[edition]
            rule = self.settings.rulebook.rules[planned.rule]
            if rule.name not in self.rules:
                continue
            if edition not in self._reads:
                self._reads[edition] = Reads.of(rule.editions[planned.edition], self._walk)
            duty = Duty(night, check, rule.name, self._reads[edition])
            if self._shapes[duty.shape] < self.each:
                self._shapes[duty.shape] += 1
                self._taken[edition] += 1
                yield duty


def try_rules(
    settings: Settings, rules: Collection[str], plans: Iterable[TablePlan], each: int = EACH
) -> Iterator[Mutant]:
    """Every mutant of the duties that some rules ask for and some nights show."""
    chosen = ChosenDuties(settings, rules, each)
    for plan in plans:
        night = LawfulNight(settings, plan)
        yield from mutants(night, list(chosen.of(night)))
