"""What a table had elected at each of its events, in the form that the engine reads."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from compliance.table_log.table_log import TableLog
from compliance.values.elected_options import ElectedOptions

_BELOW_ALL = -(2**62)
_BEGIN = attrgetter("since")


class Choice(NamedTuple):
    """A value that holds from some row on; None where nobody knows, or a lost record hides it."""

    since: int
    value: object | None
    lost: int = -1
    """The row of the lost record that leaves the value in doubt, or -1."""


class ElectedValues(NamedTuple):
    """All values of one option; `which` says for each row which of them holds, where their order
    does not tell."""

    choices: tuple[Choice, ...]
    which: npt.NDArray[np.int32] | None = None


class _Election(NamedTuple):
    table: int
    seq: int
    since: int
    value: object | None


def elected_values(
    log: TableLog, options: ElectedOptions, names: Sequence[str]
) -> list[ElectedValues]:
    """What each of some options was at every event of a log."""
    elected = options.elected
    doubts: dict[tuple[int, ...], list[Choice]] = {}
    in_turn = len(log.table_names) == 1 and log.in_order
    found = []
    for name in names:
        elections = _elections(log, options, name) if name in elected else []
        lost = log.lost_elections(name)
        otherwise = options.otherwise(name)
        if not elections and not lost:
            values = ElectedValues((Choice(0, otherwise),))
        elif in_turn:
            if lost not in doubts:
                # A lost record leaves what comes after it in doubt.
                doubts[lost] = [Choice(row + 1, None, row) for row in lost if row + 1 < len(log)]
            values = ElectedValues(_in_turn(log, otherwise, elections, doubts[lost]))
        else:
            values = _by_row(log, otherwise, elections, lost)
        found.append(values)
    return found


def _elections(log: TableLog, options: ElectedOptions, name: str) -> list[_Election]:
    """The elections of an option, the one that takes effect last after the others."""
    elections = [
        _Election(number, seq, since, value)
        for number, (casino, table) in enumerate(log.table_names)
        for seq, since, value in options.elections(casino, table, name)
    ]
    return sorted(elections, key=lambda item: (item.since, item.seq))


def _in_turn(
    log: TableLog, otherwise: object | None, elections: list[_Election], doubts: Sequence[Choice]
) -> tuple[Choice, ...]:
    """Where time and numbers only grow: each choice holds from one row on."""
    # Single numbers are had faster so than from the arrays themselves.
    all_seq, all_ts = log.seq.data, log.ts.data
    begins = [max(bisect_left(all_seq, e.seq), bisect_left(all_ts, e.since)) for e in elections]
    found = [Choice(0, otherwise)]
    latest, value, told = -1, otherwise, 0
    for begin, order in sorted(zip(begins, range(len(elections)), strict=True)):
        if begin == len(log):
            break
        before = bisect_right(doubts, begin, key=_BEGIN)
        found += doubts[told:before]
        told = before
        # Of all that hold, the one that took effect last counts; and one that was recorded
        # before a lost record says nothing of what that one may have changed.
        election = elections[order]
        if order > latest:
            latest, value = order, election.value
        if found[-1].lost < 0 or election.seq > log.seq[found[-1].lost]:
            if found[-1].since == begin:
                found.pop()
            found.append(Choice(begin, value))
    return (*found, *doubts[told:])


def _by_row(
    log: TableLog, otherwise: object | None, elections: list[_Election], lost: Sequence[int]
) -> ElectedValues:
    """Where several tables stand together, or a clock goes back: row by row."""
    choices = [Choice(0, otherwise)]
    which = np.zeros(len(log), dtype=np.int32)
    # The highest number among the elections that hold at each row.
    settled = np.full(len(log), _BELOW_ALL, dtype=np.int64)
    for item in elections:
        holds = log.rows_of_tables[item.table].from_both(item.seq, item.since)
        which[holds] = len(choices)
        choices.append(Choice(0, item.value))
        settled[holds] = np.maximum(settled[holds], item.seq)
    for table, by_seq in _lost_of_tables(log, lost).items():
        own = log.rows_of_tables[table].rows
        seqs = np.array(sorted(by_seq), dtype=np.int64)
        # What leaves no doubt of the last lost record before a row leaves none of earlier ones.
        last = np.searchsorted(seqs, log.seq[own], side="left") - 1
        hidden = (last >= 0) & (settled[own] <= seqs[last])
        which[own[hidden]] = len(choices) + last[hidden]
        choices += [Choice(0, None, by_seq[seq]) for seq in seqs.tolist()]
    return ElectedValues(tuple(choices), which)


def _lost_of_tables(log: TableLog, lost: Sequence[int]) -> dict[int, dict[int, int]]:
    """By table and number the rows of lost records; one that stands in several has its last."""
    found: dict[int, dict[int, int]] = {}
    for row in lost:
        found.setdefault(int(log.tables[row]), {})[int(log.seq[row])] = row
    return found
