"""What a rule file says is read exactly, and what it does not say is never made up."""

from __future__ import annotations

import pytest

from event_schemas.limits import DEEPEST_RULE, MOST_MISTAKES
from rules_dsl import syntax
from rules_dsl.formatting.files import format_expression
from rules_dsl.parsing.parser import Parsed, parse, parse_expression
from rules_dsl.source import Source
from rules_dsl.syntax import Span


def read(text: str) -> Parsed:
    return parse(Source("test", text))


def condition(text: str) -> syntax.Expr:
    expr = parse_expression(Source("test", text), Span(0, len(text)))
    assert isinstance(expr, syntax.Expr), expr
    return expr


def messages(text: str) -> list[str]:
    return [diagnostic.message for diagnostic in read(text).diagnostics]


@pytest.mark.parametrize(
    "text",
    [
        "x is $5 or more than 3 y earlier",
        "x is 5 or fewer than 3 y earlier",
        "x is one of ($5, $1,000, $10)",
        "x where a is $5, earlier",
        "x where to is player and kind is table",
    ],
)
def test_a_condition_is_read_to_its_end(text: str) -> None:
    assert format_expression(condition(text)) == text


def test_a_comma_after_an_amount_is_not_part_of_it() -> None:
    expr = condition("x is one of ($5, $6)")
    assert isinstance(expr, syntax.OneOf)
    assert expr.choices == (syntax.Literal("money", "$5"), syntax.Literal("money", "$6"))


BOUNDS = ["since y", "before the next y", "since any of (y, z)"]
SAID_AFTER = [
    "where a is 1",
    "with same a",
    "as e",
    "latest per a",
    "so far",
    "in the previous round",
    "within 5 minutes earlier",
    "at least 5 minutes later",
]


@pytest.mark.parametrize("bound", BOUNDS)
@pytest.mark.parametrize("words", SAID_AFTER)
def test_words_after_a_bound_are_said_of_one_event(bound: str, words: str) -> None:
    refused = read(f"rule a\n  require no x {bound} {words}\n").diagnostics
    assert [d.code for d in refused] == ["unclear-bound"]
    assert refused[0].source.text[refused[0].span.start :].startswith(words)
    event = bound.split(maxsplit=1 if bound.startswith("since") else 3)[-1]
    bracketed = bound.replace(event, f"({event})")
    of_the_phrase = condition(f"no x {bound}, {words}")
    assert condition(f"no x {bracketed} {words}") == of_the_phrase
    of_the_bound = condition(f"no x {bound.replace(event, f'({event} {words})')}")
    assert of_the_bound != of_the_phrase


@pytest.mark.parametrize("text", ["a orb", "a islandx", "a andb", "x wherea is 3", "x asy"])
def test_a_word_is_never_taken_for_two(text: str) -> None:
    assert messages(f"rule a\n  require {text}\n") != []


@pytest.mark.parametrize(
    ("clause", "message"),
    [
        ("require x where", "The condition after `where` is missing."),
        ("require x since", "`since` is followed by an event."),
        ("when", "`when` is followed by an event."),
        ("severity", "Something is missing after this: a name is expected."),
        ("let", "`let` is followed by a name."),
    ],
)
@pytest.mark.parametrize("following", ['note "x"', "require x", "except under A 11 when b"])
def test_the_next_clause_is_never_taken_for_the_end_of_this_one(
    clause: str, message: str, following: str
) -> None:
    assert messages(f"rule a\n  {clause}\n  {following}\n") == [message]


def test_a_rule_has_its_name_on_its_first_line() -> None:
    assert messages("rule\n  require x\n") == ["The rule has no name."]


def test_nothing_that_was_said_about_events_is_dropped() -> None:
    phrase = condition("x with same a where b, with same c, where d")
    assert phrase == syntax.Phrase(
        syntax.Head(("x",)),
        same=("a", "c"),
        where=syntax.Both((syntax.Name("b"), syntax.Name("d"))),
    )
    assert messages("rule a\n  require x latest per a, earliest per b\n") == [
        "`per` is said twice about the same events."
    ]


def test_a_bar_in_a_comment_or_a_title_makes_no_row() -> None:
    table = read('table t "a | b"\n  k | x  -- c | d\n  1 | y\n').file.declarations[0]
    assert isinstance(table, syntax.Table)
    assert table.title == "a | b"
    assert [row.cells[0].text for row in (table.header, *table.rows)] == ["x", "y"]


def test_the_mark_of_a_violation_is_read_with_windows_line_ends() -> None:
    rule = read("rule a\r\n  example violates\r\n    20:00 x <- here\r\n").file.declarations[0]
    assert isinstance(rule, syntax.Rule)
    assert isinstance(rule.clauses[0], syntax.Example)
    assert rule.clauses[0].lines[0].here


def test_comments_are_found_where_they_stand() -> None:
    text = '-- one\nrule a -- two\n  "-- no comment"\n  -- three\n\n--four'
    assert [text[c.start : c.end] for c in read(text).comments] == [
        "-- one",
        "-- two",
        "-- three",
        "--four",
    ]


def test_a_rule_of_which_a_part_was_not_read_is_known_to_be_damaged() -> None:
    text = "rule a\n  require ,\n\nrule b\n  require x\n\nrule c\n  severity major\nrequire x\n"
    parsed = read(text)
    assert parsed.damaged == {"a", "c"}
    assert [d.name for d in parsed.file.declarations if isinstance(d, syntax.Rule)] == [
        "a",
        "b",
        "c",
    ]


def test_parts_may_stand_inside_one_another_up_to_a_limit() -> None:
    # The file, the rule, its clause and the innermost name count as well.
    assert messages("rule a\n  require " + "not " * (DEEPEST_RULE - 3) + "x\n") == []
    assert messages("rule a\n  require " + "not " * (DEEPEST_RULE - 2) + "x\n") == [
        f"More than {DEEPEST_RULE} parts of this rule stand inside one another."
    ]


def test_the_deepest_condition_that_is_read_can_be_compared_and_shown() -> None:
    text = "not " * (DEEPEST_RULE - 1) + "x"
    expr = condition(text)
    assert expr == condition(text)
    assert hash(expr) == hash(condition(text))
    assert format_expression(expr) == text


def test_brackets_in_a_text_are_no_brackets() -> None:
    assert messages('rule a\n  "' + "(" * 1_000 + '"\n') == []


def test_after_very_many_mistakes_the_rest_is_not_read() -> None:
    found = messages("rule a\n  require ,\n" * (MOST_MISTAKES + 10))
    assert len(found) == MOST_MISTAKES + 1
    assert found[-1] == (
        f"More than {MOST_MISTAKES} mistakes were found, so the rest of the file was not read."
    )
