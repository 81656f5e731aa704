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

from compliance.integrity.round_borders import BORDERS, RoundBorders
from compliance.integrity.shoes import NEW_LIFE
from compliance.integrity.table_events import TableEvents, all_numbers
from compliance.integrity.usual_neighbours import UsualNeighbours
from compliance.table_log.columns import Flags, Integers
from compliance.values.elected_options import ELECTIONS

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
_MANY: Final = 1000
"""More lost records at one place than this tell nothing that so many do not."""


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
    rounds = _Rounds(events, places, [gap.times for gap in gaps], fresh_from)
    neighbours = UsualNeighbours(events, places, fresh_from)
    found: list[frozenset[str]] = []
    # Many gaps are alike.
    known: dict[tuple[frozenset[str], frozenset[str]], frozenset[str]] = {}
    for number, (gap, lost) in enumerate(zip(gaps, rounds.losses(), strict=True)):
        unusual = rounds.unusual(number, lost), neighbours.unusual(gap.before, gap.times)
        if unusual not in known:
            types = recorded - unusual[0]
            # Where habits contradict each other, the older one speaks for itself.
            known[unusual] = types - unusual[1] or types
        found.append(known[unusual])
    return found


def round_marks(events: TableEvents) -> Integers:
    """Where the log speaks of a round: between two of these places lies a pause, or a moment of a
    round."""
    numbers = events.field("round", "number")
    borders = events.places(*BORDERS)
    if numbers is None:
        return borders
    return all_numbers(np.flatnonzero(numbers.is_not_null().to_numpy()), borders)


@dataclass(frozen=True)
class _Habit:
    """Whether events of some types never come alone at a table."""

    kept: bool
    told: frozenset[int]
    """Between which records of rounds the log has any that tell of them."""


@dataclass(frozen=True)
class _Lost:
    """How many records are lost in a gap and around it."""

    here: int
    """At the very place of the gap."""
    together: int
    """Between the same two records of rounds."""


class _Rounds:
    """The rounds of a table, and what they say of each gap."""

    def __init__(
        self, events: TableEvents, gaps: Integers, times: Sequence[int], fresh_from: int
    ) -> None:
        self._events = events
        self._gaps = gaps
        self._times = np.minimum(np.array(times, dtype=np.int64), _MANY)
        self._fresh_from = fresh_from
        self._borders = RoundBorders(events, gaps, self._times, fresh_from)
        self._habits: dict[tuple[str, ...], _Habit] = {}
        self._marks = round_marks(events)

    def unusual(self, gap: int, lost: _Lost) -> frozenset[str]:
        """The types that can be lost at a gap only against the table's habits."""
        before, after = self._borders.around(gap)
        missing: list[frozenset[str]] = []
        inside = before is not None and before == after and self._borders.never_come_again
        out: set[str] = set()
        if inside:
            out |= self._never_inside
        if self._borders.are_clear:
            out |= self._borders.ruled_out(gap, lost.together)
            missing = self._borders.missing(gap)
            if missing and lost.together == len(missing):
                return frozenset(self._events.schema.events) - frozenset().union(*missing)
        # What is lost beside the borders that two rounds lack.
        others = max(lost.together - len(missing), 1)
        stretch = self._stretches[gap]
        for types, told_by in ((ELECTIONS, CHANGES), (NEW_LIFE, WITH_A_NEW_PACK)):
            habit = self._habit(types, told_by)
            alone = stretch not in habit.told and others == 1
            # At the end of a night cards are shuffled that nobody cuts or deals any more.
            played = types != NEW_LIFE or stretch < max(habit.told, default=0)
            if habit.kept and stretch > 0 and alone and played:
                out |= set(types)
        # A border is no change: with one beside it, an election has no other neighbour than those.
        stands_alone = lost.here == 1 or (lost.here == lost.together and others == 1)
        if stands_alone and self._no_change_beside(gap):
            out.add("option_elected")
        return frozenset(out)

    def losses(self) -> list[_Lost]:
        """How many records are lost in each gap and around it."""
        counts = []
        for places in (self._gaps, self._stretches):
            _, numbers = np.unique(places, return_inverse=True)
            counts.append(np.bincount(numbers, weights=self._times)[numbers].tolist())
        return [_Lost(int(here), int(together)) for here, together in zip(*counts, strict=True)]

    @cached_property
    def _stretches(self) -> list[int]:
        """For each gap how many records of rounds come before it."""
        found: list[int] = np.searchsorted(self._marks, self._gaps, side="left").tolist()
        return found

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
        others, places = np.flatnonzero(~self._borders.known), self._borders.places
        here = np.searchsorted(places, others)
        within = (here > 0) & (here < len(places))
        others, here = others[within], here[within]
        numbers = self._borders.numbers[places]
        inside = others[numbers[here - 1] == numbers[here]]
        # A record that names its round is inside of it, whatever its type.
        types = np.unique(np.append(self._events.types[inside], self._events.types[places]))
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
