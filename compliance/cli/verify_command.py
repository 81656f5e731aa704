"""`compliance verify`: makes a saved result again and says whether it is identical."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, fields
from itertools import chain
from pathlib import Path
from typing import Any, cast

from compliance.api.opened_request import files_consulted
from compliance.api.refusal import Refused
from compliance.api.run_check import run_check
from compliance.api.saved_run import read_run
from compliance.bundle.result_files import values_of, words_of
from compliance.cli.check_words import CheckedFiles, CheckWords
from compliance.cli.screen import Screen, Styled
from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.limits import LARGEST_RESULT
from reports.comparison import Difference, differences, remarks, tampered
from reports.formats import FORMATS
from reports.model import Run
from reports.verdicts import ExitCode
from reports.wording import counted

SHOWN = 40
"""How many differences are shown; the JSON answer has them all."""


def verify_run(
    path: Path, logs: Sequence[str], files: CheckedFiles, reports: Sequence[Path], form: str
) -> int:
    """0 if everything is identical, 1 if anything differs."""
    saved = read_run(path)
    words = words_of_saved(saved.run, files)
    _refuse_missing_files(saved.run, words)
    again, _ = run_check(logs, words)
    found = [
        *tampered(saved.run, saved.content),
        *differences(saved.run, again),
        *chain.from_iterable(compared_report(saved.run, report) for report in reports),
    ]
    return Answer(found, remarks(saved.run, again)).given(form)


def words_of_saved(saved: Run, files: CheckedFiles) -> CheckWords:
    """The same check: its files are given, everything else stands in the saved result."""
    words = words_of(saved)
    # A first night of several leaves checks to the next one, and is made as such again. Nothing
    # is written: the name of the file does not matter.
    begins_nights = files.after is None and any(item.unsettled.total for item in saved.outcomes)
    given: Any = {item.name: getattr(files, item.name) for item in fields(files)}
    return CheckWords(
        **given,
        profile=saved.profile or None,
        law_of=saved.law_of.isoformat() if saved.law_of else None,
        since=_last(words, "--from"),
        until=_last(words, "--until"),
        table=values_of(words, "--table"),
        casino=_last(words, "--casino"),
        keep=Path("nights") if begins_nights else None,
        input=cast("Any", _last(words, "--input")),
    )


def _last(words: Sequence[str], option: str) -> str | None:
    return next(iter(reversed(values_of(words, option))), None)


def _refuse_missing_files(saved: Run, words: CheckWords) -> None:
    """Without a file that the result rests on, a comparison would say nothing."""
    files = files_consulted(words)
    options = {role: option for option, role, _ in files} | {"manifest": "--manifest"}
    given = [role for _, role, file in files if file is not None]
    for item in saved.consulted:
        if item.role not in given:
            option = options.get(item.role)
            how = f"give it with {option}" if option else "and there is no such file any more"
            raise Refused(
                f"The saved result rests on {item.name} ({item.role}, SHA-256 "
                f"{item.sha256[:16]}…) and cannot be repeated without it: {how}."
            )


def compared_report(saved: Run, path: Path) -> list[Difference]:
    """Whether a report is byte for byte what the saved result gives."""
    forms = [form for form in FORMATS.values() if form.ending == path.suffix]
    if not forms:
        endings = ", ".join(sorted({form.ending for form in FORMATS.values()}))
        raise Refused(f"{path} is no report that can be compared; those end in {endings}.")
    try:
        content = file_content(path, LARGEST_RESULT).data
    except UnreadableContent as problem:
        raise Refused(f"{path} cannot be read: {problem.reason}.") from None
    if any(form.render(saved) == content for form in forms):
        return []
    return [
        Difference(
            "report",
            f"The report {path} is not what this version makes of the saved result: it was "
            "altered, or made from another one or by another version.",
        )
    ]


@dataclass
class Answer:
    """What was found, and what a reader should know besides."""

    differences: list[Difference] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)
    signatures: list[dict[str, Any]] = field(default_factory=list)
    unvouched: bool = False
    """Whether something is signed and nobody was asked who vouches for the signer."""
    same: str = "Identical."
    """What is said where nothing differs."""

    @property
    def code(self) -> int:
        """What the shell is told."""
        if self.differences:
            return int(ExitCode.VIOLATIONS)
        return int(ExitCode.NOT_SUPPORTED if self.unvouched else ExitCode.CLEAN)

    def given(self, form: str) -> int:
        """Say it, and give the exit code."""
        screen = Screen()
        if form == "json":
            told = [{"part": item.part, "sentence": item.sentence} for item in self.differences]
            screen.json(
                {
                    "schema_version": "1",
                    "identical": not self.differences,
                    "differences": told,
                    "remarks": self.remarks,
                    "signatures": self.signatures,
                }
            )
            return self.code
        for item in self.differences[:SHOWN]:
            screen.line(Styled("✕ ", "red"), item.sentence)
        if len(self.differences) > SHOWN:
            left = len(self.differences) - SHOWN
            screen.line(f"and {counted(left, 'more difference')}")
        for note in self.remarks:
            screen.line(Styled(f"Note: {note}", "dim"))
        if self.differences:
            found = counted(len(self.differences), "difference")
            screen.line(Styled(f"Not identical: {found}.", "bold red"))
        else:
            screen.line(Styled(self.same, "bold green"))
        return self.code
