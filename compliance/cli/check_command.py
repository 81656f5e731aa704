"""`compliance check`: reads logs, applies the rules to every table, and says what they show."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from compliance.checking.check_log import check_log
from compliance.checking.nights_file import nights_bytes
from compliance.checking.waiver_file import load_waivers
from compliance.cli.check_words import CheckWords
from compliance.cli.nights_state import NightFiles, origin_of
from compliance.cli.opening import open_rules_to_judge, open_schema
from compliance.cli.output_guard import outputs_guarded
from compliance.cli.progress import progress_shown
from compliance.cli.provenance import NamedFile, command_line, consulted
from compliance.cli.refusal import Refused, worker_lost
from compliance.cli.report_output import write_run
from compliance.cli.screen import Screen, Styled
from compliance.cli.whole_file import write_whole
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


def check_logs(logs: Sequence[str], words: CheckWords) -> int:
    """Run the check that was asked for; its exit code tells what was found."""
    outputs = (
        ("-o", words.output),
        ("--quarantine", words.quarantine),
        ("--keep", words.keep),
        ("--state", words.state),
    )
    # The state is read and written; what --after names is only read.
    given = [
        (role, words.after if option == "--after" else path)
        for option, role, path in files_consulted(words)
    ]
    with outputs_guarded(outputs, given, logs, words.rule_files):
        run, kept = run_check(logs, words)
        write_run(run, words.format, words.output)
        # Last of all: if anything goes wrong before, the same night can be checked again.
        sys.stdout.flush()
        path = words.keep or words.state
        if path is not None and kept is not None:
            write_whole(path, kept, over_input=path == words.state)
    return int(run.exit_code)


def run_check(logs: Sequence[str], words: CheckWords) -> tuple[Run, bytes | None]:
    """The result, and what the check of the next night needs, if nights are joined."""
    schema = open_schema(words.schema)
    rulebook = open_rules_to_judge(words.rule_files, schema, words.profile)
    selection = Selection(
        _moment(words.since, "--from"),
        _moment(words.until, "--until"),
        frozenset(words.table or ()),
    )
    nights = NightFiles(words.state, words.after, words.keep)
    nights.refuse_contradictions(part_of_log=not selection.everything)
    waivers = _loaded(load_waivers, words.waivers, rulebook) or ()
    settings = Settings(
        rulebook,
        schema,
        words.profile,
        options=_loaded(load_table_options, words.options, schema) or TableOptions(),
        manifests=_manifests(words.manifest or (), schema),
        selection=selection,
        mapping=_loaded(load_mapping, words.mapping, schema),
        form=words.input,
        strict=words.strict,
        quarantine=words.quarantine,
        workers=words.workers,
    )
    origin = origin_of(settings)
    try:
        with progress_shown() as bar:
            result = check_log(logs, settings, nights.read(origin), bar)
    except WorkerLost:
        raise worker_lost() from None
    if result.run is None:
        _show_problems(result.problems)
        raise Refused("The log could not be read; nothing was checked.")
    files = files_consulted(words)
    made_so = {"command": _command(logs, words), "consulted": consulted(files)}
    run = waived(result.run.model_copy(update=made_so), waivers)
    return run, None if result.nights is None else nights_bytes(result.nights, origin)


def files_consulted(words: CheckWords) -> tuple[NamedFile, ...]:
    """The files that bear on the result, besides the logs and the rules."""
    return (
        ("--schema", "event schema", words.schema),
        ("--options", "table options", words.options),
        *(("--manifest", "manifest", path) for path in words.manifest or ()),
        ("--mapping", "mapping", words.mapping),
        ("--after", "the night before", NightFiles(words.state, words.after).before),
        ("--waivers", "waivers", words.waivers),
    )


def _command(logs: Sequence[str], words: CheckWords) -> str:
    """The command that makes the same result."""
    values = (
        ("--profile", words.profile),
        ("--from", words.since),
        ("--until", words.until),
        *(("--table", table) for table in words.table or ()),
        ("--input", words.input),
    )
    return command_line(logs, words.rule_files, files_consulted(words), values)


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
