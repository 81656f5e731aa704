"""Promises about made-up logs: they show the verdict, hold nothing else, and copy no example."""

from __future__ import annotations

from compliance.rule_tests.example_runs import example_events
from compliance.rule_tests.generated_traces import Trace, generated_traces
from event_schemas import builtin_schema
from reports.verdicts import Verdict
from rules_dsl.rulebook import Loaded, load_text

RULE = """\
rule burn
  "A dealer new to the table burns a card before dealing."
  cite N.J.A.C. 19:47-2.6(c)
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
"""
COMPLIES = """\
  example complies
    20:00:00 table_opened
    20:00:01 dealer_arrived dealer=D7
    20:00:02 wager_placed seat=3 amount=$5
    20:00:04 card_burned
    20:00:09 card_dealt to=player seat=1 card=9S
    20:00:11 card_dealt to=player seat=2 card=9C
"""
VIOLATES = """\
  example violates
    20:00:01 dealer_arrived dealer=D7
    20:00:02 announcement phrase=place_your_bets
    20:00:09 card_dealt to=player seat=1 card=9S <- here
"""


def loaded(text: str) -> Loaded:
    found = load_text(text, builtin_schema())
    assert not found.errors, [error.message for error in found.errors]
    return found


def traces(text: str) -> tuple[Trace | None, Trace | None]:
    book = loaded(text)
    return generated_traces(book.rulebook.rules[0], book.rulebook, builtin_schema())


def shown(trace: Trace | None) -> Trace:
    assert trace is not None
    return trace


def test_one_log_complies_and_one_violates() -> None:
    complying, violating = map(shown, traces(RULE + COMPLIES + VIOLATES))
    assert complying.check.verdict is Verdict.COMPLIED
    assert violating.check.verdict is Verdict.VIOLATED


def test_events_that_play_no_part_are_left_out() -> None:
    complying, violating = map(shown, traces(RULE + COMPLIES + VIOLATES))
    assert [event.type for event in complying.events] == [
        "dealer_arrived",
        "card_burned",
        "card_dealt",
    ]
    assert [event.type for event in violating.events] == ["dealer_arrived", "card_dealt"]


def test_events_that_decide_are_kept_even_where_the_verdict_would_stay() -> None:
    # Without the burned card, too, nothing is wrong: but then there is nothing to see.
    rule = RULE.replace("require card_burned since", "require at most 1 card_burned since")
    complying = shown(traces(rule + COMPLIES)[0])
    assert "card_burned" in [event.type for event in complying.events]


def test_names_seats_cards_and_times_differ_from_the_example() -> None:
    book = loaded(RULE + VIOLATES)
    rule = book.rulebook.rules[0]
    violating = shown(generated_traces(rule, book.rulebook, builtin_schema())[1])
    original = example_events(rule.examples[0], book.rulebook, builtin_schema())
    dealt, was = violating.events[-1], original[-1]
    assert violating.events[0].get("dealer") == "D8"
    assert dealt.get("seat") == 2
    assert dealt.get("card") != was.get("card")
    assert dealt.ts > was.ts


def test_a_value_on_which_the_verdict_rests_is_not_varied() -> None:
    text = (
        'rule seat-one\n  "T."\n  cite N.J.A.C. 19:47-2.6(c)\n  when card_dealt\n'
        "  require seat is 1\n  example complies\n    20:00:00 card_dealt to=player seat=1\n"
    )
    assert shown(traces(text)[0]).events[0].get("seat") == 1


def test_a_missing_example_is_made_up_from_the_other() -> None:
    complying, violating = traces(RULE + COMPLIES)
    assert complying is not None
    assert [event.type for event in shown(violating).events] == ["dealer_arrived", "card_dealt"]


def test_where_no_example_leads_there_is_no_log() -> None:
    assert traces(RULE) == (None, None)


def test_the_circumstances_of_the_example_come_along() -> None:
    given = VIOLATES.replace("violates\n", "violates\n    given option shuffle is bart_carter\n")
    violating = shown(traces(RULE + given)[1])
    assert [(choice.name, choice.text) for choice in violating.given] == [
        ("shuffle", "bart_carter")
    ]
