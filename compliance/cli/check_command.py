"""`compliance check`: reads logs, applies the rules to every table, and says what they show."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import TypeVar

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeRemainingColumn,
)

from compliance.check import LogResult, Selection, check_log
from compliance.cli.opening import open_rules, open_schema
from compliance.cli.refused import Refused, unknown
from compliance.cli.result_text import show_run
from compliance.cli.screen import Screen, Styled
from compliance.cli.writing import write_whole
from compliance.log.mapping_file import load_mapping
from compliance.log.problems import LogProblem
from compliance.log.table_options import load_table_options
from event_schemas import Schema, did_you_mean, parse_time
from reports.html import render_html
from reports.model import Run
from rules_dsl import core
from rules_dsl.cache import RulebookCache

T = TypeVar("T")


@dataclass(frozen=True)
class CheckRequest:
    """Everything that was asked for on the command line."""

    logs: tuple[str, ...]
    rules: tuple[Path, ...]
    schema: Path | None
    options: Path | None
    mapping: Path | None
    profile: str | None
    since: str | None
    until: str | None
    tables: tuple[str, ...]
    workers: int | None
    quarantine: Path | None
    input: str | None
    format: str
    output: Path | None


def check_logs(request: CheckRequest) -> int:
    """Run the check that was asked for; its exit code tells what was found."""
    schema = open_schema(request.schema)
    rulebook = open_rules(request.rules, schema, RulebookCache()).rulebook
    _known_profile(rulebook, request.profile)
    result = _checked(request, rulebook, schema)
    if result.run is None:
        _show_problems(result.problems)
        raise Refused("The log could not be read; nothing was checked.")
    _write(request, result.run)
    return int(result.run.exit_code)


def _checked(request: CheckRequest, rulebook: core.Rulebook, schema: Schema) -> LogResult:
    with _progress() as progress:
        task = progress.add_task("reading", total=None)
        return check_log(
            request.logs,
            rulebook,
            schema,
            options=_loaded(load_table_options, request.options, schema),
            mapping=_loaded(load_mapping, request.mapping, schema),
            profile=request.profile,
            selection=Selection(
                _moment(request.since, "--from"),
                _moment(request.until, "--until"),
                frozenset(request.tables),
            ),
            quarantine=request.quarantine,
            workers=request.workers or os.cpu_count() or 1,
            form=request.input,
            started=lambda total: progress.update(task, total=total, description="checking"),
            progress=lambda more: progress.advance(task, more),
        )


@contextmanager
def _progress() -> Iterator[Progress]:
    """A bar with rate and remaining time on a terminal, and nothing when piped."""
    console = Console(stderr=True)
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("events"),
        TimeRemainingColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        yield progress


def _loaded(
    load: Callable[[Path, Schema], tuple[T | None, tuple[LogProblem, ...]]],
    path: Path | None,
    schema: Schema,
) -> T | None:
    """What a user's file says, or everything that is wrong with it."""
    if path is None:
        return None
    found, problems = load(path, schema)
    if found is None:
        _show_problems(problems)
        raise Refused(f"{path} has mistakes; nothing was checked.")
    return found


def _known_profile(rulebook: core.Rulebook, profile: str | None) -> None:
    if profile is not None and profile not in rulebook.profiles:
        close = did_you_mean(profile, rulebook.profiles)
        raise unknown("profile", profile, close, "`compliance rules list`")


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


def _write(request: CheckRequest, run: Run) -> None:
    if request.format == "text" and request.output is None:
        show_run(Screen(), run)
        return
    if request.format == "html":
        output = request.output or Path("compliance-report.html")
        write_whole(output, render_html(run))
        Screen().line("The report: ", Styled(str(output), "bold"))
        return
    text = run.model_dump_json(indent=2) + "\n"
    if request.output is None:
        sys.stdout.write(text)
    else:
        write_whole(request.output, text)
