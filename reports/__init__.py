"""The result of a run and the pages made from it.

from reports import Run, render_html
page = render_html(Run.model_validate_json(text))
"""

from reports.html import render_html
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
