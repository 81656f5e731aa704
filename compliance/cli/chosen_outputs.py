"""What goes where: each file in the format of its ending, all else as `--format` says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.report_files import form_of, refuse_what_cannot_be_written
from reports.formats import FORMATS

TEXT = "text"
"""The format for a terminal; all others are in `reports.formats`."""
UNNAMED = "compliance-report"
"""What a file is called for which no name was given."""
_PAGE = "html"


@dataclass(frozen=True)
class ChosenOutput:
    """A format, and the file that it is written to; None: standard output."""

    form: str
    path: Path | None = None


def chosen_outputs(
    form: str | None, files: Sequence[Path], *, otherwise: str = TEXT
) -> list[ChosenOutput]:
    """What is to be written. A format that none of the files can hold is a mistake."""
    chosen = [ChosenOutput(_form_of(file, form), file) for file in files]
    if files and form is not None and form not in [output.form for output in chosen]:
        told = ", ".join(f"{output.path} is written as {output.form}" for output in chosen)
        raise Refused(f"--format {form} fits none of the files: {told}.")
    twice = next((file for file in files if files.count(file) > 1), None)
    if twice is not None:
        raise Refused(f"{twice} would be written twice.")
    chosen = chosen or [_without_file(form or otherwise)]
    for output in chosen:
        refuse_what_cannot_be_written(output.form)
    return chosen


def _form_of(file: Path, form: str | None) -> str:
    return form_of(file, form, [TEXT] if file.suffix in (".txt", ".text") else [])


def _without_file(form: str) -> ChosenOutput:
    """What cannot be read in a terminal always becomes a file."""
    if form == TEXT or (FORMATS[form].text and form != _PAGE):
        return ChosenOutput(form)
    return ChosenOutput(form, Path(UNNAMED + FORMATS[form].ending))
