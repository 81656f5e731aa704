"""The report as one HTML page that needs nothing else: no network, no other file, no server.

Whatever stands in a log is shown as text. The same run gives the same bytes. Everything can be read
without a script; the page's own small one adds filters.
"""

from __future__ import annotations

import base64
import hashlib
import re
from datetime import datetime
from functools import cache
from string import ascii_uppercase

from jinja2 import Environment, PackageLoader, StrictUndefined
from markupsafe import Markup

from event_schemas import format_money
from reports import wording
from reports.answer import by_fingerprint
from reports.cards import drawn
from reports.changes import NAMES
from reports.charts import by_hour, charts
from reports.first_page import COLUMNS, SIGNED_BY, first_page, section_counts
from reports.hidden_characters import visible
from reports.model import Finding, Run
from reports.run_hash import run_hash
from reports.shown import (
    MOST_NOT_RECORDED,
    Step,
    choices,
    going_with,
    groups,
    levels,
    rules_by_status,
    sections,
    steps,
)
from reports.verdicts import ClauseStatus, FindingKind
from reports.zone import Clock


def render_html(run: Run, *, printed_at: datetime | None = None) -> str:
    """Return the report of a run; it names a time of printing only if it is given one."""
    environment = page_environment()
    clock = Clock(run.time_zone)
    script = page_source(environment, "report.js")
    violations, indicators, defects = (groups(run, kind) for kind in FindingKind)
    found = run.findings(FindingKind.VIOLATION)
    annexes = _annexes(
        changes=run.changes is not None, violations=bool(violations), indicators=bool(indicators)
    )
    letters = {name: ascii_uppercase[place] for place, (name, _) in enumerate(annexes)}

    def steps_of(finding: Finding) -> list[Step]:
        return steps(finding, clock)

    return environment.get_template("report.html.j2").render(
        run=run,
        run_hash=run_hash(run),
        printed_at=printed_at,
        clock=clock,
        style=Markup(page_source(environment, "report.css")),  # noqa: S704 - our own file
        script=Markup(script),  # noqa: S704 - our own file
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        page=first_page(run),
        section_counts=section_counts(run.statements),
        most_not_recorded=MOST_NOT_RECORDED,
        columns=COLUMNS,
        signed_by=SIGNED_BY,
        annexes=annexes,
        annex=lambda name: letters[name],
        answers=by_fingerprint(run.answers),
        going_with=going_with(violations, FindingKind.VIOLATION),
        glance=rules_by_status(run).items(),
        names=NAMES,
        violations=violations,
        indicators=indicators,
        defects=defects,
        choices=choices([*violations, *indicators, *defects]),
        charts=charts(found),
        hours=by_hour(found, clock),
        sections=sections(run.statements),
        clauses=_clauses(run),
        steps=steps_of,
        label=wording.label,
        clause_label=wording.clause_label,
        meaning=wording.MEANING,
        clause_meaning=wording.CLAUSE_MEANING,
        levels=levels(run.statements),
        escaping=wording.escaping,
    )


def _annexes(*, changes: bool, violations: bool, indicators: bool) -> list[tuple[str, str]]:
    """What follows the page that is signed, in order."""
    return [
        *([("changes", "Since the earlier result")] if changes else []),
        ("glance", "The verdict at a glance"),
        *([("violations", "Violations")] if violations else []),
        *([("indicators", "Indicators")] if indicators else []),
        ("evidence", "Integrity of the evidence"),
        ("statement", "Statement of compliance"),
        ("basis", "What the verdicts rest on"),
        ("reproduce", "To reproduce this report"),
    ]


def _visible(value: object) -> object:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return visible(value)


def _anchor(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


@cache
def page_environment() -> Environment:
    """How every page is filled in: all texts escaped, no name without a value."""
    environment = Environment(
        loader=PackageLoader("reports"),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_visible,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {
        "anchor": _anchor,
        "card": drawn,
        "counted": wording.counted,
        "told_of_loss": wording.told_of_loss,
        "day": wording.day,
        "lasting": wording.lasting,
        "money": format_money,
        "number": lambda number: f"{number:,}",
        "plain": lambda name: name.replace("_", " "),
    }
    return environment


def page_source(environment: Environment, name: str) -> str:
    """A file of the templates' folder as it is."""
    assert environment.loader is not None
    return environment.loader.get_source(environment, name)[0]


def _clauses(run: Run) -> list[tuple[ClauseStatus, int]]:
    return [(s, sum(item.status is s for item in run.statements)) for s in ClauseStatus]
