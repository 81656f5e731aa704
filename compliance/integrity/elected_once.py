"""Which options did a lost record surely not elect? The game, where the wagers around it show that
the same one goes on. By the habits of the table also those that its pause elects already, and the
game wherever the table was not closed and opened anew.

Nobody elects the same option twice between two rounds, or before the first one. Where the table's
own log shows that somebody did, nothing is said (see docs/logs.md, "What a lost record can have
been").
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np

from compliance.integrity.lost_records import Gap, round_marks
from compliance.integrity.table_events import TableEvents, all_numbers
from compliance.table_log.columns import Flags, Integers
from compliance.table_log.frame import FrameEvents
from compliance.values.elected_options import ELECTIONS, election_of

_NEW_GAME: Final = 3
"""Another game takes at least so many records: the table closes, opens, and gets other cards."""
_OF_ONE_GAME: Final = ("blackjack", "first_attack", "original")
"""Main wagers that only one game has: blackjack, triple attack blackjack and red dog. The wagers of
baccarat are those of minibaccarat too, and poker games share theirs."""


class _Election(NamedTuple):
    place: int
    pause: int
    option: str
    type: str
    value: str


def not_elected_by(
    events: TableEvents, gaps: Sequence[Gap], fresh_from: int = 0
) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """For each gap of a table's log the options that no record lost there elected: the game where
    the log shows that it went on, and what the table does not elect again by its habits.

    Before `fresh_from`, where an earlier log was checked, not all records are here: its pauses are
    not known.
    """
    marks = round_marks(events)
    marks = marks[marks >= fresh_from]
    closed = events.places("table_closed")
    borders = all_numbers(marks, closed[closed >= fresh_from])
    elections = _elections(events, borders, fresh_from)
    same_game = _same_game(gaps, marks, closed, elections)
    shown = same_game & _same_wagers(events, gaps, fresh_from)
    games = [frozenset(("game",) if same else ()) for same in same_game]
    habits = zip(games, _elected_in_pause(gaps, borders, elections), strict=True)
    sure = [frozenset(("game",) if same else ()) for same in shown]
    return sure, [game | options for game, options in habits]


def _elections(events: TableEvents, borders: Integers, fresh_from: int) -> list[_Election]:
    places = events.places(*ELECTIONS)
    places = places[places >= fresh_from]
    records = FrameEvents(events.schema, events.frame[places])
    pauses = np.searchsorted(borders, places).tolist()
    return [
        _Election(place, pause, elected.option, record.type, str(elected.said))
        for place, pause, record in zip(places.tolist(), pauses, records, strict=True)
        if (elected := election_of(record)) is not None
    ]


# ---- what the same pause elects ------------------------------------------------------------------


def _elected_in_pause(
    gaps: Sequence[Gap], borders: Integers, elections: Sequence[_Election]
) -> list[frozenset[str]]:
    """For each gap the options that a record of its pause elects."""
    if not elections or _an_option_comes_twice(elections):
        return [frozenset()] * len(gaps)
    options: dict[int, set[str]] = {}
    for election in elections:
        options.setdefault(election.pause, set()).add(election.option)
    pauses, lost = _lost_in_pause(gaps, borders)
    # Where more than one is lost, another may have been the border of a pause.
    return [
        frozenset(options.get(pause, ()) if together == 1 else ())
        for pause, together in zip(pauses.tolist(), lost.tolist(), strict=True)
    ]


def _an_option_comes_twice(elections: Sequence[_Election]) -> bool:
    """Whether an option was elected twice in one pause. That a table opens for the game that was
    elected for it says the same thing once more."""
    by_type = {(item.pause, item.option, item.type) for item in elections}
    values = {(item.pause, item.option, item.value) for item in elections}
    options = {(item.pause, item.option) for item in elections}
    return len(by_type) < len(elections) or len(values) > len(options)


def _lost_in_pause(gaps: Sequence[Gap], borders: Integers) -> tuple[Integers, Integers]:
    """For each gap the number of its pause, and how many records are lost in all of that pause."""
    pauses = np.searchsorted(borders, np.array([gap.before for gap in gaps], dtype=np.int64))
    totals = np.zeros(len(borders) + 1, dtype=np.int64)
    np.add.at(totals, pauses, [gap.times for gap in gaps])
    return pauses, totals[pauses]


# ---- the game ------------------------------------------------------------------------------------


def _same_game(
    gaps: Sequence[Gap], marks: Integers, closed: Integers, elections: Sequence[_Election]
) -> Flags:
    """For each gap whether the table went on with its game, if it kept its habits.

    Nobody knows where no round was played yet, where the table closes or elects a game, where
    enough is lost for that, and where the log shows a new game at a table that was not closed.
    """
    pauses, lost = _lost_in_pause(gaps, marks)
    games = np.array([item.place for item in elections if item.option == "game"], dtype=np.int64)
    new_games = np.searchsorted(marks, games)
    closings = np.searchsorted(marks, closed)
    if not np.isin(new_games[new_games > 0], closings).all():
        return np.zeros(len(gaps), dtype=np.bool_)
    told = np.isin(pauses, np.append(new_games, closings))
    return (pauses > 0) & ~told & (lost < _NEW_GAME)


def _same_wagers(events: TableEvents, gaps: Sequence[Gap], fresh_from: int) -> Flags:
    """For each gap whether the last main wager before it and the first one after it are of the same
    game: a game without a wager was not played between them."""
    kinds = events.field("wager", "wager_kind")
    if kinds is None:
        return np.zeros(len(gaps), dtype=np.bool_)
    names = events.schema.enums["wager_kind"].values
    codes = [names.index(name) for name in _OF_ONE_GAME]
    played = events.are("wager_placed") & kinds.is_in(codes).fill_null(False).to_numpy()
    places = np.flatnonzero(played)
    places = places[places >= fresh_from]
    stretches, _ = _lost_in_pause(gaps, places)
    between = (stretches > 0) & (stretches < len(places))
    wagers = kinds.gather(places).to_numpy()
    first, last = stretches[between] - 1, stretches[between]
    same = np.zeros(len(gaps), dtype=np.bool_)
    same[between] = wagers[first] == wagers[last]
    return same
