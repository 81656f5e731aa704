"""How the report says things."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from reports.verdicts import FindingKind, RuleStatus
from reports.wording import MEANING, counted, label, moment
from tests.reports.sample import at


def test_every_status_has_its_own_word_and_symbol() -> None:
    labels = [label(status) for status in RuleStatus]
    assert len({shown.word for shown in labels}) == len(RuleStatus)
    assert len({shown.symbol for shown in labels}) == len(RuleStatus)


def test_every_status_is_explained() -> None:
    assert set(MEANING) == set(RuleStatus)


@pytest.mark.parametrize("kind", [FindingKind.INDICATOR, FindingKind.DATA_DEFECT])
def test_only_law_is_violated_or_complied_with(kind: FindingKind) -> None:
    words = {label(status, kind).word for status in RuleStatus}
    assert not words & {"violated", "complied"}


@pytest.mark.parametrize(
    ("ts", "text"),
    [
        (at("20:00:09"), "2024-03-09 20:00:09 -05:00"),
        (at("20:00:09.250"), "2024-03-09 20:00:09.25 -05:00"),
        (datetime(2024, 3, 9, 20, tzinfo=UTC), "2024-03-09 20:00:00 +00:00"),
        (
            datetime(2024, 3, 9, 20, tzinfo=timezone(timedelta(hours=5, minutes=45))),
            "2024-03-09 20:00:00 +05:45",
        ),
    ],
)
def test_a_time_shows_its_offset(ts: datetime, text: str) -> None:
    assert moment(ts) == text


def test_a_number_agrees_with_its_noun() -> None:
    assert [counted(number, "check") for number in (0, 1, 1204)] == [
        "0 checks",
        "1 check",
        "1,204 checks",
    ]
