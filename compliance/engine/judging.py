"""Judges a log by a plan: one call of the compiled engine, and what it wrote down of each check."""

from __future__ import annotations

import ctypes
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np

from compliance.engine import layout
from compliance.engine.bindings import LogBindings, PlanBindings, fields_of
from compliance.engine.library import library
from compliance.judgement.circumstances import Circumstances
from compliance.plan.nodes import WORDS
from compliance.table_log.columns import Flags, Integers
from compliance.table_log.table_log import TableLog

VIOLATED, UNDETERMINED = (WORDS["verdict"].index(word) for word in ("violated", "undetermined"))
_EVERYTHING = 2**62
MOST_STEPS, MOST_STEPS_AN_EVENT = 200_000_000, 3_000
"""How many events a rule may look at in one log, or for each of its events, whatever is more: some
seconds. A rule whose work grows much faster than the log ends there without a verdict."""
SHOWN = 3
"""How many excused or undecided checks of an edition are written down; all are counted."""


class OutOfMemory(Exception):
    """The engine needed more memory than there is."""


class WrittenCheck(NamedTuple):
    """One check as the engine writes it down."""

    edition: int
    row: int
    verdict: int
    unmet: int
    excuse: int
    unsettled: bool
    lost: bool
    again: bool
    keys: Sequence[int]
    """Two numbers for each key: whether it is known, and its value."""
    witnesses: Sequence[int]
    """Two numbers for each witness: its row, and what it showed."""
    quotes: Sequence[int]
    """Four numbers for each value in the message: above, below, state, zone."""


@dataclass(frozen=True)
class Judgement:
    """What the engine says of a log: for each edition how often each verdict was reached, how many
    doubts come from lost records and whether it was too costly; and the checks that are to be
    shown."""

    counts: Any
    checks: Sequence[WrittenCheck]


@dataclass(frozen=True)
class Question:
    """Which checks are asked for, and how many of each verdict are to be written down."""

    fresh_from: int = 0
    again: Flags | None = None
    asked: Flags | None = None
    everything: bool = False
    all_undecided: bool = False


class JudgedLog:
    """One log, ready to be judged by some editions of a plan."""

    def __init__(
        self,
        of_plan: PlanBindings,
        log: TableLog,
        circumstances: Circumstances,
        editions: Sequence[int],
    ) -> None:
        self._of_plan = of_plan
        self._log = log
        self._circumstances = circumstances
        self._editions = tuple(editions)
        self._size = len(log)
        self._number = len(editions)
        self._bound = LogBindings(of_plan, log, circumstances)
        self._task = _task(of_plan, log, self._editions)

    def judge(self, question: Question) -> Judgement:
        """Every check that is asked for.

        A violation that rests on the habits of a table is none: it is judged again as if the table
        had none.
        """
        found = self._judge(question)
        broken = [check for check in found.checks if check.verdict == VIOLATED]
        if self._log.lost is None or not broken:
            return found
        editions = sorted({check.edition for check in broken})
        rows = np.zeros(self._size, dtype=np.bool_)
        rows[[check.row for check in broken]] = True
        again = self._whatever_the_habits([self._editions[number] for number in editions])
        surely = again._judge(
            Question(question.fresh_from, rows, rows, everything=True, all_undecided=True)
        )
        return _corrected(
            found, [check._replace(edition=editions[check.edition]) for check in surely.checks]
        )

    def _whatever_the_habits(self, editions: Sequence[int]) -> JudgedLog:
        """The same log, as if nothing were taken for granted of its tables."""
        assert self._log.lost is not None
        lost = self._log.lost.whatever_the_habits()
        # What was handed over of the log tells what its lost records usually are.
        log = replace(self._log, lost=lost, made_ready={})
        return JudgedLog(self._of_plan, log, self._circumstances, editions)

    def _judge(self, question: Question) -> Judgement:
        counts = np.zeros((self._number, layout.COUNTS), dtype=np.int64)
        few = _EVERYTHING if question.everything else SHOWN
        task = self._task
        task.fresh_from = question.fresh_from
        task.again = None if question.again is None else question.again.ctypes.data
        task.asked = None if question.asked is None else question.asked.ctypes.data
        task.shown_complied = _EVERYTHING if question.everything else 0
        task.shown_excused = few
        task.shown_undecided = _EVERYTHING if question.all_undecided else few
        result = layout.Result(counts=counts.ctypes.data)
        try:
            _run("judge_log", self._bound.struct, task, ctypes.byref(result))
            written: list[int] = []
            if result.size:
                at = ctypes.cast(result.written, ctypes.POINTER(ctypes.c_int64))
                written = np.ctypeslib.as_array(at, (result.size,)).tolist()
        finally:
            library().forget_result(ctypes.byref(result))
        return Judgement(counts, _checks(written))

    def rows_for_next_log(self, waiting: Mapping[int, Sequence[int]]) -> Integers:
        """The rows that the next log needs; `waiting` are, by the place of an edition, the triggers
        of checks that are not settled."""
        if self._log.lost is not None:
            whatever = self._whatever_the_habits(self._editions)
            return np.union1d(self._rows_needed(waiting), whatever._rows_needed(waiting))
        return self._rows_needed(waiting)

    def _rows_needed(self, waiting: Mapping[int, Sequence[int]]) -> Integers:
        rows = [list(waiting.get(number, ())) for number in range(self._number)]
        ends = np.cumsum([0, *map(len, rows)], dtype=np.int64)[1:]
        flat = np.array([row for each in rows for row in each], dtype=np.int64)
        kept = np.zeros(self._size, dtype=np.uint8)
        self._task.waiting_ends = ends.ctypes.data
        self._task.waiting_rows = flat.ctypes.data
        _run("keep_for_next_log", self._bound.struct, self._task, kept.ctypes.data)
        return np.flatnonzero(kept)


def rows_spoken_of(of_plan: PlanBindings, log: TableLog, editions: Sequence[int]) -> Flags:
    """The rows that editions can look at, by what the fields of each event say, whatever the tables
    have elected."""
    kept = np.zeros(len(log), dtype=np.uint8)
    task = _task(of_plan, log, tuple(editions))
    _run("rows_spoken_of", fields_of(of_plan, log).struct, task, kept.ctypes.data)
    return kept.view(np.bool_)


def _task(of_plan: PlanBindings, log: TableLog, editions: tuple[int, ...]) -> Any:
    plan = of_plan.plan
    return layout.Task(
        code=of_plan.code.ctypes.data,
        size_of_code=len(of_plan.code),
        number_of_types=len(log.type_names),
        number_of_pools=plan.pools,
        number_of_memos=plan.memos,
        number_of_trigger_lists=plan.trigger_lists,
        number_of_columns=len(plan.columns),
        number_of_slicings=plan.slicings,
        number_of_intervals=len(plan.intervals),
        intervals=of_plan.intervals.ctypes.data,
        number_of_editions=len(editions),
        most_steps=max(MOST_STEPS, MOST_STEPS_AN_EVENT * len(log)),
        editions=of_plan.places(editions).ctypes.data,
    )


def _run(work: str, log: Any, task: Any, answer: Any) -> None:
    if getattr(library(), work)(ctypes.byref(log), ctypes.byref(task), answer):
        raise OutOfMemory("The engine needed more memory than there is.")


def _corrected(found: Judgement, surely: Sequence[WrittenCheck]) -> Judgement:
    """A judgement whose violations are replaced by what is sure of them."""
    known = {(check.edition, check.row, tuple(check.keys)): check for check in surely}
    checks = []
    for check in found.checks:
        sure = check
        if check.verdict == VIOLATED:
            sure = known[check.edition, check.row, tuple(check.keys)]
            if not check.again:
                found.counts[check.edition, check.verdict] -= 1
                found.counts[check.edition, sure.verdict] += 1
                found.counts[check.edition, layout.BY_LOST_RECORDS] += (
                    sure.lost and sure.verdict == UNDETERMINED
                )
        checks.append(sure)
    return Judgement(found.counts, checks)


def _checks(written: Sequence[int]) -> list[WrittenCheck]:
    found, at, size = [], 0, len(layout.HEAD)
    while at < len(written):
        head = dict(zip(layout.HEAD, written[at : at + size], strict=True))
        at += size
        keys = written[at : at + 2 * head["keys"]]
        at += len(keys)
        witnesses = written[at : at + 2 * head["witnesses"]]
        at += len(witnesses)
        quotes = written[at : at + 4 * head["quotes"]]
        at += len(quotes)
        found.append(
            WrittenCheck(
                head["edition"],
                head["row"],
                head["verdict"],
                head["unmet"],
                head["excuse"],
                bool(head["unsettled"]),
                bool(head["lost"]),
                bool(head["again"]),
                keys,
                witnesses,
                quotes,
            )
        )
    return found
