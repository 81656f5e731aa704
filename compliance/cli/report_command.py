"""`compliance report`: writes the result of an earlier check again, in any format."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.saved_run import read_sound_run
from compliance.api.whole_file import write_whole
from compliance.cli.chosen_outputs import UNNAMED, chosen_outputs
from compliance.cli.report_output import name_report, write_run
from reports.model import Run


def report_run(path: Path, form: str | None, template: Path | None, files: Sequence[Path]) -> int:
    """Render a saved result; 0 whatever it says, because nothing is checked here."""
    if template is not None:
        if form is not None:
            raise Refused("--template has a format of its own; leave out --format.")
        if len(files) > 1:
            raise Refused("--template fills one file; name only one with -o.")
        _by_template(read_sound_run(path), template, files[0] if files else None)
        return 0
    outputs = chosen_outputs(form, files, otherwise="html")
    write_run(read_sound_run(path), outputs)
    return 0


def _by_template(run: Run, folder: Path, output: Path | None) -> None:
    from reports.house_templates import TemplateMistake, render_house

    try:
        made = render_house(run, folder)
    except TemplateMistake as mistake:
        raise Refused(str(mistake)) from None
    target = output or Path(UNNAMED + made.ending)
    write_whole(target, made.content)
    name_report(target)
