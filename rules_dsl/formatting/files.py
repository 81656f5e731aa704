"""Lays out rule files the one way that everybody's files are laid out.

    text, diagnostics = format_source(Source("burns.rules", "rule a  require x>=3"))

Only the layout changes, never what is said: the text is read again before it is handed out.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules_dsl import syntax as s
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.formatting.clauses import Unit, clause_units, given_unit, offset_of_word
from rules_dsl.formatting.comments import attach
from rules_dsl.formatting.expressions import (
    condition_flow,
    expression_flow,
    format_expression,
    literal_text,
    target_flow,
)
from rules_dsl.formatting.lines import WIDTH, Break, Flow, on_one_line, over_lines, quoted_lines
from rules_dsl.formatting.tables import table_lines
from rules_dsl.parsing.parser import parse
from rules_dsl.source import Source
from rules_dsl.syntax import Span

__all__ = ["format_expression", "format_file", "format_source"]

_INDENT = "  "
_HANG = "      "
_BEFORE_ARGUMENTS = Break(-2, fill=False)
_BETWEEN_ARGUMENTS = Break(-1, fill=False)


def format_source(source: Source) -> tuple[str | None, tuple[Diagnostic, ...]]:
    """The text of a whole file in its one layout, or what keeps it from being read."""
    parsed = parse(source)
    if parsed.diagnostics:
        return None, parsed.diagnostics
    text = format_file(parsed.file, parsed.comments, parsed.source.text)
    again = parse(Source(source.name, text))
    same = again.file == parsed.file and len(again.comments) == len(parsed.comments)
    # What a rule says is worth more than how it looks: in doubt, the file stays as it is.
    return (text if same and not again.diagnostics else source.text), ()


def format_file(file: s.File, comments: Iterable[Span] = (), text: str = "") -> str:
    """The text of a file from its tree; `text` is where the comments come from."""
    blocks = [_units(declaration, text) for declaration in file.declarations]
    remarks = attach(comments, blocks, text)
    lines: list[str] = []
    before: list[str] | None = None
    for index, units in enumerate(blocks):
        block = [line for unit in units for line in remarks.lines_with(unit)]
        block += [_INDENT + comment for comment in remarks.at_end[index]]
        stays_close = index > 0 and _stays_close(file.declarations, index, text)
        one_liners = before is not None and len(before) == len(block) == 1
        if index and not (stays_close and one_liners):
            lines.append("")
        lines += [*remarks.above[index], *block]
        before = block
    last = remarks.above[len(blocks)]
    if lines and last:
        lines.append("")
    lines += last
    return "".join(line + "\n" for line in lines)


def _stays_close(declarations: tuple[s.Declaration, ...], index: int, text: str) -> bool:
    """Declarations of one kind stay together when they stood together; in a bare tree, always."""
    here, before = declarations[index], declarations[index - 1]
    if type(here) is not type(before):
        return False
    between = text[before.span.end : here.span.start].split("\n")
    return all(line.strip() for line in between[1:-1])


def _units(declaration: s.Declaration, text: str) -> list[Unit]:
    """The lines of a declaration, in groups that comments can be attached to."""
    match declaration:
        case s.Rule() | s.Template():
            return [_rule_head(declaration), *clause_units(declaration.clauses, text)]
        case s.Section():
            head = Unit(declaration.span.start, [f'section "{declaration.title}"'])
            applies = [
                Unit.at(expr, over_lines(f"{_INDENT}applies when ", expression_flow(expr), _HANG))
                for expr in declaration.applies
            ]
            return [head, *applies, *(given_unit(given, _INDENT) for given in declaration.given)]
        case s.Table():
            return _table(declaration)
        case s.Interpretation():
            return _interpretation(declaration, text)
        case s.Profile():
            start = f"profile {declaration.name}"
            choices = [
                Unit.at(c, [f"{_INDENT}choose {c.what} {c.name} is {literal_text(c.value)}"])
                for c in declaration.choices
            ]
            return [Unit(declaration.span.start, _titled(start, declaration.title)), *choices]
        case _:
            return [Unit.at(declaration, _short(declaration))]


def _short(declaration: s.Declaration) -> list[str]:
    match declaration:
        case s.Rulebook():
            zone = (
                f' time zone "{declaration.time_zone}"' if declaration.time_zone is not None else ""
            )
            return [f'rulebook "{declaration.title}"{zone}']
        case s.Chapter():
            start = f'chapter "{declaration.citation}" until {declaration.until}'
            return _titled(start, declaration.why)
        case s.Use():
            return [f'use "{declaration.path}"']
        case s.Interval():
            opens, closes = target_flow(declaration.opens), target_flow(declaration.closes)
            return over_lines(
                f"interval {declaration.name} from ", [*opens, " to ", *closes], _HANG
            )
        case s.EventGroup():
            flow: Flow = _listed(declaration.events)
            if declaration.where is not None:
                flow += [" where ", *condition_flow(declaration.where)]
            return over_lines(f"events {declaration.name} are ", flow, _HANG)
        case s.Define():
            start = f"define {declaration.name}{_parameters(declaration.parameters)} ="
            body = expression_flow(declaration.body)
            if len(start) + 1 + len(on_one_line(body)) <= WIDTH:
                return [f"{start} {on_one_line(body)}"]
            return [start, *over_lines(_INDENT, body, _HANG)]
        case s.Setting():
            start = f"setting {declaration.name} = {literal_text(declaration.value)}"
            return _titled(start, declaration.why)
        case _:
            raise TypeError(f"{type(declaration).__name__} is not a declaration")


def _rule_head(rule: s.Rule | s.Template) -> Unit:
    if isinstance(rule, s.Template):
        head = f"template {rule.name}{_parameters(rule.parameters)}"
        return Unit(rule.span.start, [head])
    head = f"rule {rule.name}"
    if rule.template is None:
        return Unit(rule.span.start, [head])
    head += f" from {rule.template}"
    flow: Flow = []
    for argument in rule.arguments:
        flow += [",", _BETWEEN_ARGUMENTS] if flow else [" with", _BEFORE_ARGUMENTS]
        flow += [f"{argument.name} = ", *expression_flow(argument.value)]
    end = rule.arguments[-1].span.end if rule.arguments else rule.span.start
    return Unit(rule.span.start, over_lines(head, flow, _HANG), end)


def _table(table: s.Table) -> list[Unit]:
    title = f' "{table.title}"' if table.title else ""
    rows = [table.header, *table.rows]
    lines = table_lines(table)
    return [
        Unit(table.span.start, [f"table {table.name}{title}"]),
        *(Unit.at(row, [_INDENT + line]) for row, line in zip(rows, lines, strict=True)),
    ]


def _interpretation(declaration: s.Interpretation, text: str) -> list[Unit]:
    start = f"interpretation {declaration.name}"
    units = [Unit(declaration.span.start, _titled(start, declaration.title))]
    if declaration.citations:
        at = offset_of_word("cite", text, declaration.span)
        units += clause_units((s.Cite(declaration.citations, span=Span(at, at)),), text)
    for reading in declaration.readings:
        last = " default" if reading.default else ""
        lines = _titled(f"{_INDENT}reading {reading.name}", reading.text, last)
        units.append(Unit.at(reading, lines))
    return units


def _titled(start: str, title: str, last: str = "") -> list[str]:
    return quoted_lines(f"{start} ", title, _HANG, last) if title else [start + last]


def _parameters(names: tuple[str, ...]) -> str:
    return f"({', '.join(names)})" if names else ""


def _listed(names: tuple[str, ...]) -> Flow:
    flow: Flow = []
    for name in names:
        flow += [",", Break(), name] if flow else [name]
    return flow
