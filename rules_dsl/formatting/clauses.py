"""Lays out the clauses of a rule, each beginning a line of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from rules_dsl import syntax as s
from rules_dsl.formatting.expressions import expression_flow, literal_text, phrase_flow
from rules_dsl.formatting.lines import Break, Flow, over_lines, quoted_lines

# As in the grammar: what can stand without quotation marks.
CITATION = r"([A-Z][A-Za-z.]*\s+)+[0-9][0-9A-Za-z:.()#\[\]-]*[0-9A-Za-z)\]](\s+\(proposed\))?"
_PLAIN_FIELD = re.compile(r'[^\s"]*[^\s",]')

_STEP = "  "
_HANG = "    "


@dataclass(frozen=True)
class Unit:
    """Lines that belong together, and where in the source they come from."""

    start: int
    lines: list[str]
    end: int = 0

    @classmethod
    def at(cls, node: s.Node, lines: list[str]) -> Unit:
        return cls(node.span.start, lines, node.span.end)


def clause_units(clauses: Iterable[s.Clause], text: str) -> list[Unit]:
    """The lines of the clauses; those of an edition stand deeper than the edition's first line."""
    units: list[Unit] = []
    indent = _STEP
    for clause in clauses:
        if isinstance(clause, s.EditionStart):
            units.append(Unit.at(clause, [_STEP + _plain(clause)]))
            indent = _STEP * 2
        elif isinstance(clause, s.Example):
            units += _example(clause, text, indent)
        else:
            units.append(Unit.at(clause, _clause(clause, indent)))
    return units


def citation_text(citation: str) -> str:
    plain = re.fullmatch(CITATION, citation) and citation == " ".join(citation.split())
    return citation if plain else f'"{citation}"'


def given_unit(given: s.Given, indent: str) -> Unit:
    value = literal_text(given.value)
    return Unit.at(given, [f"{indent}given {given.what} {given.name} is {value}"])


def _clause(clause: s.Clause, indent: str) -> list[str]:
    hang = indent + _HANG
    match clause:
        case s.Title():
            return quoted_lines(indent, clause.text, indent)
        case s.Say():
            return quoted_lines(f"{indent}otherwise say ", clause.text, hang)
        case s.Remedy():
            return quoted_lines(f"{indent}remedy ", clause.text, hang)
        case s.Note():
            return quoted_lines(f"{indent}note ", clause.text, hang)
        case s.NotInForce():
            start = f"{indent}not in force from {clause.since} until {clause.until}"
            return quoted_lines(f"{start} ", clause.reason, hang) if clause.reason else [start]
        case s.InForce() | s.Severity() | s.KindOf() | s.WhenEnds():
            return [indent + _plain(clause)]
        case s.Cite():
            return over_lines(f"{indent}cite ", _commas(map(citation_text, clause.citations)), hang)
        case s.ForEach():
            keys = (f"every {key.name}" if key.every else key.name for key in clause.keys)
            return over_lines(f"{indent}for each ", _commas(keys), hang)
        case s.When():
            first = "first " if clause.first else ""
            return over_lines(f"{indent}when {first}", phrase_flow(clause.phrase), hang)
        case _:
            return _with_condition(clause, indent)


def _plain(clause: s.Clause) -> str:
    match clause:
        case s.InForce():
            return f"in force from {clause.since}{_until(clause.until)}"
        case s.EditionStart():
            label = f' "{clause.label}"' if clause.label else ""
            return f"edition{label} from {clause.since}{_until(clause.until)}"
        case s.Severity():
            return f"severity {clause.level}"
        case s.KindOf():
            return f"kind {clause.kind}"
        case s.WhenEnds():
            return f"when {clause.interval} ends"
        case _:
            raise TypeError(f"{type(clause).__name__} is not a plain clause")


def _with_condition(clause: s.Clause, indent: str) -> list[str]:
    hang = indent + _HANG
    match clause:
        case s.Let():
            return over_lines(f"{indent}let {clause.name} = ", expression_flow(clause.value), hang)
        case s.OnlyIf():
            return over_lines(f"{indent}only if ", expression_flow(clause.condition), hang)
        case s.Require():
            return over_lines(f"{indent}require ", expression_flow(clause.condition), hang)
        case s.Forbid():
            return over_lines(f"{indent}forbid ", expression_flow(clause.condition), hang)
        case s.Except():
            start = f"{indent}except under {citation_text(clause.authority)} when "
            return over_lines(start, expression_flow(clause.condition), hang)
        case s.ButNot():
            start = f"{indent}{_STEP}but not under {citation_text(clause.authority)} when "
            return over_lines(start, expression_flow(clause.condition), hang + _STEP)
        case _:
            raise TypeError(f"{type(clause).__name__} is not a clause")


def _example(example: s.Example, text: str, indent: str) -> list[Unit]:
    deeper = indent + _STEP
    start = f"{indent}example {example.expected}"
    head = quoted_lines(f"{start} ", example.title, indent + _HANG) if example.title else [start]
    units = [Unit(example.span.start, head)]
    if example.date is not None:
        at = offset_of_word(rf"on(?=\s+{example.date})", text, example.span)
        units.append(Unit(at, [f"{deeper}on {example.date}"], at))
    units += [given_unit(given, deeper) for given in example.given]
    units += [Unit.at(line, [deeper + _event_line(line)]) for line in example.lines]
    return units


def _event_line(line: s.EventLine) -> str:
    words = ["next day"] if line.next_day else []
    words += [line.time, line.event]
    words += [f"{field.name}={_field_text(field.text)}" for field in line.fields]
    return " ".join(words) + ("   <- here" if line.here else "")


def _field_text(text: str) -> str:
    return text if _PLAIN_FIELD.fullmatch(text) else f'"{text}"'


def _until(date: str | None) -> str:
    return f" until {date}" if date is not None else ""


def _commas(texts: Iterable[str]) -> Flow:
    flow: Flow = []
    for text in texts:
        flow += [",", Break(), text] if flow else [text]
    return flow


def offset_of_word(word: str, text: str, span: s.Span) -> int:
    """Where a word stands, outside texts and comments: for parts that do not keep their place."""
    pattern = re.compile(rf'"[^"\n]*"|--[^\n]*|(?<![\w=])(?P<word>{word})\b')
    for match in pattern.finditer(text, span.start, span.end):
        if match["word"]:
            return match.start()
    return span.start
