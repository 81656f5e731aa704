"""What an archive shows is what the logs showed that were archived, with all their damage."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from compliance.archive import write_night
from reports.verdicts import RuleStatus
from tests.compliance.archive.archived_nights import (
    CASINO,
    by_archive,
    by_log,
    damaged,
    night_lines,
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
