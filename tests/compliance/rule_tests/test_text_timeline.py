"""Promises about drawn timelines: every event on a line, marked with the part that it plays."""

from __future__ import annotations

from dataclasses import replace

from compliance.rule_tests.generated_traces import generated_traces
from compliance.rule_tests.text_timeline import Timeline, drawn_timeline, timelines
from event_schemas import builtin_schema
from event_schemas.lost_record import LOST_RECORD, LostRecord
from rules_dsl.rulebook import load_text

SCHEMA = builtin_schema()
HEAD = 'rule r\n  "Title."\n  cite N.J.A.C. 19:47-2.6(c)\n'


def drawn(clauses: str) -> list[Timeline]:
    loaded = load_text(HEAD + clauses, builtin_schema())
    assert not loaded.errors, [error.message for error in loaded.errors]
    return timelines(loaded.rulebook.rules[0], loaded.rulebook, builtin_schema())


BURN = """\
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
  example complies
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player
  example violates
    20:00:00 dealer_arrived dealer=D7
    20:00:09 card_dealt to=player <- here
"""


def test_a_complying_log_shows_where_it_looks_and_what_it_finds() -> None:
    complying, _ = drawn(BURN)
    assert complying.text == (
        "A log that complies\n"
        "  21:15:00  ├  dealer_arrived dealer=D8\n"
        "  21:15:04  ●  card_burned\n"
        "  21:15:09  ▲  card_dealt to=player  <- complied\n"
        "  ▲ the rule is checked here   ├ looks from here   ● found"
    )


def test_a_violating_log_shows_the_gap_before_the_trigger() -> None:
    _, violating = drawn(BURN)
    assert violating.text == (
        "A log that violates\n"
        "  21:15:00  ├  dealer_arrived dealer=D8\n"
        "            ○  no card_burned here\n"
        "  21:15:09  ▲  card_dealt to=player  <- violated\n"
        "  ▲ the rule is checked here   ├ looks from here   ○ missing"
    )


def test_lost_records_are_a_break_in_the_line() -> None:
    loaded = load_text(HEAD + BURN, SCHEMA)
    (rule,) = loaded.rulebook.rules
    trace, _ = generated_traces(rule, loaded.rulebook, SCHEMA)
    assert trace is not None
    first, *others = trace.events
    types = frozenset({"wager_placed"})
    place = (first.seq, first.casino, first.table, LOST_RECORD)
    gone = LostRecord("", first.ts, *place, until=others[0].ts, may_be=types, times=2)
    damaged = replace(trace, events=(first, gone, *others))
    drawing = drawn_timeline("Damaged", damaged, rule, loaded.rulebook, SCHEMA)
    assert drawing.lines[1] == "          ≈  2 records lost"
    assert "≈ records are lost here" in drawing.legend


def test_a_gap_in_what_should_follow_stands_after_the_trigger() -> None:
    (violating,) = drawn(
        "  when cards_shuffled\n  require cards_cut before card_dealt\n  example violates\n"
        "    20:00:00 cards_shuffled <- here\n    20:00:20 card_dealt to=player\n"
    )
    assert [line.split("  ")[-1].strip() for line in violating.lines] == [
        "<- violated",
        "no cards_cut here",
        "card_dealt to=player",
    ]


def test_a_gap_at_the_end_of_the_log_stands_at_the_end() -> None:
    (violating,) = drawn(
        "  when cards_shuffled\n  require cards_cut within 1 minute later\n  example violates\n"
        "    20:00:00 cards_shuffled <- here\n    20:10:20 table_closed\n"
    )
    assert violating.lines[-1].endswith("○  no cards_cut here")


def test_too_few_events_are_a_gap_too() -> None:
    (violating,) = drawn(
        "  when cards_shuffled\n  require at least 2 card_burned earlier\n  example violates\n"
        "    20:00:00 card_burned\n    20:00:20 cards_shuffled <- here\n"
    )
    assert violating.lines[1].endswith("○  not enough of card_burned here")


def test_an_event_that_should_not_be_there_is_no_gap() -> None:
    _, violating = drawn(
        "  when cards_shuffled\n  require no card_burned earlier\n  example violates\n"
        "    20:00:00 card_burned\n    20:00:20 cards_shuffled <- here\n"
    )
    assert [line[10:11] for line in violating.lines] == ["●", "▲"]


def test_the_circumstances_stand_above_the_events() -> None:
    (violating,) = drawn(
        "  when cards_shuffled\n  require option shuffle is bart_carter\n  example violates\n"
        "    given option shuffle is normal\n    20:00:20 cards_shuffled <- here\n"
    )
    assert violating.lines[0] == "given option shuffle is normal"


def test_the_next_day_is_named() -> None:
    _, violating = drawn(
        "  when cards_shuffled\n  require no card_burned earlier\n  example violates\n"
        "    20:00:00 card_burned\n    next day 20:00:20 cards_shuffled <- here\n"
    )
    assert violating.lines[1].startswith("day 2 21:15:20  ▲")


def test_a_rule_without_examples_has_no_timelines() -> None:
    assert drawn("  when cards_shuffled\n  require card_burned earlier\n") == []
