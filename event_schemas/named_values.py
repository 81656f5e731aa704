"""Reads the small files that people write, TOML or JSON: a mistake is a sentence with a place."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterator
from typing import Any, Final

from event_schemas.limits import DEEPEST_DATA, LARGEST_SEQ

_LONG_NUMBER: Final = re.compile(r"(?<![\w.])[-+]?(?:0[xob])?[\da-fA-F_]{19,}")
_LONG_CHAIN: Final = re.compile(rf"(?<![\w\"'-])(?:[\w\"'-]++[ \t]*+\.[ \t]*+){{{DEEPEST_DATA},}}")
_TOO_DEEP: Final = f"it is nested more than {DEEPEST_DATA} deep"


class NotNamedValues(Exception):
    """What is wrong with a text, and where."""

    def __init__(self, message: str, line: int, column: int = 1) -> None:
        super().__init__(message)
        self.message = message
        self.line = line
        self.column = column


def named_values(text: str, *, as_json: bool = False) -> dict[str, Any]:
    """The names and values of a text, none nested too deeply and no number beyond all reason."""
    form = "JSON" if as_json else "TOML"
    chain = None if as_json else _LONG_CHAIN.search(text)
    if chain is not None:
        # Who reads TOML goes through such a chain once for each of its points.
        line = 1 + text.count("\n", 0, chain.start())
        raise NotNamedValues(f"It cannot be read: {_TOO_DEEP}.", line)
    try:
        content = _json(text) if as_json else tomllib.loads(text)
    except json.JSONDecodeError as problem:
        said = problem.msg.rstrip(".").lower()
        place = problem.lineno, problem.colno
        raise NotNamedValues(f"It is not valid JSON: {said}.", *place) from None
    except tomllib.TOMLDecodeError as problem:
        said, found = str(problem), re.search(r"\(at line (\d+), column (\d+)\)", str(problem))
        lines = text.split("\n")
        place = (len(lines), len(lines[-1]) + 1) if not found else (int(found[1]), int(found[2]))
        raise NotNamedValues(f"It is not valid TOML: {said}.", *place) from None
    except RecursionError:
        raise NotNamedValues(f"It cannot be read: {_TOO_DEEP}.", _deepest_line(text)) from None
    except ValueError:
        # Python reads no number of thousands of digits, and no day or time that no calendar has.
        raise NotNamedValues(
            "It cannot be read: a number in it is too long, or a time is none.", _long_line(text)
        ) from None
    if not isinstance(content, dict):
        raise NotNamedValues(f"It is {form} without names for its values.", 1)
    for depth, value in _parts(content):
        if depth > DEEPEST_DATA:
            raise NotNamedValues(f"It cannot be read: {_TOO_DEEP}.", _deepest_line(text))
        if isinstance(value, int) and abs(value) > LARGEST_SEQ:
            message = "It cannot be read: a number in it is too large."
            raise NotNamedValues(message, _long_line(text))
    return content


def _json(text: str) -> Any:
    """The same with names that stand there once, as in TOML."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs):
            names = [name for name, _ in pairs]
            twice = next(name for name in names if names.count(name) > 1)
            line = 1 + text.count("\n", 0, text.rfind(json.dumps(twice)))
            raise NotNamedValues(f"It cannot be read: {twice} stands there twice.", line)
        return found

    return json.loads(text, object_pairs_hook=once)


def _parts(content: dict[str, Any]) -> Iterator[tuple[int, Any]]:
    """All values with their depth, found without climbing down by calls."""
    waiting: list[tuple[int, Any]] = [(0, content)]
    while waiting:
        depth, value = waiting.pop()
        yield depth, value
        if depth <= DEEPEST_DATA and isinstance(value, dict | list):
            inside = value.values() if isinstance(value, dict) else value
            waiting.extend((depth + 1, part) for part in inside)


def _long_line(text: str) -> int:
    found = _LONG_NUMBER.search(text)
    return 1 + text.count("\n", 0, found.start()) if found else 1


def _deepest_line(text: str) -> int:
    """The line with the most brackets or points, where the nesting most likely is."""
    lines = text.splitlines()
    return 1 + max(range(len(lines)), key=lambda n: sum(map(lines[n].count, "[{.")), default=0)
