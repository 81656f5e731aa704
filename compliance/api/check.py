"""The check as Python code calls it: `compliance.check("night.jsonl")`."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import date, datetime
from pathlib import Path

from compliance.api.output_guard import keep_for_next_night, outputs_guarded
from compliance.api.request import CheckRequest
from compliance.api.result import Result
from compliance.api.run_check import run_check

PathLike = str | Path


def check(
    *logs: PathLike | Iterable[PathLike],
    rules: PathLike | Iterable[PathLike] | None = None,
    options: PathLike | None = None,
    manifest: PathLike | Iterable[PathLike] | None = None,
    mapping: PathLike | None = None,
    waivers: PathLike | None = None,
    baseline: PathLike | None = None,
    schema: PathLike | None = None,
    profile: str | None = None,
    law_of: str | date | None = None,
    since: str | datetime | None = None,
    until: str | datetime | None = None,
    tables: str | Iterable[str] | None = None,
    quarantine: PathLike | None = None,
    input: str | None = None,
    state: PathLike | None = None,
    after: PathLike | None = None,
    keep: PathLike | None = None,
    archive: PathLike | None = None,
    casino: str | None = None,
    workers: int | None = 1,
) -> Result:
    """Check logs against the law in force on the date of each event.

    Files, folders and patterns are given as for `compliance check`, and every argument means what
    the option of that name means; `since` is `--from`, `tables` is `--table`. What cannot be used
    raises `Refused`, which names the file and the line. More than one process (`workers`; None: as
    many as are worth it) needs a program that begins under `if __name__ == "__main__":`.
    """
    paths = [os.fspath(path) for log in logs for path in _several(log) or ()]
    if not paths and archive is None:
        raise TypeError("check() needs at least one log, or an archive")
    request = CheckRequest(
        rules=_several(rules),
        options=_path(options),
        manifest=[Path(path) for path in _several(manifest) or ()],
        mapping=_path(mapping),
        waivers=_path(waivers),
        baseline=_path(baseline),
        after=_path(after),
        schema=_path(schema),
        workers=workers,
        profile=profile,
        law_of=law_of.isoformat() if isinstance(law_of, date) else law_of,
        since=_moment(since),
        until=_moment(until),
        table=[tables] if isinstance(tables, str) else list(tables or ()),
        state=_path(state),
        keep=_path(keep),
        quarantine=_path(quarantine),
        input=input,
        archive=None if archive is None else os.fspath(archive),
        casino=casino,
    )
    with outputs_guarded(paths, request):
        run, kept = run_check(paths, request)
        keep_for_next_night(request, kept)
    return Result(run)


def _path(path: PathLike | None) -> Path | None:
    return None if path is None else Path(path)


def _several(paths: PathLike | Iterable[PathLike] | None) -> Sequence[PathLike] | None:
    if paths is None:
        return None
    return [paths] if isinstance(paths, str | Path) else list(paths)


def _moment(moment: str | datetime | None) -> str | None:
    return moment.isoformat() if isinstance(moment, datetime) else moment
