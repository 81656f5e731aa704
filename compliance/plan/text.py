"""Says how the engine runs a rule: what it looks for, where, and what it works out only once.

for edition in planned(rule, rulebook, schema):
    print("\n".join(plan_lines(edition)))
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace

from compliance.plan.builder import build_plan
from compliance.plan.graph import Graph, Node
from compliance.plan.node_texts import PHRASES, Names, NodeTexts
from compliance.plan.nodes import NONE
from compliance.plan.plan import PlannedEdition
from event_schemas import Schema
from rules_dsl import core

_HERE = ("e₀",)
"""What the trigger is called."""


@dataclass(frozen=True)
class Step:
    """One question of an edition; those that it asks in turn stand below it."""

    part: str
    """Which clause asks: `trigger`, `only if`, `require`, `except` or `message`."""
    depth: int
    number: int
    asks: str
    events: str = ""
    """The events that are looked for, if any are."""
    keys: tuple[str, ...] = ()
    """Fields that equal a value known elsewhere, looked up in sorted keys."""
    pairs: tuple[str, ...] = ()
    """What else is asked of each of these events."""
    where: str = ""
    same_events: tuple[str, ...] = ()
    """Other rules for which the same events are found only once."""
    kept: bool = False
    """Whether the answer at an event is kept for whoever asks next."""
    same_answer: tuple[str, ...] = ()
    """Other rules that take the same answer."""


@dataclass(frozen=True)
class EditionPlan:
    """How one edition of a rule is run."""

    since: str | None
    until: str | None
    slices: str
    trigger: str
    left_out: str
    steps: tuple[Step, ...]


def planned(rule: core.Rule, rulebook: core.Rulebook, schema: Schema) -> list[EditionPlan]:
    """The plan of every edition of a rule, beside all other rules of its rulebook."""
    graph = Graph(build_plan(rulebook, schema))
    number = next(n for n, other in enumerate(rulebook.rules) if other is rule)
    return [
        _Speaker(NodeTexts(graph, rulebook, schema), item).plan()
        for item in graph.plan.editions
        if item.rule == number
    ]


class _Speaker:
    """Speaks about one edition."""

    def __init__(self, texts: NodeTexts, planned: PlannedEdition) -> None:
        self.texts = texts
        self.graph, self.rulebook = texts.graph, texts.rulebook
        self.planned = planned
        self.steps: list[Step] = []

    def plan(self) -> EditionPlan:
        edition = self.rulebook.rules[self.planned.rule].editions[self.planned.edition]
        node = self.graph.node(self.planned.at)
        trigger = self._trigger(node)
        self._below("trigger", 0)
        for part, clause in (("only if", "applies"), ("require", "requires")):
            for at in self.graph.node(node[clause]).items:
                self._ask(part, at, _HERE)
        for at in self.graph.node(node["excuses"]).items:
            self._exemption("except", at)
        for at in self.graph.node(node["quotes"]).items:
            self._ask("message", at, _HERE)
        slices, left_out = _slices(edition.slice), self._left_out(node)
        steps = tuple(self.steps)
        return EditionPlan(edition.since, edition.until, slices, trigger, left_out, steps)

    def _trigger(self, node: Node) -> str:
        text = self.texts.events(node["source"], (), *_HERE)
        edge = self.graph.node(node["trigger"])
        if edge["costly"] != NONE:
            text += f"; of these where {self.texts.said(edge['costly'], _HERE)}"
        if node["since"] != NONE:
            text += f"; the first since {self.texts.edge(node['since'], _HERE)}"
        if node["ends"] != NONE:
            text += f"; those that end a run of {self.texts.interval(node['ends'])}"
        others = self._others(node["source"])
        return text + (f"; found once together with {listed(others)}" if others else "")

    # ---- questions

    def _ask(self, part: str, at: int, names: Names, depth: int = 0) -> None:
        """One question, and below it those that it asks in turn."""
        number = self.texts.number(at, names)
        if all(step.number != number for step in self.steps):
            self.steps.append(self._step(part, depth, number, at, names))
            self._below(part, depth + 1)

    def _below(self, part: str, depth: int) -> None:
        """The phrases that were named, each with those that it names itself."""
        named, self.texts.named = self.texts.named, []
        for at, names, _ in named:
            self._ask(part, at, names, depth)

    def _exemption(self, part: str, at: int) -> None:
        node = self.graph.node(at)
        self._ask(part, node["condition"], _HERE)
        for limit in node.items:
            self._exemption("except not", limit)

    def _step(self, part: str, depth: int, number: int, at: int, names: Names) -> Step:
        node, kept = self.graph.node(at), False
        if node.kind.name == "memo":
            kept, node = node["memo"] != NONE, self.graph.node(node["node"])
        step = Step(part, depth, number, "", kept=kept)
        if kept:
            step = replace(step, same_answer=self._others(at))
        if node.kind.name not in PHRASES:
            return replace(step, asks=self.texts.said(node.at, names))
        events = self.graph.node(node["events"])
        edge = self.graph.node(events["edge"])
        return replace(
            step,
            asks=self.texts.asks(node, names),
            events=self.texts.events(edge["pattern"], (), "e"),
            keys=self.texts.keys(edge, names),
            pairs=self.texts.pairs(edge, names),
            where=self.texts.where(events, names),
            same_events=self._others(edge["pattern"]),
        )

    def _others(self, at: int) -> tuple[str, ...]:
        """The other rules that ask a node."""
        asked = self.graph.asked_by[at] - {self.planned.rule}
        return tuple(sorted(self.rulebook.rules[number].name for number in asked))

    def _left_out(self, node: Node) -> str:
        asked = self.graph.node(node["elections"]).items
        if not asked:
            return "tables without such an event"
        texts = [self.texts.said(self.graph.node(at)["condition"], _HERE) for at in asked]
        return f"tables without such an event, or where it never holds that {' and '.join(texts)}"


def _slices(slice_: core.Slice) -> str:
    if slice_.across == "table":
        text = "each table"
    else:
        text = f"each {slice_.across}, whose tables' events are put in the order of time"
    if slice_.keys:
        text += f", cut by {' and '.join(slice_.keys)}"
    if slice_.interval is not None:
        text += f", cut into the runs of {slice_.interval}"
    return text


def listed(names: Sequence[str]) -> str:
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
        "steps": [asdict(step) for step in plan.steps],
    }


def plan_lines(plan: EditionPlan) -> Iterator[str]:
    """A plan to read: each question with those that it asks in turn below it."""
    begin = f" from {plan.since}" if plan.since else ""
    end = f" until {plan.until}" if plan.until else ""
    yield f"Edition in force{begin}{end}" if begin or end else "In force at all times"
    yield f"  slices   {plan.slices}"
    yield f"  trigger  {plan.trigger}"
    yield f"  left out {plan.left_out}"
    for step in plan.steps:
        yield from _step_lines(step)


def _step_lines(step: Step) -> Iterator[str]:
    pad = "  " * (step.depth + 1)
    if not step.depth:
        yield ""
    yield f"{pad}{step.number}. {f'{step.part}: ' if not step.depth else ''}{step.asks}"
    lines = [("key   ", text) for text in step.keys] + [("pairs ", text) for text in step.pairs]
    if step.events:
        shared = f"; found once together with {listed(step.same_events)}"
        lines.insert(0, ("events", step.events + (shared if step.same_events else "")))
        lines.append(("where ", step.where))
    if step.kept:
        others = f" and for {listed(step.same_answer)}" if step.same_answer else ""
        lines.append(("kept  ", f"at each event, for this rule{others}"))
    for label, text in lines:
        yield f"{pad}   {label} {text}"
