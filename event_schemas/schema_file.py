"""Reads a TOML file in which a user adds event types, enums and options, without any Python."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.kinds import PLAIN_KINDS, EnumType, Kind, enum_kind, from_log, within_range
from event_schemas.limits import LONGEST_MESSAGE, MOST_SHOWN
from event_schemas.named_values import NotNamedValues, named_values
from event_schemas.options import OptionType
from event_schemas.registry import EventType, FieldType, Schema, builtin_schema, shared_fields
from event_schemas.reserved_words import RESERVED_WORDS
from event_schemas.suggestions import did_you_mean
from event_schemas.values import ValueProblem

_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_TOP_KEYS: Final = ("name", "doc", "extends", "events", "enums", "options")
_ENUM_KEYS: Final = ("doc", "values", "add", "ordered")
_EVENT_KEYS: Final = ("doc", "fields")
_FIELD_KEYS: Final = ("kind", "doc", "required")
_OPTION_KEYS: Final = ("kind", "doc", "default", "citation")


@dataclass(frozen=True, slots=True)
class SchemaProblem:
    """One mistake in a schema file: where it is, what is wrong, and what may have been meant."""

    file: str
    line: int
    message: str
    suggestion: str | None = None

    def __str__(self) -> str:
        guess = f" Did you mean {self.suggestion}?" if self.suggestion else ""
        return f"{self.file}:{self.line}: {self.message}{guess}"


def load_schema(
    path: str | Path, base: Schema | None = None
) -> tuple[Schema | None, list[SchemaProblem]]:
    """Read a schema file; with any problem there is no schema, and all problems are listed.

    The file says `extends = "builtin"` (or gives nothing away when `base` is passed) to add to a
    vocabulary, or `extends = "nothing"` to start an empty one.
    """
    name = str(path)
    try:
        text = file_content(path).text()
        content = named_values(text)
    except UnreadableContent as problem:
        return None, [SchemaProblem(name, 1, f"The file could not be read: {problem.reason}.")]
    except NotNamedValues as problem:
        return None, [SchemaProblem(name, problem.line, problem.message)]
    reader = _Reader(name, text)
    schema = reader.schema(content, base, default_name=Path(path).stem)
    problems = sorted(reader.problems, key=lambda problem: problem.line)
    if reader.more:
        problems.append(SchemaProblem(name, problems[-1].line, f"{reader.more:,} more mistakes."))
    return (None if problems else schema), problems


class _Reader:
    """Walks the file's tables once and collects every problem on the way."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.lines = text.splitlines()
        self.problems: list[SchemaProblem] = []
        self.more = 0
        """Mistakes beyond those that are told."""

    def schema(self, content: dict[str, Any], base: Schema | None, default_name: str) -> Schema:
        self._check_keys(content, _TOP_KEYS, "the file")
        start = self._start(content.get("extends", "builtin"), base)
        enums = dict(start.enums)
        for name, table in self._tables(content, "enums"):
            self._enum(name, table, enums)
        events = _with_enums(start.events, start.enums, enums)
        options = {
            name: replace(option, kind=_renewed(option.kind, enums))
            for name, option in start.options.items()
        }
        for name, table in self._tables(content, "events"):
            self._event(name, table, events, enums)
        for name, table in self._tables(content, "options"):
            self._option(name, table, options, enums)
        name = content.get("name", default_name)
        if not isinstance(name, str):
            self._add("name", "name is a text.")
        return Schema(str(name), events, enums, options)

    def _start(self, extends: object, base: Schema | None) -> Schema:
        if extends == "builtin":
            return base or builtin_schema()
        if extends != "nothing":
            self._add(
                "extends",
                f'"{extends}" is not something to extend; write "builtin" or "nothing".',
                did_you_mean(str(extends), ("builtin", "nothing")),
            )
            # Go on as if it said builtin, so that one slip does not look like fifty.
            return base or builtin_schema()
        return Schema("nothing", {}, {}, {})

    def _enum(self, name: str, table: dict[str, Any], enums: dict[str, EnumType]) -> None:
        where = f"enums.{name}"
        self._check_keys(table, _ENUM_KEYS, where)
        known = enums.get(name)
        if name in PLAIN_KINDS:
            self._add(where, f"{name} is the name of a kind of value; choose another name.")
        words = self._words(where, table, "values" if known is None else "add")
        if known is None:
            doc, ordered = self._doc(where, table), table.get("ordered", False)
            if not isinstance(ordered, bool):
                self._add(where, f"ordered of {where} is either true or false.")
                ordered = False
            enums[name] = EnumType(name, words, ordered, doc)
        elif "values" in table:
            self._add(where, f"The enum {name} exists already; list new words under add.", "add")
        else:
            enums[name] = replace(known, values=known.values + words)

    def _words(self, where: str, table: dict[str, Any], key: str) -> tuple[str, ...]:
        words = table.get(key)
        if not isinstance(words, list) or not words:
            if not (key == "add" and "values" in table):
                self._add(where, f"{where} needs {key}, a list of words.")
            return ()
        for word in words:
            if not isinstance(word, str) or not _NAME.fullmatch(word):
                self._add(
                    f"{where}.{key}", f'"{word}" is not a word; use small letters and underscores.'
                )
        if len(set(map(str, words))) < len(words):
            self._add(f"{where}.{key}", f"{where} lists a word twice.")
        return tuple(map(str, words))

    def _event(
        self,
        name: str,
        table: dict[str, Any],
        events: dict[str, EventType],
        enums: Mapping[str, EnumType],
    ) -> None:
        where = f"events.{name}"
        self._check_keys(table, _EVENT_KEYS, where)
        known = events.get(name)
        fields = dict(known.fields) if known else shared_fields()
        for field_name, field_table in self._tables(table, "fields", where):
            spot = f"{where}.fields.{field_name}"
            if field_name in fields:
                self._add(spot, f"Every {name} already has a field {field_name}.")
                continue
            self._check_keys(field_table, _FIELD_KEYS, spot)
            kind = self._kind(spot, field_table, enums)
            required = field_table.get("required", False)
            if not isinstance(required, bool):
                self._add(spot, f"required of {spot} is either true or false.")
            doc = self._doc(spot, field_table)
            if kind is not None:
                fields[field_name] = FieldType(field_name, kind, required is True, doc)
        doc = known.doc if known else self._doc(where, table)
        events[name] = EventType(name, doc, fields)

    def _option(
        self,
        name: str,
        table: dict[str, Any],
        options: dict[str, OptionType],
        enums: Mapping[str, EnumType],
    ) -> None:
        where = f"options.{name}"
        self._check_keys(table, _OPTION_KEYS, where)
        if name in options:
            self._add(where, f"The option {name} exists already; choose another name.")
            return
        kind, doc = self._kind(where, table, enums), self._doc(where, table)
        if kind is None:
            return
        default = None
        if "default" in table:
            try:
                default = within_range(kind, from_log(kind, table["default"]))
            except ValueProblem as problem:
                message = f"The default of {where}: {problem.message}"
                self._add(f"{where}.default", message, problem.suggestion)
        options[name] = OptionType(name, kind, default, doc, str(table.get("citation", "")))

    def _kind(
        self, where: str, table: dict[str, Any], enums: Mapping[str, EnumType]
    ) -> Kind | None:
        name = table.get("kind")
        if name is None:
            self._add(where, f"{where} does not say its kind.")
        elif not isinstance(name, str):
            self._add(where, f"kind of {where} is a text.")
        elif name in PLAIN_KINDS:
            return PLAIN_KINDS[name]
        elif name in enums:
            return enum_kind(enums[name])
        else:
            close = did_you_mean(name, (*PLAIN_KINDS, *enums))
            self._add(where, f'{where} has the unknown kind "{name}".', close)
        return None

    def _doc(self, where: str, table: dict[str, Any]) -> str:
        doc = table.get("doc")
        if not isinstance(doc, str) or not doc.strip():
            self._add(where, f"{where} needs doc, a line that says what it means.")
            return ""
        return doc.strip()

    def _tables(
        self, table: dict[str, Any], key: str, inside: str = ""
    ) -> list[tuple[str, dict[str, Any]]]:
        found = table.get(key, {})
        where = f"{inside}.{key}" if inside else key
        if not isinstance(found, dict):
            self._add(where, f"{where} is a table of names.")
            return []
        good = []
        for name, item in found.items():
            spot = f"{where}.{name}"
            if not isinstance(item, dict):
                self._add(spot, f"{spot} is a table, as in {{ kind = ..., doc = ... }}.")
            elif not _NAME.fullmatch(name):
                self._add(spot, f'The name "{name}" is not made of small letters and underscores.')
            elif name in RESERVED_WORDS:
                self._add(spot, f'"{name}" is a word of the rule language; choose another name.')
            else:
                good.append((name, item))
        return good

    def _check_keys(self, table: dict[str, Any], allowed: tuple[str, ...], where: str) -> None:
        for key in table:
            if key not in allowed:
                message = f'"{key}" is not known in {where}; known are {", ".join(allowed)}.'
                self._add(f"{where}.{key}", message, did_you_mean(key, allowed))

    def _add(self, where: str, message: str, suggestion: str | None = None) -> None:
        if len(self.problems) >= MOST_SHOWN:
            self.more += 1
            return
        if len(message) > LONGEST_MESSAGE:
            # A name or a value of the file that no screen can show.
            message = f"{message[: LONGEST_MESSAGE // 2]}… {message[-LONGEST_MESSAGE // 2 :]}"
        self.problems.append(SchemaProblem(self.file, self._line(where), message, suggestion))

    def _line(self, where: str) -> int:
        """The line that most likely holds a key: TOML readers keep no positions, so search."""
        parts = [part for part in where.split(".") if part != "the file"]
        line = 1
        if len(where) > LONGEST_MESSAGE:
            # No mistake of a hand: to look for such a name takes longer than to read the file.
            return line
        for depth, part in enumerate(parts):
            header = re.compile(r"\s*\[+\s*" + re.escape(".".join(parts[: depth + 1])) + r"\b")
            key = re.compile(r'(.*[\[{.,\s]|)"?' + re.escape(part) + r'"?\s*[=.\]]')
            line = self._after(line, header) or self._after(line, key) or line
        return line

    def _after(self, start: int, pattern: re.Pattern[str]) -> int | None:
        for number in range(start, len(self.lines) + 1):
            if pattern.match(self.lines[number - 1]):
                return number
        return None


def _renewed(kind: Kind, enums: Mapping[str, EnumType]) -> Kind:
    return kind if kind.enum is None else enum_kind(enums[kind.enum.name])


def _with_enums(
    events: Mapping[str, EventType], old: Mapping[str, EnumType], new: Mapping[str, EnumType]
) -> dict[str, EventType]:
    """The same event types; those whose words were extended accept the new words too."""
    grown = {name for name, enum in old.items() if new[name] != enum}
    return {
        name: event
        if not any(item.kind.name in grown for item in event.fields.values())
        else EventType(
            name,
            event.doc,
            {
                item.name: replace(item, kind=_renewed(item.kind, new))
                for item in event.fields.values()
            },
        )
        for name, event in events.items()
    }
