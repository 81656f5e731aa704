"""Reads the two kinds of line that stand outside the grammar: example events and table rows."""

from __future__ import annotations

import re

from rules_dsl import syntax
from rules_dsl.parsing.wording import shown
from rules_dsl.syntax import Span

_EVENT = re.compile(
    r"(?P<next>next\s+day\s+)?(?P<time>\S+)[ \t]*(?P<event>[a-z][a-z0-9_]*(?![^\s<]))?(?P<rest>.*)",
    re.S,
)
_PLAIN_TIME = re.compile(r"(?:[01][0-9]|2[0-3])(?::[0-5][0-9]){2}")
_TIME = re.compile(r"([0-9]{1,2}):([0-9]{2})(?::([0-9]{2})(?:\.([0-9]+))?)?")
_FIELD = re.compile(r'[ \t]*(?P<name>[a-z][a-z0-9_]*)=(?P<value>"[^"]*"|[^\s"]+)(?!\S)')
_EVENT_IN_WORDS = re.compile(
    r"[a-z][a-z0-9]*(?:[ \t]+(?!here\b)[a-z][a-z0-9_]*(?![^\s]|\s*=)){1,4}"
)
_HERE = re.compile(r"[ \t]*<-[ \t]*here[ \t]*$")
_SPACED_FIELD = re.compile(r"(?P<name>[a-z][a-z0-9_]*)(?: = ?| ?= )(?P<value>[^\s=]+)")
_NAMED_LIKE_A_FIELD = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9_]*)=(?P<value>\S*)")
_LIKE_THE_MARK = re.compile(
    r"(?:[<←][-=<>]*|[-=]+>|\^+) ?(?:[a-z]*$|here\b)|(?:here|hier|hear)$", re.I
)
_CELL = re.compile(
    r"[0-9]+\s+to\s+[0-9]+|[0-9]+\s+(?:seconds?|minutes?|hours?|days?)\b"
    r"|\$[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]{1,2})?(?![0-9])|[^\s|\\,]+"
)


class LineProblem(Exception):
    """Something that was read but makes no sense; `span` is the part that is wrong."""

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
    if match is None:
        raise _no_event(span)
    time = _full_time(match["time"], Span(start + match.start("time"), start + match.end("time")))
    if match["event"] is None:
        raise _no_event(span)
    fields = []
    at = match.start("rest")
    while found := _FIELD.match(text, at):
        fields.append(_field(found, start))
        at = found.end()
    here = _HERE.match(text, at) is not None
    if not here and text[at:].strip():
        if not fields and (words := _EVENT_IN_WORDS.match(text, match.start("event"))):
            raise _problem(
                "The name of an event is one word.",
                Span(start + words.start(), start + words.end()),
                f"write `{shown('_'.join(words.group().split()))}`",
            )
        raise _bad_rest(text, at, start)
    return syntax.EventLine(
        time, match["event"], tuple(fields), match["next"] is not None, here, span=span
    )


def _field(found: re.Match[str], start: int) -> syntax.EventField:
    value = found["value"]
    span = Span(start + found.start("name"), start + found.end("value"))
    if value.startswith('"'):
        value = value[1:-1]
    elif value.endswith(","):
        raise _problem(
            "The fields of an example line are not separated by commas.",
            Span(span.end - 1, span.end),
            "leave the comma out",
        )
    return syntax.EventField(found["name"], value, span=span)


def _full_time(text: str, span: Span) -> str:
    if len(text) == 8 and _PLAIN_TIME.fullmatch(text):
        return text
    match = _TIME.fullmatch(text)
    parts = [int(part or 0) for part in match.groups()[:3]] if match else [24]
    if match is None or parts[0] > 23 or parts[1] > 59 or parts[2] > 59:
        raise _problem(f"`{shown(text)}` is not a time of day.", span, "write it like `20:00:04`")
    full = ":".join(f"{part:02d}" for part in parts)
    return f"{full}.{match[4]}" if match[4] else full


def _no_event(span: Span) -> LineProblem:
    return _problem(
        "An example line is a time, an event and its fields.",
        span,
        "write it like `20:00:04 card_burned seat=1`",
    )


def _bad_rest(text: str, at: int, start: int) -> LineProblem:
    """What is wrong with the part of an example line that could not be read."""
    rest = text[at:].strip()
    begin = start + text.index(rest, at)
    word = rest.split()[0]
    span = Span(begin, begin + len(word))
    whole = Span(begin, begin + len(rest))
    # The patterns look at a short piece with single blanks, so that no line is slow to explain.
    short = " ".join(rest[:200].split())
    if rest.startswith("<-") and _HERE.match(" " + " ".join(rest.split()[:2])):
        return _problem("`<- here` is the last thing on its line.", whole, "move it to the end")
    if spaced := _SPACED_FIELD.match(short):
        return _problem(
            f"Blanks stand around the equals sign of `{shown(spaced['name'])}`.",
            span,
            f"write `{shown(spaced['name'])}={shown(spaced['value'])}`",
        )
    if _LIKE_THE_MARK.match(short):
        return _problem(
            f"`{shown(short)}` is not the mark of a violation.", whole, "write `<- here`"
        )
    field = _NAMED_LIKE_A_FIELD.match(word)
    if field is None:
        return _problem(
            f"`{shown(word)}` is neither a field with its value nor the mark `<- here`.",
            span,
            "write fields as name=value, without blanks around the equals sign",
        )
    name, value = field["name"], field["value"]
    if not value:
        return _problem(
            f"The field `{shown(name)}` has no value.",
            span,
            "write its value after the equals sign",
        )
    if value.startswith('"') and value.count('"') == 1 and '"' not in rest[len(word) :]:
        return _problem(
            f"The text after `{shown(name)}=` has no closing quotation mark.",
            span,
            'close it with `"`',
        )
    if name != name.lower():
        return _problem(
            f"`{shown(name)}` has capital letters; names are written in small letters.",
            span,
            f"write `{shown(name.lower())}`",
        )
    return _problem(
        f"The value of `{shown(name)}` has a quotation mark inside.",
        span,
        "put quotation marks around the whole value, or none",
    )


def _problem(message: str, span: Span, suggestion: str) -> LineProblem:
    return LineProblem("bad-example-line", message, span, suggestion)


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
