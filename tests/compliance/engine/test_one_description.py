"""What a plan can say is described once, and whoever deals with plans deals with all of it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Mapping
from pathlib import Path
from typing import get_args

import pytest

import compliance.engine
from compliance.plan import expressions, node_texts, nodes, pattern_parts, value_kinds
from compliance.reference import evaluate
from compliance.values.codes import CARD_CODES
from event_schemas import PLAIN_KINDS
from event_schemas.cards import JOKER
from rules_dsl import core, syntax
from rules_dsl.explaining import formula
from rules_dsl.explaining.english_conditions import CONDITIONS
from rules_dsl.explaining.english_values import VALUES
from rules_dsl.formatting import expressions as layout
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve.expressions import _RESOLVERS
from rules_dsl.traverse import asked_of_each

SOURCE = Path(compliance.engine.__file__).parent / "source"
EXPRESSIONS = get_args(core.Expr)
STRUCTURAL = {
    *("pattern", "edge", "events", "interval", "items", "numbers", "lookout"),
    *("exemption", "election", "slicing", "triggers", "edition"),
}
"""Nodes that are no questions: the questions and the rules are made of them."""


def source(name: str) -> str:
    return (SOURCE / name).read_text(encoding="utf-8")


def cases(text: str, prefix: str) -> set[str]:
    return {name.lower() for name in re.findall(rf"case {prefix}_(\w+):", text)}


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda item: str(item.__name__))
@pytest.mark.parametrize(
    "dispatch",
    [evaluate._MEANINGS, {**VALUES, **CONDITIONS}, formula._FORMULAS],
    ids=["reference", "English", "formula"],
)
def test_every_expression_can_be_judged_and_explained(
    expression: type, dispatch: Mapping[type, object]
) -> None:
    assert expression in dispatch


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda item: str(item.__name__))
def test_every_expression_can_be_planned(expression: type[core.Core]) -> None:
    """By a function of its own, or because its node has the parts that it has."""
    if expression not in expressions.WRITERS:
        node = expressions.node_kind(expression)
        assert not node.items
        assert set(node.parts) == set(expression.__struct_fields__) - {"place", "order"}


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda item: str(item.__name__))
def test_the_kind_of_every_expression_is_described(expression: type[core.Core]) -> None:
    assert expression.gives in {*value_kinds.TOLD, *PLAIN_KINDS}
    assert (expression.gives == "own") == ("kind" in expression.__struct_fields__)


@pytest.mark.parametrize("expression", EXPRESSIONS, ids=lambda item: str(item.__name__))
def test_what_is_asked_of_each_event_is_asked_where_events_are_looked_for(
    expression: type[core.Core],
) -> None:
    assert not asked_of_each(expression) or "events" in expression.__struct_fields__


@pytest.mark.parametrize("form", syntax.Expr.__subclasses__(), ids=lambda item: item.__name__)
def test_every_form_that_can_be_written_can_be_resolved_and_laid_out(form: type) -> None:
    assert form in _RESOLVERS
    assert re.search(rf"case .*s\.{form.__name__}\(\)", inspect.getsource(layout))


def test_every_node_that_is_a_question_can_be_told() -> None:
    told = {*node_texts._SAID, *node_texts._ASKS, "memo"}
    assert told == {kind.name for kind in nodes.NODE_KINDS} - STRUCTURAL


def test_the_engine_answers_every_node_that_is_a_question() -> None:
    answered = cases(source("evaluate.h"), "NODE")
    assert answered == {kind.name for kind in nodes.NODE_KINDS} - STRUCTURAL


@pytest.mark.parametrize("kind", sorted(STRUCTURAL))
def test_the_engine_reads_every_other_node(kind: str) -> None:
    name = "".join(word.capitalize() for word in kind.split("_"))
    text = "".join(path.read_text("utf-8") for path in SOURCE.glob("*.h") if path.stem != "nodes")
    assert f"NODE({name}, engine" in text


def test_every_function_of_the_language_has_a_number() -> None:
    assert set(nodes.WORDS["function"]) == {*POINTWISE, *OF_CARDS}


def test_every_aggregate_of_the_language_has_a_number() -> None:
    assert set(nodes.WORDS["aggregate"]) == {*AGGREGATES, *OF_CARDS, "first", "last", "distinct"}


@pytest.mark.parametrize("word", nodes.WORDS["function"])
def test_the_engine_knows_every_function(word: str) -> None:
    if word in OF_CARDS:
        # They are the last ones of both lists, in the same order: see `of_cards` in evaluate.h.
        functions, aggregates = nodes.WORDS["function"], nodes.WORDS["aggregate"]
        assert functions[-len(OF_CARDS) :] == aggregates[-len(OF_CARDS) :]
    else:
        assert f"FUNCTION_{word.upper()}" in source("evaluate.h")


@pytest.mark.parametrize("word", nodes.WORDS["aggregate"])
def test_the_engine_knows_every_aggregate(word: str) -> None:
    text = source("aggregates.h") + source("cards.h")
    # What is left over after all others have been asked for.
    others = {"last": "AGGREGATE_FIRST", "hard_total": "default: return whole(pips)"}
    assert others.get(word, f"AGGREGATE_{word.upper()}") in text


def test_limits_and_the_joker_are_the_same_on_both_sides() -> None:
    assert f"MOST_VARS = {expressions._MOST_VARS} " in source("engine.h")
    assert f"MOST_JOINS = {pattern_parts.MOST_JOINS} " in source("matching.h")
    assert f"JOKER = {CARD_CODES[JOKER]}," in source("cards.h")
