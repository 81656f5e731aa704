"""How the work of a rule grows with the events that it is applied to.

Most rules are near linear: twice the events, about twice the work. Some questions tie each event
to every other one, and the engine must look through all of them each time; such a rule is told with
its order of growth. It ends without a verdict where a log would cost too much.

Told is what can happen, in a table (or a player's share of it) whose stretches have no end. What
looks no further than a round, a border or some minutes is taken for short: its length does not grow
with the log.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rules_dsl import core
from rules_dsl.traverse import asked_of_each, free_events, named_parts, parts

LINEAR = 1
_ADDED_UP = ("count", "sum", "distinct", "smallest", "largest")
_PHRASES = (core.HowMany, core.Every, core.Aggregate, core.InOrder, core.NextSeat)
_Phrase = core.HowMany | core.Every | core.Aggregate | core.InOrder | core.NextSeat


@dataclass(frozen=True)
class Growth:
    """The order of a rule's work: 2 where it grows with the square of the events; and which phrase
    makes it so."""

    order: int = LINEAR
    place: core.Place | None = None

    def with_one_more(self, place: core.Place | None) -> Growth:
        """The same, asked once more of every event."""
        return Growth(self.order + 1, self.place or place)


def growth_of(rule: core.Rule) -> Growth:
    """The growth of the costliest edition of a rule."""
    return _largest(growth_of_edition(edition) for edition in rule.editions)


def growth_of_edition(edition: core.Edition) -> Growth:
    """How the work of an edition grows."""
    if edition.slice.interval is not None:
        return Growth()
    apart: list[Growth] = []
    asked = [_asked(part, apart) for name, part in named_parts(edition) if name != "message"]
    return _largest([_largest(asked).with_one_more(None), *apart, Growth()])


_NOTHING = Growth(0)


def _asked(node: core.Core, apart: list[Growth]) -> Growth:
    """How the work of asking once grows. `apart` is told of what is asked once of every event,
    whoever wants to know it, and then remembered."""
    if isinstance(node, _PHRASES):
        return _phrase(node, apart)
    return _largest(_asked(part, apart) for part in parts(node))


def _inside(node: core.Core, apart: list[Growth]) -> Growth:
    """The same of what is asked of each event that a phrase finds."""
    if len(free_events(node)) > 1:
        return _asked(node, apart)
    apart.append(_asked(node, apart).with_one_more(node.place))
    return _NOTHING


def _phrase(node: _Phrase, apart: list[Growth]) -> Growth:
    pattern = node.events.pattern
    of_each = [part for name, part in named_parts(node) if name in asked_of_each(type(node))]
    inside = _largest(_inside(part, apart) for part in [*_conditions(pattern.where), *of_each])
    around = [part for name, part in named_parts(node) if name not in asked_of_each(type(node))]
    once = [part for part in around if not isinstance(part, core.Events)]
    lengths = (node.events.window.within, node.events.window.at_least)
    once += [length for length in lengths if length is not None]
    scans = not (_is_short(node.events.window) or _is_indexed(node))
    whole = inside.with_one_more(node.place) if scans else inside
    borders = (node.events.window.since, node.events.window.before)
    sought = [_border(border, apart) for border in borders if border is not None]
    return _largest([whole, *sought, *(_asked(part, apart) for part in once)])


def _border(pattern: core.Pattern, apart: list[Growth]) -> Growth:
    """The nearest event of a pattern is found at once, unless each must be asked by itself."""
    conditions = list(_conditions(pattern.where))
    inside = _largest(_inside(part, apart) for part in conditions)
    ties = [part for part in conditions if not free_events(part) <= {pattern.var}]
    at_once = len(ties) < 2 and all(_is_equal_field(part, pattern.var) for part in ties)
    at_once = at_once and not any(map(_looks, conditions))
    return inside if at_once else inside.with_one_more(pattern.place)


def _is_short(window: core.Window) -> bool:
    """Whether a phrase looks no further than some border."""
    borders = (window.interval, window.since, window.before, window.within, window.after)
    return any(border is not None for border in borders)


def _is_indexed(node: _Phrase) -> bool:
    """Whether the engine need not look through all events each time: an index leads to the nearest,
    or a total goes on from the one before."""
    events = node.events
    var = events.pattern.var
    conditions = list(_conditions(events.pattern.where))
    ties = [part for part in conditions if not free_events(part) <= {var}]
    if any(not _is_equal_field(part, var) for part in ties) or events.window.at_least is not None:
        return False
    looks_around = any(map(_looks, conditions))
    goes_on = events.window.reach == "past" and len(ties) < 2
    if isinstance(node, core.HowMany):
        return events.per is None and len(ties) < 2 and (goes_on or not looks_around)
    if isinstance(node, core.Every):
        return goes_on and free_events(node.condition) <= {var}
    if not isinstance(node, core.Aggregate) or events.per is not None:
        return False
    if node.function in ("first", "last"):
        return len(ties) < 2 and not looks_around
    plain = node.value is None or isinstance(node.value, core.Field)
    return node.function in _ADDED_UP and plain and goes_on


def _conditions(where: core.Expr | None) -> Iterator[core.Expr]:
    if isinstance(where, core.And):
        for part in where.parts:
            yield from _conditions(part)
    elif where is not None:
        yield where


def _is_equal_field(part: core.Expr, var: int) -> bool:
    """Whether a condition ties an event by a field that equals something known elsewhere."""
    if not isinstance(part, core.Compare) or part.sign != "=":
        return False
    sides = ((part.left, part.right), (part.right, part.left))
    return any(
        isinstance(mine, core.Field)
        and mine.var == var
        and mine.name not in ("ts", "seq", "type")
        and var not in free_events(other)
        for mine, other in sides
    )


def _looks(node: core.Core) -> bool:
    return isinstance(node, core.Events) or any(map(_looks, parts(node)))


def _largest(found: Iterator[Growth] | list[Growth]) -> Growth:
    return max(found, key=lambda growth: growth.order, default=_NOTHING)
