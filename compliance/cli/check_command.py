"""`compliance check`: reads logs, applies the rules to every table, and says what they show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.checking.nights_file import NightsOrigin
from compliance.checking.waiver_file import load_waivers
from compliance.cli.nights_state import NightFiles, origin_of
from compliance.cli.opening import open_rules_to_judge, open_schema
from compliance.cli.progress import progress_shown
from compliance.cli.provenance import NamedFile, command_line, consulted
from compliance.cli.refusal import Refused, worker_lost
from compliance.cli.report_output import write_run
from compliance.cli.screen import Screen, Styled
from compliance.log.manifest import Manifest, load_manifest
from compliance.log.mapping_file import load_mapping
from compliance.log.problems import LogProblem
from compliance.log.table_options import TableOptions, load_table_options
from compliance.processes.worker_pool import WorkerLost
from compliance.table_check.selection import Selection
from compliance.table_check.settings import Manifests, Settings
from event_schemas import Schema, parse_time
from reports.model import Run
from reports.waived import waived

T = TypeVar("T")
K = TypeVar("K")


@dataclass(frozen=True)
class CheckRequest:
    """Everything that was asked for on the command line."""

    logs: tuple[str, ...]
    rules: tuple[Path, ...]
    schema: Path | None
    options: Path | None
    manifests: tuple[Path, ...]
    mapping: Path | None
    profile: str | None
    since: str | None
    until: str | None
    tables: tuple[str, ...]
    nights: NightFiles
    workers: int | None
    quarantine: Path | None
    input: str | None
    format: str
    output: Path | None
    waivers: Path | None = None

    @property
    def consulted(self) -> tuple[NamedFile, ...]:
        """The files that bear on the result, besides the logs and the rules."""
        return (
            ("--schema", "event schema", self.schema),
            ("--options", "table options", self.options),
            *(("--manifest", "manifest", path) for path in self.manifests),
            ("--mapping", "mapping", self.mapping),
            ("--after", "the night before", self.nights.before),
            ("--waivers", "waivers", self.waivers),
        )

    @property
    def command(self) -> str:
        """The command that makes the same result."""
        values = (
            ("--profile", self.profile),
            ("--from", self.since),
            ("--until", self.until),
            *(("--table", table) for table in self.tables),
            ("--input", self.input),
        )
        return command_line(self.logs, self.rules, self.consulted, values)


@dataclass(frozen=True)
class CheckOutcome:
    """The result of a check, and what the check of the next night needs."""

    run: Run
    nights: Nights | None
    origin: NightsOrigin


def check_logs(request: CheckRequest) -> int:
    """Run the check that was asked for; its exit code tells what was found."""
    checked = run_check(request)
    write_run(checked.run, request.format, request.output)
    # Last of all: if anything goes wrong before, the same night can be checked again.
    sys.stdout.flush()
    request.nights.write(checked.nights, checked.origin)
    return int(checked.run.exit_code)


def run_check(request: CheckRequest) -> CheckOutcome:
    """Everything but writing."""
    schema = open_schema(request.schema)
    rulebook = open_rules_to_judge(request.rules, schema, request.profile)
    selection = Selection(
        _moment(request.since, "--from"),
        _moment(request.until, "--until"),
        frozenset(request.tables),
    )
    request.nights.refuse_contradictions(part_of_log=not selection.everything)
    waivers = _loaded(load_waivers, request.waivers, rulebook) or ()
    settings = Settings(
        rulebook,
        schema,
        request.profile,
        options=_loaded(load_table_options, request.options, schema) or TableOptions(),
        manifests=_manifests(request.manifests, schema),
        selection=selection,
        mapping=_loaded(load_mapping, request.mapping, schema),
        form=request.input,
        quarantine=request.quarantine,
        workers=request.workers,
    )
    origin = origin_of(settings)
    try:
        with progress_shown() as bar:
            result = check_log(request.logs, settings, request.nights.read(origin), bar)
    except WorkerLost:
        raise worker_lost() from None
    if result.run is None:
        _show_problems(result.problems)
        raise Refused("The log could not be read; nothing was checked.")
    made_so = {"command": request.command, "consulted": consulted(request.consulted)}
    run = waived(result.run.model_copy(update=made_so), waivers)
    return CheckOutcome(run, result.nights, origin)


def _loaded(
    load: Callable[[Path, K], tuple[T | None, tuple[LogProblem, ...]]],
    path: Path | None,
    known: K,
) -> T | None:
    """What a user's file says, or everything that is wrong with it."""
    if path is None:
        return None
    found, problems = load(path, known)
    if found is None:
        _show_problems(problems)
        raise Refused(f"{path} has mistakes; nothing was checked.")
    return found


def _manifests(paths: Sequence[Path], schema: Schema) -> Manifests:
    """All manifests by the casino that they speak of; two for one casino contradict each other."""
    found: dict[str | None, Manifest] = {}
    for path in paths:
        manifest = _loaded(load_manifest, path, schema)
        assert manifest is not None
        if manifest.casino in found:
            whom = f"the casino {manifest.casino}" if manifest.casino else "every casino"
            raise Refused(f"{path} is a second manifest for {whom}; there can be only one.")
        found[manifest.casino] = manifest
    return Manifests(found)


def _moment(text: str | None, option: str) -> datetime | None:
    if text is None:
        return None
    try:
        return parse_time(text)
    except ValueError as problem:
        raise Refused(f"{option}: {problem}") from None


def _show_problems(problems: Sequence[LogProblem]) -> None:
    screen = Screen(sys.stderr)
    for problem in problems:
        screen.line(Styled(str(problem), "bold"))
