"""Rows sorted by the types of their events, with compiled code and without it."""

from __future__ import annotations

import numpy as np
import pytest

from compliance.columnar import rows_by_type as sorting
from compliance.columnar.rows_by_type import rows_by_type

TYPES = np.array([3, 0, 3, 1, 0, 3], dtype=np.int16)


@pytest.fixture(params=["as installed", "without compiled code"], autouse=True)
def _compiled_or_not(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "without compiled code":
        monkeypatch.setattr(sorting, "library", lambda: None)


def test_the_rows_of_each_type_come_in_their_order() -> None:
    found = rows_by_type(TYPES, 5)
    assert [found.of(code).tolist() for code in range(5)] == [[1, 4], [3], [], [0, 2, 5], []]


def test_only_types_with_events_are_seen() -> None:
    assert rows_by_type(TYPES, 5).seen().tolist() == [True, True, False, True, False]


def test_each_row_knows_its_place_among_those_of_its_type() -> None:
    assert rows_by_type(TYPES, 5).rank.tolist() == [0, 0, 1, 0, 1, 2]


def test_a_log_without_events_has_no_type() -> None:
    assert not rows_by_type(TYPES[:0], 5).seen().any()
