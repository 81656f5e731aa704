"""Resolves everything in a file that is not a rule: tables, settings, interpretations, profiles."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from event_schemas import PLAIN_KINDS, ValueProblem, parse_value
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.functions import AGGREGATES, OF_CARDS, POINTWISE
from rules_dsl.resolve.names import Declared, Desk

_RANGE = re.compile(r"([0-9]+)\.\.([0-9]+)$")
_KINDS_OF_CELL = ("number", "money", "odds", "percent", "duration", "card")
_NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?$")


def collect(desk: Desk, files: Iterable[tuple[int, syntax.File]]) -> None:
    """Enter every declared name into the symbols, so that order in the files does not matter."""
    homes: dict[tuple[str, str], bool] = {}
    field_names = desk.field_names
    for file, tree in files:
        for node in tree.declarations:
            _check_parameters(desk, node, file, field_names)
            sort, name = _sort_and_name(node)
            if not sort:
                continue
            if homes.setdefault((sort, name), False):
                desk.report(
                    "declared-twice", f"`{name}` is declared a second time.", file, node.span,
                    "give one of the two another name",
                )  # fmt: skip
                continue
            homes[sort, name] = True
            if sort == "value" and not _name_is_free(desk, node, name, file, field_names):
                continue
            _enter(desk, node, file)


def _sort_and_name(node: syntax.Declaration) -> tuple[str, str]:
    """Names of one sort must differ from each other."""
    if isinstance(node, syntax.Define | syntax.Setting | syntax.Table | syntax.EventGroup):
        return "value", node.name
    if isinstance(node, syntax.Interval):
        return "interval", node.name
    if isinstance(node, syntax.Interpretation):
        return "interpretation", node.name
    if isinstance(node, syntax.Template):
        return "template", node.name
    if isinstance(node, syntax.Rule):
        return "rule", node.name
    if isinstance(node, syntax.Profile):
        return "profile", node.name
    return "", ""


def _name_is_free(
    desk: Desk, node: syntax.Declaration, name: str, file: int, field_names: frozenset[str]
) -> bool:
    """A definition that bore the name of a field or event would change the meaning of rules."""
    taken = ""
    if name in desk.schema.events:
        taken = "an event"
    elif name in field_names and not isinstance(node, syntax.EventGroup):
        taken = "a field of some event"
    elif name in AGGREGATES or name in OF_CARDS or name in POINTWISE:
        taken = "a function"
    if taken:
        desk.report("name-taken", f"`{name}` is already the name of {taken}.", file, node.span,
                    "choose another name")  # fmt: skip
    return not taken


def _check_parameters(
    desk: Desk, node: syntax.Declaration, file: int, field_names: frozenset[str]
) -> None:
    if not isinstance(node, syntax.Define | syntax.Template):
        return
    for name in node.parameters:
        if name in field_names:
            desk.report(
                "name-taken", f"The parameter `{name}` bears the name of a field.", file, node.span,
                f"call it `the_{name}` or the like",
            )  # fmt: skip
        if not re.search(rf"\b{name}\b", desk.text(file, node.span).split(")", 1)[-1]):
            desk.report("unused-parameter", f"The parameter `{name}` is never used.", file,
                        node.span, "remove it")  # fmt: skip


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
        table = _table(desk, node, file)
        if table is not None:
            symbols.tables[node.name] = table
    elif isinstance(node, syntax.Setting):
        symbols.settings[node.name] = core.Setting(
            node.name,
            constant(node.value),
            node.why,
            place=desk.place(file, node.span),
        )
    elif isinstance(node, syntax.Interpretation):
        symbols.interpretations[node.name] = _interpretation(desk, node, file)


def constant(literal: syntax.Literal) -> core.Const:
    """A literal as a constant of its own kind."""
    kind = "text" if literal.kind == "word" else literal.kind
    return core.Const(kind, literal.text)


def check_groups(desk: Desk) -> None:
    """Event groups must consist of events, and must not contain themselves."""
    for name, declared in desk.symbols.groups.items():
        for inner in declared.node.events:
            if inner not in desk.schema.events and inner not in desk.symbols.groups:
                known = [*desk.schema.events, *desk.symbols.groups]
                desk.report("unknown-event", f"There is no event `{inner}`.", declared.file,
                            declared.node.span, nearest(inner, known))  # fmt: skip
    for name in list(desk.symbols.groups):
        if _reaches_itself(name, lambda n: _inner_groups(desk, n)):
            declared = desk.symbols.groups.pop(name)
            desk.report("circular-definition", f"The events `{name}` are made of themselves.",
                        declared.file, declared.node.span)  # fmt: skip


def _inner_groups(desk: Desk, name: str) -> tuple[str, ...]:
    declared = desk.symbols.groups.get(name)
    return declared.node.events if declared else ()


def _reaches_itself(name: str, inner: Callable[[str], tuple[str, ...]]) -> bool:
    seen: set[str] = set()
    waiting = list(inner(name))
    while waiting:
        current = waiting.pop()
        if current == name:
            return True
        if current not in seen:
            seen.add(current)
            waiting += inner(current)
    return False


# ---- tables --------------------------------------------------------------------------------


def _table(desk: Desk, node: syntax.Table, file: int) -> core.LookupTable | None:
    width = len(node.header.cells)
    two_keys = len(node.header.keys) == 2
    problem = ""
    if not node.rows or not width:
        problem = f"The table `{node.name}` has no rows below its first one."
    elif len(node.header.keys) not in (1, 2):
        problem = "The first row names one or two keys before the bar."
    if problem:
        desk.report("bad-table", problem, file, node.header.span,
                    "write it like `banker \\ third | none 0 1 2`")  # fmt: skip
        return None
    for row in node.rows:
        if len(row.keys) != 1 or len(row.cells) != width:
            found = f"{len(row.keys)} and {len(row.cells)}"
            desk.report(
                "bad-table",
                f"This row has {found} entries before and after the bar, "
                f"but 1 and {width} are needed.",
                file,
                row.span,
            )
            return None
    columns = tuple(_key(cell.text) for cell in node.header.cells) if two_keys or width > 1 else ()
    rows = tuple(_key(row.keys[0].text) for row in node.rows)
    for keys, cells in ((rows, [r.keys[0] for r in node.rows]), (columns, node.header.cells)):
        for index, key in enumerate(keys):
            if key in keys[:index]:
                desk.report("bad-table", f"`{cells[index].text}` stands in the table twice.", file,
                            cells[index].span)  # fmt: skip
                return None
    return core.LookupTable(
        node.name,
        node.title,
        _kind_of_keys(rows),
        _kind_of_keys(columns),
        _kind_of_cells(node.rows),
        rows,
        columns,
        tuple(tuple(cell.text for cell in row.cells) for row in node.rows),
        place=desk.place(file, node.span),
    )


def _key(text: str) -> core.TableKey:
    """A head such as `none`, `7`, `0..5` or a word."""
    span = _RANGE.match(text)
    return core.TableKey(span[1], span[2]) if span else core.TableKey(text, text)


def _kind_of_keys(keys: tuple[core.TableKey, ...]) -> str:
    named = [key for key in keys if key.low != "none"]
    return "number" if named and all(_NUMBER.match(key.low) for key in named) else "text"


def _kind_of_cells(rows: tuple[syntax.TableRow, ...]) -> str:
    texts = [cell.text for row in rows for cell in row.cells if cell.text != "none"]
    for name in _KINDS_OF_CELL:
        if texts and all(_reads_as(name, text) for text in texts):
            return name
    return "text"


def _reads_as(kind: str, text: str) -> bool:
    marks = {"money": "$", "odds": " to ", "percent": "%"}
    if kind in marks and marks[kind] not in text:
        return False
    try:
        parse_value(PLAIN_KINDS[kind], text)
    except ValueProblem:
        return False
    return True


# ---- doubtful passages and profiles --------------------------------------------------------


def _interpretation(desk: Desk, node: syntax.Interpretation, file: int) -> core.Interpretation:
    defaults = [reading.name for reading in node.readings if reading.default]
    if len(defaults) != 1:
        found = "none is" if not defaults else f"{len(defaults)} are"
        desk.report(
            "no-default-reading",
            f"One reading of `{node.name}` must be the default, but {found} marked so.",
            file,
            node.span,
            "write `default` after the reading that applies unless a profile says otherwise",
        )
    return core.Interpretation(
        node.name,
        node.title,
        node.citations,
        tuple(core.ReadingChoice(reading.name, reading.text) for reading in node.readings),
        defaults[0] if defaults else node.readings[0].name,
        place=desk.place(file, node.span),
    )


def profile(desk: Desk, node: syntax.Profile, file: int) -> core.Profile:
    """A profile, with each of its choices checked."""
    choices = []
    for choice in node.choices:
        checked = check_choice(desk, choice.what, choice.name, choice.value, file, choice)
        if checked is not None:
            choices.append(checked)
    return core.Profile(node.name, node.title, tuple(choices), place=desk.place(file, node.span))


def check_choice(
    desk: Desk, what: str, name: str, value: syntax.Literal, file: int, node: syntax.Node
) -> core.Choice | None:
    """A choice of a reading, a setting or an option: the name must exist and the value must fit."""
    if what == "reading":
        found = desk.symbols.interpretations.get(name)
        if found is None:
            desk.report("unknown-reading", f"There is no interpretation `{name}`.", file, node.span,
                        nearest(name, desk.symbols.interpretations))  # fmt: skip
            return None
        words = [reading.name for reading in found.readings]
        if value.text not in words:
            desk.report("unknown-value", f"`{value.text}` is not a reading of `{name}`.", file,
                        value.span, nearest(value.text, words) or listed(words))  # fmt: skip
            return None
        return core.Choice("reading", name, value.text)
    if what == "setting":
        setting = desk.symbols.settings.get(name)
        if setting is None:
            desk.report("unknown-setting", f"There is no setting `{name}`.", file, node.span,
                        nearest(name, desk.symbols.settings))  # fmt: skip
            return None
        if constant(value).kind != setting.value.kind:
            desk.report(
                "type-mismatch",
                f"The setting `{name}` is {setting.value.kind}, but `{value.text}` is "
                f"{constant(value).kind}.",
                file,
                value.span,
                f"write it like `{setting.value.text}`",
            )
            return None
        return core.Choice("setting", name, value.text)
    return _option_choice(desk, name, value, file, node)


def _option_choice(
    desk: Desk, name: str, value: syntax.Literal, file: int, node: syntax.Node
) -> core.Choice | None:
    option = desk.schema.options.get(name)
    if option is None:
        desk.report("unknown-option", f"There is no table option `{name}`.", file, node.span,
                    nearest(name, desk.schema.options))  # fmt: skip
        return None
    try:
        parse_value(option.kind, value.text)
    except ValueProblem as problem:
        code = "unknown-value" if option.kind.enum is not None else "bad-value"
        hint = f"did you mean `{problem.suggestion}`?" if problem.suggestion else ""
        desk.report(code, problem.message, file, value.span, hint)
        return None
    return core.Choice("option", name, value.text)
