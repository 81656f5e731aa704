"""Puts a judged night into the archive, if there is one; the same night again changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from compliance.api.refusal import Refused
from compliance.archive import ArchiveProblem, write_night
from compliance.archive.written_night import LogRefused
from compliance.batch.night_check import OpenedCasino
from compliance.batch.night_logs import LogFile
from compliance.batch.settings import BatchSettings


def archive_night(
    settings: BatchSettings, opened: OpenedCasino, day: date, logs: Sequence[LogFile]
) -> None:
    """Keep the logs of a night as sorted Parquet."""
    if settings.archive is None or not logs:
        return
    folder = settings.home / settings.archive.folder
    try:
        write_night(
            folder,
            opened.casino.name,
            day,
            [log.path for log in logs],
            opened.settings.schema,
            opened.settings.mapping,
            opened.request.input,
        )
    except LogRefused as problem:
        raise Refused(
            f"The archive {folder} could not be written.", problems=problem.problems
        ) from None
    except (ArchiveProblem, OSError) as problem:
        raise Refused(f"The archive {folder} could not be written: {problem}") from None
