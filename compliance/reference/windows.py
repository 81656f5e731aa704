"""Where a phrase looks: which events lie in its window, and whether the window is closed yet."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from operator import ge, gt, le, lt

from compliance.judgement.circumstances import Absent
from compliance.reference.answers import Answer, Seen, Truth, all_hold, reverse, why_absent
from compliance.reference.runs import Environment, Matches, run_for
from compliance.reference.scene import Scene, absolute
from event_schemas import Event, LostRecord
from rules_dsl import core

Evaluate = Callable[[core.Expr, Environment], Answer]


@dataclass(frozen=True)
class View:
    """The positions that a window shows, in order, each with whether it surely lies in it.

    An `open` window may show more events once the log goes on. A `doubtful` one is bounded by a
    length of time that is not known.
    """

    belongs: dict[int, Truth]
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
    if window.reach == "past":
        shown = range(at + 1 if window.inclusive else at)
        still_open = False
    elif window.reach == "future":
        shown = range(at + 1, size)
    if window.after is not None:
        shown = range(max(shown.start, env[window.after] + 1), shown.stop)
    belongs: dict[int, Truth] = dict.fromkeys(shown, True)

    bounds: set[Seen] = set()
    if window.interval is not None:
        run = run_for(scene, window.interval, window.which, at, matches)
        if not run.growing and all(inside is False for inside in run.belongs):
            # There is nothing to look at, and no bound can change that.
            return View({}, False, None, frozenset())
        belongs = {position: run.belongs[position] for position in belongs}
        still_open = still_open and run.growing
        bounds |= {Seen(position, "unclear") for position in run.unclear}

    if window.since is not None:
        bound = _bound(window.since, range(at - 1, -1, -1), env, matches)
        bounds |= {Seen(position, "since") for position in bound.shown}
        belongs |= {p: all_hold(belongs[p], bound.clear[p]) for p in bound.clear if p in belongs}
    if window.before is not None:
        bound = _bound(window.before, range(at + 1, size), env, matches)
        bounds |= {Seen(position, "before") for position in bound.shown}
        belongs |= {p: all_hold(belongs[p], bound.clear[p]) for p in bound.clear if p in belongs}
        still_open = still_open and not bound.reached

    doubtful: Absent | None = None
    moment = absolute(scene.events[at].ts)
    lengths = ((window.within, True, window.less_than), (window.at_least, False, window.more_than))
    for length, is_near, strictly in lengths:
        if length is None:
            continue
        duration = evaluate(length, env).value
        absent = why_absent(duration)
        if absent is not None:
            unknown = absent is Absent.OPEN or doubtful is Absent.OPEN
            doubtful = Absent.OPEN if unknown else Absent.MISSING
            continue
        for p, inside in belongs.items():
            nearest, farthest = _away(scene.events[p], moment)
            if is_near:
                reaches = lt if strictly else le
                fits = _all_or_none(reaches(farthest, duration), reaches(nearest, duration))
            else:
                reaches = gt if strictly else ge
                fits = _all_or_none(reaches(nearest, duration), reaches(farthest, duration))
            belongs[p] = all_hold(inside, fits)
        if is_near and window.reach == "future":
            # As long as the last instant counts, another event could still come at it.
            passed = ge if strictly else gt
            still_open = still_open and not passed(scene.known_until - moment, duration)
    possible: dict[int, Truth] = {p: inside for p, inside in belongs.items() if inside is not False}
    return View(possible, still_open, doubtful, frozenset(bounds))


def _away(event: Event, moment: datetime) -> tuple[timedelta, timedelta]:
    """How far an event is from a moment: at least, and at most, where its time is not known."""
    begin = absolute(event.ts)
    end = absolute(event.until) if isinstance(event, LostRecord) else begin
    if begin <= moment <= end:
        return timedelta(), max(moment - begin, end - moment)
    distances = sorted((abs(begin - moment), abs(end - moment)))
    return distances[0], distances[1]


def _all_or_none(always: bool, ever: bool) -> Truth:
    """What holds at any time, at none, or only at some."""
    if always:
        return True
    return Absent.MISSING if ever else False


@dataclass(frozen=True)
class _Bound:
    """The nearest event of a pattern, going one way from an event.

    `clear` says for each position whether none was met up to it and at it; `shown` are the nearest
    one that may be it and the nearest one that surely is; `reached` says that there is a sure one.
    """

    clear: dict[int, Truth]
    shown: tuple[int, ...]
    reached: bool


def _bound(pattern: core.Pattern, positions: range, env: Environment, matches: Matches) -> _Bound:
    clear: dict[int, Truth] = {}
    nearest: tuple[int, ...] = ()
    so_far: Truth = True
    for position in positions:
        value = matches(pattern, position, env).value
        if value is not False and not nearest:
            nearest = (position,)
        so_far = all_hold(so_far, reverse(value))
        clear[position] = so_far
        if value is True:
            for beyond in positions[len(clear) :]:
                clear[beyond] = False
            return _Bound(clear, (*nearest, position), True)
    return _Bound(clear, nearest, False)
