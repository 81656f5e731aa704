"""The picture of the README shows what the program says today."""

from __future__ import annotations

from pathlib import Path

from compliance.cli import main
from tests.picture import words_of_cover
from tests.tree import text_of


def test_the_picture_of_the_readme_is_that_of_todays_report(tmp_path: Path) -> None:
    main(["demo", "-o", str(tmp_path / "report.html")])
    shown = words_of_cover((tmp_path / "report.html").read_text("utf-8"))
    assert shown == text_of("docs/images/report.txt"), "bash .ci/picture makes it anew"
