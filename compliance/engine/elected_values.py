"""What a table had elected at each of its events, in the form that the engine reads."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from compliance.table_log.table_log import TableLog
from compliance.values.elected_options import ElectedOptions

_BELOW_ALL = -(2**62)


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
    hidden: tuple[int, ...] = ()
    """After the choices: rows of lost records, each of which leaves the value in doubt from the
    next row on. Options that nobody elects share them."""

    @property
    def in_turn(self) -> tuple[Choice, ...]:
        """All of them, one after the other."""
        return (*self.choices, *(Choice(row + 1, None, row) for row in self.hidden))


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
    in_turn = len(log.table_names) == 1 and log.in_order
    shared: list[tuple[list[int], tuple[int, ...]]] = []
    found = []
    for name in names:
        elections = _elections(log, options, name) if name in elected else []
        lost = log.lost_elections(name) if log.lost is not None else []
        otherwise = options.otherwise(name)
        if not elections and in_turn:
            hidden = next((rows for known, rows in shared if known is lost), None)
            if hidden is None:
                hidden = tuple(row for row in lost if row + 1 < len(log))
                shared.append((lost, hidden))
            values = ElectedValues((Choice(0, otherwise),), None, hidden)
        elif not elections and not lost:
            values = ElectedValues((Choice(0, otherwise),))
        elif in_turn:
            values = ElectedValues(_in_turn(log, otherwise, elections, lost))
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
    log: TableLog, otherwise: object | None, elections: list[_Election], lost: list[int]
) -> tuple[Choice, ...]:
    """Where time and numbers only grow: each choice holds from one row on."""
    size = len(log)
    # Single numbers are had faster so than from the arrays themselves.
    all_seq, all_ts = log.seq.data, log.ts.data
    changes: list[tuple[int, int, int, _Election | None]] = []
    for order, item in enumerate(elections):
        begin = max(bisect_left(all_seq, item.seq), bisect_left(all_ts, item.since))
        if begin < size:
            changes.append((begin, 1, order, item))
    # A lost record leaves what comes after it in doubt.
    changes += [(row + 1, 0, row, None) for row in lost if row + 1 < size]
    changes.sort(key=lambda change: change[:3])
    found = [Choice(0, otherwise)]
    latest, value = -1, otherwise
    for begin, _, order, election in changes:
        if election is None:
            found.append(Choice(begin, None, order))
            continue
        # Of all that hold, the one that took effect last counts; and one that was recorded
        # before a lost record says nothing of what that one may have changed.
        if order > latest:
            latest, value = order, election.value
        if found[-1].lost < 0 or election.seq > log.seq[found[-1].lost]:
            found.append(Choice(begin, value))
    return tuple(_last_of_each_row(found))


def _last_of_each_row(choices: list[Choice]) -> list[Choice]:
    kept: list[Choice] = []
    for choice in choices:
        if kept and kept[-1].since == choice.since:
            kept.pop()
        kept.append(choice)
    return kept


def _by_row(
    log: TableLog, otherwise: object | None, elections: list[_Election], lost: list[int]
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


def _lost_of_tables(log: TableLog, lost: list[int]) -> dict[int, dict[int, int]]:
    """By table and number the rows of lost records; one that stands in several has its last."""
    found: dict[int, dict[int, int]] = {}
    for row in lost:
        found.setdefault(int(log.tables[row]), {})[int(log.seq[row])] = row
    return found
