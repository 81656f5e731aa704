"""Tries the rulebook on mutated nights: chooses the duties, spoils them, and counts the outcomes.

trial = try_rulebook(Settings(rulebook, schema), sampled_nights(), each=2)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from compliance.mutated_nights.duties import Duty
from compliance.mutated_nights.lawful_night import LawfulNight
from compliance.mutated_nights.outcomes import Mutant, mutants
from compliance.mutated_nights.reads import Reads
from compliance.simulate.night import TablePlan
from compliance.table_check.rule_walk import RuleWalk
from compliance.table_check.settings import Settings

Progress = Callable[[int, int], None]
"""Told how many nights are done, and how many mutants were judged."""


@dataclass
class ChosenDuties:
    """Chooses the duties that are spoilt: a few of each edition, as different as they come."""

    settings: Settings
    each: int

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
            if edition not in self._reads:
                self._reads[edition] = Reads.of(rule.editions[planned.edition], self._walk)
            duty = Duty(night, check, rule.name, self._reads[edition])
            if self._shapes[duty.shape] < self.each:
                self._shapes[duty.shape] += 1
                self._taken[edition] += 1
                yield duty


def try_rulebook(
    settings: Settings, plans: Iterable[TablePlan], each: int, told: Progress | None = None
) -> Iterator[Mutant]:
    """Every mutant of the duties that are met in some nights; `each`: how many of one shape."""
    chosen = ChosenDuties(settings, each)
    judged = 0
    for number, plan in enumerate(plans, start=1):
        night = LawfulNight(settings, plan)
        for mutant in mutants(night, list(chosen.of(night))):
            judged += 1
            yield mutant
        if told is not None:
            told(number, judged)
