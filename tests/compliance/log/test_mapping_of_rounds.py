"""One record of another system may be many events: lists, numbers made here, sums, clocks."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compliance.integrity import examine
from compliance.log import load_mapping, tables
from event_schemas import Event
from tests.compliance.log.small_logs import SCHEMA, read, reasons, written

BASE = """
name = "Rounds"
zone = "America/New_York"
order = "file"
[constants]
casino = "BAY"
table = "T1"
[fields]
ts = "at"
"""
AT = {"at": "2024-03-09 20:00:00"}


def mapped(folder: Path, mapping: str, *records: object, name: str = "feed.jsonl") -> list[Event]:
    path = folder / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, problems = load_mapping(path, SCHEMA)
    assert loaded is not None, problems
    lines = [item if isinstance(item, str) else json.dumps(item) for item in records]
    log, events = read(written(folder, *lines, name=name), mapping=loaded)
    assert log.problems == ()
    assert reasons(log) == []
    return events


def filed(folder: Path, mapping: str) -> Path:
    path = folder / "mapping.toml"
    path.write_text(mapping, "utf-8")
    return path


def mistakes(folder: Path, mapping: str) -> list[str]:
    return [str(problem) for problem in load_mapping(filed(folder, mapping), SCHEMA)[1]]


def test_each_item_of_a_list_is_an_event_with_its_own_number_and_name(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "card_dealt"
each = "seats.cards"
constants = {{ to = "player" }}
fields = {{ seat = "seats.pos", card = "seats.cards" }}
"""
    seats = [{"pos": 1, "cards": ["9S", "10H"]}, {"pos": 4, "cards": ["AS"]}]
    events = mapped(tmp_path, mapping, AT | {"seats": seats})
    assert [(e.seq, e.id, e.get("seat"), str(e.get("card"))) for e in events] == [
        (1, "feed.jsonl:1", 1, "9S"),
        (2, "feed.jsonl:1-2", 1, "10H"),
        (3, "feed.jsonl:1-3", 4, "AS"),
    ]


def test_several_events_of_one_record_are_no_defect(tmp_path: Path) -> None:
    mapping = """
name = "Rounds"
[fields]
id = "id"
ts = "at"
seq = "n"
casino = "c"
table = "t"
[[events]]
type = "round_started"
[[events]]
type = "round_ended"
"""
    path = tmp_path / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    records = [
        {"id": f"r{n}", "at": "2024-03-09T20:00:00-05:00", "n": n, "c": "BAY", "t": "T1"}
        for n in range(1, 30)
    ]
    log = written(tmp_path, *(json.dumps(record) for record in records))
    (table,) = tables([log], SCHEMA, loaded)
    examined = examine(SCHEMA, table.frame)
    assert len(examined.frame) == 58
    assert examined.defects == ()


def test_two_records_with_one_number_still_are_a_defect(tmp_path: Path) -> None:
    mapping = 'name = "x"\nothers = "keep"\n[constants]\ncasino = "BAY"\n'
    path = tmp_path / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    record = {"at": "", "table": "T1", "type": "round_started", "ts": "2024-03-09T20:00:00-05:00"}
    log = written(
        tmp_path, *(json.dumps(record | {"id": f"r{n}", "seq": 7, "at": None}) for n in (1, 2))
    )
    (table,) = tables([log], SCHEMA, loaded)
    assert [item.kind for item in examine(SCHEMA, table.frame).defects] == ["seq-repeated"]


def test_a_record_that_is_not_understood_leaves_its_number_free(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "round_started"
when = {{ k = "on" }}
"""
    path = tmp_path / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    lines = [json.dumps(AT | {"k": kind}) for kind in ("on", "?", "on")]
    (table,) = tables([written(tmp_path, *lines)], SCHEMA, loaded)
    assert table.frame["seq"].to_list() == [1, 3]


@pytest.mark.parametrize(
    ("condition", "fitting"),
    [
        ("{ w = { present = true } }", [1, 2]),
        ("{ w = { present = false } }", [3]),
        ('{ w = { not = "5.00" } }', [2, 3]),
        ("{ w = { above = 5 } }", [2]),
        ("{ w = { below = 6 } }", [1]),
        ('{ w = { same_as = "s" } }', [1]),
        ('{ w = { other_than = "s" } }', [2]),
        ("{ w = 5 }", [1]),
        ("{ w = [5, 1000.5] }", [1, 2]),
        ('{ w = "5" }', []),
    ],
)
def test_conditions_on_a_column(tmp_path: Path, condition: str, fitting: list[int]) -> None:
    mapping = f"""{BASE.replace("[constants]", 'others = "ignore"' + chr(10) + "[constants]")}
round = "n"
[[events]]
type = "round_started"
when = {condition}
[[events]]
type = "player_seated"
constants = {{ seat = 1 }}
"""
    records = [
        {"n": 1, "w": "5.00", "s": "5"},
        {"n": 2, "w": "$1,000.50", "s": "5"},
        {"n": 3, "s": "5"},
    ]
    events = mapped(tmp_path, mapping, *(AT | record for record in records))
    rounds = [e.get("round") for e in events if e.type == "round_started"]
    assert rounds == fitting


def set_aside(folder: Path, mapping: str, *records: object) -> list[str]:
    path = folder / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, problems = load_mapping(path, SCHEMA)
    assert loaded is not None, problems
    lines = [json.dumps(item) for item in records]
    log, _ = read(written(folder, *lines, name="feed.jsonl"), mapping=loaded)
    return [reason for _, reason in reasons(log)]


@pytest.mark.parametrize(
    ("record", "said"),
    [
        ({"w": "n/a", "s": 5}, 'w holds "n/a", which is not a number, and the mapping compares it'),
        ({"w": "12,50", "s": 5}, 'w holds "12,50", which is not a number'),
        ({"w": 7}, "s is missing, and the mapping compares it"),
    ],
)
def test_what_cannot_be_compared_is_set_aside_and_not_passed_over(
    tmp_path: Path, record: dict[str, object], said: str
) -> None:
    """Another section fits: a payment would be lost without a word."""
    mapping = f"""{BASE}
[[events]]
type = "round_started"
[[events]]
type = "wager_paid"
when = {{ w = {{ above = 0, other_than = "s" }} }}
constants = {{ wager = "blackjack", amount = 100 }}
"""
    (reason,) = set_aside(tmp_path, mapping, AT | record)
    assert said in reason


CARDS_ONE_AND_TWO = f"""{BASE}
[[events]]
type = "round_started"
[[events]]
type = "card_dealt"
each = "seats.cards"
when = {{ "each.place" = [1, 2] }}
constants = {{ to = "player" }}
fields = {{ seat = "seats.pos", card = "seats.cards" }}
"""


def test_an_item_that_no_section_takes_is_not_lost_without_a_word(tmp_path: Path) -> None:
    seats = [{"pos": 1, "cards": ["9S", "8H"]}, {"pos": 2, "cards": ["9S", "5H", "AS"]}]
    (reason,) = set_aside(tmp_path, CARDS_ONE_AND_TWO, AT | {"seats": seats})
    assert reason.startswith("Item 3 of item 2 of seats.cards fits no section of the mapping")


def test_an_item_may_be_left_out_on_purpose(tmp_path: Path) -> None:
    more = 'leave_out = [{ "each.place" = { above = 2 } }]\n[constants]'
    mapping = CARDS_ONE_AND_TWO.replace("[constants]", more, 1)
    seats = [{"pos": 2, "cards": ["9S", "5H", "AS"]}]
    events = mapped(tmp_path, mapping, AT | {"seats": seats})
    assert [str(e.get("card")) for e in events if e.type == "card_dealt"] == ["9S", "5H"]


def test_money_is_added_and_taken_away_exactly(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "wager_paid"
constants = {{ wager = "blackjack" }}
fields = {{ amount = {{ from = "back", minus = "stake", plus = ["tip", "b"], money = "dollars" }} }}
"""
    record = AT | {"back": "0.30", "stake": "0.10", "tip": 1, "b": "$2.01"}
    (event,) = mapped(tmp_path, mapping, record)
    assert event.get("amount") == 321


@pytest.mark.parametrize("amount", ["12,50", "1,0000", "1e1000000000", "1/0", "9" * 5000, True])
def test_an_amount_that_only_a_guess_could_read_is_set_aside(
    tmp_path: Path, amount: object
) -> None:
    mapping = f"""{BASE}
[[events]]
type = "wager_paid"
constants = {{ wager = "blackjack" }}
fields = {{ amount = {{ from = "back", money = "dollars" }} }}
"""
    path = tmp_path / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    log = tables([written(tmp_path, json.dumps(AT | {"back": amount}))], SCHEMA, loaded)
    assert "which is not an amount in dollars." in log.quarantine.first[0].reason


@pytest.mark.parametrize("clock", ["1e1000000000", "1/0", "soon"])
def test_a_clock_that_counts_seconds_beyond_reason_is_set_aside(tmp_path: Path, clock: str) -> None:
    mapping = f"""time = "epoch seconds"
{BASE}
[[events]]
type = "round_started"
"""
    path = tmp_path / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    log = tables([written(tmp_path, json.dumps({"at": clock}))], SCHEMA, loaded)
    assert "which is not a time written as epoch seconds." in log.quarantine.first[0].reason


def test_what_a_sum_lacks_sets_the_record_aside(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "wager_paid"
constants = {{ wager = "blackjack" }}
fields = {{ amount = {{ from = "back", minus = "stake", money = "dollars" }} }}
"""
    path = tmp_path / "mapping.toml"
    path.write_text(mapping, "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    log = tables([written(tmp_path, json.dumps(AT | {"back": "1.00"}))], SCHEMA, loaded)
    assert "stake is missing, which amount is made from." in log.quarantine.first[0].reason


def test_a_day_and_a_clock_make_a_time_in_the_zone_of_the_site(tmp_path: Path) -> None:
    mapping = """
name = "Sites"
zone = { from = "site", values = { AC = "America/New_York", LV = "America/Los_Angeles" } }
time = "%m/%d/%Y %I:%M %p"
order = "file"
[constants]
casino = "BAY"
table = "T1"
[fields]
ts = { from = ["day", "clock"] }
[[events]]
type = "round_started"
"""
    record = {"day": "03/09/2024", "clock": "08:15 PM"}
    events = mapped(tmp_path, mapping, *(record | {"site": site} for site in ("AC", "LV")))
    assert [event.ts.isoformat() for event in events] == [
        "2024-03-09T20:15:00-05:00",
        "2024-03-09T20:15:00-08:00",
    ]


def test_cards_without_suits_get_each_in_turn(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "card_dealt"
each = {{ from = "cards", split = "," }}
constants = {{ to = "dealer" }}
fields = {{ card = {{ from = "cards", suits = "unknown" }} }}
"""
    events = mapped(tmp_path, mapping, AT | {"cards": "K,K,T,K,1"})
    assert [str(event.get("card")) for event in events] == ["KS", "KH", "10S", "KD", "AS"]


def test_cards_without_suits_are_counted_at_their_table(tmp_path: Path) -> None:
    mapping = f"""{BASE.replace("table = ", "# ")}
table = "table"
[[events]]
type = "card_dealt"
constants = {{ to = "dealer" }}
fields = {{ card = {{ from = "card", suits = "unknown" }} }}
"""
    rows = [AT | {"table": table, "card": "K"} for table in ("BJ1", "BJ2", "BJ1", "BJ2")]
    events = mapped(tmp_path, mapping, *rows)
    assert sorted(f"{event.table} {event.get('card')}" for event in events) == [
        "BJ1 KH",
        "BJ1 KS",
        "BJ2 KH",
        "BJ2 KS",
    ]


def test_an_eleven_is_an_ace_or_a_jack_as_the_mapping_says(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "card_dealt"
constants = {{ to = "dealer" }}
fields = {{ card = {{ from = "card", suits = "unknown", values = {{ 11 = "A" }} }} }}
"""
    (event,) = mapped(tmp_path, mapping, AT | {"card": "11"})
    assert str(event.get("card")) == "AS"
    path = tmp_path / "mapping.toml"
    path.write_text(mapping.replace(', values = { 11 = "A" }', ""), "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    log = tables([written(tmp_path, json.dumps(AT | {"card": 11}))], SCHEMA, loaded)
    ((_, reason),) = reasons(log)
    assert "some count the ace so, others the jack" in reason


def test_a_list_is_found_in_a_flat_column_whose_name_has_dots(tmp_path: Path) -> None:
    mapping = f"""{BASE}
[[events]]
type = "card_dealt"
each = {{ from = "dealer.cards", split = "," }}
constants = {{ to = "dealer" }}
fields = {{ card = {{ from = "dealer.cards", suits = "unknown" }} }}
"""
    events = mapped(tmp_path, mapping, AT | {"dealer.cards": "K,4"})
    assert [str(event.get("card")) for event in events] == ["KS", "4S"]


def test_a_column_that_the_feed_lacks_is_a_mistake_of_the_mapping(tmp_path: Path) -> None:
    path = tmp_path / "mapping.toml"
    path.write_text(f'{BASE}round = "Roundd"\n[[events]]\ntype = "round_started"\n', "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    feed = written(tmp_path, "at,Round", "2024-03-09 20:00:00,1", name="feed.csv")
    (problem,) = tables([feed], SCHEMA, loaded).problems
    assert str(problem) == (
        'mapping.toml, line 10: feed.csv has no column "Roundd". Did you mean Round?'
    )


def test_a_column_that_no_record_has_is_told(tmp_path: Path) -> None:
    path = tmp_path / "mapping.toml"
    path.write_text(f'{BASE}round = "no"\n[[events]]\ntype = "round_started"\n', "utf-8")
    loaded, _ = load_mapping(path, SCHEMA)
    log = tables([written(tmp_path, json.dumps(AT))], SCHEMA, loaded)
    assert log.notes == ("The mapping Rounds names no, which no record has.",)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('order = "time"', 'order is "file"'),
        ('zone = { from = "site", values = { AC = "America/New_Yrok" } }', "Did you mean America/"),
        ('[fields]\ncard = { from = "c", suits = "none" }', 'suits is "told" or "unknown"'),
        (
            '[fields]\ncard = { from = "c", suits = "unknown", values = { 11 = "B" } }',
            '"B" is not a',
        ),
        ('[fields]\nts = { from = "a", plus = "b" }', "plus and minus are for numbers and money"),
        ('[[events]]\ntype = "round_started"\nwhen = { a = { presence = true } }', "presence"),
        ('[[events]]\ntype = "round_started"\nwhen = { a = { above = "x" } }', "whole numbers"),
        ('[[events]]\ntype = "round_started"\neach = 5', "events.each is the name of their column"),
    ],
)
def test_a_mistake_is_told_with_its_line(tmp_path: Path, more: str, said: str) -> None:
    found = [item for item in mistakes(tmp_path, more) if said in item]
    assert len(found) == 1
    assert found[0].startswith("mapping.toml, line ")
