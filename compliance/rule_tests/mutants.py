"""Tests the tests: makes small mistakes in a rule and sees whether its examples notice.

A mutant is a rule with one mistake in it. It is killed when some example of the rule no longer ends
as it did. A mutant that survives shows a part of the rule that could be wrong without any example
failing. Where a mistake can make no difference, a note beside the examples says so and why:

    note "equivalent mutant: `seat` is left out of `for each table, seat`: a seat has one player"
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

import msgspec

from compliance.rule_tests.mutations import Change, Surroundings, changes, own_changes
from compliance.rule_tests.mutations.change import Spot
from compliance.rule_tests.mutations.example_run import ExampleRun
from compliance.rule_tests.mutations.tables import changed_tables
from compliance.rule_tests.mutations.written_places import all_changed, by_written_place, described
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.places import Places
from rules_dsl.resolve.examples_beside import EQUIVALENT
from rules_dsl.source import Source


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
    spots: frozenset[Spot] | None = None
    """One of these an example must come by to notice it; None where any example may."""


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
    runs = sorted(
        (ExampleRun.of(example, rule, rulebook, schema) for example in rule.examples),
        key=lambda run: len(run.events),
    )
    notes = [" ".join(note.strip()[len(EQUIVALENT) :].split()) for note in rule.equivalents]
    survivors: list[Mutant] = []
    excused: list[Mutant] = []
    used: set[str] = set()
    total = 0
    for mutant in mutants_of(rule, rulebook, schema, sources):
        total += 1
        if any(run.notices(mutant.mutated, mutant.rulebook, mutant.spots) for run in runs):
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
    for change, mutated, book in _candidates(rule, rulebook, schema, places):
        key = (mutated.editions, None if book is rulebook else change.words)
        if key in seen:
            continue
        seen.add(key)
        named[change.words] += 1
        number = named[change.words]
        words = f"{change.words} (number {number})" if number > 1 else change.words
        spot = places.position(change.place)
        yield Mutant(
            rule.name, words, spot.file, spot.line, spot.column, mutated, book, change.spots
        )


def _candidates(
    rule: core.Rule, rulebook: core.Rulebook, schema: Schema, places: Places
) -> Iterator[tuple[Change, core.Rule, core.Rulebook]]:
    """Every change, with the rule and the rulebook as they are after it."""
    around = Surroundings(rulebook, schema, places)
    for change in own_changes(rule, around):
        yield change, change.node, rulebook
    inner = around.inside(rule)
    copies = (copy for edition in rule.editions for copy in changes(edition, inner))
    for group in by_written_place(copies):
        yield described(group, rule), all_changed(rule, group), rulebook
    for table in changed_tables(rule, rulebook, places):
        tables = {**rulebook.tables, table.node.name: table.node}
        book = msgspec.structs.replace(rulebook, tables=tables)
        yield table, rule, book


# ---- notes ---------------------------------------------------------------------------------


def _fits(note: str, description: str) -> bool:
    """Whether a note is about a mutant; it must also say why the mutant makes no difference."""
    return note.startswith(description + ":") and bool(note[len(description) + 1 :].strip())
