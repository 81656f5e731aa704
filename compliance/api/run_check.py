"""Runs a check as it was asked for, and marks its result with where it comes from."""

from __future__ import annotations

from collections.abc import Sequence

from compliance.api.archive_check import check_archive
from compliance.api.nights_state import origin_of
from compliance.api.opened_request import (
    command_of,
    files_consulted,
    nights_of,
    opened,
    settings_of,
)
from compliance.api.provenance import consulted
from compliance.api.refusal import Refused, worker_lost
from compliance.api.request import CheckRequest
from compliance.api.saved_run import read_sound_run
from compliance.checking.check_log import check_log
from compliance.checking.check_tables import UNSEEN, CheckProgress
from compliance.checking.nights_file import nights_bytes
from compliance.checking.waiver_file import load_waivers
from compliance.processes.worker_pool import WorkerLost
from compliance.table_check.settings import Settings
from reports.changes import with_baseline
from reports.model import Run
from reports.summing_up import summed_up
from reports.waived import waived


def run_check(
    logs: Sequence[str],
    request: CheckRequest,
    progress: CheckProgress = UNSEEN,
    settings: Settings | None = None,
) -> tuple[Run, bytes | None]:
    """The result, and what the check of the next night needs, if nights are joined.

    Whoever has opened the files of the request already gives the `settings` that came of it.
    """
    settings = settings or settings_of(request)
    nights = nights_of(request)
    nights.refuse_contradictions(part_of_log=not settings.selection.everything)
    waivers = opened(load_waivers, request.waivers, settings.rulebook) or ()
    # Before the work: a file that cannot be used is said at once.
    older = None if request.baseline is None else read_sound_run(request.baseline)
    origin = origin_of(settings)
    try:
        if request.archive is not None:
            result = check_archive(logs, request, settings, progress)
        else:
            result = check_log(logs, settings, nights.read(origin), progress)
    except WorkerLost:
        raise worker_lost() from None
    if result.run is None:
        raise Refused("The log could not be read; nothing was checked.", problems=result.problems)
    made_so = {
        "command": command_of(request, logs),
        "consulted": consulted(files_consulted(request)),
    }
    run = summed_up(waived(result.run.model_copy(update=made_so), waivers))
    if request.baseline is not None and older is not None:
        run = with_baseline(run, older, request.baseline.name)
    return run, None if result.nights is None else nights_bytes(result.nights, origin)
