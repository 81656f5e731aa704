"""What each expression means, for all contexts at once: the twin of the reference evaluator."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from compliance.columnar import aggregates
from compliance.columnar.codes import code_of, constant_of, words_of
from compliance.columnar.contexts import (
    NOBODY,
    Answer,
    Contexts,
    Seen,
    all_of,
    any_of,
    opposite,
    spread_ranges,
    together,
)
from compliance.columnar.functions import apply_function
from compliance.columnar.plan import Plan, PlannedPattern
from compliance.columnar.scene import Scene
from compliance.columnar.search import Found, Rows, Search, bound_witnesses
from compliance.columnar.vectors import (
    MISSING,
    NOTHING,
    OPEN,
    VALUE,
    Vector,
    arithmetic,
    as_truth,
    choose,
    compare,
    conjunction,
    constant,
    disjunction,
    flags,
    negation,
    rounded,
)
from compliance.columnar.windows import look
from compliance.columns import Flags, Integers
from event_schemas import PLAIN_KINDS, parse_value
from rules_dsl import core


class Parts:
    """What witnesses showed, each phrase with its number."""

    def __init__(self) -> None:
        self.names = ["found", "since", "before", "counted", "unclear"]

    def number(self, name: str) -> int:
        if name not in self.names:
            self.names.append(name)
        return self.names.index(name)


FOUND, SINCE, BEFORE, COUNTED, UNCLEAR = range(5)


class Evaluator:
    """Evaluates expressions in one scene; with `witnessing`, it also says by which rows."""

    def __init__(
        self, scene: Scene, *, witnessing: bool = False, parts: Parts | None = None
    ) -> None:
        self.scene = scene
        self.witnessing = witnessing
        self.parts = parts or Parts()
        self.search = Search(self)

    @property
    def rulebook(self) -> core.Rulebook:
        return self.scene.table.circumstances.rulebook

    @property
    def plan(self) -> Plan:
        return self.scene.table.plan

    def pattern(self, pattern: core.Pattern) -> PlannedPattern:
        """A pattern taken apart."""
        return self.plan.pattern(pattern)

    def vector(self, expr: core.Expr, contexts: Contexts) -> Vector:
        """Only the values of an expression."""
        if self.witnessing:
            quiet = Evaluator(self.scene)
            return quiet.answer(expr, contexts).vector
        return self.answer(expr, contexts).vector

    def answer(self, expr: core.Expr, contexts: Contexts) -> Answer:
        """The values of an expression, with witnesses when these are wanted."""
        return _MEANINGS[type(expr)](self, expr, contexts)

    def _seen(self, context: Integers, row: Integers, part: int) -> Seen:
        return Seen(context, row, np.full(len(context), part, dtype=np.int64))

    # ---- single values

    def _const(self, expr: core.Const, contexts: Contexts) -> Answer:
        memo = self.scene.table.memo
        key = ("const", expr.kind, expr.text)
        if key not in memo:
            memo[key] = constant_of(self.scene.log, self.rulebook, expr)
        return Answer(memo[key])

    def _field(self, expr: core.Field, contexts: Contexts) -> Answer:
        rows = contexts.rows[expr.var]
        vector = self.scene.field(expr.name, expr.kind, rows)
        if not self.witnessing:
            return Answer(vector)
        lacking = np.flatnonzero(np.broadcast_to(vector.state == MISSING, contexts.size))
        part = self.parts.number(f"lacks {expr.name}")
        return Answer(vector, self._seen(lacking, rows[lacking], part))

    def _option(self, expr: core.OptionValue, contexts: Contexts) -> Answer:
        return Answer(self.scene.option(expr.name, contexts.rows[expr.at]))

    def _reading(self, expr: core.ReadingValue, contexts: Contexts) -> Answer:
        chosen = self.scene.table.circumstances.readings[expr.name]
        words = [reading.name for reading in self.rulebook.interpretations[expr.name].readings]
        return Answer(constant(words.index(chosen)))

    def _setting(self, expr: core.SettingValue, contexts: Contexts) -> Answer:
        value = self.scene.table.circumstances.settings[expr.name]
        return Answer(constant(*code_of(self.scene.log, PLAIN_KINDS[expr.kind], value)))

    def _arithmetic(self, expr: core.Arithmetic, contexts: Contexts) -> Answer:
        left, right = self.answer(expr.left, contexts), self.answer(expr.right, contexts)
        return Answer(
            arithmetic(expr.sign, left.vector, right.vector), together([left.seen, right.seen])
        )

    def _rounding(self, expr: core.Rounding, contexts: Contexts) -> Answer:
        value, unit = self.answer(expr.value, contexts), self.answer(expr.unit, contexts)
        return Answer(
            rounded(value.vector, expr.way, unit.vector), together([value.seen, unit.seen])
        )

    def _apply(self, expr: core.Apply, contexts: Contexts) -> Answer:
        answers = [self.answer(argument, contexts) for argument in expr.arguments]
        vector = apply_function(self, expr, [a.vector for a in answers], contexts)
        return Answer(vector, together(a.seen for a in answers))

    def _lookup(self, expr: core.Lookup, contexts: Contexts) -> Answer:
        table = self.rulebook.tables[expr.table]
        answers = [self.answer(key, contexts) for key in expr.keys]
        size = contexts.size
        row = self._find_key(table.rows, table.row_kind, expr.keys[0], answers[0].vector, size)
        column = np.zeros(size, dtype=np.int64)
        if table.columns:
            column = self._find_key(
                table.columns, table.column_kind, expr.keys[1], answers[1].vector, size
            )
        state = np.zeros(size, dtype=np.uint8)
        for answer in answers:
            known = np.where(answer.vector.state >= MISSING, answer.vector.state, VALUE)
            state = np.maximum(state, known).astype(np.uint8)
        cells = self._cells(table)
        inside = (row >= 0) & (column >= 0)
        r, c = np.clip(row, 0, None), np.clip(column, 0, None)
        cell_state = np.where(inside, cells.state.reshape(cells.above.shape)[r, c], NOTHING)
        state = np.where(state == VALUE, cell_state, state).astype(np.uint8)
        below = None if cells.below is None else cells.below[r, c]
        return Answer(Vector(cells.above[r, c], state, below), together(a.seen for a in answers))

    def _cells(self, table: core.LookupTable) -> Vector:
        memo = self.scene.table.memo
        key = ("cells", table.name)
        if key not in memo:
            shape = (len(table.cells), len(table.cells[0]))
            above = np.zeros(shape, dtype=np.int64)
            below = np.ones(shape, dtype=np.int64)
            state = np.zeros(shape, dtype=np.uint8)
            for r, cells in enumerate(table.cells):
                for c, text in enumerate(cells):
                    if text == "none":
                        state[r, c] = NOTHING
                        continue
                    vector = constant_of(
                        self.scene.log, self.rulebook, core.Const(table.value_kind, text)
                    )
                    above[r, c] = vector.above[0]
                    below[r, c] = 1 if vector.below is None else vector.below[0]
            memo[key] = Vector(above, state, None if (below == 1).all() else below)
        found: Vector = memo[key]
        return found

    def _find_key(
        self,
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
                low = self._number(key.low)
                high = self._number(key.high)
                hit = (compare(">=", value, low).above & compare("<=", value, high).above) != 0
                hit = hit & (value.state == VALUE)
            else:
                code = self._word_code(expr, key.low)
                hit = (value.state == VALUE) & (value.above == code)
            result[hit] = place
        return result

    def _number(self, text: str) -> Vector:
        return constant(
            *code_of(
                self.scene.log, PLAIN_KINDS["number"], parse_value(PLAIN_KINDS["number"], text)
            )
        )

    def _word_code(self, expr: core.Expr, word: str) -> int:
        """The number of a word in whatever kind of value is looked up."""
        kind = kind_of(expr, self.rulebook)
        if kind == "text":
            return self.scene.log.words.find(word)
        if kind == "none":
            return -1
        if kind in ("flag", "rank", "suit"):
            try:
                value = parse_value(PLAIN_KINDS[kind], word)
            except ValueError:
                return -1
            return code_of(self.scene.log, PLAIN_KINDS[kind], value)[0]
        words = words_of(self.scene.log.schema, self.rulebook, kind)
        return words.index(word) if word in words else -1

    def _if(self, expr: core.If, contexts: Contexts) -> Answer:
        condition = self.answer(expr.condition, contexts)
        then, other = self.answer(expr.then, contexts), self.answer(expr.otherwise, contexts)
        vector = choose(condition.vector, then.vector, other.vector)
        if not self.witnessing:
            return Answer(vector)
        known = as_truth(condition.vector).spread(contexts.size)
        return Answer(
            vector,
            together(
                [condition.seen, then.seen.where(~known.false), other.seen.where(~known.true)]
            ),
        )

    # ---- conditions on values

    def _compare(self, expr: core.Compare, contexts: Contexts) -> Answer:
        left, right = self.answer(expr.left, contexts), self.answer(expr.right, contexts)
        return Answer(
            compare(expr.sign, left.vector, right.vector), together([left.seen, right.seen])
        )

    def _recorded(self, expr: core.Recorded, contexts: Contexts) -> Answer:
        answer = self.answer(expr.value, contexts)
        state = answer.vector.state
        holds = state == VALUE if expr.known else state == MISSING
        kept = np.where(state == OPEN, OPEN, VALUE).astype(np.uint8)
        return Answer(flags(holds, kept), answer.seen)

    def _about(self, expr: core.About, contexts: Contexts) -> Answer:
        answers = [self.answer(e, contexts) for e in (expr.value, expr.target, expr.tolerance)]
        value, target, tolerance = (a.vector for a in answers)
        away = arithmetic("-", value, target)
        away = Vector(np.abs(away.above), away.state, away.below)
        size = Vector(np.abs(target.above), target.state, target.below)
        margin = arithmetic("*", size, tolerance) if expr.relative else tolerance
        return Answer(as_truth(compare("<=", away, margin)), together(a.seen for a in answers))

    def _and(self, expr: core.And, contexts: Contexts) -> Answer:
        if not self.witnessing:
            return Answer(conjunction([self.vector(part, contexts) for part in expr.parts]))
        return all_of([self._whole(part, contexts) for part in expr.parts])

    def _or(self, expr: core.Or, contexts: Contexts) -> Answer:
        if not self.witnessing:
            return Answer(disjunction([self.vector(part, contexts) for part in expr.parts]))
        return any_of([self._whole(part, contexts) for part in expr.parts])

    def _not(self, expr: core.Not, contexts: Contexts) -> Answer:
        answer = self.answer(expr.part, contexts)
        return Answer(negation(answer.vector), answer.seen)

    def _whole(self, expr: core.Expr, contexts: Contexts) -> Answer:
        answer = self.answer(expr, contexts)
        return Answer(answer.vector.spread(contexts.size), answer.seen)

    # ---- events

    def find(self, events: core.Events, contexts: Contexts) -> Found:
        """The events of a phrase, for every context; the same question is answered only once."""
        if contexts.token is None:
            return self._find(events, contexts)
        key = ("find", self.plan.number(events), contexts.token)
        if key not in self.scene.memo:
            self.scene.memo[key] = self._find(events, contexts)
        found: Found = self.scene.memo[key]
        return found

    def _find(self, events: core.Events, contexts: Contexts) -> Found:
        window = look(self, events.window, contexts, events.at)
        found = self.search.find(self.pattern(events.pattern), contexts, window.bounds)
        if events.per is not None:
            found = aggregates.one_per_key(self, events, found)
        return replace(
            found,
            more=window.open,
            doubt=window.doubt,
            since=window.since,
            before=window.before,
        )

    def _bounds(self, found: Found) -> Seen:
        return bound_witnesses(found, SINCE, BEFORE) if self.witnessing else NOBODY

    def _rows(self, rows: Rows, part: int) -> Seen:
        if not self.witnessing:
            return NOBODY
        places, owners = spread_ranges(rows.first, rows.end)
        return self._seen(owners, rows.pool[places], part)

    def _unclear(self, found: Found) -> Seen:
        return self._rows(found.unsure, UNCLEAR)

    def _how_many(self, expr: core.HowMany, contexts: Contexts) -> Answer:
        number = self.answer(expr.number, contexts)
        found = self.find(expr.events, contexts)
        past = expr.events.window.reach == "past"
        wanted = number.vector.spread(contexts.size)
        below = np.ones(1, dtype=np.int64) if wanted.below is None else wanted.below
        parts = []
        if expr.bound in ("at least", "exactly"):
            parts.append(self._at_least(-(-wanted.above // below), found, past))
        if expr.bound in ("at most", "exactly"):
            parts.append(opposite(self._at_least(wanted.above // below + 1, found, past)))
        answer = all_of(parts) if len(parts) > 1 else parts[0]
        unknown = wanted.state != VALUE
        if not unknown.any():
            return Answer(answer.vector, together([answer.seen, number.seen]))
        state = np.where(unknown, as_truth(wanted).state, answer.vector.state).astype(np.uint8)
        return Answer(
            Vector(answer.vector.above, state),
            together([answer.seen.where(~unknown), number.seen]),
        )

    def _at_least(self, wanted: Integers, found: Found, past: bool) -> Answer:
        enough = found.sure.count >= wanted
        perhaps = found.sure.count + found.unsure.count >= wanted
        state = np.where(perhaps, MISSING, VALUE)
        state = np.where(found.open, OPEN, state)
        state = np.where(enough, VALUE, state)
        state = np.where(found.doubtful, found.doubt, state).astype(np.uint8)
        vector = Vector(enough.astype(np.int64), state)
        if not self.witnessing:
            return Answer(vector)
        few = np.clip(wanted, 0, None)
        first = np.maximum(found.sure.first, found.sure.end - few) if past else found.sure.first
        end = found.sure.end if past else np.minimum(found.sure.end, found.sure.first + few)
        doubts = self._unclear(found).where(~found.doubtful & ~enough & ~found.open & perhaps)
        return Answer(
            vector,
            together(
                [self._rows(Rows(found.sure.pool, first, end), FOUND), doubts, self._bounds(found)]
            ),
        )

    def _every(self, expr: core.Every, contexts: Contexts) -> Answer:
        found = self.find(expr.events, contexts)
        var = expr.events.pattern.var
        sure_places, sure_owners = spread_ranges(found.sure.first, found.sure.end)
        doubt_places, doubt_owners = spread_ranges(found.unsure.first, found.unsure.end)
        rows = np.concatenate([found.sure.pool[sure_places], found.unsure.pool[doubt_places]])
        owners = np.concatenate([sure_owners, doubt_owners])
        unsure = np.arange(len(rows)) >= len(sure_places)
        pairs = contexts.take(owners).with_var(var, rows)
        answer = self._whole(expr.condition, pairs)
        vector = as_truth(answer.vector)
        # An event that may not belong can leave the whole in doubt, but not break it.
        state = np.where(unsure & vector.false, MISSING, vector.state)
        fails = (state == VALUE) & (vector.above == 0)
        broken = np.zeros(contexts.size, dtype=np.bool_)
        broken[owners[fails]] = True
        worst = np.where(found.open, OPEN, VALUE)
        np.maximum.at(worst, owners, np.where(fails, VALUE, state))
        worst = np.where(broken, VALUE, worst)
        worst = np.where(found.doubtful, found.doubt, worst).astype(np.uint8)
        result = Vector((~broken).astype(np.int64), worst)
        if not self.witnessing:
            return Answer(result)
        of_pairs = together(
            [
                answer.seen,
                self._seen(np.flatnonzero(~unsure), rows[~unsure], FOUND),
                self._seen(np.flatnonzero(unsure), rows[unsure], UNCLEAR),
            ]
        )
        # Where an unclear event fulfils the condition anyway, only that is worth showing.
        settled = unsure & vector.true
        drop = settled[of_pairs.context] & (of_pairs.part == UNCLEAR)
        kept = ~drop & (
            ~broken[owners[of_pairs.context]]
            | fails[of_pairs.context]
            | found.doubtful[owners[of_pairs.context]]
        )
        shown = Seen(owners[of_pairs.context[kept]], of_pairs.row[kept], of_pairs.part[kept])
        return Answer(result, together([shown, self._bounds(found)]))

    def _aggregate(self, expr: core.Aggregate, contexts: Contexts) -> Answer:
        found = self.find(expr.events, contexts)
        if expr.function in ("first", "last"):
            return self._end_value(expr, found, contexts)
        vector, lacking = aggregates.combine(self, expr, found)
        state = np.where(found.doubtful | (found.unsure.count > 0), MISSING, VALUE)
        state = np.where(found.open | (found.doubt == OPEN), OPEN, state)
        total = np.where(state == VALUE, vector.state, state).astype(np.uint8)
        result = Vector(vector.above, total, vector.below)
        if not self.witnessing:
            return Answer(result)
        missing = lacking.where(state == VALUE)
        return Answer(result, together([self._counted(found), missing]))

    def _counted(self, found: Found) -> Seen:
        return together(
            [
                self._rows(found.sure, COUNTED),
                self._unclear(found),
                self._bounds(found),
            ]
        )

    def _end_value(self, expr: core.Aggregate, found: Found, contexts: Contexts) -> Answer:
        """The value of the first or last event; one that may belong there leaves it in doubt."""
        assert isinstance(expr.value, core.Field)
        first = expr.function == "first"
        sure = found.sure.count > 0
        row, doubt, late = aggregates.end_rows(found, first)
        value = self.scene.field(expr.value.name, expr.value.kind, np.clip(row, 0, None))
        value = value.spread(contexts.size)
        # Of the three kinds of row the nearest one to that end decides.
        far = len(self.scene)
        places = np.stack([np.where(r >= 0, r, far) if first else r for r in (row, doubt, late)])
        nearest = places.argmin(axis=0) if first else places.argmax(axis=0)
        some = (row >= 0) | (doubt >= 0) | (late >= 0)
        state = np.where(some, np.choose(nearest, [value.state, MISSING, OPEN]), NOTHING)
        still_open = found.more & ~sure if first else found.more
        state = np.where(still_open, OPEN, state)
        state = np.where(found.doubtful, found.doubt, state).astype(np.uint8)
        result = Vector(value.above, state, value.below)
        if not self.witnessing:
            return Answer(result)
        judged = ~found.doubtful & ~still_open & some
        part = self.parts.number(f"lacks {expr.value.name}")
        shown = np.flatnonzero(judged & (nearest == 0))
        lacks = np.flatnonzero(judged & (nearest == 0) & (value.state == MISSING))
        unclear = np.flatnonzero(judged & (nearest > 0))
        rows = np.where(nearest == 1, doubt, late)
        return Answer(
            result,
            together(
                [
                    self._seen(shown, row[shown], FOUND),
                    self._seen(lacks, row[lacks], part),
                    self._seen(unclear, rows[unclear], UNCLEAR),
                    self._bounds(found),
                ]
            ),
        )

    def _in_order(self, expr: core.InOrder, contexts: Contexts) -> Answer:
        found = self.find(expr.events, contexts)
        start = None if expr.start is None else self.answer(expr.start, contexts)
        vector, lacking = aggregates.in_order(
            self, expr, found, None if start is None else start.vector.spread(contexts.size)
        )
        if not self.witnessing:
            return Answer(vector)
        judged = ~found.doubtful & (found.unsure.count == 0)
        return Answer(vector, together([self._counted(found), lacking.where(judged)]))

    def _next_seat(self, expr: core.NextSeat, contexts: Contexts) -> Answer:
        found = self.find(expr.events, contexts)
        start = self.answer(expr.start, contexts)
        vector, lacking = aggregates.next_seat(
            self, expr, found, start.vector.spread(contexts.size)
        )
        state = np.where(found.doubtful | (found.unsure.count > 0), MISSING, VALUE)
        state = np.where(found.open | (found.doubt == OPEN), OPEN, state)
        total = np.where(state == VALUE, vector.state, state).astype(np.uint8)
        result = Vector(vector.above, total)
        if not self.witnessing:
            return Answer(result)
        judged = state == VALUE
        # Where nobody sits, it does not matter from which seat one starts to count.
        alone = (
            judged & (vector.state == NOTHING) & (start.vector.spread(contexts.size).state == VALUE)
        )
        return Answer(
            result,
            together(
                [
                    self._counted(found),
                    start.seen.where(judged & ~alone),
                    lacking.where(judged),
                ]
            ),
        )


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


_MEANINGS: dict[type, Callable[[Evaluator, Any, Contexts], Answer]] = {
    core.Const: Evaluator._const,
    core.Field: Evaluator._field,
    core.OptionValue: Evaluator._option,
    core.ReadingValue: Evaluator._reading,
    core.SettingValue: Evaluator._setting,
    core.Arithmetic: Evaluator._arithmetic,
    core.Rounding: Evaluator._rounding,
    core.Apply: Evaluator._apply,
    core.Lookup: Evaluator._lookup,
    core.If: Evaluator._if,
    core.Compare: Evaluator._compare,
    core.Recorded: Evaluator._recorded,
    core.About: Evaluator._about,
    core.And: Evaluator._and,
    core.Or: Evaluator._or,
    core.Not: Evaluator._not,
    core.HowMany: Evaluator._how_many,
    core.Every: Evaluator._every,
    core.Aggregate: Evaluator._aggregate,
    core.InOrder: Evaluator._in_order,
    core.NextSeat: Evaluator._next_seat,
}
