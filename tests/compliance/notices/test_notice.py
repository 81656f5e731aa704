"""What a message says, and when there is one."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from compliance.notices import build_notice
from reports.verdicts import Severity
from tests.compliance.notices.nights import by_mail, by_web, clean_night, night


def test_a_message_tells_what_the_night_came_to_and_how_to_look_further() -> None:
    told = night(defects=3, quarantined=17, resolved=2, remarks=("A late file came.",))
    notice = build_notice(told, by_mail(25))
    assert notice is not None
    assert notice.subject == "Boardwalk, night of 6 March 2010: 2 violations, 1 new"
    for text in (notice.text, notice.html):
        for said in (
            "2 violations of the law were found.",
            "critical",
            "12,345 events at 4 tables",
            "A late file came.",
            "compliance findings list --casino Boardwalk --date 2010-03-06",
            "Defects of the evidence",
            "17",
        ):
            assert said in text


def test_markup_in_a_name_is_text_and_a_line_end_begins_no_new_line() -> None:
    told = night(casino="<b>Evil</b>\nBcc: all@casino.example", remarks=("a\nb",))
    notice = build_notice(told, by_mail(25))
    assert notice is not None
    assert "<b>" not in notice.html
    assert "&lt;b&gt;Evil" in notice.html
    assert "\n" not in notice.subject
    assert "\nBcc" not in notice.text


def test_a_long_name_makes_no_endless_subject() -> None:
    notice = build_notice(night(casino="x" * 5_000), by_mail(25))
    assert notice is not None
    assert len(notice.subject) == 150


def test_the_same_night_has_the_same_number_whatever_was_found() -> None:
    def number(casino: str, day: int, found: int, channel: str) -> str:
        told = night(casino=casino, day=date(2010, 3, day), violations={Severity.CRITICAL: found})
        notice = build_notice(told, by_mail(25, policy={"name": channel}))
        assert notice is not None
        return notice.number

    first = number("A", 6, 1, "one")
    assert first == number("A", 6, 5, "one")
    others = [number("B", 6, 1, "one"), number("A", 7, 1, "one"), number("A", 6, 1, "two")]
    assert len({first, *others}) == 4


@pytest.mark.parametrize(
    ("policy", "told", "wanted"),
    [
        ({}, night(), True),
        ({}, clean_night(), False),
        ({"clean_nights": True}, clean_night(), True),
        ({"severity": "critical"}, night(violations={Severity.MAJOR: 3}), False),
        ({"severity": "major"}, night(violations={Severity.MAJOR: 3}), True),
        ({"only_new": True, "severity": "major"}, night(), False),
        ({"only_new": True}, night(), True),
        ({}, clean_night(defects=1), True),
        ({"defects": False}, clean_night(defects=1, quarantined=1), False),
        ({}, clean_night(verdict="not_supported"), True),
        ({"defects": False}, clean_night(verdict="not_supported"), False),
        ({"defects": False}, clean_night(verdict="failed"), True),
    ],
)
def test_the_policy_decides_whether_there_is_a_message(
    policy: dict[str, Any], told: Any, wanted: bool
) -> None:
    settings = by_mail(25, policy=policy)
    assert settings.wants(told) is wanted
    assert (build_notice(told, settings) is not None) is wanted


def test_reports_go_along_while_there_is_room_and_are_named_where_there_is_none(
    tmp_path: Path,
) -> None:
    small, large = tmp_path / "report.html", tmp_path / "report.pdf"
    small.write_bytes(b"<p>")
    large.write_bytes(b"x" * 1_000)
    missing = tmp_path / "gone.csv"
    told = night(reports=(small, large, missing))
    notice = build_notice(told, by_mail(25, policy={"attach_at_most": 500}))
    assert notice is not None
    assert [(item.name, item.kind) for item in notice.attachments] == [("report.html", "text/html")]
    assert f"Too large to send along: {large}" in notice.text
    assert f"Could not be sent along (No such file or directory): {missing}" in notice.text


def test_a_web_server_is_told_where_the_report_lies(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_bytes(b"<p>")
    notice = build_notice(night(reports=(report,)), by_web(80))
    assert notice is not None
    assert not notice.attachments
    assert f"Report: {report}" in notice.text
