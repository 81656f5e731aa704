"""Says the nodes of a plan in words: values, conditions, and which events are looked for where."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from compliance.plan.graph import Graph, Node
from compliance.plan.nodes import NONE
from event_schemas import Schema
from rules_dsl import core

PHRASES = ("how_many", "every", "aggregate", "in_order", "next_seat")
"""The questions that look for events: each is told by itself."""
Names = tuple[str, ...]
"""What the events in hand are called, by their numbers."""
_MADE_OF_SEVERAL = {
    *("arithmetic", "rounding", "comparison", "recorded", "about", "all_of", "any_of", "negation"),
}
_SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
_SIGNS = {"!=": "≠", "<=": "≤", ">=": "≥", "*": "·"}


@dataclass
class NodeTexts:
    """Speaks about the nodes of a plan."""

    graph: Graph
    rulebook: core.Rulebook
    schema: Schema
    known: dict[tuple[int, Names], int] = field(default_factory=dict)
    """The questions that were named, each with its number."""
    named: list[tuple[int, Names, int]] = field(default_factory=list)
    """The phrases that were named and are still to be told."""

    # ---- values and conditions

    def said(self, at: int, names: Names) -> str:
        """A value or a condition on one line; phrases in it are told below, under a number."""
        node = self.graph.node(at)
        inner = self.graph.node(node["node"]) if node.kind.name == "memo" else node
        if inner.kind.name not in PHRASES:
            return _SAID[inner.kind.name](self, inner, names)
        number = self.number(at, names)
        self.named.append((at, names, number))
        return f"[{number}]"

    def column(self, node: Node) -> str:
        return self.graph.plan.columns[node["column"]][0]

    def constant(self, node: Node) -> str:
        constant = self.graph.plan.constants[node["number"]]
        return "none" if constant.what == "nothing" else constant.text

    def part(self, at: int, names: Names) -> str:
        """A value inside another one: in brackets if it is made of several."""
        text = self.said(at, names)
        node = self.graph.node(at)
        while node.kind.name in ("memo", "seen_from"):
            node = self.graph.node(node["node"])
        return f"({text})" if node.kind.name in _MADE_OF_SEVERAL else text

    def number(self, at: int, names: Names) -> int:
        """The number of a question, by which others refer to it."""
        return self.known.setdefault((at, names), len(self.known) + 1)

    def asks(self, node: Node, names: Names) -> str:
        """What a phrase asks of the events that it finds."""
        events = self.graph.node(node["events"])
        inner = _with(names, self.graph.node(events["edge"])["own"])
        return _ASKS[node.kind.name](self, node, names, inner) + self._per(events)

    # ---- events

    def edge(self, at: int, names: Names) -> str:
        """The events that bound a window, with their ties to others."""
        edge = self.graph.node(at)
        own = _with(names, edge["own"])[-1]
        conditions = (*self.keys(edge, names), *self.pairs(edge, names))
        return self.events(edge["pattern"], conditions, own)

    def keys(self, edge: Node, names: Names) -> tuple[str, ...]:
        """The fields of an event that equal values known elsewhere."""
        inner = _with(names, edge["own"])
        pairs = zip(edge.items[::2], edge.items[1::2], strict=True)
        return tuple(
            f"{self.graph.plan.columns[column][0]}({inner[-1]}) = {self.said(value, inner)}"
            for column, value in pairs
        )

    def pairs(self, edge: Node, names: Names) -> tuple[str, ...]:
        """What else is asked of an event: what is around it, and other ties to events in hand."""
        inner = _with(names, edge["own"])
        asked = (("costly", inner[-1:]), ("ties", inner))
        return tuple(self.said(edge[part], known) for part, known in asked if edge[part] != NONE)

    def events(self, at: int, conditions: tuple[str, ...], name: str) -> str:
        """The events of a pattern, with what their own fields say: the widest condition first."""
        node = self.graph.node(at)
        if node["plain"] != NONE:
            conditions = (self.said(node["plain"], (name,)), *conditions)
        if node["wider"] != NONE:
            return self.events(node["wider"], conditions, name)
        types = list(self.schema.events)
        return _joined_where(" or ".join(types[number] for number in node.items), conditions)

    def where(self, events: Node, names: Names) -> str:
        here = names[events["at"]]
        up_to = "up to" if events["inclusive"] else "before"
        reach = {"past": f"{up_to} {here}", "future": f"after {here}", "whole": f"around {here}"}
        text = reach[events.word("reach")]
        if events["after"] != NONE:
            text += f", after {names[events['after']]}"
        if events["interval"] != NONE:
            text += f", in {events.word('which')} {self.interval(events['interval'])}"
        for name in ("since", "before"):
            if events[name] != NONE:
                text += f", {name} {self.edge(events[name], names)}"
        for name in ("within", "at_least"):
            if events[name] != NONE:
                text += f", {name.replace('_', ' ')} {self.said(events[name], names)}"
        return text

    def _per(self, events: Node) -> str:
        if not events.items:
            return ""
        fields = [self.graph.plan.columns[column][0] for column in events.items]
        return f", only the {events.word('per')} of each {' and '.join(fields)}"

    def interval(self, number: int) -> str:
        return list(self.rulebook.intervals)[number]


Said = Callable[[NodeTexts, Node, Names], str]


def _joined(word: str, conditions: Iterable[str]) -> str:
    """Conditions in a row; one that is itself made of several stands in brackets."""
    several = [f"({text})" if " and " in text or " or " in text else text for text in conditions]
    return f" {word} ".join(several)


def _calculation(words: str) -> Said:
    def said(speaker: NodeTexts, node: Node, names: Names) -> str:
        sides = [speaker.part(node[side], names) for side in ("left", "right")]
        sign = node.word("sign", words)
        return f" {_SIGNS.get(sign, sign)} ".join(sides)

    return said


def _of_event(form: str) -> Said:
    return lambda speaker, node, names: form.format(names[node["var"]])


def _arguments(speaker: NodeTexts, node: Node, names: Names, *parts: str) -> str:
    return ", ".join(speaker.said(node[part], names) for part in parts if node[part] != NONE)


def _all(word: str) -> Said:
    return lambda s, node, names: _joined(word, (s.said(at, names) for at in node.items))


def _about(speaker: NodeTexts, node: Node, names: Names) -> str:
    value, target, tolerance = (
        speaker.part(node[part], names) for part in ("value", "target", "tolerance")
    )
    return f"{value} about {target}, give or take {tolerance}{' of it' if node['relative'] else ''}"


_SAID: Mapping[str, Said] = {
    "constant": lambda speaker, node, names: speaker.constant(node),
    "field": lambda s, node, names: f"{s.column(node)}({names[node['var']]})",
    "moment": _of_event("ts({})"),
    "sequence": _of_event("seq({})"),
    "type_name": _of_event("type({})"),
    "option": lambda s, node, names: (
        f"option {s.graph.plan.options[node['option']]} at {names[node['var']]}"
    ),
    "arithmetic": _calculation("calculation"),
    "rounding": lambda s, node, names: (
        f"{s.part(node['value'], names)} rounded {node.word('way')} to "
        f"{s.said(node['unit'], names)}"
    ),
    "function": lambda s, node, names: (
        f"{node.word('function')}({_arguments(s, node, names, 'left', 'right')})"
    ),
    "lookup": lambda s, node, names: (
        f"{s.graph.plan.tables[node['table']].name}⟦{_arguments(s, node, names, 'row', 'column')}⟧"
    ),
    "choice": lambda s, node, names: "({} ? {} : {})".format(
        *(s.said(node[part], names) for part in ("condition", "then", "otherwise"))
    ),
    "comparison": _calculation("sign"),
    "recorded": lambda s, node, names: (
        f"{s.part(node['value'], names)} is {'known' if node['known'] else 'missing'}"
    ),
    "about": _about,
    "all_of": _all("and"),
    "any_of": _all("or"),
    "negation": lambda s, node, names: f"not {s.part(node['part'], names)}",
    "seen_from": lambda s, node, names: s.said(node["node"], (names[node["var"]],)),
}
"""How each node that is no phrase is said."""

_ASKS: Mapping[str, Callable[[NodeTexts, Node, Names, Names], str]] = {
    "how_many": lambda s, node, names, _: f"{node.word('bound')} {s.said(node['count'], names)}",
    "every": lambda s, node, _, inner: f"every one has {s.said(node['condition'], inner)}",
    "aggregate": lambda s, node, _, inner: (
        f"{node.word('function', 'aggregate')} of "
        f"{'them' if node['value'] == NONE else s.said(node['value'], inner)}"
    ),
    "in_order": lambda s, node, names, inner: (
        f"{s.said(node['value'], inner)} goes {node.word('direction')}"
        + ("" if node["start"] == NONE else f" from {s.said(node['start'], names)}")
    ),
    "next_seat": lambda s, node, names, inner: (
        f"the first {s.said(node['value'], inner)} {node.word('direction')} after "
        f"{s.said(node['start'], names)}"
    ),
}
"""What each phrase asks of the events that it finds."""


def _with(names: Names, own: int) -> Names:
    """The events in hand, and one more."""
    return (*names[:own], f"e{own}".translate(_SUBSCRIPTS))


def _joined_where(events: str, conditions: Sequence[str]) -> str:
    return f"{events} where {_joined('and', conditions)}" if conditions else events
