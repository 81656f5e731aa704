"""Opens what a request names: from there on all that is asked travels in one `Settings`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import date, datetime
from pathlib import Path
from typing import TypeVar

import msgspec

from compliance.api.nights_state import NightFiles
from compliance.api.opening import open_rules_to_judge, open_schema
from compliance.api.provenance import NamedFile, command_line, place_text
from compliance.api.refusal import Refused
from compliance.api.request import CheckRequest
from compliance.log.manifest import Manifest, load_manifest
from compliance.log.mapping_file import load_mapping
from compliance.log.problems import LogProblem
from compliance.log.table_options import TableOptions, load_table_options
from compliance.table_check.selection import Selection
from compliance.table_check.settings import Manifests, Settings
from event_schemas import Schema, parse_time
from event_schemas.limits import MOST_WORKERS

T = TypeVar("T")
K = TypeVar("K")


def settings_of(request: CheckRequest) -> Settings:
    """All files opened; what is wrong with one is refused with all its mistakes."""
    schema = open_schema(request.schema)
    rulebook = open_rules_to_judge(request.rule_paths, schema, request.profile)
    if request.law_of is not None:
        rulebook = msgspec.structs.replace(rulebook, law_of=_day(request.law_of, "--law-of"))
    return Settings(
        rulebook,
        schema,
        request.profile,
        options=opened(load_table_options, request.options, schema) or TableOptions(),
        manifests=_manifests(request.manifest or (), schema),
        selection=_selection(request),
        mapping=opened(load_mapping, request.mapping, schema),
        form=request.input,
        strict=request.strict,
        quarantine=request.quarantine,
        workers=possible_workers(request.workers),
    )


def _selection(request: CheckRequest) -> Selection:
    """What is judged of what is read; of an archive nothing else is read."""
    if request.archive is not None:
        return Selection()
    if request.casino is not None:
        raise Refused("--casino names a casino of an archive; say which one with --archive.")
    return Selection(
        _moment(request.since, "--from"),
        _moment(request.until, "--until"),
        frozenset(request.table or ()),
    )


def possible_workers(workers: int | None) -> int | None:
    """How many processes were asked for, if there can be so many."""
    if workers is not None and not 1 <= workers <= MOST_WORKERS:
        raise Refused(f"--workers is a number from 1 to {MOST_WORKERS}.")
    return workers


def nights_of(request: CheckRequest) -> NightFiles:
    """The files between two nights."""
    return NightFiles(request.state, request.after, request.keep)


def files_consulted(request: CheckRequest) -> tuple[NamedFile, ...]:
    """The files that bear on the result, besides the logs and the rules."""
    return (
        ("--schema", "event schema", request.schema),
        ("--options", "table options", request.options),
        *(("--manifest", "manifest", path) for path in request.manifest or ()),
        ("--mapping", "mapping", request.mapping),
        ("--after", "the night before", nights_of(request).before),
        ("--waivers", "waivers", request.waivers),
        ("--baseline", "baseline", request.baseline),
    )


def command_of(request: CheckRequest, logs: Sequence[str]) -> str:
    """The command that makes the same result."""
    archive = request.archive
    values = (
        ("--archive", archive if archive is None or "://" in archive else place_text(archive)),
        ("--casino", request.casino),
        ("--profile", request.profile),
        ("--law-of", request.law_of),
        ("--from", request.since),
        ("--until", request.until),
        *(("--table", table) for table in request.table or ()),
        ("--input", request.input),
    )
    return command_line(logs, request.rule_paths, files_consulted(request), values)


def opened(
    load: Callable[[Path, K], tuple[T | None, tuple[LogProblem, ...]]],
    path: Path | None,
    known: K,
) -> T | None:
    """What a user's file says, or everything that is wrong with it."""
    if path is None:
        return None
    found, problems = load(path, known)
    if found is None:
        raise Refused(f"{path} has mistakes; nothing was checked.", problems=problems)
    return found


def _manifests(paths: Sequence[Path], schema: Schema) -> Manifests:
    """All manifests by the casino that they speak of; two for one casino contradict each other."""
    found: dict[str | None, Manifest] = {}
    for path in paths:
        manifest = opened(load_manifest, path, schema)
        assert manifest is not None
        if manifest.casino in found:
            whom = f"the casino {manifest.casino}" if manifest.casino else "every casino"
            raise Refused(f"{path} is a second manifest for {whom}; there can be only one.")
        found[manifest.casino] = manifest
    return Manifests(found)


def _day(text: str, option: str) -> str:
    try:
        return date.fromisoformat(text).isoformat()
    except ValueError:
        raise Refused(f"{option}: {text} is no day; write it like 2011-12-31.") from None


def _moment(text: str | None, option: str) -> datetime | None:
    if text is None:
        return None
    try:
        return parse_time(text)
    except ValueError as problem:
        raise Refused(f"{option}: {problem}") from None
