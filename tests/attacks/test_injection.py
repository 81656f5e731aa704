"""What strangers write is shown as text: no output runs it, counts with it or lets it draw."""

from __future__ import annotations

import csv
import io
import json
import re
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path
from xml.etree import ElementTree

import pytest

from reports.formats import FORMATS
from tests.attacks.arena import Attack, withstood
from tests.attacks.injection import PAYLOADS, night

CHECK = (
    "check night.jsonl --rules small.rules --options own.toml --waivers waivers.toml --workers 1"
    " --quarantine aside.jsonl --format json -o run.json"
)
UNSEEN = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\u2066-\u2069]")
"""What would draw on a terminal, or turn letters round."""
RUN_BY_A_SPREADSHEET = re.compile(r"\s*[=+@\t]|\s*-(?!\d|$)")


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_output_is_anything_but_text(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    checked = Attack(name, CHECK, 1, "1 violation", night(PAYLOADS[name]))
    assert not UNSEEN.search(withstood(checked, tmp_path, capsys))
    for form in FORMATS:
        words = f"report run.json --format {form} -o out.{form}"
        withstood(Attack(form, words, 0, "", checked.files), tmp_path, capsys)
        content = (tmp_path / f"out.{form}").read_bytes()
        if form in UNHURT:
            UNHURT[form](content)
    shown = withstood(Attack("", "report run.json", 0, "", checked.files), tmp_path, capsys)
    assert not UNSEEN.search(shown)
    run = json.loads((tmp_path / "run.json").read_text(encoding="utf-8"))
    assert run["scope"]["tables"] == [PAYLOADS[name]]


def _cells(content: bytes) -> None:
    for row in csv.reader(io.StringIO(content.decode("utf-8-sig"), newline="")):
        assert not [cell for cell in row if RUN_BY_A_SPREADSHEET.match(cell)]


def _workbook(content: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(content)) as book:
        for sheet in book.namelist():
            ElementTree.fromstring(book.read(sheet))  # noqa: S314
            if sheet.startswith("xl/worksheets/"):
                assert b"<f>" not in book.read(sheet)
                assert b"hyperlink" not in book.read(sheet).lower()


def _page(content: bytes) -> None:
    assert b"<img src=x" not in content
    assert b"<script>console" not in content


def _plain(content: bytes) -> None:
    assert not UNSEEN.search(content.decode())


def _xml(content: bytes) -> None:
    ElementTree.fromstring(content)  # noqa: S314


UNHURT: Mapping[str, Callable[[bytes], object]] = {
    "csv": _cells,
    "action-plan-csv": _cells,
    "action-plan": _workbook,
    "html": _page,
    "mail": _plain,
    "junit": _xml,
    "json": json.loads,
    "sarif": json.loads,
}
"""What must hold of each format; of the others that they can be written."""
