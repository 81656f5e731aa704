"""Everything that a check is asked to do, from the command line to the process that checks a table.

check_log(["night/"], Settings(rulebook, schema, workers=2))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path

import msgspec
import polars as pl

from compliance.engine.bindings import PlanBindings
from compliance.judgement.circumstances import Circumstances, circumstances
from compliance.log.manifest import Impossible, Manifest, impossible_events
from compliance.log.mapping import Mapping as LogMapping
from compliance.log.table_options import TableOptions
from compliance.log.tables import Limits
from compliance.plan.plan import Plan
from compliance.plan.remembered_plan import plan_of
from compliance.table_check.casino_group import ACROSS
from compliance.table_check.impossible_events import lacks_suits, needs_at, possible_rules
from compliance.table_check.rule_walk import Need
from compliance.table_check.selection import Selection
from compliance.values.elected_options import ELECTIONS, ElectedOptions
from event_schemas import Schema
from rules_dsl import core

EditionName = tuple[str, str | None]
"""A rule and the first day of one of its editions."""


@dataclass(frozen=True)
class Manifests:
    """What was said about the sources: for one casino, or (None) for all others."""

    by_casino: Mapping[str | None, Manifest] = field(default_factory=dict)

    def of(self, casino: str) -> Manifest | None:
        """The manifest that speaks of a casino."""
        return self.by_casino.get(casino, self.by_casino.get(None))


def unsure_across_tables(
    edition: core.Edition, manifest: Manifest, surroundings: Circumstances
) -> tuple[Need, ...]:
    """What a rule across tables looks for, or options hang on, and the source does not always
    record: such an event may have been anywhere among those of all the tables."""
    if edition.slice.across == "table":
        return ()
    elections = (Need(name) for name in ELECTIONS if name in manifest.partly)
    needed = needs_at(edition, manifest, surroundings)
    return tuple(sorted({*needed.in_part(manifest), *elections}))


@dataclass(frozen=True)
class Settings:
    """What is applied to every table, what is known of the log, and how the work is done."""

    rulebook: core.Rulebook
    schema: Schema
    profile: str | None = None
    """Which readings of doubtful passages are applied."""
    given: Mapping[str, object] = field(default_factory=dict)
    """What holds at every table before anything is elected."""
    options: TableOptions = field(default_factory=TableOptions)
    """What the licensee chose for each table."""
    manifests: Manifests = field(default_factory=Manifests)
    selection: Selection = field(default_factory=Selection)
    mapping: LogMapping | None = None
    """How another system's log is to be read."""
    form: str | None = None
    """The format of files that do not tell it."""
    strict: bool = False
    """Whether a folder may hold nothing but logs."""
    quarantine: Path | None = None
    """Where to keep lines that are no events."""
    workers: int | None = 1
    """How many processes; None: as many as are worth it."""
    limits: Limits = field(default_factory=Limits)
    keeps: bool = False
    """Whether what the next log needs is kept."""
    in_part_of_casino: bool = False
    """Whether some tables of the casino were not read, so that nothing is said across tables."""
    suits_put_in: bool = False
    """Whether suits of cards were put in before the log was archived."""

    def __getstate__(self) -> dict[str, object]:
        # Workers judge by the rules alone: examples and clauses are two thirds of a rulebook. What
        # was worked out of the whole travels along.
        bare = tuple(msgspec.structs.replace(rule, examples=()) for rule in self.rulebook.rules)
        state = {name: self.__dict__[name] for name in self.__dataclass_fields__}
        state["rulebook"] = msgspec.structs.replace(self.rulebook, rules=bare, clauses=())
        state["plan"], state["not_evaluable"] = self.plan, self.not_evaluable
        state["lacking_suits"], state["_in_part"] = self.lacking_suits, self._in_part
        return state

    @property
    def choices(self) -> Sequence[core.Choice]:
        """The choices of the profile."""
        return self.rulebook.profiles[self.profile].choices if self.profile else ()

    @cached_property
    def plan(self) -> Plan:
        """The rules as the engine reads them."""
        return plan_of(self.rulebook, self.schema)

    def bindings(self, across: str) -> PlanBindings:
        """The plan of the rules for each table, casino or pit, with the choices that hold
        everywhere."""
        if across not in self._bindings:
            self._bindings[across] = PlanBindings(self.plan.of(across), self._everywhere)
        return self._bindings[across]

    @cached_property
    def _bindings(self) -> dict[str, PlanBindings]:
        return {}

    def at_casino(self, casino: str, events: pl.DataFrame) -> Settings:
        """The same for some events of a casino, with rules that do not look for what cannot happen
        there. A manifest that the events speak against is not believed: nobody is accused by it."""
        manifest = self.manifests.of(casino)
        if manifest is None or not manifest.impossible:
            return self
        denied = any(len(impossible_events(self.schema, events, x)) for x in manifest.impossible)
        key = casino, denied
        if key not in self._possible:
            self._possible[key] = self._doubting() if denied else self._trusting(manifest)
        return self._possible[key]

    def _trusting(self, manifest: Manifest) -> Settings:
        rules = possible_rules(self.rulebook, self.schema, manifest.impossible)
        made = replace(self, rulebook=rules.rulebook)
        # What rules need was worked out of the whole ones, with the manifest in mind.
        made.__dict__.update(
            not_evaluable=self.not_evaluable,
            lacking_suits=self.lacking_suits,
            _in_part=self._in_part,
        )
        return made

    def _doubting(self) -> Settings:
        plain = {
            casino: replace(manifest, impossible=frozenset[Impossible]())
            for casino, manifest in self.manifests.by_casino.items()
        }
        return replace(self, manifests=Manifests(plain))

    @cached_property
    def _possible(self) -> dict[tuple[str, bool], Settings]:
        return {}

    @cached_property
    def not_evaluable(self) -> dict[str | None, frozenset[EditionName]]:
        """The editions that need more than a source records, for each casino with a manifest."""
        return {
            casino: frozenset(
                (rule.name, edition.since)
                for rule in self.rulebook.rules
                for edition in rule.editions
                if needs_at(edition, manifest, self._everywhere).blocking(manifest)
                or unsure_across_tables(edition, manifest, self._everywhere)
            )
            for casino, manifest in self.manifests.by_casino.items()
        }

    @property
    def suits_unknown(self) -> bool:
        """Whether some cards are told without their suits."""
        return self.suits_put_in or (self.mapping is not None and self.mapping.suits_unknown)

    @cached_property
    def lacking_suits(self) -> dict[str | None, frozenset[EditionName]]:
        """The editions that cannot be judged because the cards of the log have no suits, for each
        casino with a manifest and for all others."""
        return {
            casino: frozenset(
                (rule.name, edition.since)
                for rule in self.rulebook.rules
                for edition in rule.editions
                if self.suits_unknown
                and lacks_suits(edition, self.mapping, manifest, self._everywhere)
            )
            for casino, manifest in {None: None, **self.manifests.by_casino}.items()
        }

    def in_part(self, casino: str) -> frozenset[str]:
        """The event types of which more may have happened at a casino's tables than its log tells:
        those that its source does not always record, or not at all, and some rule looks for."""
        return self._in_part.get(casino, self._in_part.get(None, frozenset()))

    @cached_property
    def _in_part(self) -> dict[str | None, frozenset[str]]:
        found = {}
        for casino, manifest in self.manifests.by_casino.items():
            left_out = self.not_evaluable[casino]
            needs = (
                needs_at(edition, manifest, self._everywhere).in_part(manifest)
                for rule in self.rulebook.rules
                for edition in rule.editions
                if (rule.name, edition.since) not in left_out
            )
            named = frozenset(need.event for listed in needs for need in listed)
            found[casino] = manifest.partly | named
        return found

    def editions(self, across: str, casino: str) -> tuple[int, ...]:
        """The editions that look at a table, a pit or a casino, by their numbers in the plan of
        these, as far as a casino's source records what they need."""
        left_out = self.not_evaluable.get(casino, self.not_evaluable.get(None, frozenset()))
        left_out |= self.lacking_suits.get(casino, self.lacking_suits[None])
        key = across, left_out
        if key not in self._editions:
            self._editions[key] = tuple(self._evaluable(across, left_out))
        return self._editions[key]

    @cached_property
    def _editions(self) -> dict[object, tuple[int, ...]]:
        return {}

    def _evaluable(self, across: str, left_out: frozenset[EditionName]) -> Iterator[int]:
        for number, planned in enumerate(self.plan.of(across).editions):
            rule = self.rulebook.rules[planned.rule]
            name = rule.name, rule.editions[planned.edition].since
            if planned.across == across and name not in left_out:
                yield number

    @cached_property
    def across_tables(self) -> tuple[str, ...]:
        """Which of pit and casino any rule looks across."""
        if self.in_part_of_casino:
            return ()
        used = {edition.across for edition in self.plan.editions}
        return tuple(across for across in ACROSS if across in used)

    def circumstances(self, options: ElectedOptions | None = None) -> Circumstances:
        """What holds at a table that has elected some options, or everywhere."""
        return self._everywhere if options is None else replace(self._everywhere, options=options)

    @cached_property
    def _everywhere(self) -> Circumstances:
        nothing = ElectedOptions(self.schema)
        return circumstances(self.rulebook, self.schema, nothing, self.choices)

    def given_at(self, casino: str, table: str) -> dict[str, object]:
        """What holds at a table before anything is elected in its log."""
        return {**self.given_everywhere(casino), **self.options.given(casino, table)}

    def given_everywhere(self, casino: str) -> dict[str, object]:
        """What holds at all tables of a casino before anything is elected."""
        manifest = self.manifests.of(casino)
        # Of several games it is not known which one a table offers.
        game = {"game": manifest.games[0]} if manifest and len(manifest.games) == 1 else {}
        return {**game, **self.given}
