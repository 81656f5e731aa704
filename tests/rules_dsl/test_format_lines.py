"""What is too long for a line is broken where a reader would pause."""

from __future__ import annotations

from textwrap import dedent

from rules_dsl.formatting import format_source
from rules_dsl.source import Source


def check(written: str, laid_out: str) -> None:
    expected = dedent(laid_out).lstrip("\n")
    for text in (dedent(written), expected):
        assert format_source(Source("test", text)) == (expected, ())
    assert max(map(len, expected.splitlines())) <= 100


def test_a_long_condition_is_broken_before_each_and() -> None:
    check(
        """
        rule a
          require card_burned since dealer_arrived and
            notice_posted with same subject, earlier and not closed
        """,
        """
        rule a
          require card_burned since dealer_arrived
              and notice_posted with same subject, earlier
              and not closed
        """,
    )


def test_what_stands_in_brackets_is_broken_later_and_indented_deeper() -> None:
    check(
        """
        rule a
          except under N.J.A.C. 19:47-2.6(c) when option shuffle is bart_carter or (
            option decks is at least 6 and option shoe_kind is automated
            and option card_reader is in_use_at_this_table)
            but not under N.J.A.C. 19:47-2.6(c) when the_first_condition_holds or
              the_second_condition_of_all_holds
        """,
        """
        rule a
          except under N.J.A.C. 19:47-2.6(c) when option shuffle is bart_carter
              or (option decks is at least 6
                  and option shoe_kind is automated
                  and option card_reader is in_use_at_this_table)
            but not under N.J.A.C. 19:47-2.6(c) when the_first_condition_holds
                or the_second_condition_of_all_holds
        """,
    )


def test_a_chain_of_ifs_is_broken_before_each_else() -> None:
    check(
        """
        define winner = if player_points = banker_points then "tie" else if
          player_points > banker_points then "player" else "banker"
        """,
        """
        define winner =
          if player_points is banker_points then "tie"
              else if player_points is more than banker_points then "player"
              else "banker"
        """,
    )


def test_without_an_and_a_phrase_is_broken_before_what_is_said_about_the_events() -> None:
    check(
        """
        rule a
          require every option_elected where option_name is "pay_order",
            latest per table, earlier has value is elected_here_for_all
          require count of any of (wager_paid, wager_collected) where wager is additional, earlier
            >= count of wager_placed
        """,
        """
        rule a
          require every option_elected where option_name is "pay_order", latest per table, earlier
              has value is elected_here_for_all
          require count of any of (wager_paid, wager_collected) where wager is additional, earlier
              is at least count of wager_placed
        """,
    )


def test_lists_are_broken_after_a_comma() -> None:
    check(
        """
        rule baccarat-notice-of-the-pay-procedure from thirty-minutes-written-notice
            with the_choice = "pay_procedure", note = 1
          cite N.J.A.C. 19:47-3.2(a)1, N.J.A.C. 19:47-3.2(a)2, N.J.A.C. 19:47-3.2(a)3,
            N.J.A.C. 19:47-3.10(b)
          require option_name is one of (surrender_before, late_insurance, resplit_aces,
            double_any_two, note, even_money)
        """,
        """
        rule baccarat-notice-of-the-pay-procedure from thirty-minutes-written-notice with
              the_choice = "pay_procedure", note = 1
          cite N.J.A.C. 19:47-3.2(a)1, N.J.A.C. 19:47-3.2(a)2, N.J.A.C. 19:47-3.2(a)3,
              N.J.A.C. 19:47-3.10(b)
          require option_name is one of (surrender_before, late_insurance, resplit_aces,
                  double_any_two, note, even_money)
        """,
    )


def test_no_line_begins_with_a_name_that_looks_like_a_clause() -> None:
    check(
        """
        rule a
          require option_name is one of (surrender_before, late_insurance, double_any_two,
            abcdefghijklmn, note, b)
        """,
        """
        rule a
          require option_name is one of (surrender_before, late_insurance, double_any_two,
                  abcdefghijklmn, note, b)
        """,
    )


def test_a_long_text_becomes_several_texts_one_below_the_other() -> None:
    check(
        """
        rule a
          "A dealer who is new to the table burns one card before the first"
          "card is dealt, and says so." "Nobody else does."
          note "Seats are numbered from the dealer's left. The order is"
            "older than the amendments on record, {first x.seat earlier in the round} says."
        """,
        """
        rule a
          "A dealer who is new to the table burns one card before the first card is dealt, and"
          "says so. Nobody else does."
          note "Seats are numbered from the dealer's left. The order is older than the amendments"
              "on record, {first x.seat earlier in the round} says."
        """,
    )


def test_a_text_is_not_broken_inside_the_braces_of_a_message() -> None:
    check(
        """
        rule a
          otherwise say "a message of some length, which would be broken"
            "here and there {first card_dealt.seat since round_started} times"
        """,
        """
        rule a
          otherwise say "a message of some length, which would be broken here and there"
              "{first card_dealt.seat since round_started} times"
        """,
    )


def test_texts_that_fit_on_one_line_are_joined() -> None:
    check(
        """
        rule a
          note "One half"
            "and the other."
        """,
        """
        rule a
          note "One half and the other."
        """,
    )
