"""The file between two nights: it comes back as it was written, or is refused with a reason."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pytest

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.checking.nights_file import NightsOrigin, nights_bytes, read_nights
from compliance.table_check.settings import Settings
from compliance.table_log.frame import FrameEvents
from compliance.table_log.lost_rows import LostRow, with_lost_rows
from event_schemas.lost_record import LostRecord
from tests.compliance.checked_logs import SCHEMA, book, night

RULES = """
rulebook "Small rules" time zone "America/New_York"

rule cut
  "The cards are cut."
  cite "Example"
  when cards_shuffled
  require cards_cut later

rule dealer
  "A dealer arrives once in a casino."
  cite "Example"
  for each casino, dealer
  when dealer_arrived
  require no dealer_arrived earlier
"""
LOG = """
T1 0:00 dealer_arrived dealer=D1
T1 0:01 cards_shuffled
T2 0:02 dealer_arrived dealer=D2
T2 0:03 wager_placed amount=500 seat=1
"""
MADE = NightsOrigin("rules", "words", "", "choices")


@pytest.fixture
def nights(tmp_path: Path) -> Nights:
    log = night(tmp_path / "night.jsonl", LOG)
    found = check_log([log], Settings(book(RULES), SCHEMA), Nights()).nights
    assert found is not None
    return found


@pytest.fixture
def path(tmp_path: Path, nights: Nights) -> Path:
    path = tmp_path / "state"
    path.write_bytes(nights_bytes(nights, MADE))
    return path


def changed(path: Path, **told: Any) -> None:
    """Write the file anew with other metadata, and with the proof that belongs to them."""
    content = pa.ipc.open_file(pa.BufferReader(path.read_bytes()[:-32])).read_all()
    known = json.loads(content.schema.metadata[b"compliance"])
    content = content.replace_schema_metadata({b"compliance": json.dumps(known | told).encode()})
    write_proved(path, content)


def write_proved(path: Path, content: Any) -> None:
    sink = pa.BufferOutputStream()
    with pa.ipc.new_file(sink, content.schema) as writer:
        writer.write_table(content)
    body = bytes(sink.getvalue())
    path.write_bytes(body + hashlib.sha256(body).digest())


def refusal(path: Path, made: NightsOrigin = MADE) -> str:
    nights, problem = read_nights(path, made)
    assert nights is None
    assert problem is not None
    return str(problem)


def test_it_comes_back_as_it_was_written(path: Path, nights: Nights) -> None:
    found, problem = read_nights(path, MADE)
    assert problem is None
    assert found is not None
    assert nights_bytes(found, MADE) == path.read_bytes()
    assert found.pending == nights.pending == 1


def test_lost_records_come_back_with_what_is_known_of_them(path: Path, nights: Nights) -> None:
    (place, kept), *_ = nights.tables.items()
    frame = kept.earlier.frame
    types = frozenset({"card_dealt", "wager_paid"})
    row = LostRow(1, 2, 3, types, not_elected=frozenset({"game", "decks"}))
    lost = with_lost_rows(SCHEMA, frame, [row], frame.clear())
    damaged = replace(kept, earlier=replace(kept.earlier, frame=lost))
    path.write_bytes(nights_bytes(replace(nights, tables={**nights.tables, place: damaged}), MADE))
    found, problem = read_nights(path, MADE)
    assert problem is None
    assert found is not None
    events = list(FrameEvents(SCHEMA, found.tables[place].earlier.frame))
    assert events == list(FrameEvents(SCHEMA, lost))
    assert isinstance(events[1], LostRecord)
    assert events[1].not_elected == {"game", "decks"}
    others = (name for name in found.tables if name != place)
    assert all("lost_times" not in found.tables[name].earlier.frame.columns for name in others)


def test_the_same_nights_are_the_same_bytes(path: Path, nights: Nights) -> None:
    assert nights_bytes(nights, MADE) == path.read_bytes()


@pytest.mark.parametrize(
    ("made", "sentence"),
    [
        (replace(MADE, rulebook="other"), "kept by a check with other rules"),
        (replace(MADE, vocabulary="other"), "another vocabulary"),
        (replace(MADE, profile="strict"), "another profile (none)"),
    ],
)
def test_what_something_else_made_is_refused(path: Path, made: NightsOrigin, sentence: str) -> None:
    assert sentence in refusal(path, made)
    assert "Check the earlier logs again" in refusal(path, made)


def test_another_version_is_refused(path: Path) -> None:
    changed(path, version=1)
    assert "another version of this program" in refusal(path)


def test_other_options_or_manifests_are_pointed_out(path: Path) -> None:
    found, _ = read_nights(path, replace(MADE, choices="other"))
    assert found is not None
    assert "table options or manifests are not those" in found.notes[-1]


@pytest.mark.parametrize(
    "told",
    [
        {"events": 1},
        {"tables": []},
        {"format": "log"},
        {"tables": [{"casino": "C1"}]},
        {"tables": 3},
    ],
)
def test_a_file_that_contradicts_itself_is_refused(path: Path, told: dict[str, Any]) -> None:
    changed(path, **told)
    assert "or it is damaged" in refusal(path)


def test_one_changed_bit_is_noticed_wherever_it_is(path: Path) -> None:
    data = path.read_bytes()
    for place in range(0, len(data), max(1, len(data) // 200)):
        path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
        assert "or it is damaged" in refusal(path)


@pytest.mark.parametrize("content", [b"", b"night", b"ARROW1\0\0" * 40])
def test_another_file_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    assert "or it is damaged" in refusal(path)


def test_an_arrow_file_of_somebody_else_is_refused(path: Path) -> None:
    write_proved(path, pa.table({"id": ["a"]}))
    assert "or it is damaged" in refusal(path)
