"""Where a phrase looks: which events lie in its window, and whether the window is closed yet."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from compliance.reference.answers import Absent, Answer, Seen
from compliance.reference.scene import Scene, absolute
from rules_dsl import core

Environment = dict[int, int]
Matches = Callable[[core.Pattern, int, Environment], Answer]
Evaluate = Callable[[core.Expr, Environment], Answer]


@dataclass(frozen=True)
class Stretch:
    """One run of an interval, from its first to its last event.

    `closed` says that its end is in the log; `certain` that the log leaves no doubt about its ends;
    `proper` that it ended by its closing event, not because the next one began.
    """

    first: int
    last: int
    closed: bool
    certain: bool
    proper: bool


@dataclass(frozen=True)
class View:
    """The positions that a window shows, in order.

    An `open` window may show more events once the log goes on. A `doubtful` one has a bound that
    the log does not settle.
    """

    positions: tuple[int, ...]
    open: bool
    doubtful: Absent | None
    bounds: frozenset[Seen]


def look(
    scene: Scene,
    window: core.Window,
    at: int,
    env: Environment,
    matches: Matches,
    evaluate: Evaluate,
) -> View:
    """The events that a window shows from position `at`."""
    size = len(scene.events)
    shown = range(size)
    still_open = not scene.complete
    doubtful: Absent | None = None
    bounds: set[Seen] = set()
    if window.reach == "past":
        shown = range(at + 1 if window.inclusive else at)
        still_open = False
    elif window.reach == "future":
        shown = range(at + 1, size)

    if window.interval is not None:
        stretch, may_come = _stretch_for(scene, window, window.interval, at, matches)
        if stretch is None and not may_come:
            # There is nothing to look at, and no bound can change that.
            return View((), False, None, frozenset())
        if stretch is None:
            shown = range(0)
            still_open = not scene.complete
        else:
            shown = range(max(shown.start, stretch.first), min(shown.stop, stretch.last + 1))
            still_open = still_open and not stretch.closed
            doubtful = None if stretch.certain else Absent.MISSING

    if window.since is not None:
        bound = _last_match(window.since, at, env, matches)
        if bound is not None:
            shown = range(max(shown.start, bound.position + 1), shown.stop)
            bounds.add(Seen(bound.position, "since"))
            doubtful = _graver(doubtful, bound.doubt)
    if window.before is not None:
        bound = _first_match(window.before, at, size, env, matches)
        if bound is not None:
            shown = range(shown.start, min(shown.stop, bound.position))
            bounds.add(Seen(bound.position, "before"))
            still_open = False
            doubtful = _graver(doubtful, bound.doubt)

    positions = tuple(shown)
    moment = absolute(scene.events[at].ts)
    for length, is_near in ((window.within, True), (window.at_least, False)):
        if length is None:
            continue
        duration = evaluate(length, env).value
        if isinstance(duration, Absent):
            doubtful = _graver(doubtful, duration)
            continue
        away = {p: abs(absolute(scene.events[p].ts) - moment) for p in positions}
        if is_near:
            positions = tuple(p for p in positions if away[p] <= duration)
            if window.reach == "future" and scene.known_until > moment + duration:
                still_open = False
        else:
            positions = tuple(p for p in positions if away[p] >= duration)
    return View(positions, still_open, doubtful, frozenset(bounds))


@dataclass(frozen=True)
class _Bound:
    position: int
    doubt: Absent | None


def _graver(first: Absent | None, second: Absent | None) -> Absent | None:
    """Of two doubts the one that the rest of the log may still settle, else what is missing."""
    if Absent.OPEN in (first, second):
        return Absent.OPEN
    return Absent.MISSING if first or second else None


def _last_match(
    pattern: core.Pattern, at: int, env: Environment, matches: Matches
) -> _Bound | None:
    """The latest event before a position that matches, or that may match for all the log says."""
    for position in range(at - 1, -1, -1):
        value = matches(pattern, position, env).value
        if value is not False:
            return _Bound(position, value if isinstance(value, Absent) else None)
    return None


def _first_match(
    pattern: core.Pattern, at: int, size: int, env: Environment, matches: Matches
) -> _Bound | None:
    for position in range(at + 1, size):
        value = matches(pattern, position, env).value
        if value is not False:
            return _Bound(position, value if isinstance(value, Absent) else None)
    return None


def _stretch_for(
    scene: Scene, window: core.Window, interval: str, at: int, matches: Matches
) -> tuple[Stretch | None, bool]:
    """The run of the interval that is meant, and whether one may still come when there is none."""
    found = list(stretches(scene, interval, at, matches))
    around = [s for s in found if s.first <= at <= s.last]
    if window.which == "next":
        # The next run may begin with the very event that ends this one.
        later = [s for s in found if s.first >= at and s not in around[:1]]
        return (later[0], False) if later else (None, True)
    if window.which == "this":
        # An event that ends one run and begins the next counts to the one that it ends.
        return (around[0], False) if around else (None, False)
    start = around[0].first if around else at
    earlier = [s for s in found if s.last < start or (s.last == start and s.first < start)]
    return (earlier[-1], False) if earlier else (None, False)


def stretches(scene: Scene, name: str, at: int, matches: Matches) -> Iterator[Stretch]:
    """All runs of an interval at the table of the event at a position, in order."""
    interval = scene.circumstances.rulebook.intervals[name]
    home = (scene.events[at].casino, scene.events[at].table)
    first: int | None = None
    last = 0
    certain = True
    for position, event in enumerate(scene.events):
        if (event.casino, event.table) != home:
            continue
        closes = matches(interval.closes, position, {}).value
        opens = matches(interval.opens, position, {}).value
        certain = certain and not isinstance(closes, Absent) and not isinstance(opens, Absent)
        if first is not None and closes is True and position != first:
            yield Stretch(first, position, True, certain, True)
            first = None
        if opens is True:
            if first is not None:
                yield Stretch(first, last, True, certain, False)
            first, certain = position, True
        elif first is None and opens is not False:
            # It may have begun here: what follows is neither surely inside nor surely outside.
            first, certain = position, False
        last = position
    if first is not None:
        yield Stretch(first, last, scene.complete, certain, False)


def ends_stretch(scene: Scene, name: str, at: int, matches: Matches) -> Any:
    """Whether the event at a position is the proper end of a run of the interval."""
    for stretch in stretches(scene, name, at, matches):
        if stretch.last == at and stretch.proper:
            return True if stretch.certain else Absent.MISSING
    return False
