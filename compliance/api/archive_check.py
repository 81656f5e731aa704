"""The check of an archive instead of files: what is asked of it, and what does not go together."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from datetime import date
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.request import CheckRequest
from compliance.archive import ArchiveProblem, Wanted, archived_log
from compliance.checking.check_log import LogResult, check_archived
from compliance.checking.check_tables import CheckProgress
from compliance.table_check.settings import Settings


def check_archive(
    logs: Sequence[str], request: CheckRequest, settings: Settings, progress: CheckProgress
) -> LogResult:
    """Check the wanted nights of an archive."""
    assert request.archive is not None
    _refuse_contradictions(logs, request)
    wanted = Wanted(
        request.casino,
        tuple(request.table or ()),
        _day(request.since, "--from"),
        _day(request.until, "--until"),
    )
    with tempfile.TemporaryDirectory(prefix="compliance-") as folder:
        try:
            log = archived_log(request.archive, wanted, Path(folder), request.quarantine)
            return check_archived(log, settings, progress)
        except ArchiveProblem as problem:
            raise Refused(str(problem)) from None


def _refuse_contradictions(logs: Sequence[str], request: CheckRequest) -> None:
    if logs:
        raise Refused("A check reads logs or an archive: leave out the logs, or --archive.")
    joined = (("--state", request.state), ("--after", request.after), ("--keep", request.keep))
    # Whatever was asked of reading was asked when the night was archived.
    reading = (("--mapping", request.mapping), ("--input", request.input))
    for option, given in (*joined, *reading):
        if given is not None:
            raise Refused(f"{option} does not go with --archive.")


def _day(text: str | None, option: str) -> date | None:
    if text is None:
        return None
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused(
            f"{option}: {text} is no day; with --archive gaming days are named, as in 2011-12-31."
        ) from None
