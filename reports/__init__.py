"""The result of a run and the pages made from it.

from reports import Run, render_html
page = render_html(Run.model_validate_json(text))
"""

from typing import TYPE_CHECKING

from reports.model import (
    Check,
    ClauseStatement,
    Counts,
    Finding,
    Input,
    Rulebook,
    RuleOutcome,
    Run,
    Scope,
    Witness,
)
from reports.verdicts import (
    ClauseStatus,
    ExitCode,
    FindingKind,
    RuleStatus,
    Severity,
    Verdict,
    status_of,
)

if TYPE_CHECKING:
    from reports.html import render_html

__all__ = [
    "Check",
    "ClauseStatement",
    "ClauseStatus",
    "Counts",
    "ExitCode",
    "Finding",
    "FindingKind",
    "Input",
    "RuleOutcome",
    "RuleStatus",
    "Rulebook",
    "Run",
    "Scope",
    "Severity",
    "Verdict",
    "Witness",
    "render_html",
    "status_of",
]


def __getattr__(name: str) -> object:
    # Imported late: to find something out needs no pages.
    if name == "render_html":
        from reports.html import render_html

        return render_html
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
