"""Breaks what is too long for a line: conditions, lists and quoted texts."""

from __future__ import annotations

from rules_dsl.keywords import BEGINS_A_CLAUSE

WIDTH = 100
TEXT_WIDTH = 90
"""How wide the parts of a broken text are: less than what makes one break, so none ends alone."""

# Pieces of text; a number is a blank at which the line may be broken, the lowest first.
Flow = list[str | int]

HEAD_BREAK, ARGUMENT_BREAK = -2, -1
SUM_BREAK, TAIL_BREAK = 1_000, 2_000
"""Before a sign, and before a `where` or a scope: when there is no `and` left to break at."""
LIST_BREAK = 3_000
"""The last resort, after the comma of a list: as many on a line as fit."""


def on_one_line(flow: Flow) -> str:
    return "".join(piece if isinstance(piece, str) else " " for piece in flow)


def over_lines(lead: str, flow: Flow, hang: str) -> list[str]:
    """The text after its first word, on one line, or broken where it passes the width."""
    lines = [(lead, flow)]
    for depth in sorted({piece for piece in flow if isinstance(piece, int)}):
        broken: list[tuple[str, Flow]] = []
        for start, line in lines:
            if len(start) + len(on_one_line(line)) <= WIDTH:
                broken.append((start, line))
            elif depth == LIST_BREAK:
                broken += _filled(start, line, hang)
            else:
                first, *rest = _split(line, depth)
                broken += [(start, first), *((hang, part) for part in rest)]
        lines = broken
    return [(start + on_one_line(line)).rstrip() for start, line in lines]


def _split(line: Flow, depth: int) -> list[Flow]:
    parts: list[Flow] = [[]]
    for index, piece in enumerate(line):
        if piece == depth and _may_begin_a_line(line[index + 1 : index + 2]):
            parts.append([])
        else:
            parts[-1].append(piece)
    return parts


def _filled(start: str, line: Flow, hang: str) -> list[tuple[str, Flow]]:
    lines: list[tuple[str, Flow]] = []
    current: Flow = []
    lead = start
    for part in _split(line, LIST_BREAK):
        longer: Flow = [*current, LIST_BREAK, *part] if current else part
        fits = len(lead) + len(on_one_line(longer)) <= WIDTH
        if current and not fits:
            lines.append((lead, current))
            current, lead = part, hang
        else:
            current = longer
    return [*lines, (lead, current)]


def _may_begin_a_line(rest: Flow) -> bool:
    """A name such as `note` at the beginning of a line would be taken for the next clause."""
    return on_one_line(rest).partition(" ")[0] not in BEGINS_A_CLAUSE


def quoted_lines(lead: str, text: str, hang: str, last: str = "") -> list[str]:
    """A text in quotation marks; a long one as several texts, one below the other.

    Reading them again joins them with one blank each, so they are broken at single blanks only,
    and not inside the `{...}` of a message.
    """
    if len(f'{lead}"{text}"{last}') <= WIDTH:
        return [f'{lead}"{text}"{last}']
    lines: list[str] = []
    start, current = lead, ""
    for index, part in enumerate(_parts_between_single_blanks(text)):
        longer = f"{current} {part}" if index else part
        if index and len(f'{start}"{longer}"') > TEXT_WIDTH:
            lines.append(f'{start}"{current}"')
            start, current = hang, part
        else:
            current = longer
    return [*lines, f'{start}"{current}"{last}']


def _parts_between_single_blanks(text: str) -> list[str]:
    parts: list[str] = []
    begin, in_braces = 0, False
    for index, character in enumerate(text):
        if character in "{}":
            in_braces = character == "{"
        around = text[max(0, index - 1) : index + 2]
        if character == " " and not in_braces and len(around) == 3 and around.count(" ") == 1:
            parts.append(text[begin:index])
            begin = index + 1
    return [*parts, text[begin:]]
