"""Checks one night as `compliance check` does, with what the night before left."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from compliance.api.nights_state import origin_of
from compliance.api.opened_request import command_of, files_consulted, settings_of
from compliance.api.report_files import form_of, refuse_what_cannot_be_written, write_report
from compliance.api.request import CheckRequest
from compliance.api.run_check import run_check
from compliance.api.whole_file import write_whole
from compliance.batch.night_logs import LogFile, refuse_changed
from compliance.batch.settings import RESULT, BatchSettings, Casino
from compliance.checking.check_tables import UNSEEN, CheckProgress
from compliance.checking.nights_file import read_nights
from compliance.log.toml_words import toml_text
from compliance.table_check.settings import Settings
from event_schemas.file_content import each_file_once, file_content
from reports.model import Run
from reports.summing_up import exit_code
from reports.verdicts import Concern, ExitCode, FindingKind
from reports.waiver import Waiver

BEFORE: Final = "before.nights"
WAIVERS: Final = "waivers.toml"
_NO_DOUBT: Final = frozenset({Concern.DEFECT, Concern.UNDETERMINED, Concern.QUARANTINE})


@dataclass(frozen=True)
class OpenedCasino:
    """What is asked of every night of a casino, with its files opened."""

    casino: Casino
    request: CheckRequest
    settings: Settings

    @property
    def proof(self) -> str:
        """A proof of all that bears on a night besides its logs and the night before."""
        made = origin_of(self.settings)
        files = [
            (role, file_content(path).sha256)
            for _, role, path in files_consulted(self.request)
            if path is not None
        ]
        said = [vars(made), files, self.request.input, str(self.request.law_of)]
        return hashlib.sha256(json.dumps(said, sort_keys=True).encode()).hexdigest()


@dataclass(frozen=True)
class CheckedNight:
    """A night that was checked, and its reports, which lie aside."""

    run: Run
    result: str
    """The SHA-256 of the result."""
    kept: bytes
    exit_code: int
    remarks: tuple[str, ...]
    seconds: float


def open_casino(settings: BatchSettings, casino: Casino) -> OpenedCasino:
    """Open what a casino's nights are judged by, or say what is wrong with it."""
    words = settings.check
    # A rulebook is named, a path is read from the folder of the settings.
    rules = [
        str(settings.home / rules) if (settings.home / rules).exists() else rules
        for rules in words.rules
    ]
    manifest = settings.path(casino.manifest)
    request = CheckRequest(
        rules=rules or None,
        options=settings.path(casino.options),
        manifest=None if manifest is None else [manifest],
        mapping=settings.path(casino.mapping),
        schema=settings.path(words.schema_file),
        workers=words.workers,
        profile=words.profile,
        law_of=None if words.law_of is None else words.law_of.isoformat(),
        input=words.input,
    )
    for name in settings.outputs.files:
        refuse_what_cannot_be_written(form_of(Path(name), None))
    return OpenedCasino(casino, request, settings_of(request))


def check_night(
    opened: OpenedCasino,
    logs: Sequence[LogFile],
    before: bytes | None,
    waivers: Sequence[Waiver],
    outputs: Sequence[str],
    aside: Path,
    place: Path,
    progress: CheckProgress = UNSEEN,
) -> CheckedNight:
    """Check a night and write its reports aside; their place is named where they say it."""
    begun = time.monotonic()
    request, remarks = opened.request, []
    with each_file_once(anew=True):
        if before is not None:
            write_whole(aside / BEFORE, before)
            request = replace(request, after=aside / BEFORE)
        known = {rule.name for rule in opened.settings.rulebook.rules}
        fitting = [item for item in waivers if item.fingerprint or item.rule in known]
        for item in waivers:
            if item not in fitting:
                remarks.append(f"A waiver names the rule {item.rule}, which is not there any more.")
        if fitting:
            write_whole(aside / WAIVERS, waivers_text(fitting))
            request = replace(request, waivers=aside / WAIVERS)
        # What the next night needs is asked for; it goes into the store, not into a file.
        request = replace(request, keep=aside / "kept")
        names = [str(log.path) for log in logs]
        run, kept = run_check(names, request, progress, opened.settings)
        refuse_changed(logs)
        assert kept is not None
        run = run.model_copy(update={"command": command_of(_lying_in(request, place), names)})
        others = set(run.scope.casinos) - {opened.casino.name}
        if others:
            remarks.append(f"The logs speak of the casino {', '.join(sorted(others))}.")
        write_report(run, "json", aside / RESULT)
        for name in outputs:
            write_report(run, form_of(Path(name), None), aside / name)
    result = _result_hash(aside / RESULT)
    code = int(exit_of_night(run))
    return CheckedNight(run, result, kept, code, tuple(remarks), time.monotonic() - begun)


def _lying_in(request: CheckRequest, place: Path) -> CheckRequest:
    """The request as somebody makes it who has the reports of the night before him."""
    return replace(
        request,
        after=None if request.after is None else place / request.after.name,
        waivers=None if request.waivers is None else place / request.waivers.name,
    )


def kept_alone(opened: OpenedCasino, logs: Sequence[LogFile], aside: Path) -> bytes:
    """What a night leaves by the rules of today, where it was judged by others."""
    request = replace(opened.request, keep=aside / "kept")
    with each_file_once(anew=True):
        _, kept = run_check([str(log.path) for log in logs], request, UNSEEN, opened.settings)
    assert kept is not None
    return kept


def goes_on(opened: OpenedCasino, before: bytes, aside: Path) -> bool:
    """Whether a night can go on from what was kept: not from what other rules left open."""
    path = aside / BEFORE
    write_whole(path, before)
    with each_file_once(anew=True):
        nights, _ = read_nights(path, origin_of(opened.settings))
    path.unlink()
    return nights is not None


def exit_of_night(run: Run) -> ExitCode:
    """What a night comes to. What an authority waived stays in the report, and fails nothing."""
    broken = (found for found in run.findings(FindingKind.VIOLATION))
    if any(found.waiver is None for found in broken):
        return ExitCode.VIOLATIONS
    return exit_code(run, _NO_DOUBT)


def waivers_text(waivers: Sequence[Waiver]) -> str:
    """Waivers as the file that `--waivers` takes."""
    parts = []
    for item in waivers:
        lines = ["[[waiver]]"]
        for name in ("fingerprint", "rule", "table", "authority", "reason"):
            if getattr(item, name):
                lines.append(f"{name} = {toml_text(getattr(item, name))}")
        parts.append("\n".join([*lines, f"expires = {item.expires}"]))
    return "\n\n".join(parts) + "\n"


def with_waivers(proof: str, waivers: Sequence[Waiver]) -> str:
    """A proof of what bears on a night, with the waivers that hold."""
    return hashlib.sha256(f"{proof}\n{waivers_text(waivers)}".encode()).hexdigest()


def _result_hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()
