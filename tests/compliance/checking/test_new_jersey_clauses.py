"""Promises about the bundled clause map: whole, and true to the inventory or saying why not."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.clauses import Clause
from rules_dsl.clauses.force import Force, force
from rules_dsl.rulebook import load
from tests.compliance.small_rulebook import json_answer
from tests.tree import ROOT

LAW = ROOT.parent / "shared" / "regulations"
DEPARTS = re.compile(r"(?:corrected|split from (?P<split>\S+)|merged with (?P<merged>\S+)): ")
beside_the_law = pytest.mark.skipif(
    not LAW.is_dir(), reason="the inventory of clauses lies beside the project"
)


@cache
def book() -> core.Rulebook:
    return load([bundled_rulebook()], builtin_schema()).rulebook


@cache
def inventory() -> dict[tuple[str, str], dict[str, Any]]:
    """Every row of the inventory by its clause and seed."""
    rows = [
        json.loads(line)
        for path in sorted(LAW.glob("clauses_*.jsonl"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return {(row["clause"], row["seed"]): row for row in rows}


def mapped() -> Iterator[tuple[tuple[str, str], Clause]]:
    """Every clause of the map by the key that the inventory would give it."""
    sources = {text.key: text.source for text in book().texts}
    for clause in book().clauses:
        yield (clause.clause, "+".join(sources[key] for key in clause.texts)), clause


@beside_the_law
def test_every_clause_of_the_inventory_stands_in_the_map_or_in_a_note() -> None:
    named = Counter(key for key, _ in mapped())
    for (_, seed), clause in list(mapped()):
        departs = DEPARTS.match(clause.note)
        if departs and (former := departs["split"] or departs["merged"]):
            named[former, seed] += 1
    assert len(inventory()) > 1_600
    assert sorted(key for key in inventory() if not named[key]) == []


@beside_the_law
def test_a_clause_that_the_inventory_lacks_says_where_it_comes_from() -> None:
    strange = [
        clause.clause
        for key, clause in mapped()
        if key not in inventory() and not DEPARTS.match(clause.note)
    ]
    assert strange == []


@beside_the_law
def test_a_clause_that_is_held_to_be_checkable_or_not_otherwise_than_in_the_inventory_says_so() -> (
    None
):
    differing = [
        clause.clause
        for key, clause in mapped()
        if key in inventory()
        and (inventory()[key]["checkable"] == "no") != bool(clause.reason)
        and not DEPARTS.match(clause.note)
    ]
    assert differing == []


@beside_the_law
def test_the_games_are_those_of_the_inventory() -> None:
    differing = [
        clause.clause
        for key, clause in mapped()
        if key in inventory() and inventory()[key]["game"] != clause.game
    ]
    assert differing == []


def test_the_counts_that_the_command_prints_are_those_of_the_map(
    capsys: pytest.CaptureFixture[str],
) -> None:
    covers = Counter(clause.cover for clause in book().clauses)
    data = json_answer(capsys, "rules", "coverage")
    told = {name: data[name] for name in ("clauses", "covered", "reasons", "uncovered")}
    assert told == {
        "clauses": len(book().clauses),
        "covered": covers["covered"],
        "reasons": covers["reason"],
        "uncovered": covers["uncovered"],
    }


def _meet(one: Force, other: Force) -> bool:
    """Whether two stretches of days share one; the end of each lies outside it."""
    starts = max(day or "" for day in (one[0], other[0]))
    return all(starts < day for day in (one[1], other[1]) if day is not None)


def test_a_rule_covers_a_clause_only_if_some_edition_was_law_while_the_clause_was() -> None:
    rules = {rule.name: rule for rule in book().rules}
    never = [
        (clause.clause, clause.texts, name)
        for clause, days in zip(book().clauses, force(book().clauses, book().texts), strict=True)
        for name in clause.rules
        if not any(_meet((edition.since, edition.until), days) for edition in rules[name].editions)
    ]
    assert never == []


def test_on_no_day_two_texts_state_the_same_clause() -> None:
    stated: dict[str, list[Force]] = {}
    twice = []
    for clause, days in zip(book().clauses, force(book().clauses, book().texts), strict=True):
        earlier = stated.setdefault(clause.clause, [])
        twice += [(clause.clause, clause.texts) for other in earlier if _meet(days, other)]
        earlier.append(days)
    assert twice == []


def test_what_a_clause_says_fits_on_two_lines() -> None:
    assert [clause.clause for clause in book().clauses if len(clause.says) > 160] == []
