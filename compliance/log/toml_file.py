"""Reads the small files that a user writes (TOML or JSON), with problems by line."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from compliance.log.problems import LogProblem
from event_schemas import did_you_mean
from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.limits import LONGEST_MESSAGE, MOST_SHOWN
from event_schemas.named_values import NotNamedValues, named_values


@dataclass
class UserFile:
    """The content of a file and everything that is wrong with it."""

    name: str
    content: dict[str, Any] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    problems: list[LogProblem] = field(default_factory=list)
    more: int = 0
    """Mistakes beyond those that are told."""

    def add(self, where: Iterable[str], message: str, suggestion: str | None = None) -> None:
        """Note a problem at a key, given by the names that lead to it."""
        if len(self.problems) >= MOST_SHOWN:
            self.more += 1
            return
        if len(message) > LONGEST_MESSAGE:
            # A name or a value of the file that no screen can show.
            message = f"{message[: LONGEST_MESSAGE // 2]}… {message[-LONGEST_MESSAGE // 2 :]}"
        self.problems.append(LogProblem(self.name, message, self._line(tuple(where)), suggestion))

    def check_keys(
        self, table: Mapping[str, Any], allowed: Iterable[str], where: tuple[str, ...] = ()
    ) -> None:
        """Refuse keys that are not known, with the one that may have been meant."""
        known = tuple(allowed)
        place = ".".join(where) or "the file"
        for key in table:
            if key not in known:
                message = f'"{key}" is not known in {place}; known are {", ".join(known)}.'
                self.add((*where, key), message, did_you_mean(key, known))

    def table(self, value: object, where: tuple[str, ...]) -> dict[str, Any]:
        """A table of names, or an empty one with a problem."""
        if isinstance(value, dict):
            return value
        self.add(where, f"{'.'.join(where)} is a table of names.")
        return {}

    def text(self, table: Mapping[str, Any], key: str, where: tuple[str, ...] = ()) -> str | None:
        """A text, or nothing where there is none."""
        value = table.get(key)
        if value is None or isinstance(value, str):
            return value
        self.add((*where, key), f"{'.'.join((*where, key))} is a text.")
        return None

    def sorted_problems(self) -> tuple[LogProblem, ...]:
        """All problems in the order of the file."""
        ordered = sorted(self.problems, key=lambda problem: problem.line or 0)
        if self.more:
            ordered.append(LogProblem(self.name, f"It has {self.more:,} more mistakes."))
        return tuple(ordered)

    def line_of(self, where: tuple[str, ...], text: str) -> int:
        """The line that most likely holds a text at a key."""
        start = self._line(where)
        if len(text) > LONGEST_MESSAGE:
            return start
        quoted = re.compile(rf".*{_written(text)}")
        return self._after(start, quoted) or start

    def _line(self, where: tuple[str, ...]) -> int:
        """The line that most likely holds a key: readers of TOML keep no positions, so search."""
        line = 1
        if sum(map(len, where)) > LONGEST_MESSAGE:
            # No mistake of a hand: to look for such a name takes longer than to read the file.
            return line
        for depth, part in enumerate(where):
            path = r"\s*\.\s*".join(_written(name) for name in where[: depth + 1])
            header = re.compile(rf"\s*\[+\s*{path}\s*[\].]")
            key = re.compile(rf"(.*[\[{{.,\s]|){_written(part)}\s*[=.\]:]")
            line = self._after(line, header) or self._after(line, key) or line
        return line

    def _after(self, start: int, pattern: re.Pattern[str]) -> int | None:
        for number in range(start, len(self.lines) + 1):
            if pattern.match(self.lines[number - 1]):
                return number
        return None


def _written(name: str) -> str:
    return rf"[\"']?{re.escape(name)}[\"']?"


def read_user_file(path: str | Path) -> UserFile:
    """Read TOML, or JSON when the name ends in .json; what is wrong is a problem, not an error."""
    file = Path(path)
    found = UserFile(file.name or str(file))
    try:
        text = file_content(file).text()
        found.lines = text.splitlines()
        found.content = named_values(text, as_json=file.suffix == ".json")
    except UnreadableContent as problem:
        message = f"The file could not be read: {problem.reason}."
        found.problems.append(LogProblem(found.name, message))
    except NotNamedValues as problem:
        found.problems.append(LogProblem(found.name, problem.message, problem.line))
    return found
