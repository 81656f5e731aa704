"""What changed between two results as one HTML page that needs nothing else."""

from __future__ import annotations

from markupsafe import Markup

from reports.change_record import Changes
from reports.changes import NAMES
from reports.html import page_environment, page_source
from reports.verdicts import FindingKind
from reports.zone import Clock


def render_changes(changes: Changes, name: str, zone: str) -> str:
    """The page; `name` is the newer result's, `zone` the casino's."""
    environment = page_environment()
    return environment.get_template("changes.html.j2").render(
        changes=changes,
        name=name,
        clock=Clock(zone),
        names=NAMES,
        fresh=changes.of(FindingKind.VIOLATION).new,
        style=Markup(page_source(environment, "report.css")),  # noqa: S704 - our own file
    )
