"""What an archive shows is what the logs showed that were archived, with all their damage."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from compliance.archive import write_night
from compliance.archive.written_night import write_nights
from compliance.checking.check_log import check_log
from compliance.log.mapping_file import load_mapping
from compliance.values.gaming_day import GamingClock
from reports.model import Run
from reports.verdicts import RuleStatus
from tests.compliance.archive.archived_nights import (
    CASINO,
    by_archive,
    by_log,
    damaged,
    night_lines,
    settings,
    told,
    written,
)
from tests.compliance.checked_logs import SCHEMA

DAY = date(2010, 3, 6)


def test_a_sound_night_gives_the_same_result(tmp_path: Path) -> None:
    log = written(tmp_path / "night.jsonl", night_lines(DAY))
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    run = by_log(log)
    assert any(item.findings for item in run.outcomes)
    assert told(by_archive(tmp_path / "archive", tmp_path)) == told(run)


@pytest.mark.parametrize("seed", range(4))
def test_damage_is_as_well_known_as_before(tmp_path: Path, seed: int) -> None:
    log = written(tmp_path / "night.jsonl", damaged(night_lines(DAY), seed))
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    run = by_log(log)
    assert run.quarantined
    assert run.lost_records
    assert any(item.status is RuleStatus.UNDETERMINED for item in run.outcomes)
    assert told(by_archive(tmp_path / "archive", tmp_path)) == told(run)


def test_a_month_of_nights_gives_the_result_of_all_its_logs_at_once(tmp_path: Path) -> None:
    """Numbers begin again every night, and every night has files of the same name."""
    logs = []
    for number in range(3):
        day = date(2010, 3, 6 + number)
        lines = damaged(night_lines(day, seed=5 + number), seed=number)
        logs.append(written(tmp_path / f"{day}" / "night.jsonl", lines))
        write_night(tmp_path / "archive", CASINO, day, [logs[-1]], SCHEMA)
    assert told(by_archive(tmp_path / "archive", tmp_path)) == told(by_log(*logs))


def test_some_nights_give_the_result_of_their_logs_alone(tmp_path: Path) -> None:
    days = [date(2010, 3, 6 + number) for number in range(3)]
    logs = []
    for number, day in enumerate(days):
        lines = damaged(night_lines(day, seed=5 + number), seed=number)
        logs.append(written(tmp_path / f"{day}" / "night.jsonl", lines))
        write_night(tmp_path / "archive", CASINO, day, [logs[-1]], SCHEMA)
    found = by_archive(tmp_path / "archive", tmp_path, first=days[1], last=days[1])
    assert told(found) == told(by_log(logs[1]))


def test_one_table_gives_what_it_gave_and_nothing_is_said_across_tables(tmp_path: Path) -> None:
    log = written(tmp_path / "night.jsonl", damaged(night_lines(DAY), 3))
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA)
    whole = by_archive(tmp_path / "archive", tmp_path)
    table = whole.scope.tables[0]
    alone = by_archive(tmp_path / "archive", tmp_path, tables=(table,))
    assert alone.scope.tables == (table,)
    across = {
        rule.name
        for rule in settings().rulebook.rules
        if any(edition.slice.across != "table" for edition in rule.editions)
    }
    assert across

    def findings(run: Run) -> set[str]:
        return {
            found.fingerprint
            for item in run.outcomes
            if item.rule not in across
            for found in item.findings
            if found.where.get("table") == table
        }

    assert findings(alone) == findings(whole)
    assert findings(alone)
    for item in alone.outcomes:
        if item.rule in across:
            assert not item.findings
            assert item.status in (
                RuleStatus.NOT_EVALUABLE,
                RuleStatus.NOT_IN_FORCE,
                RuleStatus.NOT_PLAYED,
            )


def test_a_log_of_several_days_is_archived_day_by_day_with_the_lines_between(
    tmp_path: Path,
) -> None:
    """A gaming day ends at six in the morning, also where the clock is changed in its night."""
    days = [date(2010, 3, 13), date(2010, 3, 14)]
    lines: list[str] = []
    numbers: dict[str, int] = {}
    for day in days:
        for line in night_lines(day, seed=3):
            record = json.loads(line)
            numbers[record["table"]] = record["seq"] = numbers.get(record["table"], 0) + 1
            record["id"] = f"{record['table']}-{record['seq']}"
            lines.append(json.dumps(record))
    border = len(night_lines(days[0], seed=3))
    lines.insert(border, "nonsense between the days")
    log = written(tmp_path / "both.jsonl", damaged(lines, 11))
    clock = GamingClock(ZoneInfo("America/New_York"), time(6))
    nights = write_nights(tmp_path / "archive", clock, [log], SCHEMA)
    assert [item.night.day for item in nights] == days
    assert told(by_archive(tmp_path / "archive", tmp_path)) == told(by_log(log))
    # The line between belongs to the end of one and to the beginning of the other.
    between = b"nonsense between the days"
    for day in days:
        [aside] = (tmp_path / "archive" / CASINO / "aside").glob(f"{day}.*")
        assert between in aside.read_bytes()


MAPPING = """
name = "Shoe"
leave_out = [{ evt = "noise" }]

[constants]
casino = "Boardwalk"
table = "T1"
type = "card_dealt"
to = "player"
seat = 1

[fields]
id = "name"
ts = "at"
seq = "n"
card = { from = "card", suits = "unknown" }
"""


def test_what_a_mapping_left_out_and_put_in_is_known_in_the_archive(tmp_path: Path) -> None:
    records = [
        {
            "name": f"r{number}",
            "at": f"2010-03-06T20:{number:02}:00-05:00",
            "n": number,
            "card": "9",
            "evt": "noise" if number % 5 == 3 else "card",
        }
        for number in range(1, 50)
    ]
    lines = [json.dumps(record) for record in records if record["n"] != 20]
    log = written(tmp_path / "feed.jsonl", lines)
    (tmp_path / "feed.toml").write_text(MAPPING)
    mapping, problems = load_mapping(tmp_path / "feed.toml", SCHEMA)
    assert mapping is not None, problems
    write_night(tmp_path / "archive", CASINO, DAY, [log], SCHEMA, mapping)
    run = check_log([log], replace(settings(), mapping=mapping)).run
    assert run is not None
    # One record is lost; those that were left out are not.
    assert run.lost_records == 1
    assert "The source does not tell the suits" in str([item.reason for item in run.outcomes])
    assert told(by_archive(tmp_path / "archive", tmp_path)) == told(run)
