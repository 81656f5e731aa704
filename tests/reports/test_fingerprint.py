"""A finding keeps its name for good, and shares it with no other finding."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from reports.fingerprint import fingerprint

BASE: dict[str, Any] = {
    "rule": "burn-by-each-new-dealer",
    "edition": date(1982, 9, 15),
    "casino": "Boardwalk Palace",
    "table": "BJ-12",
    "slice": {"table": "BJ-12", "player": "P1"},
    "trigger": "e-1042",
}


def test_the_fingerprint_never_changes_between_versions() -> None:
    assert fingerprint(**BASE).startswith("5224d82779e08049")


def test_the_order_of_the_keys_does_not_matter() -> None:
    assert fingerprint(**BASE) == fingerprint(
        **BASE | {"slice": {"player": "P1", "table": "BJ-12"}}
    )


@pytest.mark.parametrize(
    "change",
    [
        {"rule": "other"},
        {"edition": date(2010, 10, 4)},
        {"edition": None},
        {"casino": "Pier House"},
        {"table": "BJ-14"},
        {"slice": {"table": "BJ-12", "player": "P2"}},
        {"slice": {"table": "BJ-12, player: P1"}},
        {"trigger": "e-1043"},
    ],
)
def test_each_part_of_what_happened_makes_another_fingerprint(change: dict[str, Any]) -> None:
    assert fingerprint(**BASE) != fingerprint(**BASE | change)
