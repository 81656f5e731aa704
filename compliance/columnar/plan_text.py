"""Says how the fast engine will run a rule: what it searches, how, and what it shares with others.

for edition in planned(rule, rulebook, schema):
    print("\\n".join(plan_lines(edition)))
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from compliance.columnar.plan import ITSELF, Plan
from compliance.columnar.sharing import Sharing
from compliance.columnar.slow_parts import of_aggregate, slow_in, slow_in_phrase
from compliance.columnar.slow_places import EACH_EVENT, SLOW_PLACES, SlowPlace
from compliance.first_look.program import Program, program_of
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.explaining.formula import Names, formula
from rules_dsl.traverse import parts

Phrase = core.HowMany | core.Every | core.Aggregate | core.InOrder | core.NextSeat

_PREFIX_SUMS = ("blackjack_total", "hard_total", "is_soft", "baccarat_points")


@dataclass(frozen=True)
class Step:
    """One phrase of a rule, and how its events are found and put together."""

    part: str
    """Which clause of the rule asks: `trigger`, `only if`, `require`, `except` or `message`."""
    depth: int
    formula: str
    events: str
    alone: tuple[str, ...]
    """Conditions judged once for each event of the table, whichever rule or trigger asks."""
    keys: tuple[str, ...]
    """Equalities with another event, looked up in sorted keys."""
    pairs: tuple[str, ...]
    """Conditions that need both events side by side."""
    window: str
    answer: str
    same_events: tuple[str, ...]
    """Other rules for which the same events are found once."""
    same_search: tuple[str, ...]
    """Other rules for which the whole search is done once."""
    slow: tuple[SlowPlace, ...]


@dataclass(frozen=True)
class EditionPlan:
    """How one edition of a rule is run."""

    since: str | None
    until: str | None
    slices: str
    trigger: str
    left_out: str
    first_look: str
    """What compiled code settles before anything else is looked at."""
    steps: tuple[Step, ...]
    slow: tuple[SlowPlace, ...]

    @property
    def always(self) -> tuple[SlowPlace, ...]:
        return tuple(place for place in self.slow if not place.cause)

    @property
    def sometimes(self) -> tuple[SlowPlace, ...]:
        return tuple(place for place in self.slow if place.cause)


def planned(rule: core.Rule, rulebook: core.Rulebook, schema: Schema) -> list[EditionPlan]:
    """The plan of every edition of a rule, beside all other rules of its rulebook."""
    plan = Plan()
    sharing, program = Sharing(rulebook.rules, plan), program_of(rulebook, schema)
    return [
        _Planner(rule, edition, rulebook, plan, sharing, program).plan()
        for edition in rule.editions
    ]


class _Planner:
    def __init__(
        self,
        rule: core.Rule,
        edition: core.Edition,
        rulebook: core.Rulebook,
        plan: Plan,
        sharing: Sharing,
        program: Program,
    ) -> None:
        self.rule = rule
        self.edition = edition
        self.rulebook = rulebook
        self.numbers = plan
        self.sharing = sharing
        self.program = program

    def plan(self) -> EditionPlan:
        edition = self.edition
        return EditionPlan(
            edition.since,
            edition.until,
            self._slices(),
            self._trigger(),
            _left_out(edition),
            self._first_look(),
            tuple(self._steps()),
            slow_in(edition, self.rulebook, self.numbers),
        )

    def _first_look(self) -> str:
        if self.edition.slice.across != "table":
            return "none: it looks at several tables together"
        written = self.program.edition(self.edition)
        if isinstance(written, str):
            return f"none: {written}"
        if written.telling is None:
            return "in compiled code, check by check; only what is in doubt or not met goes on"
        return "in compiled code, check by check; only what is in doubt goes on"

    def _slices(self) -> str:
        slice_ = self.edition.slice
        if slice_.across == "table":
            text = "each table"
        else:
            text = f"each {slice_.across}, whose tables' events are put in the order of time"
        if slice_.keys:
            keys = " and ".join(slice_.keys)
            text += f", cut into a segment for each {keys}"
        if slice_.interval is not None:
            text += f", cut into a segment for each run of {slice_.interval} with a trigger"
        if not slice_.keys and slice_.interval is None:
            text += " as one segment, without copying its events"
        return text

    def _trigger(self) -> str:
        trigger = self.edition.trigger
        text = f"{_types(trigger.pattern)}, listed by type"
        if trigger.pattern.where is not None:
            text += f"; of these where {_said(trigger.pattern.where)}"
        if trigger.since is not None:
            since = _pattern_said(trigger.since)
            text += f"; the first since {since}, by sorted search for the nearest of both"
        if trigger.ends is not None:
            text += f"; those that end a run of {trigger.ends}, by sorted search"
        others = self.sharing.triggers(self.rule, self.edition)
        return text + (f"; found once together with {_listed(others)}" if others else "")

    def _steps(self) -> Iterator[Step]:
        edition = self.edition
        clauses: list[tuple[str, Sequence[core.Core | None]]] = [
            ("trigger", [edition.trigger.pattern, edition.trigger.since]),
            ("only if", edition.only_if),
            ("require", [requirement.condition for requirement in edition.requirements]),
            ("except", edition.exemptions),
            ("message", [part.value for part in edition.message]),
        ]
        done: set[int] = set()
        for name, nodes in clauses:
            for node in nodes:
                if node is not None:
                    yield from self._inside(node, name, 0, done)

    def _inside(self, node: core.Core, part: str, depth: int, done: set[int]) -> Iterator[Step]:
        if isinstance(node, Phrase):
            number = self.numbers.number(node)
            if number in done:
                return
            done.add(number)
            yield self._step(node, part, depth)
            depth += 1
        for inner in parts(node):
            yield from self._inside(inner, part, depth, done)

    def _step(self, phrase: Phrase, part: str, depth: int) -> Step:
        events = phrase.events
        pattern = self.numbers.pattern(events.pattern)
        slow = set(slow_in_phrase(events, self.edition, self.rulebook, self.numbers))
        if isinstance(phrase, core.Aggregate):
            slow.update(of_aggregate(phrase))
        elif not isinstance(phrase, core.HowMany):
            slow.add(EACH_EVENT)
        return Step(
            part,
            depth,
            _said(phrase),
            _types(events.pattern),
            tuple(_said(condition) for condition in (*pattern.local, *pattern.costly)),
            tuple(_said(join.condition) for join in pattern.joins),
            tuple(_said(condition) for condition in pattern.rest),
            _window(events),
            _answer(phrase),
            self.sharing.events(self.rule, self.edition, events),
            self.sharing.searches(self.rule, self.edition, events),
            tuple(place for place in SLOW_PLACES if place in slow),
        )


# ---- words ---------------------------------------------------------------------------------


def _types(pattern: core.Pattern) -> str:
    return " or ".join(pattern.types)


class _EveryVariable(Mapping[int, str]):
    """A name for each event variable: e₀ is the trigger, e the event that is judged alone."""

    def __getitem__(self, var: int) -> str:
        subscripts = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
        return "e" if var == ITSELF else f"e{var}".translate(subscripts)

    def __iter__(self) -> Iterator[int]:
        return iter(())

    def __len__(self) -> int:
        return 0

    def get(self, var: int, default: object = None) -> str:
        return self[var]


def _said(expr: core.Expr) -> str:
    names = Names(_EveryVariable(), "e₀")
    return " ".join(formula(expr, names).split())


def _pattern_said(pattern: core.Pattern) -> str:
    where = "" if pattern.where is None else f" where {_said(pattern.where)}"
    return _types(pattern) + where


def _window(events: core.Events) -> str:
    """Where a phrase looks, and how the engine finds both ends of it."""
    window = events.window
    reach = {
        "past": "up to the event in hand" if window.inclusive else "before the event in hand",
        "future": "after the event in hand",
        "whole": "all around the event in hand",
    }[window.reach]
    ways = []
    if window.interval is not None:
        reach += f", in {window.which} {window.interval}"
        ways.append("runs are found once and looked up by sorted search")
    if window.since is not None:
        reach += f", since {_pattern_said(window.since)}"
        ways.append("the nearest one before by sorted search")
    if window.before is not None:
        reach += f", before {_pattern_said(window.before)}"
        ways.append("the nearest one after by sorted search")
    for word, length in (("within", window.within), ("at least", window.at_least)):
        if length is not None:
            reach += f", {word} {_said(length)}"
    if window.within is not None or window.at_least is not None:
        measured = "measured for each event" if window.reach == "whole" else "by a search for times"
        ways.append(f"lengths of time {measured}")
    return f"{reach}: {'; '.join(ways) or 'the ends are known'}"


def _answer(phrase: Phrase) -> str:
    per = ""
    if phrase.events.per is not None:
        per = f"only the {phrase.events.per} of each {', '.join(phrase.events.per_fields)}; "
    if isinstance(phrase, core.HowMany):
        return f"{per}the length of a range of rows"
    if isinstance(phrase, core.Every):
        return f"{per}the condition at each event of each window"
    if isinstance(phrase, core.InOrder):
        return f"{per}the steps from seat to seat in each window"
    if isinstance(phrase, core.NextSeat):
        return f"{per}the nearest seat in each window"
    function = phrase.function
    if function == "count":
        return f"{per}the length of a range of rows"
    if function in ("first", "last"):
        return f"{per}the {function} row of a range"
    if function == "sum" or function in _PREFIX_SUMS:
        return f"{per}the difference of two running totals"
    if function in ("smallest", "largest", "distinct"):
        return f"{per}{function} over the rows of each window"
    return f"{per}{function.replace('_', ' ')} of each hand"


def _left_out(edition: core.Edition) -> str:
    if not edition.only_if:
        return "tables without such an event"
    return "tables without such an event, or whose options never fulfil an `only if`"


def _listed(names: Sequence[str]) -> str:
    """Names of rules, no more than three of them."""
    shown = ", ".join(names[:3])
    return f"{shown} and {len(names) - 3} more" if len(names) > 3 else shown


def plan_data(plan: EditionPlan) -> dict[str, object]:
    """A plan as plain data, in the keys that docs/command-line.md lists."""
    return {
        "from": plan.since,
        "until": plan.until,
        "slices": plan.slices,
        "trigger": plan.trigger,
        "left_out": plan.left_out,
        "first_look": plan.first_look,
        "steps": [
            {
                "part": step.part,
                "depth": step.depth,
                "formula": step.formula,
                "events": step.events,
                "alone": list(step.alone),
                "keys": list(step.keys),
                "pairs": list(step.pairs),
                "window": step.window,
                "answer": step.answer,
                "same_events": list(step.same_events),
                "same_search": list(step.same_search),
                "slow": [place.name for place in step.slow],
            }
            for step in plan.steps
        ],
        "slow": [
            {"name": p.name, "how": p.how, "what": p.what, "only_if": p.cause or None}
            for p in plan.slow
        ],
    }


def plan_lines(plan: EditionPlan) -> Iterator[str]:
    """A plan to read: what is always slow, and what may be, stands at the end."""
    begin = f" from {plan.since}" if plan.since else ""
    end = f" until {plan.until}" if plan.until else ""
    yield f"Edition in force{begin}{end}" if begin or end else "In force at all times"
    yield f"  slices     {plan.slices}"
    yield f"  trigger    {plan.trigger}"
    yield f"  left out   {plan.left_out}"
    yield f"  first look {plan.first_look}"
    for number, step in enumerate(plan.steps, start=1):
        yield from _step_lines(number, step)
    yield ""
    yield "  Slow in any log"
    yield from _slow_lines(plan.always)
    yield "  Slow only if the log gives cause"
    yield from _slow_lines(plan.sometimes)


def _step_lines(number: int, step: Step) -> Iterator[str]:
    pad = "  " * (step.depth + 1)
    yield ""
    yield f"{pad}{number}. {step.part}: {step.formula}"
    inner = pad + "   "
    yield f"{inner}events     {step.events}"
    for label, conditions in (
        ("alone     ", step.alone),
        ("sorted key", step.keys),
        ("! pairs   ", step.pairs),
    ):
        for condition in conditions:
            yield f"{inner}{label} {condition}"
    yield f"{inner}window     {step.window}"
    yield f"{inner}answer     {step.answer}"
    if step.same_events:
        yield f"{inner}shared     its events with {_listed(step.same_events)}"
    if step.same_search:
        yield f"{inner}shared     its search with {_listed(step.same_search)}"
    for place in step.slow:
        yield f"{inner}{'?' if place.cause else '!'} {place.how}: {place.name}"


def _slow_lines(places: Sequence[SlowPlace]) -> Iterator[str]:
    if not places:
        yield "    nothing: sorted searches and sums over whole columns"
    for place in places:
        yield f"    {'?' if place.cause else '!'} {place.how}: {place.name}"
        yield f"      {place.what}"
        if place.cause:
            yield f"      Only if {place.cause}."
