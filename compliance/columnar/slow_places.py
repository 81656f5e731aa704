"""Every place where the fast engine does more than sorted searches and sums over whole columns.

A rule that is slow on a large log is slow for one of the reasons in this list. `compliance rules
explain RULE --plan` names those that concern a rule; a test reads the engine's source and fails
when a loop over events is in none of these places.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

How = Literal["one by one in Python", "pair by pair in arrays", "one pass for each"]


@dataclass(frozen=True)
class SlowPlace:
    """Work that grows faster than the triggers of a rule, or that leaves the columns.

    `functions` are where it is done, as module and name. `cause` is what in the log brings it
    about; where it is empty, it is always done for a rule that asks for it.
    """

    name: str
    how: How
    what: str
    functions: tuple[str, ...]
    cause: str = ""


POKER = SlowPlace(
    "poker hands",
    "one by one in Python",
    "Each hand of poker is ranked by itself; equal hands only once.",
    ("aggregates._poker", "aggregates.hand_code"),
)
CARD_LISTS = SlowPlace(
    "lists of cards",
    "one by one in Python",
    "The cards in one field are counted or added up event by event.",
    ("functions._of_lists",),
)
CALENDAR = SlowPlace(
    "days and hours",
    "one by one in Python",
    "Day and hour depend on the zone in which each event was written, so each event is opened.",
    ("functions._calendar",),
)
IDS = SlowPlace(
    "event ids",
    "one by one in Python",
    "Ids are no column of the engine, so each event is opened.",
    ("scene.Scene._base_field",),
)
FRACTIONS = SlowPlace(
    "sums of fractions",
    "one by one in Python",
    "Values with something below the line are added up or compared exactly, one after the other.",
    ("aggregates._one_by_one",),
    "the log holds odds, percentages or broken numbers in that field",
)
HUGE_NUMBERS = SlowPlace(
    "huge numbers",
    "one by one in Python",
    "Numbers that a machine number cannot hold are worked out exactly, one after the other.",
    ("vectors._slowly",),
    "a product or fraction would exceed 4,611,686,018,427,387,904",
)
UNCLEAR_RUNS = SlowPlace(
    "runs in doubt",
    "one by one in Python",
    "Near such an event the runs of the interval are found trigger by trigger, as the reference"
    " interpreter does.",
    (
        "doubtful_runs._marks",
        "doubtful_runs._at_table",
        "doubtful_runs.runs_in_doubt",
        "doubtful_runs.runs_end_in_doubt",
        "doubtful_runs._one_by_one",
        "slices._by_doubtful_interval",
    ),
    "a field is missing that tells whether a run begins or ends",
)
UNCLEAR_LATEST = SlowPlace(
    "latest of each key in doubt",
    "one by one in Python",
    "The latest (or earliest) event of each key is found event by event for such triggers.",
    ("aggregates._keep_in_doubt", "aggregates._nearest"),
    "a field is missing that tells the key, or whether an event is meant",
)
EVIDENCE = SlowPlace(
    "evidence",
    "one by one in Python",
    "Each check that did not comply gets its witnesses and its sentence by itself.",
    (
        "shown_checks.shown_checks",
        "shown_checks._unmet",
        "shown_checks._messages",
        "phrases._rows",
        "aggregates.rows_lacking",
    ),
    "a check is violated, excused, open or undetermined",
)
KEEPING = SlowPlace(
    "checks left open",
    "pair by pair in arrays",
    "Every event that an open check looks at is marked, to be kept for the next log.",
    (
        "tail.hand_on",
        "tail._keep_for",
        "looked_at.LookedAt._typed",
        "looked_at._all_rows",
        "run_borders.borders_near",
    ),
    "a check is open at the end of the log and the next log is to decide it",
)
PAIRS = SlowPlace(
    "conditions on two events",
    "pair by pair in arrays",
    "A condition that is no equality is judged for every pair of an event and a trigger.",
    ("search.Search._with_pairs", "contexts.portions"),
)
UNCLEAR_PAIRS = SlowPlace(
    "events in doubt",
    "pair by pair in arrays",
    "Triggers with such an event in their window look at each event of it.",
    ("search.Search._with_pairs", "contexts.portions"),
    "a field is missing that tells whether an event is meant",
)
WIDE_KEYS = SlowPlace(
    "keys too wide",
    "pair by pair in arrays",
    "Without sorted keys every event of the window is compared.",
    ("search.Search._with_pairs", "contexts.portions"),
    "the values of the key are broken numbers, or too far apart for one machine number",
)
TIMES_AROUND = SlowPlace(
    "times on both sides",
    "pair by pair in arrays",
    "A length of time in both directions is measured for every event of the stretch.",
    ("search.Search._with_pairs", "contexts.portions"),
)
CLOCK_BACK = SlowPlace(
    "clock set back",
    "pair by pair in arrays",
    "The length of time is measured for every event of the window.",
    ("search.Search._with_pairs", "contexts.portions"),
    "the clock of the table goes back",
)
EACH_EVENT = SlowPlace(
    "each event of the window",
    "pair by pair in arrays",
    "Every event in the window of every trigger is looked at; long windows cost most.",
    (
        "phrases.every",
        "aggregates._extreme",
        "aggregates._distinct",
        "aggregates.one_per_key",
        "aggregates._nearest",
        "seats.in_order",
        "seats.next_seat",
    ),
)
KEY_VALUES = SlowPlace(
    "slices by key",
    "one pass for each",
    "Each value of the keys (each player, each seat) is one pass over the rule's events.",
    (
        "keyed_slices.keyed_slices",
        "keyed_slices._assignments",
        "keyed_slices._by_own_keys",
        "keyed_slices._completed",
        "keyed_slices.every_slice",
    ),
)
ELECTIONS = SlowPlace(
    "options that change",
    "one pass for each",
    "Each election of an option is one pass over the triggers.",
    (
        "scene.Scene._last_choices",
        "scene.Scene._at_every_event",
        "scene.Scene._elections",
        "skipping._moments",
    ),
    "an option is elected in the log or in the file of table options",
)
SEVERAL_TABLES = SlowPlace(
    "several tables",
    "one pass for each",
    "The runs of intervals are found table by table.",
    ("windows._stretches", "windows.around", "windows._neighbour"),
)

SLOW_PLACES: tuple[SlowPlace, ...] = (
    POKER,
    CARD_LISTS,
    CALENDAR,
    IDS,
    FRACTIONS,
    HUGE_NUMBERS,
    UNCLEAR_RUNS,
    UNCLEAR_LATEST,
    EVIDENCE,
    KEEPING,
    PAIRS,
    UNCLEAR_PAIRS,
    WIDE_KEYS,
    TIMES_AROUND,
    CLOCK_BACK,
    EACH_EVENT,
    KEY_VALUES,
    ELECTIONS,
    SEVERAL_TABLES,
)
