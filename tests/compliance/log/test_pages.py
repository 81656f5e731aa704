"""Pages of Parquet files are decoded by compiled code: whatever their bytes say, it reads and
writes nothing but what it was given, and what it does not know is read in another way."""

from __future__ import annotations

import random
import sys
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest

from compliance.log import compiled_pages
from compliance.log.grouped_log import grouped_log
from compliance.log.row_group_table import DamagedFile
from compliance.log.sources import find_sources
from compliance.log.tables import LogFiles
from compliance.log.typed_columns import CloserLookNeeded
from tests.compliance.checked_logs import SCHEMA
from tests.compliance.engine.compiling import NO_COMPILER
from tests.compliance.log.both_ways import night
from tests.compliance.log.watched_library import run_watched

FORMS: list[dict[str, Any]] = [
    {"compression": "zstd"},
    {"compression": "snappy", "data_page_version": "2.0"},
    {"compression": "none", "data_page_version": "2.0"},
    {"compression": "none", "use_dictionary": False},
    {"compression": "gzip", "max_rows_per_page": 7},
    {"compression": "lz4"},
]
DAMAGED = """
from tests.compliance.log.test_pages import read_damaged
read_damaged(Path(sys.argv[2]), 120)
"""


def rows(path: Path) -> list[list[tuple[object, ...]]]:
    log = grouped_log(LogFiles(find_sources([path]), SCHEMA))
    assert log is not None
    return [table.read(SCHEMA).frame.rows() for table in log]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_every_way_to_write_a_file_tells_the_same(form: dict[str, Any], tmp_path: Path) -> None:
    plain, other = tmp_path / "plain" / "log.parquet", tmp_path / "other" / "log.parquet"
    for path in (plain, other):
        path.parent.mkdir()
    pq.write_table(night()[0], plain)
    pq.write_table(night()[0], other, **form)
    assert rows(other) == rows(plain)


def test_without_a_library_of_the_machine_arrow_unpacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "log.parquet"
    pq.write_table(night()[0], path, compression="zstd")
    found = rows(path)
    monkeypatch.setattr(compiled_pages, "_own_zstd", lambda: None)
    assert rows(path) == found


def read_damaged(folder: Path, cases: int) -> None:
    """Read files in which some bytes are others; each is read, or it is known not to be sound."""
    rng = random.Random(7)
    for case in range(cases):
        path = folder / f"{case}.parquet"
        pq.write_table(night()[0], path, **FORMS[case % len(FORMS)])
        content = bytearray(path.read_bytes())
        end = len(content) - 8 - int.from_bytes(content[-8:-4], "little")
        for _ in range(rng.choice([1, 2, 5, 50])):
            content[rng.randrange(4, end)] = rng.choice([0, 1, 127, 128, 255, rng.randrange(256)])
        path.write_bytes(content)
        log = grouped_log(LogFiles(find_sources([path]), SCHEMA))
        for table in log or ():
            try:
                table.read(SCHEMA)
            except (CloserLookNeeded, DamagedFile):
                continue


@pytest.mark.skipif(sys.platform != "linux", reason="the watchers are loaded as on Linux")
@pytest.mark.skipif(NO_COMPILER, reason="needs a C compiler")
def test_damaged_pages_leave_memory_alone(tmp_path: Path) -> None:
    run_watched(tmp_path, DAMAGED)
