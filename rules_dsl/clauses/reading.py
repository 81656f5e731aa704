"""Reads the clause map of a rulebook. What is wrong with it is collected, as with rules."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Any

from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.named_values import NotNamedValues, named_values
from rules_dsl.clauses.model import ANY_TABLE, KINDS, REASONS, Clause, Text
from rules_dsl.clauses.sheet import Sheet
from rules_dsl.clauses.where import Places
from rules_dsl.diagnostics import Diagnostic, nearest
from rules_dsl.rule_files import TEXTS
from rules_dsl.source import Source

_HEAD = {"section": str, "title": str, "texts": list, "game": str}
_ROW = {
    "clause": str,
    "says": str,
    "kind": str,
    "texts": list,
    "game": str,
    "rules": list,
    "reason": str,
    "why": str,
    "note": str,
    "from": date,
    "until": date,
}
_TEXT = {
    "key": str,
    "source": str,
    "what": str,
    "stands": date,
    "begins": date,
    "formerly": dict,
    "law_by": str,
}


@dataclass
class ClauseMap:
    """What the files of a clause map say, and what is wrong with them."""

    texts: list[Text] = field(default_factory=list)
    clauses: list[Clause] = field(default_factory=list)
    sources: list[Source] = field(default_factory=list)
    diagnostics: list[Diagnostic] = field(default_factory=list)


def read_clauses(
    files: Sequence[Path], rules: Mapping[str, str], games: Collection[str]
) -> ClauseMap:
    """Read the files against the rules of the rulebook (name and kind) and the known games."""
    reader = _Reader(rules, (*games, ANY_TABLE))
    for file in files:
        reader.file(file)
    return reader.found


class _Reader:
    def __init__(self, rules: Mapping[str, str], games: Collection[str]) -> None:
        self.found = ClauseMap()
        self._rules = rules
        self._games = games
        self._seen: dict[tuple[str, str], tuple[Source, int]] = {}

    def file(self, path: Path) -> None:
        try:
            text = file_content(path).text()
        except UnreadableContent as problem:
            message = f"`{path}` cannot be read: {problem.reason}."
            self.found.diagnostics.append(
                Diagnostic("unreadable-file", message, Source(str(path), ""))
            )
            return
        source = Source(str(path), text)
        self.found.sources.append(source)
        sheet = Sheet(source, Places(source), self.found.diagnostics)
        try:
            data = named_values(text)
        except NotNamedValues as problem:
            sheet.report("syntax", problem.message, sheet.places.at(problem.line, problem.column))
            return
        if path.name == TEXTS:
            self._texts(sheet, data)
        else:
            self._section(sheet, data)

    # ---- texts -----------------------------------------------------------------------------

    def _texts(self, sheet: Sheet, data: dict[str, Any]) -> None:
        for index, row in enumerate(sheet.rows(data, "text", {})):
            if not sheet.fits(row, _TEXT, ("key", "source", "what", "stands"), index):
                continue
            if row["key"] in {text.key for text in self.found.texts}:
                message = f"The text `{row['key']}` stands here twice."
                sheet.at("declared-twice", message, index, "key", row["key"])
                continue
            self.found.texts.append(
                Text(
                    row["key"],
                    row["source"],
                    row["what"],
                    row["stands"].isoformat(),
                    _iso(row.get("begins")),
                    dict(row.get("formerly", {})),
                    _law_by(row.get("law_by")),
                )
            )

    # ---- clauses ---------------------------------------------------------------------------

    def _section(self, sheet: Sheet, data: dict[str, Any]) -> None:
        rows = sheet.rows(data, "row", _HEAD)
        head = {name: value for name, value in data.items() if name != "row"}
        if not sheet.fits(head, _HEAD, tuple(_HEAD), None):
            return
        if not self._known(sheet, head, None):
            return
        for index, row in enumerate(rows):
            if sheet.fits(row, _ROW, ("clause", "says", "kind"), index):
                self._row(sheet, head, row, index)

    def _row(self, sheet: Sheet, head: dict[str, Any], row: dict[str, Any], index: int) -> None:
        good = self._known(sheet, row, index)
        clause = str(row["clause"])
        if not clause.startswith(head["section"]):
            message = f"`{clause}` is no clause of the section {head['section']}."
            sheet.at("bad-value", message, index, "clause", clause)
            good = False
        texts = tuple(row.get("texts", head["texts"]))
        good = self._once(sheet, clause, texts, index) and good
        good = self._covering(sheet, row, index) and good
        since, until = row.get("from"), row.get("until")
        if since and until and until <= since:
            sheet.at("bad-date", "This clause ends before it begins.", index, "until")
            good = False
        if good:
            self.found.clauses.append(
                Clause(
                    clause,
                    texts,
                    head["section"],
                    head["title"],
                    row.get("game", head["game"]),
                    row["says"],
                    row["kind"],
                    tuple(row.get("rules", ())),
                    row.get("reason", ""),
                    row.get("why", ""),
                    row.get("note", ""),
                    _iso(since),
                    _iso(until),
                )
            )

    def _known(self, sheet: Sheet, row: dict[str, Any], index: int | None) -> bool:
        """Whether the words of closed lists are among them."""
        texts = [text.key for text in self.found.texts]
        return all(
            [
                *(
                    sheet.one_of(word, texts, "text", "texts", index)
                    for word in row.get("texts", ())
                ),
                *(
                    sheet.one_of(row[key], known, key, key, index)
                    for key, known in (("game", self._games), ("kind", KINDS), ("reason", REASONS))
                    if row.get(key)
                ),
            ]
        )

    def _once(self, sheet: Sheet, clause: str, texts: tuple[str, ...], index: int) -> bool:
        place = sheet.places.of(index, "clause", clause)
        for text in texts:
            before = self._seen.setdefault((clause, text), (sheet.source, place.start))
            if before != (sheet.source, place.start):
                line = before[0].position(before[1])[0]
                sheet.report(
                    "declared-twice",
                    f"`{clause}` of the text {text} already stands in line {line}"
                    f" of `{Path(before[0].name).name}`.",
                    place,
                )
                return False
        return True

    def _covering(self, sheet: Sheet, row: dict[str, Any], index: int) -> bool:
        """Whether the row names rules or a reason, and such as there are."""
        rules = row.get("rules", [])
        good = True
        for name in rules:
            if name not in self._rules:
                sheet.at(
                    "unknown-name",
                    f"There is no rule `{name}`.",
                    index,
                    "rules",
                    name,
                    nearest(name, self._rules),
                )
                good = False
            elif self._rules[name] == "indicator":
                message = f"`{name}` is an indicator: it shows no breach, so it covers no clause."
                sheet.at("bad-value", message, index, "rules", name)
                good = False
        if rules and row.get("reason"):
            message = "This clause has rules and also a reason why no log can show it."
            sheet.at("bad-value", message, index, "reason", row["reason"], "keep one of the two")
            good = False
        if bool(row.get("reason")) != bool(row.get("why")):
            lacking = "why" if row.get("reason") else "reason"
            given = "reason" if row.get("reason") else "why"
            sheet.at("missing-field", f"`{given}` stands here without `{lacking}`.", index, given)
            good = False
        return good


def _law_by(text: str | None) -> tuple[str, str] | None:
    if text is None:
        return None
    interpretation, _, reading = text.partition(" is ")
    return interpretation, reading


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None
