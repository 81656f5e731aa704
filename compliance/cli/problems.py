"""Shows what is wrong with rule files: where, what, the line with a caret, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from compliance.cli.screen import Screen, Styled
from reports.wording import counted
from rules_dsl.diagnostics import Diagnostic, caret_lines

_STYLES = {"error": "bold red", "warning": "bold yellow"}


def show_problems(screen: Screen, problems: Iterable[Diagnostic]) -> None:
    """Each diagnostic as a small paragraph."""
    for number, problem in enumerate(problems):
        if number:
            screen.line()
        _show(screen, problem)


def show_refused(screen: Screen, problems: Sequence[object]) -> None:
    """Why something could not be done: mistakes in rules with their lines, all else in a line."""
    in_rules = [problem for problem in problems if isinstance(problem, Diagnostic)]
    show_problems(screen, in_rules)
    for problem in problems:
        if not isinstance(problem, Diagnostic):
            screen.line(Styled(str(problem), "bold"))


def _show(screen: Screen, problem: Diagnostic) -> None:
    style = _STYLES[problem.level]
    screen.line(
        Styled(f"{problem.place}: ", "bold"),
        Styled(f"{problem.level}: ", style),
        problem.message,
        Styled(f" [{problem.code}]", "dim"),
    )
    margin = " " * len(str(problem.line))
    if problem.source.text:
        text, caret = caret_lines(problem)
        screen.source(Styled(f" {problem.line} | ", "dim"), text)
        screen.source(Styled(f" {margin} | ", "dim"), Styled(caret, style))
    if problem.suggestion:
        screen.line(Styled("= ", "dim"), problem.suggestion, indent=len(margin) + 2)
    see = f"= `compliance help {problem.code}` explains it"
    screen.line(Styled(see, "dim"), indent=len(margin) + 2)


def tally(problems: Sequence[Diagnostic]) -> str:
    """How many there are of each level: `2 errors, 1 warning`."""
    errors = sum(problem.level == "error" for problem in problems)
    return f"{counted(errors, 'error')}, {counted(len(problems) - errors, 'warning')}"
