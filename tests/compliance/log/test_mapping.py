"""Another system's records become our events by a mapping file."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from compliance.log import LogTables, load_mapping, tables
from event_schemas import Event
from tests.compliance.log.small_logs import SCHEMA, line, read, reasons, written

EXAMPLES = Path(__file__).parents[3] / "docs" / "logs.md"


def example(name: str) -> str:
    """A mapping as the documentation shows it."""
    text = EXAMPLES.read_text("utf-8")
    start = text.index(f"# {name}\n")
    return text[start : text.index("```", start)]


def mapped(folder: Path, mapping: str, log: Path, **options: Any) -> tuple[LogTables, list[Event]]:
    path = folder / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, problems = load_mapping(path, SCHEMA)
    assert problems == ()
    return read(log, mapping=loaded, **options)


def problems_of(folder: Path, mapping: str) -> list[str]:
    path = folder / "mapping.toml"
    path.write_text(mapping, "utf-8")
    return [str(problem) for problem in load_mapping(path, SCHEMA)[1]]


SHOE = ("MSG,AT,N,TBL,EVT,DEST,RANK_SUIT,FW", "m1,1710032400250,7,4,CARD,P1,9S,2.1")
DEALER = {
    "round": {"no": 12, "table": {"code": "LB-3"}},
    "event": {"uid": "u1", "n": 5, "name": "BET", "local": "03/09/2024 20:15:00"},
    "bet": {"spot": 2, "value": "25.50"},
}


def test_the_shoe_feed_of_the_documentation_becomes_events(tmp_path: Path) -> None:
    _log, (event,) = mapped(tmp_path, example("shoe.toml"), written(tmp_path, *SHOE, name="s.csv"))
    assert (event.id, event.seq, event.table, event.type) == ("m1", 7, "T4", "card_dealt")
    assert event.ts.isoformat() == "2024-03-09T20:00:00.250000-05:00"
    assert {name: str(value) for name, value in event.fields.items()} == {
        "seat": "1",
        "to": "player",
        "card": "9S",
    }


def test_the_live_dealer_feed_of_the_documentation_becomes_events(tmp_path: Path) -> None:
    log = written(tmp_path, json.dumps(DEALER), name="dealer.jsonl")
    _log, (event,) = mapped(tmp_path, example("live_dealer.toml"), log)
    assert (event.casino, event.table, event.type) == ("BAY", "LB-3", "wager_placed")
    assert event.ts.isoformat() == "2024-03-09T20:15:00-05:00"
    assert event.fields["amount"] == 2550


def test_a_record_that_is_left_out_on_purpose_is_counted(tmp_path: Path) -> None:
    beat = "m2,1710032400250,8,4,HEARTBEAT,,,2.1"
    log, events = mapped(
        tmp_path, example("shoe.toml"), written(tmp_path, *SHOE, beat, name="s.csv")
    )
    assert len(events) == 1
    assert log.notes == ("The mapping left out 1 record on purpose.",)


def test_the_number_of_a_record_that_is_left_out_is_known_to_its_table(tmp_path: Path) -> None:
    beat, card = "m2,1710032400250,8,4,HEARTBEAT,,,2.1", "m3,1710032400250,9,4,CARD,P2,9H,2.1"
    path = written(tmp_path, *SHOE, beat, card, name="s.csv")
    (tmp_path / "mapping.toml").write_text(example("shoe.toml"), "utf-8")
    loaded, _problems = load_mapping(tmp_path / "mapping.toml", SCHEMA)
    (table,) = tables([path], SCHEMA, loaded)
    assert table.frame["seq"].to_list() == [7, 9]
    assert table.numbers_left_out == (8,)


def test_a_record_that_no_section_fits_is_set_aside_as_it_stands(tmp_path: Path) -> None:
    odd = "m2,1710032400250,8,4,JAM,,,2.1"
    log, _events = mapped(
        tmp_path, example("shoe.toml"), written(tmp_path, *SHOE, odd, name="s.csv")
    )
    (aside,) = log.quarantine.first
    assert (aside.line, aside.text) == (3, odd)
    assert aside.reason == (
        'No section of the mapping Acme smart shoe fits this record: EVT is "JAM", DEST is missing.'
    )


def test_a_value_that_the_mapping_does_not_know_is_set_aside(tmp_path: Path) -> None:
    log = written(tmp_path, *SHOE, SHOE[1].replace("P1", "P9"), name="s.csv")
    result, _events = mapped(tmp_path, example("shoe.toml"), log)
    assert result.quarantine.total == 1


def test_a_column_that_the_mapping_does_not_name_is_set_aside(tmp_path: Path) -> None:
    odd = DEALER | {"mood": "good"}
    log, _events = mapped(tmp_path, example("live_dealer.toml"), written(tmp_path, json.dumps(odd)))
    assert reasons(log) == [
        (
            1,
            'The mapping Live dealer does not say what the column "mood" is; name it under ignore '
            "if it does not matter.",
        )
    ]


@pytest.mark.parametrize(
    ("local", "reason"),
    [
        ("11/03/2024 01:30:00", "The time 2024-11-03T01:30:00 happened twice"),
        ("03/10/2024 02:30:00", "The time 2024-03-10T02:30:00 does not exist"),
        ("2024-03-10", 'The field ts holds "2024-03-10", which is not a time written as %m/%d/%Y'),
    ],
)
def test_a_time_that_tells_no_moment_is_set_aside(tmp_path: Path, local: str, reason: str) -> None:
    record = DEALER | {"event": {**DEALER["event"], "local": local}}
    log, _events = mapped(
        tmp_path, example("live_dealer.toml"), written(tmp_path, json.dumps(record))
    )
    assert reasons(log)[0][1].startswith(reason)


def test_the_mapping_may_decide_the_hour_that_happens_twice(tmp_path: Path) -> None:
    record = DEALER | {"event": {**DEALER["event"], "local": "11/03/2024 01:30:00"}}
    for overlap, offset in (("first", "-04:00"), ("second", "-05:00")):
        mapping = f'overlap = "{overlap}"\n' + example("live_dealer.toml")
        _log, (event,) = mapped(tmp_path, mapping, written(tmp_path, json.dumps(record)))
        assert event.ts.isoformat().endswith(offset)


def test_any_log_of_process_mining_can_be_mapped(tmp_path: Path) -> None:
    xes = """<log><trace><string key="concept:name" value="T1"/><event>
<string key="Activity" value="deal"/><date key="time:timestamp" value="2024-03-09T20:00:00Z"/>
<string key="org:resource" value="D7"/></event></trace></log>"""
    mapping = """
others = "ignore"
constants = { casino = "C1", id = "x" }
[fields]
ts = "time:timestamp"
seq = "trace.place"
table = "trace.concept:name"
[[events]]
type = "card_dealt"
when = { Activity = "deal" }
constants = { to = "dealer" }
fields = { dealer = "org:resource" }
"""
    _log, (event,) = mapped(tmp_path, mapping, written(tmp_path, xes, name="log.xes"))
    assert (event.table, event.seq) == ("T1", 1)
    assert event.fields == {"dealer": "D7", "to": "dealer"}


def test_one_record_may_tell_of_two_events(tmp_path: Path) -> None:
    mapping = """
others = "keep"
[[events]]
type = "round_started"
[[events]]
type = "card_dealt"
constants = { to = "dealer" }
"""
    record = line(type=None, to=None)
    _log, events = mapped(tmp_path, mapping, written(tmp_path, record))
    assert [(event.id, event.type) for event in events] == [
        ("a", "round_started"),
        ("a-2", "card_dealt"),
    ]


def test_mistakes_in_a_mapping_are_listed_by_line_with_guesses(tmp_path: Path) -> None:
    text = """name = "x"
zone = "America/New_Yrok"
othrs = "keep"
time = "epoch millis"

[constants]
casino = "C1"

[fields]
id = "MSG"
ts = "AT"
seq = "N"
tabel = "TBL"
amount = { from = "A", money = "cent" }

[[events]]
type = "card_delt"

[[events]]
type = "card_dealt"
when = { EVT = "CARD" }
constants = { to = "plaier" }
"""
    found = problems_of(tmp_path, text)
    places = [item.split(":")[0] for item in found]
    guesses = [item.split("Did you mean ")[1] for item in found if "Did you mean" in item]
    assert places == [f"mapping.toml, line {n}" for n in (2, 3, 4, 9, 13, 14, 14, 17, 22)]
    assert guesses == [
        *("America/New_York?", "others?", "epoch milliseconds?", "table?", "cents?"),
        *("card_dealt?", "player?"),
    ]


def test_a_mapping_that_is_not_toml_is_a_problem_with_its_line(tmp_path: Path) -> None:
    (found,) = problems_of(tmp_path, 'name = "x"\nfields = [')
    assert found.startswith("mapping.toml, line 2: It is not valid TOML")


def test_a_mapping_that_is_missing_is_a_problem(tmp_path: Path) -> None:
    (found,) = load_mapping(tmp_path / "none.toml", SCHEMA)[1]
    assert str(found) == "none.toml: The file could not be read: no such file or directory."
