"""All limits stand in one place, and the page about them tells each as it is."""

from __future__ import annotations

import re

import pytest

from event_schemas import limits
from tests.tree import ROOT

NAMES = [name for name in vars(limits) if name.isupper()]
PAGE = (ROOT / "docs" / "limits.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_page_tells_each_limit_as_it_is(name: str) -> None:
    assert f"| `{name}` | {getattr(limits, name):,} |" in PAGE


def test_the_page_tells_no_limit_that_is_none() -> None:
    assert sorted(re.findall(r"^\| `([A-Z_]+)` \|", PAGE, re.M)) == sorted(NAMES)
