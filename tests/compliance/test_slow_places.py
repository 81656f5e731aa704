"""The fast engine is never slow in silence: each slow place is listed, and plans name it."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path
from random import Random
from types import CodeType, FrameType

import pytest

import compliance.columnar
from compliance.columnar.log import apply_to_events
from compliance.columnar.plan import Plan
from compliance.columnar.slow_parts import slow_in
from compliance.columnar.slow_places import EACH_EVENT, EVIDENCE, KEEPING, PAIRS, SLOW_PLACES
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook
from tests.property.random_rules import RuleDrawer

ENGINE = Path(compliance.columnar.__file__).parent
NOT_RUN = {"events_to_come", "plan_text", "sharing", "slow_parts", "slow_places", "log"}
"""Modules that tell about rules, and the one that takes small logs to the engine for tests."""

# Loops over what does not grow with the log. A loop over anything else belongs into a slow place.
PARTS_OF_RULES = {
    "(expr.value, expr.target, expr.tolerance)",
    "((part.left, part.right), (part.right, part.left))",
    "(*(join.condition for join in split.joins), *split.rest)",
    "(('within', window.within), ('at_least', window.at_least))",
    "conditions(part)",
    "conditions(pattern.where)",
    "edition.message",
    "each",
    "edition.only_if",
    "enumerate(self.edition.exemptions)",
    "edition.slice.relevant",
    "edition.trigger.pattern.types",
    "events.per_fields",
    "exemption.but_not",
    "expr.arguments",
    "expr.keys",
    "condition.parts",
    "expr.parts",
    "lengths.items()",
    "names",
    "named",
    "sliced(table, edition)",
    "bases",
    "while waiting",
    "all_parts(rulebook.intervals[name])",
    "ordered",
    "node",
    "node.__struct_fields__",
    "parts.joins",
    "rule.editions",
    "rules",
    "self.edition.exemptions",
    "self.edition.message",
    "self.edition.only_if",
    "self.edition.requirements",
    "self.joins",
    "split.joins",
    "split.local",
    "table.circumstances.rulebook.intervals.values()",
    "table.plan.cheapest_first(edition.only_if)",
    "types",
    "where.parts",
    "split.costly",
    "planned",
    "alone",
    "all_parts(node)",
    "all_parts(interval)",
    "('number', 'start')",
    "parts(node)",
    "(window.within, window.at_least)",
    "(getattr(node, 'number', None), getattr(node, 'start', None))",
    "(window.before, window.within, window.at_least)",
    "dict.fromkeys(fields)",
    "pattern.types",
    "self.edition.slice.keys",
    "edition.slice.keys",
    "self.evaluator.pattern(pattern).joins",
    "_intervals(edition)",
    "_looking(edition)",
    "(edition.trigger, *_looking(edition))",
    "intervals",
    "(interval.opens, interval.closes)",
    "part.types",
    "looked",
    "editions",
    "enumerate(row)",
    "(key.low, key.high)",
    "types_seen",
}
COLUMNS_NOT_ROWS = {
    "((VALUE, found.sure), (MISSING, found.unsure), (OPEN, found.pending))",
    "((found.since, since_part), (found.before, before_part))",
    "(VALUE, MISSING, OPEN)",
    "(row, doubt, late)",
    "answers",
    "arrays",
    "columns",
    "fields",
    "found",
    "keys",
    "known",
    "known[1:]",
    "log.columns.items()",
    "of_excuses",
    "parts",
    "pieces",
    "products",
    "self.rows.items()",
    "states",
    "vectors",
    "zip(*parts, strict=True)",
    "zip(*pieces, strict=True)",
    "zip(outer, keyed.lows, keyed.highs, strict=True)",
    "(found.sure, found.unsure, found.pending)",
    "window.doubts",
    "doubts",
    "bounds",
    "zip(keys, assignment, strict=True)",
    "zip(names, keys, assignment, strict=True)",
    "_TRUTHS.items()",
    "self.marks.items()",
}
CHOICES = {
    "elections",
    "enumerate(elections[1:], start=1)",
    "reversed(elections)",
    "since",
}
"""What a table has elected: a few choices in a night."""
VOCABULARY = {
    "(COLOR, POKER_CLASS)",
    "CARD_LIST",
    "zip(VERDICTS, numbers, strict=True)",
    "enumerate(cells)",
    "enumerate(table.cells)",
    "schema.events.values()",
    "passage.readings",
    "range(len(keys) - 1, -1, -1)",
    "self.log.table_names",
    "self.log.type_names",
    "self.rulebook.interpretations[expr.name].readings",
    "kinds",
    "sorted(kinds)",
    "_TRUTHS.items()",
    "self.marks.items()",
}
GATHERING = {
    "_assignments(table, edition, types, keys)",
    "_edition(rule, edition, table, everything)",
    "_reopened(rule, edition, table, pending)",
    "checks",
    "reopened",
    "self.found",
    "shown_checks(judge, contexts)",
    "segments",
}
"""Loops over checks that are to be shown, or over the segments of a slice by key."""
KNOWN = PARTS_OF_RULES | COLUMNS_NOT_ROWS | CHOICES | VOCABULARY | GATHERING
PAIRED = {"spread_ranges", "map", "np.vectorize", "np.frompyfunc", "np.apply_along_axis"}
CUTTING = {"slices._runs_as_segments", "slices.with_only"}
"""Write each event of each run out once: as many as there are events, or fewer."""


def loops(node: ast.AST, name: str) -> Iterator[tuple[str, str]]:
    """Every loop and every spreading of pairs: the function, and what is gone through."""
    for child in ast.iter_child_nodes(node):
        inner = name
        if isinstance(child, ast.FunctionDef | ast.ClassDef):
            inner = f"{name}.{child.name}"
        elif isinstance(child, ast.For | ast.comprehension):
            yield name, ast.unparse(child.iter)
        elif isinstance(child, ast.While):
            yield name, f"while {ast.unparse(child.test)}"
        elif isinstance(child, ast.Call) and ast.unparse(child.func) in PAIRED:
            yield name, ast.unparse(child.func)
        yield from loops(child, inner)


def engine_loops() -> list[tuple[str, str]]:
    return [
        found
        for path in sorted(ENGINE.glob("*.py"))
        if path.stem not in NOT_RUN
        for found in loops(ast.parse(path.read_text(encoding="utf-8")), path.stem)
    ]


REGISTERED = {function for place in SLOW_PLACES for function in place.functions}


def test_every_loop_over_events_is_in_a_slow_place() -> None:
    unknown = [
        f"{function}: {over}"
        for function, over in engine_loops()
        if function not in REGISTERED | CUTTING and over not in KNOWN
    ]
    assert not unknown, "put these into slow_places.py, or say here what they go through"


def test_every_slow_place_is_still_in_the_engine() -> None:
    with_loops = {function for function, _ in engine_loops()}
    assert sorted(REGISTERED - with_loops) == []


ENTERED = {
    function
    for place in SLOW_PLACES
    if (place.how == "one by one in Python" and place not in (EVIDENCE, KEEPING))
    or place in (PAIRS, EACH_EVENT)
    for function in place.functions
} - {
    "scene.Scene._base_field",
    "doubtful_runs._marks",
    "doubtful_runs.runs_in_doubt",
    "doubtful_runs.runs_end_in_doubt",
}
"""The functions that are called only to do something slowly, not to find out whether to."""


def entered_by(seed: int) -> tuple[set[str], set[str]]:
    """The slow functions that a random rule enters, and those that its plan admits to."""
    random = Random(seed)
    rule = RuleDrawer(random).rule()
    events = random_log(random, random.choice((8, 15, 25)))
    book = rulebook(rule)
    surroundings = circumstances(book, SCHEMA, ElectedOptions(SCHEMA, events))
    seen: set[CodeType] = set()

    def note(frame: FrameType, event: str, argument: object) -> None:
        if event == "call":
            seen.add(frame.f_code)

    sys.setprofile(note)
    try:
        apply_to_events(rule, surroundings, events)
    finally:
        sys.setprofile(None)
    called = {
        f"{Path(code.co_filename).stem}.{code.co_qualname}"
        for code in seen
        if Path(code.co_filename).parent == ENGINE
    }
    plan = Plan()
    admitted = {
        function
        for edition in rule.editions
        for place in slow_in(edition, book, plan)
        for function in place.functions
    }
    return called & ENTERED, admitted


@pytest.mark.parametrize("block", range(4))
def test_a_rule_enters_only_the_slow_places_that_its_plan_names(block: int) -> None:
    entered: set[str] = set()
    for seed in range(block * 100, block * 100 + 100):
        called, admitted = entered_by(seed)
        assert called <= admitted, f"seed {seed}"
        entered |= called
    assert "search.Search._with_pairs" in entered
