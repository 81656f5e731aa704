"""What a log says of the options is found in its columns as in its whole events."""

from __future__ import annotations

import json
from pathlib import Path

import polars as pl
import pytest

from compliance.log import tables
from compliance.table_log.elections_in_log import elections_in_log
from compliance.table_log.frame import FrameEvents
from compliance.values.elected_options import ElectedOptions, election_of
from event_schemas import builtin_schema

SCHEMA = builtin_schema()
ELECTION: dict[str, object] = {"type": "option_elected"}
LOG: list[dict[str, object]] = [
    {"type": "table_opened"},
    {"type": "table_opened", "game": "blackjack"},
    {"type": "dealer_arrived", "dealer": "D1"},
    ELECTION | {"option_name": "decks", "value": "6"},
    ELECTION | {"option_name": "decks", "value": "8", "effective_at": "2024-03-09T23:30:00-05:00"},
    ELECTION | {"option_name": "decks", "value": "4", "effective_at": "2024-03-01T00:00:00-05:00"},
    ELECTION | {"option_name": "decks", "value": "a few"},
    ELECTION | {"option_name": "no_such_option", "value": "yes"},
    ELECTION | {"option_name": "game", "value": "baccarat"},
    {"type": "table_opened", "game": "red_dog"},
]


@pytest.fixture
def frame(tmp_path: Path) -> pl.DataFrame:
    """Two tables of two casinos one after the other, with the same events."""
    first: dict[str, object] = {"ts": "2024-03-09T20:00:00-05:00"}
    records = [
        first | {"id": f"{casino}-{seq}", "seq": seq, "casino": casino, "table": "T1"} | record
        for casino in ("C1", "C2")
        for seq, record in enumerate(LOG, start=1)
    ]
    path = tmp_path / "log.jsonl"
    path.write_text("\n".join(map(json.dumps, records)), encoding="utf-8")
    return pl.concat([table.frame for table in tables([path], SCHEMA)], how="diagonal_relaxed")


def test_the_columns_tell_the_same_elections_as_the_events(frame: pl.DataFrame) -> None:
    found = [election_of(event) for event in FrameEvents(SCHEMA, frame)]
    elected = [item for item in found if item is not None]
    assert {item.option for item in elected} == {"game", "decks", "no_such_option"}
    assert elections_in_log(SCHEMA, frame) == elected


def test_each_table_of_a_frame_has_its_own_elections(frame: pl.DataFrame) -> None:
    elected = [item for item in elections_in_log(SCHEMA, frame) if item.option == "game"]
    games = ["blackjack", "baccarat", "red_dog"]
    assert [(item.casino, item.said) for item in elected] == [
        *(("C1", game) for game in games),
        *(("C2", game) for game in games),
    ]


def test_an_election_that_cannot_be_read_leaves_the_option_unknown(frame: pl.DataFrame) -> None:
    options = ElectedOptions(SCHEMA, in_log=elections_in_log(SCHEMA, frame))
    values = [value for _, _, value in options.elections("C1", "T1", "decks")]
    assert values == [6, 8, 4, None]


def test_what_is_no_option_is_not_elected(frame: pl.DataFrame) -> None:
    options = ElectedOptions(SCHEMA, in_log=elections_in_log(SCHEMA, frame))
    assert options.elections("C1", "T1", "no_such_option") == []


def test_a_log_without_elections_elects_nothing(frame: pl.DataFrame) -> None:
    others = frame.filter(pl.col("type") == tuple(SCHEMA.events).index("dealer_arrived"))
    assert elections_in_log(SCHEMA, others) == []
