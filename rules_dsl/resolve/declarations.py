"""Enters what the files declare under its name, and checks what can be checked by name alone."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import PurePath

from event_schemas import PLAIN_KINDS, ValueProblem, parse_value
from event_schemas.limits import DEEPEST_GROUPS, MOST_EXPANSIONS
from rules_dsl import core, syntax
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve.chapters import end_chapter
from rules_dsl.resolve.choices import check_choice, constant, interpretation, profile
from rules_dsl.resolve.circles import on_circles
from rules_dsl.resolve.names import Declared, Desk
from rules_dsl.resolve.tables import table
from rules_dsl.resolve.unknown import hint, sentence, unknown_event

__all__ = ["check_choice", "check_groups", "collect", "constant", "profile"]

_FIRST_COLUMN = re.compile(r"^(?!--)\S", re.M)
_BLOCK_NAME = re.compile(r"^(?:examples[ \t]+of|[a-z]\S*)[ \t]+([a-z][\w-]*)", re.M)
_LOST_FILES = {"missing-file", "unreadable-file", "forbidden-path", "too-large"}
_SPLIT_A_RULE = {"not-indented", "unknown-declaration"}
_SORTS: dict[type[syntax.Declaration], tuple[str, str]] = {
    # Names of one sort must differ from each other; the second word stands before the name.
    syntax.Define: ("value", "define"),
    syntax.Setting: ("value", "setting"),
    syntax.Table: ("value", "table"),
    syntax.EventGroup: ("value", "events"),
    syntax.Interval: ("interval", "interval"),
    syntax.Interpretation: ("interpretation", "interpretation"),
    syntax.Template: ("template", "template"),
    syntax.Rule: ("rule", "rule"),
    syntax.Profile: ("profile", "profile"),
    # The end of a chapter of the law: told twice, the report would tell it twice.
    syntax.Chapter: ("chapter", "chapter"),
}


def collect(desk: Desk, files: Iterable[tuple[int, syntax.File]]) -> None:
    """Enter every declared name into the symbols, so that order in the files does not matter."""
    files = list(files)
    _note_what_was_lost(desk, files)
    first: dict[tuple[str, str], Declared[syntax.Declaration]] = {}
    for file, tree in files:
        for node in tree.declarations:
            _check_parameters(desk, node, file)
            sort, word = _SORTS.get(type(node), ("", ""))
            if not sort:
                continue
            chapter = isinstance(node, syntax.Chapter)
            name = str(getattr(node, "citation" if chapter else "name", ""))
            before = first.setdefault((sort, name), Declared(node, file))
            if before.node is not node:
                _report_second(desk, word, name, node, file, before)
                desk.symbols.mention(name)
                continue
            if isinstance(node, syntax.Chapter):
                end_chapter(desk, node, file)
                continue
            if sort == "value" and not _name_is_free(desk, node, word, name, file):
                desk.symbols.give_up(name)
                continue
            _enter(desk, node, file)


def _note_what_was_lost(desk: Desk, files: list[tuple[int, syntax.File]]) -> None:
    """Remember what could not be read, so that its absence is not held against the rest."""
    trees = {id(desk.sources[file]): tree for file, tree in files}
    for problem in desk.diagnostics:
        if problem.code in _LOST_FILES:
            desk.symbols.incomplete = True
            continue
        start, end = _block_around(problem.source.text, problem.span.start)
        desk.symbols.mention(problem.source.text[start:end])
        name = _BLOCK_NAME.match(problem.source.text, start)
        if name is not None and problem.code != "not-indented":
            desk.symbols.broken.add(name[1])
            desk.symbols.damaged.add(name[1])
        tree = trees.get(id(problem.source))
        if tree is not None and problem.code in _SPLIT_A_RULE:
            before = [n for n in tree.declarations if n.span.end <= problem.span.start]
            if before and isinstance(before[-1], syntax.Rule | syntax.Template):
                desk.symbols.damaged.add(before[-1].name)


def _block_around(text: str, at: int) -> tuple[int, int]:
    """The declaration that an offset lies in: from one line in the first column to the next."""
    starts = [found.start() for found in _FIRST_COLUMN.finditer(text)]
    before = [start for start in starts if start <= at]
    after = [start for start in starts if start > at]
    return before[-1] if before else 0, after[0] if after else len(text)


def _report_second(
    desk: Desk,
    word: str,
    name: str,
    node: syntax.Declaration,
    file: int,
    before: Declared[syntax.Declaration],
) -> None:
    line = desk.sources[before.file].position(before.node.span.start)[0]
    where = f"in line {line}"
    if before.file != file:
        where += f" of `{PurePath(desk.sources[before.file].name).name}`"
    desk.report(
        "declared-twice",
        f"`{name}` is already declared {where}.",
        file,
        desk.spot(file, node.span, name, after=word),
        "take out one of the two" if word == "chapter" else "give one of the two another name",
    )


def _name_is_free(desk: Desk, node: syntax.Declaration, word: str, name: str, file: int) -> bool:
    """A definition that bore the name of a field or event would change the meaning of rules."""
    taken = ""
    if name in desk.schema.events:
        taken = "an event"
    elif name in desk.field_names and not isinstance(node, syntax.EventGroup):
        taken = "a field"
    elif name in AGGREGATES or name in OF_CARDS or name in POINTWISE:
        taken = "a function"
    elif name == "trigger":
        taken = "the event at which a rule is applied"
    if taken:
        desk.report(
            "name-taken",
            f"`{name}` is already the name of {taken}.",
            file,
            desk.spot(file, node.span, name, after=word),
            "choose another name",
        )
    return not taken


def _check_parameters(desk: Desk, node: syntax.Declaration, file: int) -> None:
    if not isinstance(node, syntax.Define | syntax.Template):
        return
    for index, name in enumerate(node.parameters):
        span = desk.spot(file, node.span, name, after="(")
        if name in node.parameters[:index]:
            span = desk.spot(file, syntax.Span(span.end, node.span.end), name)
            desk.report("declared-twice", f"The parameter `{name}` is named twice.", file, span,
                        "give one of the two another name")  # fmt: skip
        elif name in desk.field_names or name in desk.schema.events:
            what = "a field" if name in desk.field_names else "an event"
            desk.report("name-taken", f"`{name}` is already the name of {what}.", file, span,
                        f"call the parameter `the_{name}` or the like")  # fmt: skip
        elif not re.search(rf"\b{name}\b", desk.text(file, node.span).split(")", 1)[-1]):
            desk.report("unused-parameter", f"The parameter `{name}` is never used.", file, span,
                        "remove it, or use it")  # fmt: skip


def _enter(desk: Desk, node: syntax.Declaration, file: int) -> None:
    symbols = desk.symbols
    if isinstance(node, syntax.EventGroup):
        symbols.groups[node.name] = Declared(node, file)
    elif isinstance(node, syntax.Define):
        symbols.definitions[node.name] = Declared(node, file)
    elif isinstance(node, syntax.Interval):
        symbols.intervals[node.name] = Declared(node, file)
    elif isinstance(node, syntax.Template):
        symbols.templates[node.name] = Declared(node, file)
    elif isinstance(node, syntax.Table):
        found = table(desk, node, file)
        if found is None:
            symbols.give_up(node.name)
        else:
            symbols.tables[node.name] = found
    elif isinstance(node, syntax.Setting):
        _enter_setting(desk, node, file)
    elif isinstance(node, syntax.Interpretation):
        symbols.interpretations[node.name] = interpretation(desk, node, file)


def _enter_setting(desk: Desk, node: syntax.Setting, file: int) -> None:
    value = constant(node.value)
    problem, suggestion = "", ""
    if value.kind == "none":
        problem = f"The setting `{node.name}` has no value."
    else:
        try:
            parse_value(PLAIN_KINDS[value.kind], value.text)
        except ValueProblem as found:
            problem, suggestion = sentence(found, value.text), hint(found)
    if problem:
        desk.report("bad-value", problem, file, node.value.span, suggestion)
        desk.symbols.give_up(node.name)
        return
    desk.symbols.settings[node.name] = core.Setting(
        node.name, value, node.why, place=desk.place(file, node.span)
    )


# ---- groups of events and intervals --------------------------------------------------------


def check_groups(desk: Desk) -> None:
    """Event groups must consist of events; neither they nor intervals may depend on themselves."""
    groups = desk.symbols.groups
    for declared in groups.values():
        for inner in declared.node.events:
            known = inner in desk.schema.events or inner in groups
            if not known and not desk.symbols.excused(inner):
                message, suggestion = unknown_event(desk, inner)
                span = desk.spot(declared.file, declared.node.span, inner, after="are")
                desk.report("unknown-event", message, declared.file, span, suggestion)
    circular = on_circles(groups, lambda group: _inner_groups(desk, group))
    for name in [name for name in groups if name in circular]:
        found = groups.pop(name)
        desk.symbols.give_up(name)
        desk.report(
            "circular-definition",
            f"The events `{name}` are made of themselves.",
            found.file,
            desk.spot(found.file, found.node.span, name, after="events"),
            "name the events that are meant",
        )
    _check_size_of_groups(desk)
    _check_intervals(desk)


def _check_size_of_groups(desk: Desk) -> None:
    """Groups of groups are written out wherever they are named: they stay small and flat."""
    groups = desk.symbols.groups
    sizes: dict[str, int] = {}

    def size(name: str, depth: int) -> int:
        if name not in groups:
            return 1
        if name not in sizes:
            if depth > DEEPEST_GROUPS:
                return MOST_EXPANSIONS + 1
            inner = sum(size(part, depth + 1) for part in groups[name].node.events)
            sizes[name] = min(inner, MOST_EXPANSIONS + 1)
        return sizes[name]

    for name in [name for name in groups if size(name, 0) > MOST_EXPANSIONS]:
        found = groups.pop(name)
        desk.symbols.give_up(name)
        desk.report(
            "too-complex",
            f"The events `{name}` are too many, or too deep, once all groups are written out.",
            found.file,
            desk.spot(found.file, found.node.span, name, after="events"),
            "name the events that are meant",
        )


def _inner_groups(desk: Desk, name: str) -> Iterable[str]:
    declared = desk.symbols.groups.get(name)
    return declared.node.events if declared else ()


def _check_intervals(desk: Desk) -> None:
    """An interval whose ends depend on itself has no beginning that anybody could find."""
    intervals = desk.symbols.intervals
    named = {f"interval {name}": name for name in intervals}
    circular = on_circles(named, lambda item: _mentioned(desk, item))
    for name in [name for item, name in named.items() if item in circular]:
        declared = intervals.pop(name)
        desk.symbols.give_up(name)
        desk.report(
            "circular-definition",
            f"Where the interval `{name}` begins or ends depends on the interval itself.",
            declared.file,
            desk.spot(declared.file, declared.node.span, name, after="interval"),
            f"describe its ends without `in the {name}`",
        )


def _mentioned(desk: Desk, item: str) -> Iterator[str]:
    """The intervals, groups and definitions that a declaration speaks of, each with its sort."""
    sort, name = item.split(" ")
    symbols = desk.symbols
    node: syntax.Declaration | None = None
    if sort == "interval" and name in symbols.intervals:
        node = symbols.intervals[name].node
    elif name in symbols.groups:
        node = symbols.groups[name].node
    elif name in symbols.definitions:
        node = symbols.definitions[name].node
    waiting: list[object] = [node]
    while waiting:
        part = waiting.pop()
        if isinstance(part, syntax.Scope) and part.interval is not None:
            yield f"interval {part.interval}"
        if isinstance(part, syntax.Head | syntax.EventGroup):
            yield from (f"name {event}" for event in part.events)
        if isinstance(part, syntax.Name | syntax.Call):
            yield f"name {part.name}"
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, syntax.Node):
            waiting += [getattr(part, field) for field in part.__struct_fields__]
