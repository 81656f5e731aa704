"""Whatever an event may say comes back from the archive as it was."""

from __future__ import annotations

import tempfile
from datetime import date
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from compliance.archive import Wanted, archived_log, write_night
from compliance.log import tables
from compliance.table_log.frame import FrameEvents
from event_schemas import Event
from tests.compliance.log.random_events import SCHEMA, events, write_json_lines

LOGS = st.lists(events(), min_size=1, max_size=6)
QUICK = settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))


@QUICK
@given(log=LOGS)
def test_every_value_comes_back_as_it_was(log: list[Event]) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = write_json_lines(folder / "log.jsonl", log)
        write_night(folder / "archive", "C1", date(2024, 3, 9), [path], SCHEMA)
        again = {
            (table.casino, table.table): table.read(SCHEMA).frame
            for table in archived_log(folder / "archive", Wanted(), folder)
        }
        for table in tables([path], SCHEMA):
            before = table.frame
            after = again[table.casino, table.table]
            assert list(FrameEvents(SCHEMA, after)) == list(FrameEvents(SCHEMA, before))
            for column in ("file", "line", "offset"):
                assert after[column].to_list() == before[column].to_list()
