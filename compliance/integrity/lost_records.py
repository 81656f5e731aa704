"""What can a lost record have been? The records around it, and the habits of its table, tell.

A type is ruled out only for a reason that docs/logs.md gives ("What a lost record can have been"),
and no reason is used at a table whose own log speaks against it: whose numbers of rounds come
again, whose rounds have two ends, which elects options between two rounds without a word.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from compliance.integrity.rounds import ENDS
from compliance.integrity.shoes import NEW_LIFE
from compliance.integrity.table_events import TableEvents
from compliance.integrity.usual_neighbours import UsualNeighbours
from compliance.table_log.columns import Flags, Integers
from compliance.values.elected_options import ELECTIONS

START: Final = "round_started"
BORDERS: Final = (START, *ENDS)
CHANGES: Final = (
    *ELECTIONS,
    "rule_changed",
    "limits_changed",
    "notice_posted",
    "patrons_told",
    "commission_notified",
    "surveillance_notified",
    "table_closed",
)
"""Records that speak of a change at the table: an election between two rounds comes with one."""
PACKS: Final = (
    "decks_received",
    "decks_assigned",
    "cards_inspected",
    "inspection_verified",
    "tens_removed",
    "cards_destroyed",
    "deck_placed_in_play",
    "deck_sequenced",
    "deck_stored",
    "deck_removed",
    "cards_spread",
    "spread_turned",
    "cards_washed",
    "cards_stacked",
    "cards_laced",
    "shuffle_decided",
    "shuffle_started",
    "cards_shuffled",
    "shuffle_interrupted",
    "shuffled_stack_inserted",
    "shuffler_installed",
    "shuffler_removed",
    "shuffler_loaded",
    "shuffler_emptied",
    "shuffler_count_reported",
    "recut_ordered",
    "stack_transposed",
    "cutting_card_removed",
    "cover_card_placed",
    "cover_card_removed",
    "shoe_loaded",
    "shoe_inspected",
    "shoe_secured",
    "cards_removed",
)
"""What is done with packs of cards, without the number of a round."""
BETWEEN_ROUNDS: Final = (
    ("table_opened", "table_closed", "table_idle_started", "option_elected"),
    ("dealer_arrived", "dealer_departed"),
    PACKS,
)
"""What happens between rounds: the table itself, its dealers, its packs of cards. Where the log
shows one of a group inside a round, the whole group may happen there."""
WITH_A_NEW_PACK: Final = (
    *PACKS,
    *NEW_LIFE,
    "cut_offered",
    "cut_refused",
    "cards_cut",
    "cutting_card_inserted",
    "card_burned",
)
"""Of these, new cards in play come with at least one other."""


@dataclass(frozen=True)
class Gap:
    """Records that are lost before the record of this place."""

    before: int
    times: int


def usual_types(
    events: TableEvents, gaps: Sequence[Gap], recorded: frozenset[str], fresh_from: int = 0
) -> list[frozenset[str]]:
    """For each gap of a table's log the types of the records that are lost there, if the table
    kept its habits.

    `recorded` are the types that the source records at all. Gaps before `fresh_from`, where an
    earlier log was checked, are not known.
    """
    places = np.array([gap.before for gap in gaps], dtype=np.int64)
    rounds = _Rounds(events, places, fresh_from)
    lost_together = rounds.lost_together([gap.times for gap in gaps])
    neighbours = UsualNeighbours(events, places, fresh_from)
    found = []
    for number, gap in enumerate(gaps):
        types = recorded - rounds.unusual(number, lost_together[number])
        # Where habits contradict each other, the older one speaks for itself.
        found.append(types - neighbours.unusual(gap.before, gap.times) or types)
    return found


def round_marks(events: TableEvents) -> Integers:
    """Where the log speaks of a round: between two of these places lies a pause, or a moment of a
    round."""
    numbers = events.field("round", "number")
    borders = events.places(*BORDERS)
    if numbers is None:
        return borders
    return np.union1d(np.flatnonzero(numbers.is_not_null().to_numpy()), borders)


@dataclass(frozen=True)
class _Habit:
    """Whether events of some types never come alone at a table."""

    kept: bool
    told: frozenset[int]
    """Between which records of rounds the log has any that tell of them."""


class _Rounds:
    """The rounds of a table, and what they say of each gap."""

    def __init__(self, events: TableEvents, gaps: Integers, fresh_from: int) -> None:
        self._events = events
        self._gaps = gaps
        self._fresh_from = fresh_from
        field = events.field("round", "number")
        self._known: Flags = (
            np.zeros(len(events), dtype=np.bool_)
            if field is None
            else field.is_not_null().to_numpy()
        )
        self._numbers: Integers = (
            np.zeros(len(events), dtype=np.int64)
            if field is None
            else field.fill_null(-1).to_numpy().astype(np.int64)
        )
        self._habits: dict[tuple[str, ...], _Habit] = {}
        self._places = np.flatnonzero(self._known)
        self._marks = round_marks(events)

    def unusual(self, gap: int, lost_together: int) -> frozenset[str]:
        """The types that can be lost at a gap only against the table's habits."""
        before, after = self._around(gap)
        inside = before is not None and before == after and self._never_come_again
        out: set[str] = set()
        if inside:
            out |= self._never_inside
        if self._borders_are_clear:
            out |= self._borders_out(before, after, lost_together)
            border = self._missing_border(gap, lost_together)
            if border:
                return frozenset(self._events.schema.events) - border
        stretch = int(np.searchsorted(self._marks, self._gaps[gap], side="left"))
        for types, told_by in ((ELECTIONS, CHANGES), (NEW_LIFE, WITH_A_NEW_PACK)):
            habit = self._habit(types, told_by)
            alone = stretch not in habit.told and lost_together == 1
            # At the end of a night cards are shuffled that nobody cuts or deals any more.
            played = types != NEW_LIFE or stretch < max(habit.told, default=0)
            if habit.kept and stretch > 0 and alone and played:
                out |= set(types)
        if lost_together == 1 and self._no_change_beside(gap):
            out.add("option_elected")
        return frozenset(out)

    def lost_together(self, times: Sequence[int]) -> list[int]:
        """For each gap how many records are lost between the same two records of rounds."""
        stretch = np.searchsorted(self._marks, self._gaps, side="left")
        totals = np.bincount(stretch, weights=times, minlength=1) if len(times) else np.zeros(1)
        return [int(totals[place]) for place in stretch]

    def _around(self, gap: int) -> tuple[int | None, int | None]:
        """The numbers of the rounds that the last record before and the first one after name."""
        here = int(np.searchsorted(self._places, self._gaps[gap], side="left"))
        before = int(self._numbers[self._places[here - 1]]) if here else None
        after = int(self._numbers[self._places[here]]) if here < len(self._places) else None
        return before, after

    # ---- rounds by their numbers ---------------------------------------------------------------

    @cached_property
    def _blocks(self) -> Integers:
        """Where another round begins, among the places that name their round."""
        numbers = self._numbers[self._places]
        return np.flatnonzero(np.diff(numbers, prepend=numbers[:1] - 1) != 0)

    @cached_property
    def _never_come_again(self) -> bool:
        """Whether no number of a round comes again after another one."""
        numbers = self._numbers[self._places][self._blocks]
        return len(np.unique(numbers)) == len(numbers)

    @cached_property
    def _borders_are_clear(self) -> bool:
        """Whether every round has one beginning, which is its first record, and one end, which is
        its last, all with its number; and whether rounds are counted without a leap."""
        starts, ends = self._events.places(START), self._events.places(*ENDS)
        if not self._never_come_again or not len(self._places) or not (len(starts) or len(ends)):
            return False
        if not self._known[starts].all() or not self._known[ends].all():
            return False
        first = self._places[self._blocks]
        last = self._places[np.append(self._blocks[1:], len(self._places)) - 1]
        if not np.isin(starts, first).all() or not np.isin(ends, last).all():
            return False
        steps = np.diff(self._numbers[first])
        leaps = np.flatnonzero(steps != 1)
        if (steps < 1).any():
            return False
        # A number that is left out is that of a lost round, or numbers do not count rounds.
        fresh = leaps[first[leaps + 1] >= self._fresh_from]
        return bool(self._lost_between(last[fresh], first[fresh + 1]).all())

    @cached_property
    def _begun(self) -> frozenset[int]:
        return frozenset(self._numbers[self._events.places(START)].tolist())

    @cached_property
    def _ended(self) -> frozenset[int]:
        return frozenset(self._numbers[self._events.places(*ENDS)].tolist())

    def _borders_out(self, before: int | None, after: int | None, together: int) -> set[str]:
        """Whether the lost records can have begun or ended a round: is there one for them?"""
        if before is not None and before == after:
            return set(BORDERS)
        start = end = True
        if before is not None and after is not None:
            if after == before + 1:
                start, end = after not in self._begun, before not in self._ended
        elif before is not None:
            end = before not in self._ended or together > 1
        elif after is not None:
            end = after > 1
            start = after not in self._begun or (end and together > 1)
        return (set() if start else {START}) | (set() if end else set(ENDS))

    def _missing_border(self, gap: int, together: int) -> frozenset[str]:
        """What the only record that is lost between two rounds must have been: the end that the one
        has not, or the beginning that the other has not (none: they have both, or have neither)."""
        here = int(np.searchsorted(self._places, self._gaps[gap], side="left"))
        before, after = self._around(gap)
        if together != 1 or before is None or after != before + 1 or not self._borders_are_kept:
            return frozenset()
        if self._places[here - 1] < self._fresh_from:
            return frozenset()
        start, end = after not in self._begun, before not in self._ended
        if start == end:
            return frozenset()
        return frozenset((START,) if start else ENDS)

    @cached_property
    def _borders_are_kept(self) -> bool:
        """Whether the log has a beginning and an end of each round, but for what may be lost."""
        first = self._places[self._blocks]
        last = self._places[np.append(self._blocks[1:], len(self._places)) - 1]
        numbers = self._numbers[first]
        # Before the first round and after the last one nobody knows what the log leaves out.
        between = (last[:-1] >= self._fresh_from) & ~self._lost_between(last[:-1], first[1:])
        begun = np.isin(numbers[1:], list(self._begun))[between]
        ended = np.isin(numbers[:-1], list(self._ended))[between]
        return len(begun) > 0 and bool(begun.all() and ended.all())

    def _lost_between(self, first: Integers, last: Integers) -> Flags:
        """Whether anything is lost after a first record and before a last one, for each pair."""
        until = np.searchsorted(self._gaps, last, side="right")
        return until > np.searchsorted(self._gaps, first, side="right")

    # ---- what happens inside of rounds ---------------------------------------------------------

    @cached_property
    def _never_inside(self) -> frozenset[str]:
        """What happens between rounds only, as far as the log shows."""
        shown = self._shown_inside
        return frozenset(
            name for group in BETWEEN_ROUNDS if not shown & set(group) for name in group
        )

    @cached_property
    def _shown_inside(self) -> frozenset[str]:
        """The types of the records that stand between two records of the same round."""
        others = np.flatnonzero(~self._known)
        here = np.searchsorted(self._places, others)
        within = (here > 0) & (here < len(self._places))
        others, here = others[within], here[within]
        numbers = self._numbers[self._places]
        inside = others[numbers[here - 1] == numbers[here]]
        # A record that names its round is inside of it, whatever its type.
        types = np.unique(np.append(self._events.types[inside], self._events.types[self._places]))
        return frozenset(self._events.type_names[number] for number in types)

    # ---- what never comes alone between two rounds -----------------------------------------------

    def _habit(self, types: tuple[str, ...], told_by: tuple[str, ...]) -> _Habit:
        if types not in self._habits:
            self._habits[types] = self._found_habit(types, told_by)
        return self._habits[types]

    def _found_habit(self, types: tuple[str, ...], told_by: tuple[str, ...]) -> _Habit:
        """Whether all events of some types come with others that tell of them, as far as the log
        is whole. What comes before the first round does not count."""
        stretches = np.searchsorted(self._marks, self._events.places(*told_by))
        told, often = np.unique(stretches, return_counts=True)
        damaged = np.searchsorted(self._marks, self._gaps).tolist()
        alone = set(told[often == 1].tolist()) - {0, *damaged}
        here = set(np.searchsorted(self._marks, self._events.places(*types)).tolist())
        # Elections are rare; of packs of cards a table has to show how it tells of them. It opens
        # with much more ado than a shuffler needs that shuffles between any two rounds.
        shown = types == ELECTIONS or len(here - {0}) > 0
        kept = shown and len(self._marks) > 0 and not alone & here
        return _Habit(kept, frozenset(told.tolist()))

    # ---- what never stands alone -----------------------------------------------------------------

    def _no_change_beside(self, gap: int) -> bool:
        """Whether neither neighbour of a lost record speaks of a change, where elections never
        stand alone; before the first round, whether neither is an election."""
        place = int(self._gaps[gap])
        if place <= self._fresh_from or place >= len(self._events):
            return False
        beside = slice(place - 1, place + 1)
        opening = self._fresh_from == 0 and len(self._marks) > 0 and place <= self._marks[0]
        if opening and self._opens_with_elections_in_a_row and not self._elections[beside].any():
            return True
        return self._elections_have_neighbours and not self._changes[beside].any()

    @cached_property
    def _changes(self) -> Flags:
        return self._events.are(*CHANGES)

    @cached_property
    def _elections(self) -> Flags:
        return self._events.are("option_elected")

    @cached_property
    def _elections_have_neighbours(self) -> bool:
        """Whether each election of an option stands right beside another record that speaks of a
        change, as far as the log is whole."""
        places = np.flatnonzero(self._elections)
        return self._stand_beside(places[places >= self._fresh_from], self._changes)

    @cached_property
    def _opens_with_elections_in_a_row(self) -> bool:
        """Whether before the first round each election stands right beside another one."""
        places = np.flatnonzero(self._elections)
        return self._stand_beside(places[places < self._marks[0]], self._elections)

    def _stand_beside(self, places: Integers, others: Flags) -> bool:
        beside = np.zeros(len(self._events) + 2, dtype=np.bool_)
        beside[1:-1] = others
        neighbours = beside[places] | beside[places + 2]
        damaged = np.isin(places, self._gaps) | np.isin(places + 1, self._gaps)
        return len(places) > 0 and bool((neighbours | damaged).all())
