"""The runs of an interval: which events lie in the one around an event, before it, or after it.

Whether an event opens or closes a run may be missing or open like any other answer. So each answer
here is put together from those at single events, and an event is in doubt only where the very
beginning or end that would settle it is.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass

from compliance.judgement.circumstances import Absent
from compliance.reference.answers import Answer, Seen, Truth, all_hold, any_holds, reverse
from compliance.reference.scene import Scene, weight
from event_schemas import LostRecord
from rules_dsl import core

Environment = dict[int, int]
Matches = Callable[[core.Pattern, int, Environment], Answer]


@dataclass(frozen=True)
class Runs:
    """An interval at one table, event by event.

    `positions` are the table's events; for each of them, whether it opens a run, whether it closes
    one, and whether a run goes on just before it and just after it. `several` are the places at
    which more than one record is lost.
    """

    positions: list[int]
    opens: list[Truth]
    closes: list[Truth]
    before: list[Truth]
    after: list[Truth]
    several: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Run:
    """For each event of the scene whether it lies in a run; `growing` says that more may come.

    `unclear` are the lost records that may lie in it and begin or end it.
    """

    belongs: list[Truth]
    growing: bool
    unclear: tuple[int, ...] = ()


def run_for(scene: Scene, name: str, which: str, at: int, matches: Matches) -> Run:
    """This, the previous or the next run of an interval, seen from the event at a position."""
    runs = _runs(scene, name, at, matches)
    here = runs.positions.index(at)
    own, goes_on = SEEN_FROM[which](runs, here)
    growing = goes_on is not False and not scene.complete
    return Run(_with_other_tables(scene, runs.positions, own), growing, _unclear(scene, runs, own))


def ends_run(scene: Scene, name: str, at: int, matches: Matches) -> Answer:
    """Whether the event at a position is the proper end of a run of the interval.

    Lost records after the last sure beginning or end may leave it in doubt.
    """
    runs = _runs(scene, name, at, matches)
    here = runs.positions.index(at)
    ends = all_hold(runs.before[here], runs.closes[here])
    doubts: set[Seen] = set()
    for i in range(here - 1, -1, -1):
        if ends is not Absent.MISSING or True in (runs.opens[i], runs.closes[i]):
            break
        if _may_be_border(scene, runs, i):
            doubts.add(Seen(runs.positions[i], "unclear"))
    return Answer(ends, frozenset(doubts))


def _may_be_border(scene: Scene, runs: Runs, i: int) -> bool:
    """Whether a record is lost that may begin or end a run."""
    lost = isinstance(scene.events[runs.positions[i]], LostRecord)
    return lost and any_holds(runs.opens[i], runs.closes[i]) is not False


def _unclear(scene: Scene, runs: Runs, own: list[Truth]) -> tuple[int, ...]:
    """The lost records that may lie in a run and begin or end it."""
    return tuple(
        position
        for i, position in enumerate(runs.positions)
        if own[i] is not False and _may_be_border(scene, runs, i)
    )


def _runs(scene: Scene, name: str, at: int, matches: Matches) -> Runs:
    """The interval at the table of the event at a position."""
    interval = scene.circumstances.rulebook.intervals[name]
    home = (scene.events[at].casino, scene.events[at].table)
    own = [p for p, event in enumerate(scene.events) if (event.casino, event.table) == home]
    several = frozenset(i for i, p in enumerate(own) if weight(scene.events[p]) > 1)
    runs = Runs([], [], [], [], [], several)
    inside: Truth = False
    for position in own:
        opens = matches(interval.opens, position, {}).value
        closes = matches(interval.closes, position, {}).value
        runs.positions.append(position)
        runs.opens.append(opens)
        runs.closes.append(closes)
        runs.before.append(inside)
        inside = any_holds(opens, all_hold(inside, reverse(closes)))
        runs.after.append(inside)
    return runs


def _this(runs: Runs, here: int) -> tuple[list[Truth], Truth]:
    """The run around an event. One that ends a run and begins the next counts to the one it ends.

    Also says whether the run still goes on when the log ends.
    """
    opens, closes = runs.opens, runs.closes
    belongs: list[Truth] = [False] * len(opens)
    belongs[here] = any_holds(runs.before[here], opens[here])
    # Going back: in the same run until one begins or ends in between.
    together = any_holds(closes[here], reverse(opens[here]))
    for i in range(here - 1, -1, -1):
        belongs[i] = all_hold(together, runs.after[i])
        together = all_hold(together, reverse(opens[i]), reverse(closes[i]))
    # Going on: the run lasts unless this very event ends it.
    goes_on = any_holds(
        all_hold(reverse(closes[here]), belongs[here]),
        all_hold(opens[here], reverse(runs.before[here])),
    )
    for i in range(here + 1, len(opens)):
        belongs[i] = all_hold(goes_on, any_holds(closes[i], reverse(opens[i])))
        goes_on = all_hold(goes_on, reverse(opens[i]), reverse(closes[i]))
    return belongs, goes_on


def _next(runs: Runs, here: int) -> tuple[list[Truth], Truth]:
    """The first run that begins after an event, or with it if it also ends the one before."""
    opens, closes = runs.opens, runs.closes
    belongs: list[Truth] = [False] * len(opens)
    inside = all_hold(runs.before[here], closes[here], opens[here])
    waiting = reverse(inside)
    belongs[here] = inside
    for i in range(here + 1, len(opens)):
        begins = all_hold(waiting, opens[i])
        belongs[i] = any_holds(begins, all_hold(inside, any_holds(closes[i], reverse(opens[i]))))
        inside = any_holds(begins, all_hold(inside, reverse(opens[i]), reverse(closes[i])))
        waiting = all_hold(waiting, reverse(opens[i]))
    return belongs, any_holds(inside, waiting)


def _previous(runs: Runs, here: int) -> tuple[list[Truth], Truth]:
    """The last run that began before this one did, or before the event if it lies in no run."""
    opens, closes = runs.opens, runs.closes
    belongs: list[Truth] = [False] * len(opens)
    # Going back, `left` says that the beginning of this run is behind us, and `last` that the run
    # met now is the last one before it.
    left = any_holds(reverse(runs.before[here]), all_hold(opens[here], reverse(closes[here])))
    last = left
    for i in range(here - 1, -1, -1):
        begins_this = all_hold(reverse(left), opens[i])
        belongs[i] = any_holds(
            all_hold(last, any_holds(runs.before[i], opens[i])),
            all_hold(begins_this, runs.before[i], closes[i]),
        )
        last = any_holds(begins_this, all_hold(last, reverse(opens[i])))
        if i in runs.several:
            # Of several lost records one may begin this run and those before it lie in the last.
            earlier = all_hold(last, any_holds(runs.before[i], opens[i]))
            belongs[i] = any_holds(belongs[i], earlier)
        left = any_holds(left, opens[i])
    return belongs, False


SEEN_FROM = {"this": _this, "previous": _previous, "next": _next}
"""For each run that a window can mean: which events belong to it, and whether it still goes on."""


def _with_other_tables(scene: Scene, positions: list[int], own: list[Truth]) -> list[Truth]:
    """What happens at other tables lies in a run if the table's own events on both sides do.

    Where only lost records of the run are on one side, nobody knows that they were on that side.
    """
    recorded = [i for i, p in enumerate(positions) if not isinstance(scene.events[p], LostRecord)]
    belongs: list[Truth] = []
    for position in range(len(scene.events)):
        i = bisect_left(positions, position)
        if i < len(positions) and positions[i] == position:
            belongs.append(own[i])
        elif i in (0, len(positions)):
            belongs.append(False)
        else:
            belongs.append(all_hold(own[i - 1], own[i], _is_known(recorded, own, i)))
    return belongs


def _is_known(recorded: list[int], own: list[Truth], i: int) -> Truth:
    """Whether it is known what surrounds an event of another table that comes before the i-th of a
    table's own: two records, or a stretch of the run from one record to another."""
    after = bisect_left(recorded, i)
    if after in (0, len(recorded)):
        return Absent.MISSING
    stretch = own[recorded[after - 1] : recorded[after] + 1]
    return True if len(stretch) == 2 or all_hold(*stretch) is True else Absent.MISSING
