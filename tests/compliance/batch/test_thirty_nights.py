"""Thirty nights, judged one after the other, give the findings of one log of thirty days."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from compliance.store.tables import StoredFinding
from reports.verdicts import FindingKind
from rules_dsl.bundled import bundled_rulebook
from tests.compliance.batch.site import Site, simulated
from tests.compliance.small_rulebook import json_answer

NIGHTS = 30
NOT_THE_SAME = ("exposure", "timeline", "waiver", "file", "line")
"""What is told of the log in which a finding was found, not of the finding."""


def found_in(run: Any) -> dict[str, dict[str, Any]]:
    return {
        found["fingerprint"]: {k: v for k, v in found.items() if k not in NOT_THE_SAME}
        for outcome in run["outcomes"]
        if outcome["kind"] != FindingKind.DATA_DEFECT.value
        for found in outcome["findings"]
    }


def stored(site: Site) -> dict[str, dict[str, Any]]:
    store = site.store
    with store.reading() as session:
        rows = session.scalars(
            select(StoredFinding).where(
                StoredFinding.kind != FindingKind.DATA_DEFECT.value,
                StoredFinding.status != "resolved",
            )
        ).all()
        found = {
            row.fingerprint: {
                k: v
                for k, v in json.loads(zlib.decompress(row.document)).items()
                if k not in NOT_THE_SAME
            }
            for row in rows
        }
    store.engine.dispose()
    return found


def test_thirty_nights_are_one_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nights = simulated(NIGHTS, 2, 4, 11)
    site = Site(tmp_path / "site", "compliance.db", NIGHTS)
    site.logs(nights)
    settings = site.settings()
    text = settings.read_text("utf-8")
    site.settings(text.replace('rules = ["house.rules"]\n', ""))
    site.run()
    words = ("--rules", bundled_rulebook(), "--workers", "1")
    whole = found_in(json_answer(capsys, "check", site.folder / "logs", *words))
    assert len(whole) > NIGHTS
    assert stored(site) == whole
