"""The report as one HTML page that needs nothing else: no script, no network, no other file.

Whatever stands in a log is shown as text. The same run gives the same bytes.
"""

from __future__ import annotations

import re
from datetime import datetime
from functools import cache

from jinja2 import PackageLoader, StrictUndefined
from jinja2.sandbox import ImmutableSandboxedEnvironment
from markupsafe import Markup

from reports import wording
from reports.model import RuleOutcome, Run
from reports.verdicts import FindingKind, RuleStatus, Severity

# Control characters, and those that reorder or hide text, would let a log line forge what a
# reader sees; they are shown as their code instead.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff]"
)

_SECTIONS = (
    (FindingKind.VIOLATION, "Violations", "The law was broken."),
    (FindingKind.INDICATOR, "Indicators", "Patterns worth a look; no breach in themselves."),
    (FindingKind.DATA_DEFECT, "Data defects", "Damage in the evidence itself."),
)


def _visible(value: object) -> object:
    if isinstance(value, Markup) or not isinstance(value, str):
        return value
    return _UNSEEN.sub(lambda hidden: f"\\u{ord(hidden.group()):04x}", value)


def _anchor(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")


@cache
def _environment() -> ImmutableSandboxedEnvironment:
    environment = ImmutableSandboxedEnvironment(
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
        "counted": wording.counted,
        "day": wording.day,
        "moment": wording.moment,
    }
    return environment


def _glance(run: Run) -> list[tuple[RuleStatus, int]]:
    law = [outcome for outcome in run.outcomes if outcome.kind is FindingKind.VIOLATION]
    return [(status, sum(rule.status is status for rule in law)) for status in wording.MEANING]


def _with_findings(run: Run, kind: FindingKind) -> list[RuleOutcome]:
    gravity = list(Severity)
    found = [rule for rule in run.outcomes if rule.kind is kind and rule.findings]
    return sorted(found, key=lambda rule: gravity.index(rule.severity))


def render_html(run: Run, *, printed_at: datetime | None = None) -> str:
    """Return the report of a run; it names a time of printing only if it is given one."""
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            run=run,
            printed_at=printed_at,
            glance=_glance(run),
            sections=[
                (kind.value, title, meaning, _with_findings(run, kind))
                for kind, title, meaning in _SECTIONS
            ],
            violations=run.findings(FindingKind.VIOLATION),
            label=wording.label,
            meaning=wording.MEANING,
        )
    )
