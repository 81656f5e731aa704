"""Adds `pytest tests/language --update-expected`: rewrite what the files in `bad/` announce.

The files change, and the change is then read and judged like any other change of the wording.
"""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-expected",
        action="store_true",
        help="rewrite the expected diagnostics in tests/language/bad, for review",
    )


@pytest.fixture(scope="session")
def update_expected(request: pytest.FixtureRequest) -> bool:
    """Whether expectations are to be rewritten. Run from elsewhere, the option is not known."""
    return bool(request.config.getoption("--update-expected", default=False))
