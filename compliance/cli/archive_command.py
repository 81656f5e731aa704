"""`compliance archive`: puts nights into an archive, lists them, and sees that they are sound."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, time
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from compliance.api.opened_request import opened
from compliance.api.opening import open_schema
from compliance.api.refusal import Refused
from compliance.archive import ArchiveFolder, ArchiveProblem, night_lists
from compliance.archive.night_list import NightTable
from compliance.archive.night_lists import casinos_of, days_of
from compliance.archive.soundness import Unsound, unsound_files
from compliance.archive.written_night import LogRefused, WrittenNight, write_night, write_nights
from compliance.cli.screen import Screen, Styled
from compliance.log.mapping import Mapping
from compliance.log.mapping_file import load_mapping
from compliance.log.tables import tables
from compliance.values.gaming_day import GamingClock
from event_schemas import Schema
from reports.verdicts import ExitCode
from reports.wording import counted


@dataclass(frozen=True)
class AddRequest:
    """Which logs are put where."""

    archive: str
    logs: tuple[str, ...]
    night: str | None
    casino: str | None
    day_begins: str
    time_zone: str
    replace: bool
    mapping: Path | None
    schema: Path | None
    input: str | None


@contextmanager
def _refusing() -> Iterator[None]:
    try:
        yield
    except ArchiveProblem as problem:
        raise Refused(str(problem)) from None
    except LogRefused as refused:
        said = "The log could not be read; nothing was archived."
        raise Refused(said, problems=refused.problems) from None


def add_to_archive(asked: AddRequest, form: str) -> int:
    """Archive logs and say what became of each night."""
    schema = open_schema(asked.schema)
    mapping = opened(load_mapping, asked.mapping, schema)
    clock = _clock(asked)
    with _refusing():
        if asked.night is None:
            if asked.casino is not None:
                raise Refused("--casino goes with --night; without it the records tell.")
            replace, place = asked.replace, asked.archive
            logs, kind = asked.logs, asked.input
            written = write_nights(place, clock, logs, schema, mapping, form=kind, replace=replace)
        else:
            casino = asked.casino or _casino_of(asked, schema, mapping)
            night = _day(asked.night)
            logs, kind = asked.logs, asked.input
            written = [write_night(asked.archive, casino, night, logs, schema, mapping, kind)]
    screen = Screen()
    if form == "json":
        screen.json({"schema_version": "1", "nights": [_told(item) for item in written]})
        return int(ExitCode.CLEAN)
    for item in written:
        done = "replaced" if item.replaced else "archived" if item.changed else "unchanged"
        screen.line(f"{item.night.day}  {item.night.casino}: {done}, {_extent(item.night.tables)}")
    return int(ExitCode.CLEAN)


def _told(item: WrittenNight) -> dict[str, object]:
    night = item.night
    return {
        "casino": night.casino,
        "day": night.day.isoformat(),
        "changed": item.changed,
        "replaced": item.replaced,
        "tables": [table.table for table in night.tables],
        "events": sum(table.events for table in night.tables),
        "set_aside": night.aside is not None,
        "sources": [{"name": item.name, "sha256": item.sha256} for item in night.sources],
    }


def _extent(found: tuple[NightTable, ...]) -> str:
    events = sum(item.events for item in found)
    return f"{counted(len(found), 'table')}, {counted(events, 'event')}"


def _clock(asked: AddRequest) -> GamingClock:
    try:
        begins = time.fromisoformat(asked.day_begins)
        zone = ZoneInfo(asked.time_zone)
    except (ZoneInfoNotFoundError, OSError):
        raise Refused(f"--time-zone: there is no time zone {asked.time_zone}.") from None
    except ValueError:
        said = f"--day-begins: {asked.day_begins} is no time of day; write it as 06:00."
        raise Refused(said) from None
    if begins.tzinfo is not None:
        raise Refused("--day-begins: write the time by the casino's clock, without an offset.")
    return GamingClock(zone, begins)


def _day(text: str) -> date:
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(f"--night: {text} is no day; write it like 2011-12-31.") from None


def _casino_of(asked: AddRequest, schema: Schema, mapping: Mapping | None) -> str:
    """The one casino whose records the logs hold."""
    log = tables(asked.logs, schema, mapping, form=asked.input)
    if log.problems:
        raise LogRefused(log.problems)
    found = sorted({table.casino for table in log})
    if len(found) == 1:
        return found[0]
    raise Refused(f"The logs name several casinos ({', '.join(found[:5])}); choose with --casino.")


def list_archive(place: str, casino: str | None, form: str) -> int:
    """Say which nights there are."""
    screen = Screen()
    with _refusing():
        archive = ArchiveFolder.of(place)
        found = [
            night for name in _casinos(archive, casino) for night in night_lists(archive, name)
        ]
    if form == "json":
        nights = [
            {
                "casino": night.casino,
                "day": night.day.isoformat(),
                "tables": [
                    {"table": item.table, "events": item.events, "sha256": item.log.sha256}
                    for item in night.tables
                ],
                "set_aside": night.aside is not None,
                "sources": [
                    {"name": item.name, "sha256": item.sha256, "events": item.events}
                    for item in night.sources
                ],
            }
            for night in found
        ]
        screen.json({"schema_version": "1", "nights": nights})
        return int(ExitCode.CLEAN)
    for night in found:
        aside = "; lines set aside are kept" if night.aside is not None else ""
        screen.line(f"{night.day}  {night.casino}: {_extent(night.tables)}{aside}")
    return int(ExitCode.CLEAN)


def _casinos(archive: ArchiveFolder, casino: str | None) -> list[str]:
    known = casinos_of(archive)
    if not known:
        raise Refused(f"There is no archive {archive.name}, or it is empty.")
    if casino is None:
        return known
    if casino not in known:
        raise Refused(f"The archive {archive.name} has no casino {casino}.")
    return [casino]


def verify_archive(place: str, casino: str | None, form: str) -> int:
    """Look at every file."""
    screen = Screen()
    with _refusing():
        archive = ArchiveFolder.of(place)
        casinos = _casinos(archive, casino)
        found: list[Unsound] = [item for name in casinos for item in unsound_files(archive, name)]
        nights = sum(len(days_of(archive, name)) for name in casinos)
    wrong = [item for item in found if not item.harmless]
    if form == "json":
        told = [
            {"file": item.path, "sentence": item.sentence, "harmless": item.harmless}
            for item in found
        ]
        answer = {"schema_version": "1", "sound": not wrong, "nights": nights, "files": told}
        screen.json(answer)
    else:
        for item in found:
            mark = Styled("Note: ", "dim") if item.harmless else Styled("✕ ", "red")
            screen.line(mark, item.sentence)
        said = f"Sound: {counted(nights, 'night')}." if not wrong else "The archive is damaged."
        screen.line(Styled(said, "bold green" if not wrong else "bold red"))
    return int(ExitCode.VIOLATIONS if wrong else ExitCode.CLEAN)
