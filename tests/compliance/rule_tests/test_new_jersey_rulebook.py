"""Promises about the bundled rulebook: sound, tested word by word, and in nobody else's words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from compliance.judgement.circumstances import circumstances, edition_on
from compliance.reference import apply_rule
from compliance.rule_tests.example_runs import example_circumstances, example_events, run_example
from compliance.rule_tests.mutants import surviving_mutants
from compliance.rule_tests.rule_coverage import condition_coverage
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event, builtin_schema, event_from_record, parse_date, parse_value
from reports.model import Check
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.formatting import format_source
from rules_dsl.rulebook import Loaded, load
from tests.engine_checks import EngineChecks
from tests.tree import ROOT

SCHEMA = builtin_schema()
FILES = sorted(
    path.relative_to(bundled_rulebook()).as_posix() for path in bundled_rulebook().rglob("*.rules")
)
LAW = ROOT.parent / "shared" / "regulations"
LONGEST_COMMON_RUN = 8
"""So many words in a row may stand in the law as well: names of games, of wagers, of persons."""

each_file = pytest.mark.parametrize("file", FILES)


@cache
def book() -> Loaded:
    return load([bundled_rulebook()], SCHEMA)


def rules_in(file: str) -> list[core.Rule]:
    sources = book().sources
    return [
        rule
        for rule in book().rulebook.rules
        if rule.place is not None
        and Path(sources[rule.place.file].name) == bundled_rulebook() / file
    ]


def examples_in(file: str) -> Iterator[tuple[core.Rule, core.Example]]:
    return ((rule, example) for rule in rules_in(file) for example in rule.examples)


def line_of(place: core.Place | None) -> str:
    assert place is not None
    source = book().sources[place.file]
    return f"{Path(source.name).name}:{source.position(place.start)[0]}"


# ---- sound ---------------------------------------------------------------------------------


def test_the_rulebook_has_neither_errors_nor_warnings() -> None:
    assert [(d.code, d.message) for d in book().diagnostics] == []


def test_every_rule_belongs_to_a_file_of_the_folder() -> None:
    assert sum(len(rules_in(file)) for file in FILES) == len(book().rulebook.rules) > 150


@each_file
def test_a_rule_file_is_laid_out_as_the_formatter_lays_it_out(file: str) -> None:
    path = bundled_rulebook() / file
    own = [s for s in book().sources if Path(s.name) in (path, path.with_suffix(".examples"))]
    assert [format_source(source)[0] for source in own] == [source.text for source in own]


# ---- tested --------------------------------------------------------------------------------


@each_file
def test_every_edition_of_a_rule_has_a_complying_and_a_violating_example(file: str) -> None:
    lacking = [
        f"{line_of(rule.place)}: {rule.name} from {edition.since}: no example {expected}"
        for rule in rules_in(file)
        for edition in rule.editions
        for expected in ("complies", "violates")
        if not any(
            example.expected == expected and edition_on(rule, parse_date(example.date)) is edition
            for example in rule.examples
        )
    ]
    assert lacking == []


@each_file
def test_every_example_ends_as_its_author_expects(file: str) -> None:
    results = [
        run_example(rule, example, book().rulebook, SCHEMA) for rule, example in examples_in(file)
    ]
    assert [f"{line_of(r.example.place)}: {r.problem}" for r in results if not r.passed] == []


def test_no_condition_is_left_unexercised() -> None:
    gaps = condition_coverage(book().rulebook, SCHEMA, book().sources)
    assert [f"{gap.file}:{gap.line}: {gap.rule}: {gap.text} {gap.missing}" for gap in gaps] == []


@each_file
def test_every_mistake_in_a_rule_is_noticed_or_shown_to_make_no_difference(file: str) -> None:
    unnoticed = []
    for rule in rules_in(file):
        report = surviving_mutants(rule, book().rulebook, SCHEMA, book().sources)
        unnoticed += [f"{rule.name}: {mutant.description}" for mutant in report.survivors]
        unnoticed += [f"{rule.name}: a note fits no mutant: {note}" for note in report.stale_notes]
    assert unnoticed == []


@each_file
def test_both_engines_reach_the_same_checks_on_every_example(file: str) -> None:
    def place(check: Check) -> tuple[str, list[tuple[str, str]]]:
        return check.trigger.event_id, sorted(check.slice.items())

    differing = []
    engines: dict[str, EngineChecks] = {}
    for rule, example in examples_in(file):
        events = example_events(example, book().rulebook, SCHEMA)
        around = example_circumstances(example, events, book().rulebook, SCHEMA)
        engine = engines.get(rule.name) or EngineChecks(rule, around)
        engines[rule.name] = engine
        slow = sorted(apply_rule(rule, around, events), key=place)
        fast = sorted(engine.all_checks(rule, events, around), key=place)
        if slow != fast:
            differing.append(f"{line_of(example.place)}: {rule.name}")
    assert differing == []


# ---- in its own words ----------------------------------------------------------------------


def _texts() -> Iterator[tuple[str, str]]:
    """Every text for readers, with where it stands. A value in a message breaks a run of words."""
    rulebook = book().rulebook
    for rule in rulebook.rules:
        texts = [rule.title, rule.section, *(example.title for example in rule.examples)]
        for edition in rule.editions:
            message = (" [value] " if part.value else part.text for part in edition.message)
            texts += [edition.label, edition.remedy, "".join(message), *edition.notes]
        yield from ((rule.name, text) for text in texts)
    for table in rulebook.tables.values():
        yield table.name, table.title
    for setting in rulebook.settings.values():
        yield setting.name, setting.why
    for passage in rulebook.interpretations.values():
        for text in (passage.title, *(reading.text for reading in passage.readings)):
            yield passage.name, text
    for clause in rulebook.clauses:
        for text in (clause.title, clause.says, clause.why, clause.note):
            yield clause.clause, text
    for printed in rulebook.texts:
        yield printed.key, printed.what


def _runs(text: str) -> Iterator[str]:
    """Every run of words that is too long to be in common, without case and punctuation."""
    text = re.sub("['\u2019]", "", text.lower().replace("[value]", "xvaluex"))
    words = re.findall(r"[a-z0-9]+", text)
    for end in range(LONGEST_COMMON_RUN + 1, len(words) + 1):
        yield " ".join(words[end - LONGEST_COMMON_RUN - 1 : end])


@pytest.mark.skipif(not LAW.is_dir(), reason="the texts of the law lie beside the project")
def test_no_line_of_the_law_is_copied() -> None:
    law = {run for path in LAW.glob("*.txt") for run in _runs(path.read_text(encoding="utf-8"))}
    assert len(law) > 10_000
    copied = {(name, run) for name, text in _texts() for run in _runs(text) if run in law}
    assert sorted(copied) == []


# ---- the law of the day --------------------------------------------------------------------


def verdicts(name: str, day: str, log: str, **elected: str) -> list[str]:
    """What a rule says about a log of blackjack when it is played on a day."""
    events: list[Event] = []
    for number, line in enumerate(log.strip().splitlines(), start=1):
        clock, type_, *pairs = line.split()
        record = {"id": f"e{number}", "ts": f"{day}T{clock}-05:00", "seq": number}
        fields = dict(pair.split("=") for pair in pairs)
        place = {"casino": "C1", "table": "T1", "type": type_}
        event = event_from_record(SCHEMA, {**record, **place, **fields})
        assert isinstance(event, Event), event
        events.append(event)
    given = {"game": "blackjack", **elected}
    values = {name: parse_value(SCHEMA.options[name].kind, text) for name, text in given.items()}
    options = ElectedOptions(SCHEMA, events, values)
    around = circumstances(book().rulebook, SCHEMA, options)
    (rule,) = (rule for rule in book().rulebook.rules if rule.name == name)
    return [check.verdict.value for check in apply_rule(rule, around, events)]


DRAWN_TO_SOFT_17 = """
20:00:00 round_started
20:00:02 card_dealt to=dealer card=6C
20:00:10 card_dealt to=dealer card=AC
20:00:11 card_dealt to=dealer card=4C
20:00:12 round_ended
"""


def test_a_card_drawn_to_soft_17_is_a_violation_in_2005_and_none_in_2007() -> None:
    rule = "dealer-stops-at-17"
    in_2005 = verdicts(rule, "2005-06-01", DRAWN_TO_SOFT_17, soft_17="hit")
    in_2007 = verdicts(rule, "2007-06-01", DRAWN_TO_SOFT_17, soft_17="hit")
    assert (in_2005, in_2007) == (["violated", "complied"], ["complied"])


def test_a_recut_ordered_by_a_dealer_was_not_regulated_before_may_1996() -> None:
    rule, log = "recut-ordered-by-a-supervisor", "20:00:00 recut_ordered by=D7 by_role=dealer"
    in_april = verdicts(rule, "1996-04-15", log)
    in_june = verdicts(rule, "1996-06-15", log)
    assert (in_april, in_june) == ([], ["violated"])
