"""`compliance report`: writes the result of an earlier check again, in any format."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.saved_run import read_sound_run
from compliance.api.whole_file import write_whole
from compliance.cli.chosen_outputs import UNNAMED, chosen_outputs
from compliance.cli.report_output import name_report, write_run
from compliance.cli.screen import Screen, Styled
from reports.model import Run
from reports.wording import counted


def report_run(
    path: Path,
    form: str | None,
    template: Path | None,
    answers: Path | None,
    files: Sequence[Path],
) -> int:
    """Render a saved result; 0 whatever it says, because nothing is checked here."""
    if template is not None:
        if form is not None:
            raise Refused("--template has a format of its own; leave out --format.")
        if len(files) > 1:
            raise Refused("--template fills one file; name only one with -o.")
        _by_template(_read(path, answers), template, files[0] if files else None)
        return 0
    outputs = chosen_outputs(form, files, otherwise="html")
    write_run(_read(path, answers), outputs)
    return 0


def _read(path: Path, answers: Path | None) -> Run:
    run = read_sound_run(path)
    return run if answers is None else _answered(run, answers)


def _answered(run: Run, path: Path) -> Run:
    """The run with the answers of a filled action plan; none of them is lost."""
    from reports.answers_file import AnswersMistake, read_answers

    screen = Screen(sys.stderr)
    try:
        answers = read_answers(path)
    except AnswersMistake as mistake:
        for problem in mistake.problems:
            screen.line(Styled(problem, "bold"))
        raise Refused(f"The answers in {path} cannot be used; nothing was written.") from None
    known = {found.fingerprint for outcome in run.outcomes for found in outcome.findings}
    elsewhere = sum(answer.fingerprint not in known for answer in answers)
    if answers and elsewhere == len(answers):
        raise Refused(
            f"None of the answers in {path} is about a finding of this result; nothing was written."
        )
    wrong = sum(answer.incorrect for answer in answers)
    told = f"{counted(len(answers), 'answer')} taken from {path}"
    told += f", {wrong:,} marked as incorrect" if wrong else ""
    told += f"; {elsewhere:,} of them about findings not in this result" if elsewhere else ""
    screen.line(f"{told}.")
    return run.model_copy(update={"answers": answers})


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
