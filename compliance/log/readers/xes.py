"""Reads XES, the standard of process mining: a log of traces of events.

An attribute of an event keeps its name; those of its trace and of the log are `trace.` and `log.`
with their names. Without a mapping, the standard's own names are taken as ours:

    event  concept:name -> type      time:timestamp -> ts      identity:id -> id
    trace  concept:name -> table     log  concept:name -> casino

`seq` is the place of the event in its trace, and `id` the trace and that place, where the log does
not say. Other attributes with a colon belong to the standard, not to us, and are left aside.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final
from xml.parsers import expat

import msgspec
import numpy as np

from compliance.log.bytes_in import Opened
from compliance.log.layout import Layout
from compliance.log.problems import UnreadableFile
from compliance.log.readers.json_chunk import JsonChunk, Seen
from event_schemas.limits import DEEPEST_DATA, LONGEST_XML_VALUE

_PIECE: Final = 1 << 18
_SINGLE_VALUES: Final = ("string", "date", "int", "float", "boolean", "id")


class _Refused(Exception):
    """Something in the file that could be used to attack its reader."""


class _Parser:
    """Collects the events of the part of a file that was read so far."""

    def __init__(self) -> None:
        self.events: list[tuple[int, dict[str, Any]]] = []
        self.count = 0
        self._log: dict[str, Any] = {}
        self._trace: dict[str, Any] = {}
        self._event: dict[str, Any] | None = None
        self._line = 0
        self._place = 0
        self._open: list[str] = []
        self._list: tuple[int, str, list[Any]] | None = None
        self.expat = expat.ParserCreate(namespace_separator=" ")
        self.expat.StartElementHandler = self._start
        self.expat.EndElementHandler = self._end
        self.expat.StartDoctypeDeclHandler = self._refuse
        self.expat.EntityDeclHandler = self._refuse

    def _refuse(self, *_ignored: object) -> None:
        raise _Refused

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rsplit(" ", 1)[-1]
        if not self._open and tag != "log":
            raise UnreadableFile(f"The file is XML, but not XES: it begins with <{tag}>.", 1)
        self._open.append(tag)
        if len(self._open) > DEEPEST_DATA:
            raise _Refused
        if tag == "trace":
            self._trace, self._place = {}, 0
        elif tag == "event":
            self._event, self._line = {}, self.expat.CurrentLineNumber
        elif tag == "list":
            self._list = (len(self._open), attributes.get("key", ""), [])
        elif tag in _SINGLE_VALUES:
            self._value(tag, attributes.get("key", ""), attributes.get("value"))

    def _value(self, tag: str, key: str, text: str | None) -> None:
        value = _read(tag, text)
        if self._list is not None:
            self._list[2].append(value)
            return
        holder = {"event": self._event, "trace": self._trace, "log": self._log}
        # An attribute inside another one, or among the globals, is about no event.
        inside = holder.get(self._open[-2]) if len(self._open) > 1 else None
        if inside is not None and key:
            inside[key] = value

    def _end(self, name: str) -> None:
        tag = self._open.pop()
        if tag == "list" and self._list is not None and self._list[0] == len(self._open) + 1:
            _depth, key, values = self._list
            self._list = None
            if self._event is not None and key:
                self._event[key] = values
        elif tag == "event" and self._event is not None:
            self._place += 1
            self.count += 1
            record = {f"log.{key}": value for key, value in self._log.items()}
            record |= {f"trace.{key}": value for key, value in self._trace.items()}
            record |= self._event
            record["trace.place"] = self._place
            record["trace.event"] = f"{self._trace.get('concept:name')}-{self._place}"
            record["log.place"] = self.count
            self.events.append((self._line, record))
            self._event = None


def read_xes(stream: Opened, layout: Layout | None, rows: int) -> Iterator[JsonChunk]:
    """The events of a log, some at a time."""
    parser = _Parser()
    seen = None if layout is None else Seen(layout)
    try:
        fed = 0
        while piece := stream.read(_PIECE):
            parser.expat.Parse(piece, False)
            fed += len(piece)
            if fed - parser.expat.CurrentByteIndex > LONGEST_XML_VALUE:
                raise UnreadableFile(
                    f"A single value is longer than {LONGEST_XML_VALUE:,} bytes after "
                    f"{parser.count:,} events; no log holds such a value.",
                    parser.expat.CurrentLineNumber,
                )
            if len(parser.events) >= rows:
                yield _chunk(parser, seen)
        parser.expat.Parse(b"", True)
    except _Refused:
        raise UnreadableFile(
            "The XML declares entities or a document type, or is nested too deeply; such a file "
            "could harm its reader and is not read.",
            parser.expat.CurrentLineNumber,
        ) from None
    except expat.ExpatError as problem:
        if parser.events:
            yield _chunk(parser, seen)
        raise UnreadableFile(
            f"The XML is broken or cut off after {parser.count:,} events.", problem.lineno
        ) from None
    if parser.events:
        yield _chunk(parser, seen)


def _chunk(parser: _Parser, seen: Seen | None) -> JsonChunk:
    """The events so far, written as JSON lines: from there on they are like any other record."""
    events, parser.events = parser.events, []
    records = [record if seen is None else _ours(record) for _line, record in events]
    data = b"".join(msgspec.json.encode(record) + b"\n" for record in records)
    return JsonChunk(data, np.array([line for line, _ in events], dtype=np.int64), seen)


def _ours(record: dict[str, Any]) -> dict[str, Any]:
    """A record in our own words, by the names that the standard gives."""
    place = record["trace.place"]
    standard = {
        "type": record.get("concept:name"),
        "ts": record.get("time:timestamp"),
        "table": record.get("trace.concept:name"),
        "casino": record.get("log.concept:name"),
        "seq": place,
        "id": record.get("identity:id") or record["trace.event"],
    }
    for outer in ("casino", "pit"):
        for where in (f"trace.{outer}", f"log.{outer}"):
            if where in record:
                standard[outer] = record[where]
    own = {key: value for key, value in record.items() if ":" not in key and "." not in key}
    return {key: value for key, value in (standard | own).items() if value is not None}


def _read(tag: str, text: str | None) -> Any:
    if text is None:
        return None
    if tag == "int":
        try:
            return int(text)
        except ValueError:
            return text
    if tag == "boolean" and text in ("true", "false"):
        return text == "true"
    # A broken number stays text: its digits are exact there.
    return text
