"""Reads the two kinds of line that stand outside the grammar: example events and table rows."""

from __future__ import annotations

import re

from rules_dsl import syntax
from rules_dsl.syntax import Span

_EVENT = re.compile(
    r"(?P<next>next\s+day\s+)?(?P<time>[0-9:.]+)[ \t]*(?P<event>[a-z][a-z0-9_]*)?(?P<rest>.*)", re.S
)
_FIELD = re.compile(r'[ \t]*(?P<name>[a-z][a-z0-9_]*)=(?P<value>"[^"]*"|[^\s"]+)')
_HERE = re.compile(r"[ \t]*<-[ \t]*here[ \t]*$")
_CELL = re.compile(r"[0-9]+\s+to\s+[0-9]+|[0-9]+\s+(?:seconds?|minutes?|hours?|days?)\b|[^\s|\\,]+")


class LineProblem(Exception):
    """A line that cannot be read; `span` is the part that is wrong."""

    def __init__(self, code: str, message: str, span: Span, suggestion: str = "") -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.suggestion = suggestion


def read_event_line(text: str, start: int) -> syntax.EventLine:
    """One event of an example, from its text and the offset at which the text begins."""
    match = _EVENT.match(text)
    span = Span(start, start + len(text))
    if match is None or match["event"] is None:
        raise LineProblem(
            "bad-example-line",
            "An example line is a time, an event and its fields.",
            span,
            "write it like `20:00:04 card_burned seat=1`",
        )
    time = _full_time(match["time"], Span(start + match.start("time"), start + match.end("time")))
    fields = []
    at = match.start("rest")
    while found := _FIELD.match(text, at):
        value = found["value"]
        field_span = Span(start + found.start("name"), start + found.end("value"))
        if value.startswith('"'):
            value = value[1:-1]
        fields.append(syntax.EventField(found["name"], value, span=field_span))
        at = found.end()
    here = _HERE.match(text, at) is not None
    if not here and text[at:].strip():
        wrong = text[at:].strip()
        begin = start + text.index(wrong, at)
        raise LineProblem(
            "bad-example-line",
            f"`{wrong.split()[0]}` is neither a field with its value nor the mark `<- here`.",
            Span(begin, begin + len(wrong.split()[0])),
            "write fields as name=value, without blanks around the equals sign",
        )
    return syntax.EventLine(
        time, match["event"], tuple(fields), match["next"] is not None, here, span=span
    )


def _full_time(text: str, span: Span) -> str:
    clock, _, fraction = text.partition(".")
    parts = [int(part) for part in clock.split(":")]
    while len(parts) < 3:
        parts.append(0)
    if parts[0] > 23 or parts[1] > 59 or parts[2] > 59:
        raise LineProblem("bad-example-line", f"`{text}` is not a time of day.", span)
    full = ":".join(f"{part:02d}" for part in parts)
    return f"{full}.{fraction}" if fraction else full


def read_table_row(text: str, start: int) -> syntax.TableRow:
    """One row of a table: keys on the left of the first bar, cells on its right."""
    bar = text.index("|")
    return syntax.TableRow(
        _cells(text, 0, bar, start),
        _cells(text, bar + 1, len(text), start),
        span=Span(start, start + len(text.rstrip())),
    )


def _cells(text: str, begin: int, end: int, start: int) -> tuple[syntax.Cell, ...]:
    return tuple(
        syntax.Cell(
            " ".join(found.group().split()), span=Span(start + found.start(), start + found.end())
        )
        for found in _CELL.finditer(text, begin, end)
    )
