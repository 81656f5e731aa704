"""One file of the clause map while it is read: what its rows may hold, and how to complain."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from rules_dsl.clauses.where import Places
from rules_dsl.diagnostics import Diagnostic, listed, nearest
from rules_dsl.source import Source
from rules_dsl.syntax import Span

_NAMES: dict[type, str] = {
    str: "a text in quotes",
    list: "a list of texts in quotes",
    dict: "a table of texts",
}


@dataclass(frozen=True)
class Sheet:
    """One file, and how to complain about it."""

    source: Source
    places: Places
    diagnostics: list[Diagnostic]

    def report(self, code: str, message: str, span: Span, suggestion: str = "") -> None:
        self.diagnostics.append(Diagnostic(code, message, self.source, span, suggestion))

    def at(
        self,
        code: str,
        message: str,
        row: int | None,
        key: str = "",
        word: str = "",
        suggestion: str = "",
    ) -> None:
        self.report(code, message, self.places.of(row, key, word), suggestion)

    def rows(self, data: dict[str, Any], name: str, others: Collection[str]) -> list[Any]:
        """The rows of a file, which has nothing else but its head."""
        for key in data:
            if key != name and key not in others:
                self._unknown(key, [name, *others], None)
        rows = data.get(name, [])
        if isinstance(rows, list) and all(isinstance(row, dict) for row in rows):
            return rows
        self.at("bad-value", f"`{name}` is written as `[[{name}]]`.", None, name)
        return []

    def fits(
        self,
        row: dict[str, Any],
        kinds: Mapping[str, type],
        needed: Sequence[str],
        index: int | None,
    ) -> bool:
        """Whether a row has what it needs, nothing unknown, and every value of its kind."""
        good = True
        for key in needed:
            if row.get(key) in (None, "", []):
                message = f"This {'file' if index is None else 'row'} has no `{key}`."
                self.at("missing-field", message, index)
                good = False
        for key, value in row.items():
            if key not in kinds:
                if index is not None:
                    self._unknown(key, kinds, index)
                good = False
            elif not _is(value, kinds[key]):
                code = "bad-date" if kinds[key] is date else "bad-value"
                wanted = _NAMES.get(kinds[key], "a date like 1999-07-06, without quotes")
                self.at(code, f"`{key}` must be {wanted}.", index, key)
                good = False
        return good

    def one_of(
        self, word: str, known: Collection[str], what: str, key: str, index: int | None
    ) -> bool:
        if word in known:
            return True
        suggestion = nearest(word, known) or f"known are {listed(known, 12, 'and')}"
        self.at("unknown-value", f"There is no {what} `{word}`.", index, key, word, suggestion)
        return False

    def _unknown(self, key: str, known: Collection[str], index: int | None) -> None:
        suggestion = nearest(key, known) or f"known are {listed(known, 12, 'and')}"
        self.at("unknown-field", f"There is no key `{key}` here.", index, key, "", suggestion)


def _is(value: object, kind: type) -> bool:
    if kind is list:
        return isinstance(value, list) and all(isinstance(item, str) for item in value)
    if kind is dict:
        return isinstance(value, dict) and all(isinstance(item, str) for item in value.values())
    # A date and time is a date to Python, but the law changes by the day.
    return type(value) is kind
