"""Spoils rule texts the way tired fingers, bad editors and ill will do."""

from __future__ import annotations

import random
import re
from collections.abc import Callable

from rules_dsl.parsing.parser import grammar

Mutation = Callable[[str, random.Random], str]

KEYWORDS: list[str] = [
    *sorted(set(re.findall(r'"([a-z]+)"', grammar()))),
    "at least",
    "but not",
    "for each",
    "in force from",
    "in the",
    "is one of (",
    "not in force from",
    "only if",
    "otherwise say",
    "since the last",
    "so far",
    "with same",
]
ODDITIES = [
    *"\0\t\r\f\v\n\\\"'`(),.:;|<>=!$%&*+-/?@[]^_{}~#",
    "\r\n",
    "--",
    "<-",
    "<- here",
    "\ufeff",
    "\u00a0",
    "\u2028",
    "\u201c",
    "\u2019",
    "\u2013",
    "\u2660",
    "\u00e9",
    "\U0001f0a1",
    "\u0661",
    "20:00",
    "99:99:99.",
    "1996-05-20",
    "3 to 2",
    "$1,000",
    "5%",
    "JOKER",
    "N.J.A.C. 19:47-2.6(c)",
    "((((",
    "{seat",
]


def _spot(text: str, chance: random.Random) -> int:
    return chance.randint(0, len(text))


def _stretch(text: str, chance: random.Random) -> tuple[int, int]:
    start = _spot(text, chance)
    return start, min(len(text), start + chance.choice([1, 1, 2, 5, 20, 80]))


def delete(text: str, chance: random.Random) -> str:
    start, end = _stretch(text, chance)
    return text[:start] + text[end:]


def double(text: str, chance: random.Random) -> str:
    start, end = _stretch(text, chance)
    return text[:end] + text[start:end] * chance.choice([1, 1, 30]) + text[end:]


def swap(text: str, chance: random.Random) -> str:
    a, b, c, d = sorted(_spot(text, chance) for _ in range(4))
    return text[:a] + text[c:d] + text[b:c] + text[a:b] + text[d:]


def insert(text: str, chance: random.Random) -> str:
    at = _spot(text, chance)
    piece: str = chance.choice(
        [*ODDITIES, f" {chance.choice(KEYWORDS)} ", chr(chance.randint(0, 0xD7FF))]
    )
    return text[:at] + piece + text[at:]


def _on_words(text: str, chance: random.Random) -> str:
    pieces: list[str] = re.split(r"(\s+)", text)
    at = chance.randrange(len(pieces))
    match chance.randrange(4):
        case 0:
            pieces[at] = chance.choice(KEYWORDS)
        case 1:
            pieces[at] = ""
        case 2:
            pieces[at] = pieces[at] + " " + pieces[at]
        case _:
            other = chance.randrange(len(pieces))
            pieces[at], pieces[other] = pieces[other], pieces[at]
    return "".join(pieces)


def _on_lines(text: str, chance: random.Random) -> str:
    lines = text.split("\n")
    at = chance.randrange(len(lines))
    match chance.randrange(5):
        case 0:
            del lines[at]
        case 1:
            lines.insert(at, lines[chance.randrange(len(lines))])
        case 2:
            lines[at] = lines[at].lstrip()
        case 3:
            lines[at] = "    " + lines[at]
        case _:
            lines[at] = lines[at].upper()
    return "\n".join(lines)


def _line_ends(text: str, chance: random.Random) -> str:
    return text.replace("\n", chance.choice(["\r\n", "\r", "\n\n", "\n\t", " "]))


def _cut_off(text: str, chance: random.Random) -> str:
    return text[: _spot(text, chance)]


MUTATIONS: list[Mutation] = [
    delete,
    double,
    swap,
    insert,
    insert,
    _on_words,
    _on_words,
    _on_lines,
    _line_ends,
    _cut_off,
]


def spoiled(text: str, chance: random.Random) -> str:
    """The text after one to five accidents."""
    for _ in range(chance.choice([1, 1, 1, 2, 3, 5])):
        text = chance.choice(MUTATIONS)(text, chance)
    return text
