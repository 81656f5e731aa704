"""Where in a JSON text a value stands, for messages about it."""

from __future__ import annotations

import json
from collections.abc import Sequence

_BLANKS = " \t\r\n"


def line_of(text: str, keys: Sequence[int | str]) -> int:
    """The line on which the value begins that some keys lead to, as far as they lead."""
    place = _skip(text, 0)
    for key in keys:
        inner = _inside(text, place, key)
        if inner is None:
            break
        place = inner
    return text.count("\n", 0, place) + 1


def _inside(text: str, place: int, key: int | str) -> int | None:
    """Where the value of a key, or of a number in a list, begins."""
    decoder = json.JSONDecoder()
    is_object = text[place] == "{"
    if text[place] not in "{[" or is_object != isinstance(key, str):
        return None
    number, place = 0, _skip(text, place + 1)
    while text[place] not in "}]":
        found: int | str = number
        if is_object:
            found, place = decoder.raw_decode(text, place)
            place = _skip(text, _skip(text, place) + 1)
        if found == key:
            return place
        place = _skip(text, decoder.raw_decode(text, place)[1])
        if text[place] == ",":
            place = _skip(text, place + 1)
        number += 1
    return None


def _skip(text: str, place: int) -> int:
    while place < len(text) and text[place] in _BLANKS:
        place += 1
    return place
