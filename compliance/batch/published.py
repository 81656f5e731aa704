"""Puts the reports of a night into their place: written aside first, shown when the store has them.

If the batch is killed in between, the next one goes on where it stopped: what is written aside is
either of a night that the store knows, and is put in its place, or it is thrown away.
"""

from __future__ import annotations

import hashlib
import os
import shutil
from collections.abc import Iterable
from datetime import date
from pathlib import Path
from typing import Final

from sqlalchemy import select
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.batch.settings import Casino
from compliance.store.night_record import UsedFile
from compliance.store.tables import Night, NightFile

REPORT: Final = "report"
_ASIDE: Final = ".unfinished"


class ReportsLost(Exception):
    """Reports that were written aside are gone: the night must be judged again."""


def night_folder(reports: Path, casino: Casino, day: date) -> Path:
    """Where the reports of a night lie."""
    return reports / casino.folder / day.isoformat()


def fresh_aside(reports: Path, casino: Casino, day: date) -> Path:
    """An empty folder to write a night's reports to."""
    folder = reports / _ASIDE / casino.folder / day.isoformat()
    try:
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
    except OSError as problem:
        raise Refused(f"{folder} cannot be written: {problem.strerror}.") from None
    return folder


def written_files(folder: Path) -> tuple[UsedFile, ...]:
    """What lies in a folder, as the store keeps it."""
    return tuple(
        UsedFile(REPORT, path.name, _sha256(path), path.stat().st_size)
        for path in sorted(folder.iterdir())
    )


def publish(session: Session, reports: Path, casino: Casino, day: date) -> Path:
    """Put a night's reports into their place. Can be repeated."""
    night = session.get_one(Night, (casino.name, day))
    wanted = session.scalars(
        select(NightFile).where(NightFile.run == night.run, NightFile.role == REPORT)
    ).all()
    aside, place = (
        reports / _ASIDE / casino.folder / day.isoformat(),
        night_folder(reports, casino, day),
    )
    try:
        place.mkdir(parents=True, exist_ok=True)
        _see_that_all_are_there(wanted, aside, place)
        for file in wanted:
            if (aside / file.name).exists():
                os.replace(aside / file.name, place / file.name)
        for other in place.iterdir():
            if other.name not in {file.name for file in wanted}:
                other.unlink()
        shutil.rmtree(aside, ignore_errors=True)
    except OSError as problem:
        raise Refused(f"{place} cannot be written: {problem.strerror}.") from None
    night.published = True
    return place


def _see_that_all_are_there(wanted: Iterable[NightFile], aside: Path, place: Path) -> None:
    """Before anything is replaced."""
    for file in wanted:
        candidates = [path for path in (aside / file.name, place / file.name) if path.is_file()]
        if not any(_sha256(path) == file.sha256 for path in candidates[:1]):
            raise ReportsLost(file.name)


def throw_away_unfinished(reports: Path) -> None:
    """What a batch that was killed has left of nights that the store does not know."""
    shutil.rmtree(reports / _ASIDE, ignore_errors=True)


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
