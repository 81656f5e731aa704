"""A real Chromium for the tests of pages; without one they are skipped, or fail where CI is set."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from reports import render_html
from reports.model import Run

QUIET = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)

Open = Callable[..., Page]


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """One browser for all tests of a process."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        reason = "there is no Chromium on this machine (on Debian: apt-get install chromium)"
        if os.environ.get("CI"):
            pytest.fail(reason)
        pytest.skip(reason)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=list(QUIET))
        yield browser
        browser.close()


@pytest.fixture
def open_report(chromium: Browser, tmp_path: Path) -> Iterator[Open]:
    """Open the report of a run from a file; at the end, nothing may have gone wrong in it."""
    wrong: list[str] = []
    pages: list[Page] = []

    def opened(run: Run, *, width: int = 1280, script: bool = True) -> Page:
        file = tmp_path / "report.html"
        file.write_text(render_html(run), encoding="utf-8")
        page = chromium.new_page(
            viewport={"width": width, "height": 900}, java_script_enabled=script
        )
        pages.append(page)
        page.on("console", lambda message: wrong.append(f"console: {message.text}"))
        page.on("pageerror", lambda error: wrong.append(f"error: {error}"))
        page.on("dialog", lambda dialog: wrong.append(f"dialog: {dialog.message}"))
        page.on(
            "request",
            lambda request: (
                wrong.append(f"request: {request.url}") if request.url != file.as_uri() else None
            ),
        )
        page.goto(file.as_uri())
        return page

    yield opened
    for page in pages:
        page.close()
    assert wrong == []
