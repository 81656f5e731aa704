"""No comment is ever lost, doubled, or moved to something else."""

from __future__ import annotations

import random
import re
from textwrap import dedent

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rules_dsl import syntax
from rules_dsl.formatting.files import format_file, format_source
from rules_dsl.parsing.parser import parse
from rules_dsl.source import Source
from tests.rules_dsl.trees import files


def with_comments(text: str, chance: random.Random) -> tuple[str, int]:
    """The text with comments at the ends of some lines and on lines of their own."""
    lines: list[str] = []
    count = 0
    for line in text.split("\n"):
        while chance.random() < 0.15:
            lines.append(" " * chance.choice([0, 0, 2, 4, 9]) + f"-- remark {count}.")
            count += 1
        if chance.random() < 0.2:
            lines.append("")
        if chance.random() < 0.25 and line.strip():
            line += chance.choice([" ", "  ", "\t"]) + f"-- remark {count}."
            count += 1
        lines.append(line)
    return "\n".join(lines), count


@settings(
    max_examples=150,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
)
@given(files, st.randoms(use_true_random=True))
def test_every_comment_is_kept_once(file: syntax.File, chance: random.Random) -> None:
    text, count = with_comments(format_file(file), chance)
    parsed = parse(Source("test", text))
    assert parsed.diagnostics == ()
    assert parsed.file == file
    laid_out = format_file(parsed.file, parsed.comments, text)
    found = [int(number) for number in re.findall(r"-- remark (\d+)\.", laid_out)]
    assert sorted(found) == list(range(count))
    again = parse(Source("test", laid_out))
    assert again.file == file
    assert format_file(again.file, again.comments, laid_out) == laid_out


def check(written: str, laid_out: str) -> None:
    expected = dedent(laid_out).lstrip("\n")
    for text in (dedent(written).lstrip("\n"), expected):
        assert format_source(Source("test", text)) == (expected, ())


def test_comments_stay_behind_and_before_what_they_are_about() -> None:
    check(
        """
        -- About the file.

        -- About the rule.
        rule a -- behind the name
             -- before the title
            "A title." -- behind it
            require x -- behind the condition
        -- before the example
            example complies    -- the usual case
              -- at night
              on 1999-01-01
              20:00:00 x a=1   -- an event
            -- the end of the rule

        -- About b.
        rule b
        -- The end of the file.
        """,
        """
        -- About the file.

        -- About the rule.
        rule a  -- behind the name
          -- before the title
          "A title."  -- behind it
          require x  -- behind the condition
          -- before the example
          example complies  -- the usual case
            -- at night
            on 1999-01-01
            20:00:00 x a=1  -- an event
          -- the end of the rule

        -- About b.
        rule b

        -- The end of the file.
        """,
    )


def test_comments_inside_a_condition_go_before_its_clause() -> None:
    check(
        """
        rule a
          require x -- first
              -- second
              and y -- third
        """,
        """
        rule a
          -- first
          -- second
          require x and y  -- third
        """,
    )


def test_comments_between_short_declarations_leave_them_together() -> None:
    check(
        """
        use "a"
        -- about b
        use "b" -- behind b
        use "c"
        """,
        """
        use "a"
        -- about b
        use "b"  -- behind b
        use "c"
        """,
    )


def test_comments_in_tables_and_interpretations() -> None:
    check(
        """
        table t
          -- the head
          a \\ b | 1 2 -- one | two
          3 | x y
        interpretation i
          -- the passage
          cite "B"
          -- the first
          reading r default
        """,
        """
        table t
          -- the head
          a \\ b | 1 2  -- one | two
          3     | x y

        interpretation i
          -- the passage
          cite "B"
          -- the first
          reading r default
        """,
    )


def test_a_file_of_comments_only() -> None:
    check(
        """
           -- one
        -- two

        -- three


        """,
        """
        -- one
        -- two

        -- three
        """,
    )


def test_two_hyphens_inside_texts_and_citations_are_no_comment() -> None:
    check(
        """
        rule a
          "a -- b" -- c
          cite N.J. 19--4
        """,
        """
        rule a
          "a -- b"  -- c
          cite N.J. 19--4
        """,
    )
