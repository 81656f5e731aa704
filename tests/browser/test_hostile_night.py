"""A night that strangers wrote attacks into is opened in a browser, and nothing happens."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compliance.cli import main
from reports.model import Run
from tests.attacks.arena import lay_out
from tests.attacks.injection import PAYLOADS, night
from tests.browser.conftest import Open


@pytest.mark.parametrize("name", PAYLOADS)
def test_no_text_of_log_rules_or_side_files_runs_in_the_page(
    name: str, open_report: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`open_report` fails at a word on the console, an error, a question or a request."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setitem(os.environ, "XDG_CACHE_HOME", str(tmp_path / "cache"))
    lay_out(tmp_path, night(PAYLOADS[name]))
    words = "check night.jsonl --rules small.rules --waivers waivers.toml --workers 1 -o run.json"
    assert main(words.split()) == 1
    page = open_report(Run.model_validate_json((tmp_path / "run.json").read_bytes()))
    page.evaluate("for (const item of document.querySelectorAll('details')) item.open = true")
    for link in page.locator("a").all():
        assert (link.get_attribute("href") or "#").startswith("#")
    page.mouse.move(200, 200)
    page.keyboard.press("Tab")
    assert page.locator("main").inner_text()
