"""`compliance verify`: makes a saved result again and says whether it is identical."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from pathlib import Path

from compliance.checking.result_comparison import Difference, differences, remarks, tampered
from compliance.cli.check_command import CheckRequest, run_check
from compliance.cli.nights_state import NightFiles
from compliance.cli.refusal import Refused
from compliance.cli.saved_run import read_run
from compliance.cli.screen import Screen, Styled
from reports.formats import FORMATS
from reports.model import Run
from reports.verdicts import ExitCode
from reports.wording import counted

SHOWN = 40
"""How many differences are shown; the JSON answer has them all."""


@dataclass(frozen=True)
class GivenFiles:
    """The files from which the result is made again."""

    logs: tuple[str, ...]
    rules: tuple[Path, ...]
    schema: Path | None
    options: Path | None
    manifests: tuple[Path, ...]
    mapping: Path | None
    waivers: Path | None
    after: Path | None


def verify_run(
    path: Path, given: GivenFiles, reports: Sequence[Path], workers: int | None, form: str
) -> int:
    """0 if everything is identical, 1 if anything differs."""
    saved = read_run(path)
    request = _request(saved.run, given, workers)
    _refuse_missing_files(saved.run, request)
    again = run_check(request).run
    found = [
        *tampered(saved.run, saved.content),
        *differences(saved.run, again),
        *chain.from_iterable(_report(saved.run, report) for report in reports),
    ]
    _answer(Screen(), found, remarks(saved.run, again), form)
    return int(ExitCode.VIOLATIONS if found else ExitCode.CLEAN)


def _request(saved: Run, given: GivenFiles, workers: int | None) -> CheckRequest:
    """The same check: its files are given, everything else stands in the saved result."""
    words = _words(saved.command)
    # A first night of several leaves checks to the next one, and is made as such again. Nothing
    # is written: the name of the file does not matter.
    begins_nights = given.after is None and any(item.unsettled.total for item in saved.outcomes)
    return CheckRequest(
        given.logs,
        given.rules,
        given.schema,
        given.options,
        given.manifests,
        given.mapping,
        saved.profile or None,
        _last(words, "--from"),
        _last(words, "--until"),
        tuple(_values(words, "--table")),
        NightFiles(after=given.after, keep=Path("nights") if begins_nights else None),
        workers,
        None,
        _last(words, "--input"),
        "json",
        None,
        given.waivers,
    )


def _words(command: str) -> list[str]:
    try:
        return shlex.split(command)
    except ValueError:
        raise Refused("The saved result cannot be repeated: its command was altered.") from None


def _values(words: Sequence[str], option: str) -> list[str]:
    return [value for word, value in pairwise(words) if word == option]


def _last(words: Sequence[str], option: str) -> str | None:
    return next(iter(reversed(_values(words, option))), None)


def _refuse_missing_files(saved: Run, request: CheckRequest) -> None:
    """Without a file that the result rests on, a comparison would say nothing."""
    options = {role: option for option, role, _ in request.consulted} | {"manifest": "--manifest"}
    given = [role for _, role, file in request.consulted if file is not None]
    for item in saved.consulted:
        if item.role not in given:
            option = options.get(item.role)
            how = f"give it with {option}" if option else "and there is no such file any more"
            raise Refused(
                f"The saved result rests on {item.name} ({item.role}, SHA-256 "
                f"{item.sha256[:16]}…) and cannot be repeated without it: {how}."
            )


def _report(saved: Run, path: Path) -> list[Difference]:
    """Whether a report is byte for byte what the saved result gives."""
    forms = [form for form in FORMATS.values() if form.ending == path.suffix]
    if not forms:
        endings = ", ".join(sorted({form.ending for form in FORMATS.values()}))
        raise Refused(f"{path} is no report that can be compared; those end in {endings}.")
    try:
        content = path.read_bytes()
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror}.") from None
    if any(form.render(saved) == content for form in forms):
        return []
    return [
        Difference(
            "report",
            f"The report {path} is not what this version makes of the saved result: it was "
            "altered, or made from another one or by another version.",
        )
    ]


def _answer(screen: Screen, found: Sequence[Difference], notes: Sequence[str], form: str) -> None:
    if form == "json":
        told = [{"part": item.part, "sentence": item.sentence} for item in found]
        screen.json(
            {
                "schema_version": "1",
                "identical": not found,
                "differences": told,
                "remarks": list(notes),
            }
        )
        return
    for item in found[:SHOWN]:
        screen.line(Styled("✕ ", "red"), item.sentence)
    if len(found) > SHOWN:
        screen.line(f"and {counted(len(found) - SHOWN, 'more difference')}")
    for note in notes:
        screen.line(Styled(f"Note: {note}", "dim"))
    if found:
        screen.line(Styled(f"Not identical: {counted(len(found), 'difference')}.", "bold red"))
    else:
        screen.line(Styled("Identical.", "bold green"))
