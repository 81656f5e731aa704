"""Every format that a run can be written in; the commands offer what stands here.

from reports.formats import FORMATS
FORMATS["csv"].render(run)
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec

from reports.model import Run


@dataclass(frozen=True)
class Format:
    """One way to write a run."""

    name: str
    ending: str
    """How the name of such a file ends."""
    about: str
    place: str
    """The module and the function that render it, at once or in pieces; loaded when asked for."""
    text: bool = True
    """Whether a terminal can show it."""

    needs: str = ""
    """The package that it needs beside those of every installation."""
    extra: str = ""
    """By which name that is asked for: `pip install 'table-compliance[pdf]'`."""

    @property
    def missing(self) -> str:
        """What to install first, in one sentence; empty where nothing is missing."""
        if not self.needs or find_spec(self.needs) is not None:
            return ""
        return (
            f"The format {self.name} needs {self.needs}, which is not installed: "
            f"pip install 'table-compliance[{self.extra}]'"
        )

    def pieces(self, run: Run) -> Iterator[bytes]:
        """The run in this format, piece by piece; the same run always gives the same bytes."""
        module, function = self.place.split(":")
        made: str | bytes | Iterator[str] = getattr(import_module(module), function)(run)
        if isinstance(made, bytes):
            yield made
        elif isinstance(made, str):
            yield made.encode("utf-8")
        else:
            yield from (piece.encode("utf-8") for piece in made)

    def render(self, run: Run) -> bytes:
        """The same at once."""
        return b"".join(self.pieces(run))


FORMATS = {
    item.name: item
    for item in (
        Format("json", ".json", "the whole result", "reports.saved_json:json_pieces"),
        Format("html", ".html", "the report as one page", "reports.html:render_html"),
        Format(
            "pdf",
            ".pdf",
            "the report on paper",
            "reports.pdf:render_pdf",
            text=False,
            needs="typst",
            extra="pdf",
        ),
        Format("csv", ".csv", "every finding in a row", "reports.csv_table:render_csv"),
        Format(
            "parquet",
            ".parquet",
            "every finding in a row, for programs",
            "reports.parquet_table:render_parquet",
            text=False,
        ),
        Format(
            "action-plan",
            ".xlsx",
            "a workbook with blanks for owner, due date and response",
            "reports.action_plan_workbook:render_action_plan",
            text=False,
            needs="xlsxwriter",
            extra="xlsx",
        ),
        Format(
            "action-plan-csv",
            ".csv",
            "the same as CSV",
            "reports.action_plan:render_action_plan_csv",
        ),
        Format("sarif", ".sarif", "SARIF 2.1.0", "reports.sarif:sarif_pieces"),
        Format("junit", ".xml", "JUnit XML", "reports.junit:render_junit"),
        Format("mail", ".txt", "a few lines for an e-mail", "reports.mail_text:render_mail"),
    )
}
"""By name, in the order in which help lists them."""
