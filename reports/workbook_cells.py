"""Reads the cells of an Excel workbook as texts: enough for a table that people filled in.

Formulas are not worked out: what was last shown in their cell is read. A date is a number whose
meaning only its column tells; `day_of` turns it into a day.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta
from io import BytesIO
from typing import IO, Any
from xml.parsers import expat
from zipfile import BadZipFile, ZipFile

MOST_BYTES = 512 * 1024 * 1024
"""A workbook that unpacks to more is not read."""
_CELL = re.compile(r"([A-Z]+)([0-9]+)")
_FIRST_DAY = date(1899, 12, 30)
_EARLIEST = date(2000, 1, 1)
"""A number that would be an earlier day is none: who writes 2024 does not mean a day of 1905."""
_PIECE = 1 << 20
_RELATIONS = "xl/_rels/workbook.xml.rels"


class NoWorkbook(Exception):
    """The file is no workbook, or one that cannot be read; the text says why."""


Row = tuple[int, dict[str, str]]
"""The number of a row, and its cells by the letters of their column."""


def sheets(content: bytes) -> Iterator[tuple[str, list[Row]]]:
    """Every sheet with its name and its rows."""
    try:
        with ZipFile(BytesIO(content)) as book:
            if sum(part.file_size for part in book.infolist()) > MOST_BYTES:
                raise NoWorkbook("it is too large")
            names = set(book.namelist())
            texts: list[str] = []
            if "xl/sharedStrings.xml" in names:
                texts = _shared_texts(book)
            parts = _parts(book) if _RELATIONS in names else {}
            for number, (name, relation) in enumerate(_sheet_names(book), start=1):
                part = parts.get(relation, f"xl/worksheets/sheet{number}.xml")
                if part in names:
                    yield name, _rows(book, part, texts)
    except (BadZipFile, KeyError, NotImplementedError, RuntimeError) as problem:
        raise NoWorkbook("it is not an Excel workbook") from problem
    except (expat.ExpatError, ValueError, IndexError) as problem:
        raise NoWorkbook("it is damaged") from problem


def day_of(text: str) -> date | None:
    """The day that a cell means: a date as text, or the number by which Excel keeps it."""
    try:
        return date.fromisoformat(text.strip())
    except ValueError:
        pass
    try:
        day = _FIRST_DAY + timedelta(days=int(float(text)))
    except (ValueError, OverflowError):
        return None
    return day if day >= _EARLIEST else None


def _sheet_names(book: ZipFile) -> list[tuple[str, str]]:
    """The name of each sheet, and by which relation its part of the book is found."""
    names: list[tuple[str, str]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "sheet":
            names.append((attributes.get("name", ""), attributes.get("r:id", "")))

    _parse(book.open("xl/workbook.xml"), start)
    return names


def _parts(book: ZipFile) -> dict[str, str]:
    """Where the parts of a book stand: sheets that were moved or taken out are not counted on."""
    parts: dict[str, str] = {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        if tag == "Relationship" and attributes.get("TargetMode") != "External":
            target = attributes.get("Target", "")
            whole = target[1:] if target.startswith("/") else f"xl/{target}"
            parts[attributes.get("Id", "")] = whole

    _parse(book.open(_RELATIONS), start)
    return parts


def _shared_texts(book: ZipFile) -> list[str]:
    texts: list[str] = []
    inside = _Inside()

    def start(tag: str, attributes: dict[str, str]) -> None:
        inside.tags.append(tag)
        if tag == "si":
            texts.append("")

    def text(data: str) -> None:
        if inside.tags[-1:] == ["t"] and "rPh" not in inside.tags:
            texts[-1] += data

    _parse(book.open("xl/sharedStrings.xml"), start, inside.end, text)
    return texts


def _rows(book: ZipFile, part: str, texts: list[str]) -> list[Row]:
    rows: dict[int, dict[str, str]] = {}
    inside = _Inside()
    cell: dict[str, str] = {}

    def start(tag: str, attributes: dict[str, str]) -> None:
        inside.tags.append(tag)
        if tag == "c":
            cell.clear()
            cell.update(place=attributes.get("r", ""), kind=attributes.get("t", "n"), text="")

    def text(data: str) -> None:
        if inside.tags[-1:] in (["v"], ["t"]) and "c" in inside.tags:
            cell["text"] += data

    def end(tag: str) -> None:
        inside.end(tag)
        found = _CELL.fullmatch(cell.get("place", "")) if tag == "c" else None
        if found and cell["text"]:
            shown = texts[int(cell["text"])] if cell["kind"] == "s" else cell["text"]
            rows.setdefault(int(found[2]), {})[found[1]] = shown

    _parse(book.open(part), start, end, text)
    return sorted(rows.items())


class _Inside:
    """The tags that are open."""

    def __init__(self) -> None:
        self.tags: list[str] = []

    def end(self, tag: str) -> None:
        self.tags.pop()


def _parse(file: IO[bytes], start: Any, end: Any = None, text: Any = None) -> None:
    reader = expat.ParserCreate()
    reader.StartElementHandler = start
    reader.EndElementHandler = end
    reader.CharacterDataHandler = text
    reader.EntityDeclHandler = _no_entities
    reader.buffer_text = True
    with file:
        while piece := file.read(_PIECE):
            reader.Parse(piece, False)
        reader.Parse(b"", True)


def _no_entities(*_: object) -> None:
    raise ValueError("a workbook declares no entities")
