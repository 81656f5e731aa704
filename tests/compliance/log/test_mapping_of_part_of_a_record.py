"""What a feed tells only in part is not guessed: empty places of a hand, halves of a time, columns
without a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compliance.log import load_mapping
from tests.compliance.log.small_logs import SCHEMA, read, reasons, written
from tests.compliance.log.test_mapping_of_rounds import AT, BASE, filed, mapped, mistakes

PLAYER = """
[[events]]
type = "card_dealt"
constants = { to = "player" }
each = %s
fields = { card = "cards" }
"""


@pytest.mark.parametrize(
    ("each", "cards"),
    [
        ('"cards"', ["9S", None, "8H"]),
        ('"cards"', ["9S", "", "8H"]),
        ('{ from = "cards", split = "," }', "9S,,8H"),
    ],
)
def test_a_card_that_is_empty_between_others_sets_the_record_aside(
    tmp_path: Path, each: str, cards: object
) -> None:
    """A hand without it is another hand, of which somebody would be accused."""
    mapping, problems = load_mapping(filed(tmp_path, BASE + PLAYER % each), SCHEMA)
    assert mapping is not None, problems
    log, events = read(written(tmp_path, json.dumps(AT | {"cards": cards})), mapping=mapping)
    assert events == []
    assert reasons(log) == [(1, "Item 2 of cards is empty, and others follow it.")]


def test_empty_places_behind_the_last_card_are_no_cards(tmp_path: Path) -> None:
    record = AT | {"cards": ["9S", "8H", None, ""]}
    found = mapped(tmp_path, BASE + PLAYER % '"cards"', record)
    assert [str(event.get("card")) for event in found] == ["9S", "8H"]


def test_a_hand_that_lacks_a_card_between_others_is_not_closed_up(tmp_path: Path) -> None:
    hand = '[[events]]\ntype = "hand_shown"\nfields = { cards = { from = "cards", split = "," } }\n'
    mapping, problems = load_mapping(filed(tmp_path, BASE + hand), SCHEMA)
    assert mapping is not None, problems
    log, events = read(written(tmp_path, json.dumps(AT | {"cards": "9S,,8H"})), mapping=mapping)
    assert (events, reasons(log)) == ([], [(1, "Item 2 of cards is empty, and others follow it.")])


@pytest.mark.parametrize(
    ("pattern", "lost"),
    [
        ("%Y-%m-%d", "the time of day"),
        ("%H:%M:%S", "the day"),
        ("%m/%d/%Y %I:%M:%S", "whether it is before or after noon (%p, or %H instead of %I)"),
    ],
)
def test_a_pattern_that_does_not_tell_all_of_a_time_is_a_mistake(
    tmp_path: Path, pattern: str, lost: str
) -> None:
    mapping = f'time = "{pattern}"\n{BASE}[[events]]\ntype = "round_started"\n'
    assert mistakes(tmp_path, mapping) == [
        f'mapping.toml, line 1: "{pattern}" does not tell {lost}.'
    ]


def test_a_pattern_may_hold_the_offset(tmp_path: Path) -> None:
    mapping = f'time = "%d.%m.%Y %H:%M %z"\n{BASE}[[events]]\ntype = "round_started"\n'
    (event,) = mapped(tmp_path, mapping, {"at": "09.03.2024 20:00 -0500"})
    assert event.ts.isoformat() == "2024-03-09T20:00:00-05:00"


def test_a_day_without_a_time_of_day_is_not_its_midnight(tmp_path: Path) -> None:
    mapping, problems = load_mapping(
        filed(tmp_path, BASE + '[[events]]\ntype = "round_started"\n'), SCHEMA
    )
    assert mapping is not None, problems
    log, events = read(written(tmp_path, json.dumps({"at": "2024-03-09"})), mapping=mapping)
    said = 'The field ts holds "2024-03-09", a day without a time of day.'
    assert (events, reasons(log)) == ([], [(1, said)])


def test_columns_without_a_name_of_their_own_can_be_named(tmp_path: Path) -> None:
    """A vendor's file ends its lines with a mark, and has two columns called Bet."""
    mapping = filed(
        tmp_path,
        BASE
        + """
[[events]]
type = "wager_placed"
constants = { wager = "blackjack", seat = 1 }
fields = { amount = { from = "Bet", plus = "Bet (2)", money = "dollars" } }
""",
    )
    loaded, problems = load_mapping(mapping, SCHEMA)
    assert loaded is not None, problems
    feed = tmp_path / "feed.csv"
    feed.write_text("at;Bet;Bet;\n2024-03-09 20:00:00;10;5;\n2024-03-09 20:01:00;10;5;void\n")
    log, events = read(feed, mapping=loaded)
    assert [event.get("amount") for event in events] == [1500]
    assert reasons(log) == [
        (
            3,
            'The mapping Rounds does not say what the column "column 4" is; '
            "name it under ignore if it does not matter.",
        )
    ]
