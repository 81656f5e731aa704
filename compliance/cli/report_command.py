"""`compliance report`: writes the result of an earlier check again, in any format."""

from __future__ import annotations

import sys
from pathlib import Path

from compliance.cli.refusal import Refused
from compliance.cli.report_output import UNNAMED, name_report, write_run
from compliance.cli.saved_run import read_run
from compliance.cli.screen import Screen, Styled
from compliance.cli.whole_file import write_whole
from reports.model import Run
from reports.saved_json import altered
from reports.wording import counted


def report_run(
    path: Path,
    form: str | None,
    template: Path | None,
    answers: Path | None,
    output: Path | None,
) -> int:
    """Render a saved result; 0 whatever it says, because nothing is checked here."""
    run = read_run(path).run
    if altered(run):
        raise Refused(
            f"{path} was altered after it was saved: its SHA-256 is not the one that it states.",
            hint="`compliance verify` says what differs from a new check.",
        )
    if answers is not None:
        run = _answered(run, answers)
    if template is not None and form is not None:
        raise Refused("--template has a format of its own; leave out --format.")
    if template is not None:
        _by_template(run, template, output)
    else:
        write_run(run, form or "html", output)
    return 0


def _answered(run: Run, path: Path) -> Run:
    """The run with the answers of a filled action plan; none of them is lost."""
    from reports.answers_file import AnswersMistake, read_answers

    try:
        answers = read_answers(path)
    except AnswersMistake as mistake:
        screen = Screen(sys.stderr)
        for problem in mistake.problems:
            screen.line(Styled(problem, "bold"))
        raise Refused(f"The answers in {path} cannot be used; nothing was written.") from None
    known = {found.fingerprint for outcome in run.outcomes for found in outcome.findings}
    fitting = sum(answer.fingerprint in known for answer in answers)
    if answers and not fitting:
        raise Refused(
            f"None of the answers in {path} is about a finding of this result; nothing was written."
        )
    screen = Screen(sys.stderr)
    wrong = sum(answer.incorrect for answer in answers)
    screen.line(
        f"{counted(len(answers), 'answer')} taken from {path}"
        + (f", {wrong:,} marked as incorrect" if wrong else "")
        + (
            f"; {counted(len(answers) - fitting, 'of them', 'of them')} about findings that are "
            "not in this result"
            if fitting < len(answers)
            else ""
        )
        + "."
    )
    return run.model_copy(update={"answers": answers})


def _by_template(run: Run, folder: Path, output: Path | None) -> None:
    from reports.house_templates import TemplateMistake, render_house

    try:
        made = render_house(run, folder)
    except TemplateMistake as mistake:
        raise Refused(str(mistake)) from None
    target = output or Path(UNNAMED + made.ending)
    write_whole(target, made.content)
    name_report(target)
