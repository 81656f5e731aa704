"""Breaks what is too long for a line: conditions, lists and quoted texts."""

from __future__ import annotations

from typing import NamedTuple

from rules_dsl.parsing.keywords import BEGINS_A_CLAUSE

WIDTH = 100
TEXT_WIDTH = 90
"""How wide the parts of a broken text are: less than what makes one break, so none ends alone."""

_DEEPER = "    "


class Break(NamedTuple):
    """A blank at which a line that is too long may be broken: those of the lowest order first."""

    order: int = 0
    level: int = 0
    """Inside how many brackets it stands; the next line is indented accordingly."""
    fill: bool = True
    """Whether as much stays on a line as fits; otherwise every such break is used, or none."""


# A text in pieces.
Flow = list[str | Break]


def on_one_line(flow: Flow) -> str:
    return "".join(piece if isinstance(piece, str) else " " for piece in flow)


def over_lines(lead: str, flow: Flow, hang: str) -> list[str]:
    """The text after its first word, on one line, or broken where it passes the width."""
    lines = [(lead, flow)]
    for order in sorted({piece.order for piece in flow if isinstance(piece, Break)}):
        broken: list[tuple[str, Flow]] = []
        for start, line in lines:
            if len(start) + len(on_one_line(line)) <= WIDTH:
                broken.append((start, line))
            else:
                broken += _broken(start, line, hang, order)
        lines = broken
    return [(start + on_one_line(line)).rstrip() for start, line in lines]


def _broken(start: str, line: Flow, hang: str, order: int) -> list[tuple[str, Flow]]:
    lines: list[tuple[str, Flow]] = []
    (_, current), *parts = _split(line, order)
    width = len(start) + len(on_one_line(current))
    for end, part in parts:
        length = len(on_one_line(part))
        if end.fill and width + 1 + length <= WIDTH:
            current += [end, *part]
            width += 1 + length
        else:
            lines.append((start, current))
            start, current = hang + _DEEPER * end.level, part
            width = len(start) + length
    return [*lines, (start, current)]


def _split(line: Flow, order: int) -> list[tuple[Break, Flow]]:
    """The parts between the breaks of an order, each with the break before it."""
    parts: list[tuple[Break, Flow]] = [(Break(), [])]
    for index, piece in enumerate(line):
        if isinstance(piece, Break) and piece.order == order and _may_begin_a_line(line[index + 1]):
            parts.append((piece, []))
        else:
            parts[-1][1].append(piece)
    return parts


def _may_begin_a_line(piece: str | Break) -> bool:
    """A name such as `note` at the beginning of a line would be taken for the next clause."""
    return isinstance(piece, str) and piece.partition(" ")[0] not in BEGINS_A_CLAUSE


def quoted_lines(lead: str, text: str, hang: str, last: str = "") -> list[str]:
    """A text in quotation marks; a long one as several texts, one below the other.

    Reading them again joins them with one blank each and takes no other blanks from their ends, so
    they are broken at single blanks only, and not inside the `{...}` of a message.
    """
    if len(f'{lead}"{text}"{last}') <= WIDTH or text != text.strip():
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
        alone = not text[index - 1 : index].isspace() and not text[index + 1 : index + 2].isspace()
        if character == " " and alone and not in_braces:
            parts.append(text[begin:index])
            begin = index + 1
    return [*parts, text[begin:]]
