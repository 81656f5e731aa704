"""The report of the invented night, word for word: every change of a template shows here.

SNAPSHOTS=write writes it anew; read what changed before it is kept.
"""

from __future__ import annotations

import os
from pathlib import Path

from reports import render_html
from tests.reports.sample import full_run

SNAPSHOT = Path(__file__).parent / "snapshots" / "report.html"


def test_the_report_of_the_invented_night_has_not_changed() -> None:
    page = render_html(full_run())
    if os.environ.get("SNAPSHOTS") == "write":
        SNAPSHOT.write_text(page, encoding="utf-8")
    assert page == SNAPSHOT.read_text(encoding="utf-8"), "SNAPSHOTS=write writes it anew"
