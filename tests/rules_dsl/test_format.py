"""Every rule file has one layout, and laying it out never changes what it says."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest
from hypothesis import HealthCheck, given, settings

from rules_dsl import syntax
from rules_dsl.formatting.clauses import CITATION
from rules_dsl.formatting.files import format_expression, format_file, format_source
from rules_dsl.parsing.nesting import parts_of
from rules_dsl.parsing.parser import grammar, parse, parse_expression
from rules_dsl.source import Source
from rules_dsl.syntax import Span
from tests.rules_dsl.trees import expressions, files

ROOT = Path(__file__).resolve().parents[2]
RULE_FILES = sorted(
    path.relative_to(ROOT).as_posix()
    for folder in ("rules_dsl/rulebooks", "tests/language/good")
    for path in (ROOT / folder).rglob("*.[re]*s")
    if path.suffix in (".rules", ".examples")
)

# A busy machine is slow; that says nothing about the rules.
slow = [HealthCheck.too_slow]
many_trees = settings(max_examples=150, deadline=None, derandomize=True, suppress_health_check=slow)


def formatted(text: str) -> str:
    result, diagnostics = format_source(Source("test.rules", text))
    assert diagnostics == ()
    assert result is not None
    return result


def condition(text: str) -> str:
    """A condition, laid out on one line."""
    expr = parse_expression(Source("test", text), Span(0, len(text)))
    assert isinstance(expr, syntax.Expr), expr
    return format_expression(expr)


# ---- nothing that is said changes ----------------------------------------------------------


@many_trees
@given(expressions)
def test_a_condition_reads_back_as_what_it_was(expr: syntax.Expr) -> None:
    text = format_expression(expr)
    assert parse_expression(Source("test", text), Span(0, len(text))) == expr


@many_trees
@given(files)
def test_a_file_reads_back_as_what_it_was(file: syntax.File) -> None:
    text = format_file(file)
    parsed = parse(Source("test", text))
    assert parsed.diagnostics == ()
    assert parsed.file == file


@many_trees
@given(files)
def test_laying_out_twice_changes_nothing(file: syntax.File) -> None:
    text = format_file(file)
    assert formatted(text) == text


def test_the_made_up_files_have_every_kind_of_part() -> None:
    seen: set[type] = set()

    @settings(many_trees, max_examples=1500)
    @given(files)
    def look_at(file: syntax.File) -> None:
        waiting: list[syntax.Node] = [file]
        while waiting:
            seen.add(type(waiting[-1]))
            waiting.extend(parts_of(waiting.pop()))

    look_at()
    assert _kinds_of(syntax.Node) - seen == set()


def _kinds_of(kind: type) -> set[type]:
    """The classes that have no classes below them."""
    below: list[type] = kind.__subclasses__()
    return {part for child in below for part in _kinds_of(child)} or {kind}


@pytest.mark.long
@settings(max_examples=5_000, deadline=None, suppress_health_check=slow)
@given(files)
def test_many_files_read_back_as_what_they_were(file: syntax.File) -> None:
    text = format_file(file)
    assert parse(Source("test", text)).file == file
    assert formatted(text) == text


@pytest.mark.parametrize("name", RULE_FILES)
def test_a_real_rule_file_keeps_its_meaning_and_its_comments(name: str) -> None:
    source = Source(name, (ROOT / name).read_text(encoding="utf-8"))
    parsed = parse(source)
    if parsed.diagnostics:
        pytest.skip("the file has mistakes, which other tests report")
    text = format_file(parsed.file, parsed.comments, source.text)
    again = parse(Source(name, text))
    assert again.diagnostics == ()
    assert again.file == parsed.file
    assert len(again.comments) == len(parsed.comments)
    assert format_file(again.file, again.comments, text) == text


def test_a_file_with_a_mistake_is_not_laid_out() -> None:
    result, diagnostics = format_source(Source("test", "rule a\n  require\n"))
    assert result is None
    assert [d.message for d in diagnostics] == ["The condition after `require` is missing."]


def test_what_may_stand_without_quotation_marks_is_what_the_grammar_says() -> None:
    assert f"CITATION.3: /{CITATION}/" in grammar()


def test_an_empty_file_stays_empty() -> None:
    assert formatted("") == ""
    assert formatted("\n \n") == ""


def test_windows_line_ends_and_a_byte_order_mark_go_away() -> None:
    assert formatted("\ufeffrule a\r\n\trequire x\r\n") == "rule a\n  require x\n"


# ---- conditions ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        ("a=b", "a is b"),
        ("a != b", "a is not b"),
        ("a >= 3", "a is at least 3"),
        ("a <= 3", "a is at most 3"),
        ("a > 3", "a is more than 3"),
        ("a < 3", "a is less than 3"),
        ("a is 3 or more", "a is at least 3"),
        ("a is 3 or fewer", "a is at most 3"),
        ("a is not  between 1 and 3", "a is not between 1 and 3"),
        ("a is one of(b,c)", "a is one of (b, c)"),
        ("a times 3   to 2", "a * 3 to 2"),
        ("a divided by b", "a / b"),
        ("x within 30\n minutes later", "x within 30 minutes"),
        ("a rounded up to $0.25", "a rounded up to $0.25"),
        ("count of distinct x.seat since y", "count of distinct x.seat since y"),
        ("x since the last y", "x since y"),
        ("x before the next (y where a)", "x before (y where a)"),
        ("x in the previous round", "x in the previous round"),
        ("x earlier, in the round", "x earlier, in the round"),
    ],
)
def test_words_and_signs_are_written_one_way(written: str, laid_out: str) -> None:
    assert condition(written) == laid_out


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        ("((a)) + (b * c)", "a + b * c"),
        ("(a + b) * c", "(a + b) * c"),
        ("a - (b - c)", "a - (b - c)"),
        ("(a is b) and (c)", "a is b and c"),
        ("a and b or c", "(a and b) or c"),
        ("not (a and b)", "not (a and b)"),
        ("(if a then b) is c", "(if a then b) is c"),
        ("if a then (if b then c) else d", "if a then (if b then c) else d"),
        ("if a then b else if c then d else e", "if a then b else if c then d else e"),
        ("(sum of x.amount in the round) * 25%", "(sum of x.amount in the round) * 25%"),
        ("rank of (first x.card earlier) is ace", "rank of (first x.card earlier) is ace"),
        ("exactly (a + 1) x", "exactly (a + 1) x"),
        ("a is (one of b)", "a is (one of b)"),
    ],
)
def test_brackets_stand_where_they_are_needed(written: str, laid_out: str) -> None:
    assert condition(written) == laid_out


@pytest.mark.parametrize(
    ("written", "laid_out"),
    [
        ("no x earlier where a is 1", "no x where a is 1, earlier"),
        ("x where a is 1 with same s as e", "x as e with same s where a is 1"),
        ("x since y, latest per s", "x latest per s, since y"),
        ("x with same a with the same b earlier", "x with same a and same b, earlier"),
        ("x where a where b", "x where (a where b)"),
        ("x where a, where b, earlier", "x where a and b, earlier"),
        ("(x where a) is b", "(x where a) is b"),
        ("sum of (x.n where a) is b", "sum of (x.n where a) is b"),
        ("(no x where a) and b", "(no x where a) and b"),
        ("b and no x where a", "b and no x where a"),
        ("b and no x where a or c", "b and (no x where a or c)"),
        ("x where (y earlier), later", "x where (y earlier), later"),
        ("x where (y earlier) and a, later", "x where (y earlier and a), later"),
        ("every x has (no y since z)", "every x has (no y since z)"),
        ("every x where a, has b", "every x where a, has b"),
        ("every x earlier has b", "every x earlier has b"),
    ],
)
def test_a_where_ends_where_the_reader_can_see_it(written: str, laid_out: str) -> None:
    assert condition(written) == laid_out


# ---- declarations and clauses --------------------------------------------------------------


def check(written: str, laid_out: str) -> None:
    expected = dedent(laid_out).lstrip("\n")
    assert formatted(dedent(written)) == expected
    assert formatted(expected) == expected


def test_declarations_are_set_apart_and_clauses_indented() -> None:
    check(
        """
        rulebook   "NJ"
        section "Blackjack"
           applies when option game=blackjack
           given option game is blackjack
        rule burn
            "A title."
            cite N.J.A.C.   19:47-2.6(c),"Bulletin 5"
            in force   from 1982-09-15
            for each table,every player
            when first card_dealt since dealer_arrived
            require card_burned since dealer_arrived
            except under "Bulletin 5" when option shuffle is bart_carter
            but not under N.J.A.C. 19:47-2.6(c) when seat is 1
            example complies "fine"
              20:00 dealer_arrived dealer="D7"
              on 1999-01-01
              given option shuffle is normal
              next day   0:00:04.5 card_burned   by="pit boss"
            example violates
              20:00:09 card_dealt <- here
        """,
        """
        rulebook "NJ"

        section "Blackjack"
          applies when option game is blackjack
          given option game is blackjack

        rule burn
          "A title."
          cite N.J.A.C. 19:47-2.6(c), "Bulletin 5"
          in force from 1982-09-15
          for each table, every player
          when first card_dealt since dealer_arrived
          require card_burned since dealer_arrived
          except under "Bulletin 5" when option shuffle is bart_carter
            but not under N.J.A.C. 19:47-2.6(c) when seat is 1
          example complies "fine"
            on 1999-01-01
            given option shuffle is normal
            20:00:00 dealer_arrived dealer=D7
            next day 00:00:04.5 card_burned by="pit boss"
          example violates
            20:00:09 card_dealt   <- here
        """,
    )


def test_short_declarations_of_a_kind_stay_together_when_they_stood_together() -> None:
    check(
        """
        use "a"
        use "b"

        use "c"
        define x = 1
        define y = 2
        events e are a,b where seat=1
        interval round from a to any of (b,c)
        setting s = 30   minutes "why"
        """,
        """
        use "a"
        use "b"

        use "c"

        define x = 1
        define y = 2

        events e are a, b where seat is 1

        interval round from a to any of (b, c)

        setting s = 30 minutes "why"
        """,
    )


def test_the_clauses_of_an_edition_stand_deeper() -> None:
    check(
        """
        rule a
          severity major
          edition "first" from 1979-09-26 until 2005-01-18
          require x
          example complies
            20:00:00 x
          edition from 2005-01-18
            except under "B" when y
              but not under "C" when z
        """,
        """
        rule a
          severity major
          edition "first" from 1979-09-26 until 2005-01-18
            require x
            example complies
              20:00:00 x
          edition from 2005-01-18
            except under "B" when y
              but not under "C" when z
        """,
    )


def test_the_columns_of_a_table_are_in_line() -> None:
    check(
        r"""
        table banker_draws "As the law prints it"
         banker\third|none 0 1 10
         3|D D D S
         0..2 | stand 3   to 2 $1,000 30 minutes
        """,
        r"""
        table banker_draws "As the law prints it"
          banker \ third | none  0      1      10
          3              | D     D      D      S
          0..2           | stand 3 to 2 $1,000 30 minutes
        """,
    )


def test_interpretations_and_profiles() -> None:
    check(
        """
        interpretation even_money "What even money is" cite N.J.A.C. 19:47-2.9(b)
          reading strict "Only the player's own." default reading wide
        profile mild "Mild"
          choose   reading even_money is wide  choose setting s is $5
        """,
        """
        interpretation even_money "What even money is"
          cite N.J.A.C. 19:47-2.9(b)
          reading strict "Only the player's own." default
          reading wide

        profile mild "Mild"
          choose reading even_money is wide
          choose setting s is $5
        """,
    )
