"""Reads the first line of a CSV file, which names its columns."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass, replace
from typing import Final

from compliance.log.layout import BASE, Layout
from compliance.log.problems import UnreadableFile
from event_schemas import did_you_mean

DELIMITERS: Final = (",", ";", "\t", "|")
_NAMES: Final = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}


@dataclass(frozen=True, slots=True)
class Header:
    """The columns of a file and what stands between them."""

    names: tuple[str, ...]
    delimiter: str
    whole: frozenset[str] = frozenset()
    """Columns that most likely hold whole numbers, which are quicker to read as such."""
    known: bool = False
    """Whether the columns are those of our own vocabulary."""


def header_of(line: str, number: int, layout: Layout | None) -> Header:
    """The columns that a line names; the mark between them is the one that gives known names."""
    known: Collection[str] = layout.names if layout is not None else ()
    options = [Header(_cells(line, number, mark), mark) for mark in DELIMITERS]
    header = max(options, key=lambda option: (_known(option, known), len(option.names)))
    if layout is None:
        header = replace(header, names=_each_named(header.names))
    _refuse(header, number, layout)
    if layout is None:
        return header
    whole = (name for name in header.names if layout.single_kind(name) == "number")
    return replace(header, whole=frozenset(whole), known=True)


def check_names(names: Collection[str], layout: Layout, line: int | None = None) -> None:
    """Every column must be a field of the vocabulary, and what every record needs must be there."""
    unknown = [name for name in names if name not in layout.names]
    missing = [name for name in BASE if name not in names]
    if missing:
        close = next((name for name in unknown if did_you_mean(name, [missing[0]])), None)
        also = f' (there is a column "{close}")' if close else ""
        raise UnreadableFile(
            f"There is no column {_listed(missing)}{also}; every record needs "
            f"{', '.join(BASE)}. A mapping file says what other columns mean: "
            "`compliance mapping draft FILE` writes one.",
            line,
        )
    if unknown:
        raise UnreadableFile(
            f'The column "{unknown[0]}" is no field of any event type; '
            f"a mapping file can rename it or leave it out.",
            line,
            did_you_mean(unknown[0], layout.names),
        )


def _each_named(names: tuple[str, ...]) -> tuple[str, ...]:
    """A feed is as its vendor writes it: a column without a name is called by its place, and one
    with the name of another by its number among them, so that a mapping can name both."""
    given = set(names)
    found: list[str] = []
    for place, name in enumerate(names, start=1):
        called = name or f"column {place}"
        if name and name in found:
            called = f"{name} ({names[:place].count(name)})"
        # A name that is made is no name that stands there.
        found.append(called if called == name or called not in given else name)
    return tuple(found)


def _refuse(header: Header, number: int, layout: Layout | None) -> None:
    twice = [name for name, times in Counter(header.names).items() if times > 1]
    if layout is not None and not _known(header, BASE):
        if _are_names(header):
            raise UnreadableFile(
                f'The columns, "{_start(header)}", are those of another system; every record '
                f"needs {', '.join(BASE)}. A mapping file says what other columns mean: "
                "`compliance mapping draft FILE` writes one.",
                number,
            )
        raise UnreadableFile(
            f'The first line, "{_start(header)}", does not name the columns. A CSV file begins '
            "with a line of names such as id,ts,seq,casino,table,type; commas, semicolons, tabs "
            "or bars stand between them. If the names are those of another system, "
            "`compliance mapping draft FILE` writes a mapping for them.",
            number,
        )
    if any(not name for name in header.names):
        place = header.names.index("") + 1
        raise UnreadableFile(f"Column {place} has no name.", number)
    if twice:
        raise UnreadableFile(f'Two columns are named "{twice[0]}".', number)
    if len(header.names) == 1:
        marks = ", ".join(_NAMES.values())
        raise UnreadableFile(f"The columns are not separated by anything known ({marks}).", number)
    if layout is not None:
        check_names(header.names, layout, number)


def _are_names(header: Header) -> bool:
    """Whether a line names columns, as far as one can tell: a record has numbers in it."""
    named = [name for name in header.names if name]
    return len(named) > 1 and not any(name[0] in "0123456789+-.$" for name in named)


def _cells(line: str, number: int, mark: str) -> tuple[str, ...]:
    try:
        rows = list(csv.reader([line], delimiter=mark))
    except csv.Error:
        # A carriage return by itself, or a name longer than that reader takes.
        raise UnreadableFile("This line does not name the columns.", number) from None
    return tuple(cell.strip() for cell in rows[0]) if rows else ()


def _known(header: Header, known: Collection[str]) -> int:
    return sum(name in known for name in header.names)


def _listed(names: list[str]) -> str:
    return " and no column ".join(f'"{name}"' for name in names[:3])


def _start(header: Header) -> str:
    text = header.delimiter.join(header.names)
    return text if len(text) <= 60 else text[:57] + "..."
