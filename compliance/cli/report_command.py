"""`compliance report`: writes the result of an earlier check again, in any format."""

from __future__ import annotations

from pathlib import Path

from compliance.cli.refusal import Refused
from compliance.cli.report_output import UNNAMED, name_report, write_run
from compliance.cli.saved_run import read_run
from compliance.cli.whole_file import write_whole
from reports.model import Run
from reports.saved_json import altered


def report_run(path: Path, form: str | None, template: Path | None, output: Path | None) -> int:
    """Render a saved result; 0 whatever it says, because nothing is checked here."""
    run = read_run(path).run
    if altered(run):
        raise Refused(
            f"{path} was altered after it was saved: its SHA-256 is not the one that it states.",
            hint="`compliance verify` says what differs from a new check.",
        )
    if template is not None and form is not None:
        raise Refused("--template has a format of its own; leave out --format.")
    if template is not None:
        _by_template(run, template, output)
    else:
        write_run(run, form or "html", output)
    return 0


def _by_template(run: Run, folder: Path, output: Path | None) -> None:
    from reports.house_templates import TemplateMistake
    from reports.template_process import render_house

    try:
        made = render_house(run, folder)
    except TemplateMistake as mistake:
        raise Refused(str(mistake)) from None
    target = output or Path(UNNAMED + made.ending)
    write_whole(target, made.content)
    name_report(target)
