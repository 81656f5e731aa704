"""Tests the tests: makes small mistakes in a rule and sees whether its examples notice.

A mutant is a rule with one mistake in it. It is killed when some example of the rule no longer ends
as it did. A mutant that survives shows a part of the rule that could be wrong without any example
failing. Where a mistake can make no difference, the rule file may say so and why:

    note "equivalent mutant: `seat` is left out of `for each table, seat`: a seat has one player"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace

import msgspec

from compliance.example_runs import example_circumstances, example_events
from compliance.mutations import Surroundings, changes, own_changes
from compliance.mutations.tables import changed_tables
from compliance.reference import apply_rule
from compliance.reference.scene import Circumstances
from event_schemas import Event, Schema
from rules_dsl import core
from rules_dsl.places import Places, Position
from rules_dsl.source import Source

NOTE = "equivalent mutant:"

Ending = tuple[tuple[str, str], ...]
"""How an example ended: the trigger and the verdict of each check."""


@dataclass(frozen=True)
class Mutant:
    """A rule with one mistake in it."""

    rule: str
    description: str
    file: str
    line: int
    column: int
    mutated: core.Rule
    rulebook: core.Rulebook


@dataclass(frozen=True)
class MutantReport:
    """How many mutants of a rule its examples noticed, and which ones they did not."""

    rule: str
    total: int
    killed: int
    survivors: tuple[Mutant, ...]
    equivalent: tuple[Mutant, ...] = ()
    """Mutants that survive and of which a note says that they make no difference."""
    stale_notes: tuple[str, ...] = ()
    """Notes on equivalent mutants that fit no surviving mutant."""


def surviving_mutants(
    rule: core.Rule,
    rulebook: core.Rulebook,
    schema: Schema,
    sources: Sequence[Source],
    equivalent: Collection[str] = (),
) -> MutantReport:
    """Try every mutant of a rule on its examples.

    `equivalent` holds descriptions of mutants that make no difference, beside those in the notes.
    """
    runs = [_Run.of(example, rule, rulebook, schema) for example in rule.examples]
    notes = [note for edition in rule.editions for note in _equivalence_notes(edition)]
    survivors: list[Mutant] = []
    excused: list[Mutant] = []
    used: set[str] = set()
    total = 0
    for mutant in mutants_of(rule, rulebook, schema, sources):
        total += 1
        if any(run.ending(mutant.mutated, mutant.rulebook) != run.expected for run in runs):
            continue
        fitting = [note for note in notes if _fits(note, mutant.description)]
        used.update(fitting)
        is_excused = fitting or mutant.description in equivalent
        (excused if is_excused else survivors).append(mutant)
    return MutantReport(
        rule.name,
        total,
        total - len(survivors) - len(excused),
        tuple(survivors),
        tuple(excused),
        tuple(note for note in dict.fromkeys(notes) if note not in used),
    )


def mutants_of(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema, sources: Sequence[Source] = ()
) -> Iterator[Mutant]:
    """Every mutant of a rule, each with another description."""
    places = Places(sources)
    seen: set[tuple[tuple[core.Edition, ...], str | None]] = {(rule.editions, None)}
    named: Counter[str] = Counter()
    for words, position, mutated, book in _candidates(rule, rulebook, schema, places):
        key = (mutated.editions, None if book is rulebook else words)
        if key in seen:
            continue
        seen.add(key)
        named[words] += 1
        again = f" (number {named[words]})" if named[words] > 1 else ""
        yield Mutant(
            rule.name,
            words + again,
            position.file,
            position.line,
            position.column,
            mutated,
            book,
        )


def _candidates(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema, places: Places
) -> Iterator[tuple[str, Position, core.Rule, core.Rulebook]]:
    around = Surroundings(rulebook, schema, places)
    for change in own_changes(rule, around):
        yield change.words, places.position(change.place), change.node, rulebook
    for index, edition in enumerate(rule.editions):
        which = f", in the edition from {edition.since}" if len(rule.editions) > 1 else ""
        for change in changes(edition, around.inside(rule)):
            editions = (*rule.editions[:index], change.node, *rule.editions[index + 1 :])
            mutated = msgspec.structs.replace(rule, editions=editions)
            yield change.words + which, places.position(change.place), mutated, rulebook
    for table in changed_tables(rule, rulebook, places):
        tables = {**rulebook.tables, table.node.name: table.node}
        book = msgspec.structs.replace(rulebook, tables=tables)
        yield table.words, places.position(table.place), rule, book


# ---- examples ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Run:
    """An example made ready once, to be run with many mutants."""

    events: list[Event]
    circumstances: Circumstances
    expected: Ending

    @classmethod
    def of(
        cls, example: core.Example, rule: core.Rule, rulebook: core.Rulebook, schema: Schema
    ) -> _Run:
        events = example_events(example, rulebook, schema)
        surroundings = example_circumstances(example, events, rulebook, schema)
        unjudged = cls(events, surroundings, ())
        return replace(unjudged, expected=unjudged.ending(rule, rulebook))

    def ending(self, rule: core.Rule, rulebook: core.Rulebook) -> Ending:
        """How the example ends. Messages say nothing about the verdict, and are not made."""
        silent = tuple(msgspec.structs.replace(e, message=()) for e in rule.editions)
        quiet = msgspec.structs.replace(rule, editions=silent)
        surroundings = self.circumstances
        if rulebook is not surroundings.rulebook:
            surroundings = replace(surroundings, rulebook=rulebook)
        checks = apply_rule(quiet, surroundings, self.events)
        return tuple((check.trigger.event_id, check.verdict.value) for check in checks)


# ---- notes ---------------------------------------------------------------------------------


def _equivalence_notes(edition: core.Edition) -> Iterator[str]:
    for note in edition.notes:
        if note.strip().lower().startswith(NOTE):
            yield " ".join(note.strip()[len(NOTE) :].split())


def _fits(note: str, description: str) -> bool:
    """Whether a note is about a mutant; it must also say why the mutant makes no difference."""
    return note.startswith(description + ":") and bool(note[len(description) + 1 :].strip())
