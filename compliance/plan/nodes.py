"""Every kind of node that a plan can have, with its parts: the one description of them.

The builder (`builder.py`) writes nodes by it, `text.py` prints them by it, and the header that the
compiled engine reads nodes by (`nodes.h`) is generated from it when the engine is compiled.

In memory a node is a row of whole numbers: the number of its kind, its parts in the order given
here, and then, where it has a list, how many items that has and the items. A part that is itself a
node is the place where that node stands; -1 stands for none.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

NONE: Final = -1


@dataclass(frozen=True)
class NodeKind:
    """One kind of node; `nodes` are the parts that are nodes themselves, the others are numbers."""

    name: str
    parts: tuple[str, ...] = ()
    nodes: frozenset[str] = frozenset()
    items: str = ""
    """What the list at its end holds, if it has one: `nodes` or `numbers`."""


def _kind(name: str, parts: str = "", items: str = "") -> NodeKind:
    """Parts that are nodes are marked with a star."""
    words = parts.split()
    return NodeKind(
        name,
        tuple(word.rstrip("*") for word in words),
        frozenset(word.rstrip("*") for word in words if word.endswith("*")),
        items,
    )


NODE_KINDS: Final = (
    # Single values.
    _kind("constant", "number"),
    _kind("field", "var column"),
    _kind("moment", "var"),
    _kind("sequence", "var"),
    _kind("type_name", "var"),
    _kind("option", "var option"),
    _kind("arithmetic", "sign left* right* gives"),
    _kind("rounding", "way value* unit*"),
    _kind("function", "function left* right*"),
    _kind("lookup", "table row* column*"),
    _kind("choice", "condition* then* otherwise*"),
    # Conditions on values.
    _kind("comparison", "sign left* right*"),
    _kind("recorded", "value* known lookout*"),
    _kind("about", "value* target* tolerance* relative rounded"),
    _kind("all_of", items="nodes"),
    _kind("any_of", items="nodes"),
    _kind("negation", "part*"),
    # Conditions on other events, and values made of them.
    _kind("how_many", "bound count* events*"),
    _kind("every", "events* condition*"),
    _kind("aggregate", "function events* value* money"),
    _kind("in_order", "events* value* direction start*"),
    _kind("next_seat", "direction start* events* value*"),
    # An answer at one event that several ask for, kept from the first who asks.
    _kind("memo", "node* memo"),
    # A question that concerns another event in hand alone, asked as if that were the trigger.
    _kind("seen_from", "var node*"),
    # Which events are meant, and where to look for them.
    _kind("pattern", "pool wider* plain* election*", items="numbers"),
    # A list of two numbers for each tie of the form: this field (its column) equals a value known
    # elsewhere (its node); all other conditions on several events are `ties`, and those of them
    # that depend on the event by its options alone stand in `elected` too, with these options.
    _kind("edge", "own pattern* costly* ties* elected*", items="numbers"),
    _kind(
        "events",
        "at edge* reach inclusive interval which since* before* within* at_least* per after",
        items="numbers",
    ),
    _kind("interval", "opens* closes*"),
    # What a value may depend on: event types, and after them options, each with the event at which
    # it is asked for (-1: one that is only found inside). Lost records may change it by these.
    _kind("lookout", "types*", items="numbers"),
    # Rules.
    _kind("items", items="nodes"),
    _kind("numbers", items="numbers"),
    _kind("exemption", "condition*", items="nodes"),
    _kind("election", "condition*", items="numbers"),
    _kind("slicing", "number interval keys columns* relevant* borders*"),
    # The triggers of which some conditions hold, found once for all rules that begin alike.
    _kind("triggers", "number wider* condition*"),
    _kind(
        "edition",
        "source* trigger* since* ends slicing* begins expires triggers* applies* plain requires*"
        " excuses* quotes* elections* lookout*",
    ),
)

NUMBER_OF: Final = {kind.name: number for number, kind in enumerate(NODE_KINDS)}
KIND_OF: Final = {kind.name: kind for kind in NODE_KINDS}

WORDS: Final[dict[str, tuple[str | None, ...]]] = {
    "sign": ("=", "!=", "<", "<=", ">", ">="),
    "calculation": ("+", "-", "*", "/"),
    "result": ("number", "length", "moment"),
    "way": ("up", "down", "nearest"),
    "reach": ("past", "future", "whole"),
    "which": ("this", "previous", "next"),
    "per": (None, "latest", "earliest"),
    "bound": ("exactly", "at least", "at most"),
    "direction": ("clockwise", "counterclockwise"),
    "aggregate": (
        *("first", "last", "count", "sum", "smallest", "largest", "distinct", "average", "median"),
        *("blackjack_total", "hard_total", "is_soft", "baccarat_points"),
        *("poker_rank", "low_poker_rank", "poker_class"),
    ),
    "function": (
        *("pip_value", "rank", "suit", "color", "larger", "smaller", "date", "hour", "size"),
        *("blackjack_total", "hard_total", "is_soft", "baccarat_points"),
        *("poker_rank", "low_poker_rank", "poker_class"),
    ),
    "state": ("known", "nothing", "missing", "open", "bounded"),
    "verdict": ("complied", "violated", "excused", "open", "undetermined"),
    "part": ("found", "since", "before", "counted", "unclear", "lacks"),
}
"""The words of the rule language (and of results) that are numbers in a plan, in their order."""

NAMES_IN_C: Final = {
    "sign": {
        "=": "EQUAL", "!=": "UNEQUAL", "<": "LESS", "<=": "AT_MOST", ">": "MORE", ">=": "AT_LEAST",
    },
    "calculation": {"+": "PLUS", "-": "MINUS", "*": "TIMES", "/": "DIVIDED"},
}  # fmt: skip


def number_of(words: str, word: str | None) -> int:
    """The number that stands for a word."""
    return WORDS[words].index(word)


def header() -> str:
    """The C header with the same kinds, parts and words."""
    lines = [
        "/* Generated from compliance/plan/nodes.py: change that file. */",
        "",
        "#ifndef NODES_H",
        "#define NODES_H",
        "",
        "#include <stdint.h>",
        "",
        "enum {",
        *(f"    NODE_{kind.name.upper()}," for kind in NODE_KINDS),
        "};",
        "",
    ]
    for kind in NODE_KINDS:
        listed = ["size"] if kind.items else []
        names = ", ".join(["kind", *kind.parts, *listed])
        lines.append("typedef struct {")
        lines.append(f"    int64_t {names};")
        if kind.items:
            lines.append("    int64_t items[];")
        lines.append(f"}} {_class_name(kind.name)}Node;")
        lines.append("")
    lines += _shapes()
    for words, listed_words in WORDS.items():
        spelled = NAMES_IN_C.get(words, {})
        lines.append("enum {")
        for name in listed_words:
            shown = spelled.get(name or "", (name or "each").upper().replace(" ", "_"))
            lines.append(f"    {words.upper()}_{shown},")
        lines.append("};")
        lines.append("")
    lines += ["#endif", ""]
    return "\n".join(lines)


def _shapes() -> list[str]:
    """For code that goes through any node: how many parts it has, which of them are nodes (as
    bits), whether it has a list, and whether that holds nodes."""
    rows = []
    for kind in NODE_KINDS:
        bits = sum(1 << place for place, part in enumerate(kind.parts) if part in kind.nodes)
        has_items, has_nodes = int(bool(kind.items)), int(kind.items == "nodes")
        rows.append(f"    {{{len(kind.parts)}, {bits}, {has_items}, {has_nodes}}},")
    return [
        "typedef struct {",
        "    int64_t parts, is_node, has_items, has_nodes;",
        "} NodeShape;",
        "",
        "static const NodeShape NODE_SHAPES[] = {",
        *rows,
        "};",
        "",
    ]


def _class_name(name: str) -> str:
    return "".join(word.capitalize() for word in name.split("_"))


if __name__ == "__main__":
    print(header(), end="")
