"""Reads printed tables of the law, for all contexts at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from compliance.columnar.codes import code_of, constant_of, words_of
from compliance.columnar.contexts import Answer, Contexts, together
from compliance.columnar.vectors import MISSING, NOTHING, VALUE, Vector, compare, constant
from compliance.columns import Flags, Integers
from event_schemas import PLAIN_KINDS, parse_value
from rules_dsl import core

if TYPE_CHECKING:
    from compliance.columnar.evaluate import Evaluator


def lookup(evaluator: Evaluator, expr: core.Lookup, contexts: Contexts) -> Answer:
    table = evaluator.rulebook.tables[expr.table]
    answers = [evaluator.answer(key, contexts) for key in expr.keys]
    size = contexts.size
    row = _find_key(evaluator, table.rows, table.row_kind, expr.keys[0], answers[0].vector, size)
    column = np.zeros(size, dtype=np.int64)
    if table.columns:
        column = _find_key(
            evaluator, table.columns, table.column_kind, expr.keys[1], answers[1].vector, size
        )
    state = np.zeros(size, dtype=np.uint8)
    for answer in answers:
        known = np.where(answer.vector.state >= MISSING, answer.vector.state, VALUE)
        state = np.maximum(state, known).astype(np.uint8)
    found = cells(evaluator, table)
    inside = (row >= 0) & (column >= 0)
    r, c = np.clip(row, 0, None), np.clip(column, 0, None)
    cell_state = np.where(inside, found.state.reshape(found.above.shape)[r, c], NOTHING)
    state = np.where(state == VALUE, cell_state, state).astype(np.uint8)
    below = None if found.below is None else found.below[r, c]
    return Answer(Vector(found.above[r, c], state, below), together(a.seen for a in answers))


def cells(evaluator: Evaluator, table: core.LookupTable) -> Vector:
    """All entries of a printed table, row by row."""
    if table.value_kind != "text":
        return evaluator.plan.remember("cells", table, lambda: _cells(evaluator, table))
    memo = evaluator.scene.table.memo
    key = ("cells", table.name)
    if key not in memo:
        # Each log has its own numbers for texts.
        memo[key] = _cells(evaluator, table)
    found: Vector = memo[key]
    return found


def _cells(evaluator: Evaluator, table: core.LookupTable) -> Vector:
    shape = (len(table.cells), len(table.cells[0]))
    above = np.zeros(shape, dtype=np.int64)
    below = np.ones(shape, dtype=np.int64)
    state = np.zeros(shape, dtype=np.uint8)
    for r, row in enumerate(table.cells):
        for c, text in enumerate(row):
            if text == "none":
                state[r, c] = NOTHING
                continue
            vector = constant_of(
                evaluator.scene.log, evaluator.rulebook, core.Const(table.value_kind, text)
            )
            above[r, c] = vector.above[0]
            below[r, c] = 1 if vector.below is None else vector.below[0]
    return Vector(above, state, None if (below == 1).all() else below)


def _find_key(
    evaluator: Evaluator,
    keys: tuple[core.TableKey, ...],
    kind: str,
    expr: core.Expr,
    value: Vector,
    size: int,
) -> Integers:
    """The number of the row or column that each value belongs to, or -1."""
    value = value.spread(size)
    result = np.full(size, -1, dtype=np.int64)
    for place in range(len(keys) - 1, -1, -1):
        key = keys[place]
        if key.low == "none":
            hit: Flags = value.state == NOTHING
        elif kind == "number":
            low = _number(evaluator, key.low)
            high = _number(evaluator, key.high)
            hit = (compare(">=", value, low).above & compare("<=", value, high).above) != 0
            hit = hit & (value.state == VALUE)
        else:
            code = _word_code(evaluator, expr, key.low)
            hit = (value.state == VALUE) & (value.above == code)
        result[hit] = place
    return result


def head(evaluator: Evaluator, kind: str, expr: core.Expr, key: core.TableKey) -> list[int]:
    """The head of a row or column: 1 for `none`, and the first and last number it stands for."""
    if key.low == "none":
        return [1, 0, 0]
    if kind == "number":
        return [0, *(int(_number(evaluator, text).above[0]) for text in (key.low, key.high))]
    code = _word_code(evaluator, expr, key.low)
    return [0, code, code]


def is_text(evaluator: Evaluator, kind: str, expr: core.Expr, key: core.TableKey) -> bool:
    """Whether a head is a text: each log has its own number for it."""
    plain = kind == "number" or key.low == "none"
    return not plain and kind_of(expr, evaluator.rulebook) == "text"


def _number(evaluator: Evaluator, text: str) -> Vector:
    return constant(
        *code_of(
            evaluator.scene.log, PLAIN_KINDS["number"], parse_value(PLAIN_KINDS["number"], text)
        )
    )


def _word_code(evaluator: Evaluator, expr: core.Expr, word: str) -> int:
    """The number of a word in whatever kind of value is looked up."""
    kind = kind_of(expr, evaluator.rulebook)
    if kind == "text":
        return evaluator.scene.log.words.number(word)
    if kind == "none":
        return -1
    if kind in ("flag", "rank", "suit"):
        try:
            value = parse_value(PLAIN_KINDS[kind], word)
        except ValueError:
            return -1
        return code_of(evaluator.scene.log, PLAIN_KINDS[kind], value)[0]
    words = words_of(evaluator.scene.log.schema, evaluator.rulebook, kind)
    return words.index(word) if word in words else -1


def kind_of(expr: core.Expr, rulebook: core.Rulebook) -> str:
    """The kind of value that an expression gives."""
    if isinstance(expr, core.Const | core.Field | core.OptionValue | core.SettingValue):
        return expr.kind
    if isinstance(expr, core.Aggregate):
        return expr.kind
    if isinstance(expr, core.ReadingValue):
        return expr.name
    if isinstance(expr, core.Lookup):
        return rulebook.tables[expr.table].value_kind
    if isinstance(expr, core.If):
        first = kind_of(expr.then, rulebook)
        return kind_of(expr.otherwise, rulebook) if first == "none" else first
    if isinstance(expr, core.Apply):
        given = {
            "rank": "rank",
            "suit": "suit",
            "color": "color",
            "date": "date",
            "is_soft": "flag",
        }
        given |= {"poker_class": "hand_class"}
        if expr.function in ("larger", "smaller"):
            return kind_of(expr.arguments[0], rulebook)
        return given.get(expr.function, "number")
    if isinstance(expr, core.NextSeat):
        return "seat"
    if isinstance(expr, core.Arithmetic | core.Rounding):
        return "number"
    return "flag"
