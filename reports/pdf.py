"""The report as PDF: contents, page numbers, a running header with the run's hash, working links.

The pages are set by Typst from templates and data. The data goes in as JSON, so that whatever
stands in a log stays text. The same run gives the same bytes.
"""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

from reports.model import Run
from reports.pdf_content import pdf_content

_TEMPLATES = ("main.typ", "drawing.typ", "finding.typ", "statement.typ")


def render_pdf(run: Run) -> bytes:
    """The report of a run on US letter pages."""
    # Loading it takes a moment that other formats need not wait for.
    import typst

    folder = files("reports") / "templates" / "pdf"
    sources: Any = {name: (folder / name).read_bytes() for name in _TEMPLATES}
    sources["content.json"] = json.dumps(pdf_content(run)).encode()
    # PDF/A-2a is for archives, PDF/UA-1 is tagged for those who listen. Only the fonts that come
    # with Typst are used: pages look the same on every machine.
    return typst.compile(
        sources, format="pdf", ignore_system_fonts=True, pdf_standards=["a-2a", "ua-1"]
    )
