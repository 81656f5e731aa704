"""What Python writes is what C reads: both have the same lists, and the same forms in memory."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

import compliance.first_look
from compliance.columns import JOKER_CODE
from compliance.first_look import library, operations, verdicts
from compliance.first_look.operations import Operation
from compliance.first_look.tables import SHOWN_EXCUSED

SOURCE = Path(compliance.first_look.__file__).parent / "source"


def names_in_c(first: str) -> list[str]:
    """The names of the list in the C code that begins with some name."""
    text = "\n".join(path.read_text("utf-8") for path in sorted(SOURCE.glob("*.[ch]")))
    for body in re.findall(r"enum \{([^}]*)\}", text):
        names = [part.split("=")[0].strip() for part in body.split(",")]
        if names[0] == first:
            return names
    raise AssertionError(f"no list begins with {first}")


def test_operations_have_the_same_numbers() -> None:
    assert [operation.name for operation in Operation] == names_in_c("CONSTANT")


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (operations.SIGNS, ("EQUAL", "UNEQUAL", "LESS", "AT_MOST", "MORE", "AT_LEAST")),
        (operations.CALCULATIONS, ("PLUS", "MINUS", "TIMES", "DIVIDED")),
        (operations.WAYS_OF_ROUNDING, ("UP", "DOWN", "NEAREST")),
        (operations.REACHES, ("PAST", "FUTURE", "WHOLE")),
        (operations.WHICH_RUN, ("THIS", "PREVIOUS", "NEXT")),
        (operations.WHICH_OF_EACH, ("EACH", "LATEST", "EARLIEST")),
        (operations.BOUNDS, ("COUNT_EXACTLY", "COUNT_AT_LEAST", "COUNT_AT_MOST")),
    ],
)
def test_words_have_the_numbers_of_their_names(
    words: Sequence[object], names: Sequence[str]
) -> None:
    assert names_in_c(names[0]) == list(names)
    assert len(words) == len(names)


def test_verdicts_are_written_and_read_alike() -> None:
    names = ("SHOWS_FOUND", "SHOWS_SINCE", "SHOWS_BEFORE", "SHOWS_COUNTED")
    assert names_in_c(names[0]) == list(names)
    assert tuple(f"shows_{part}".upper() for part in verdicts.PARTS) == names
    fields = verdicts.Settled._fields[: verdicts.HEAD]
    heads = [*(f"VERDICT_{name.upper()}" for name in fields), "VERDICT_PARTS"]
    assert names_in_c(heads[0]) == heads


def test_directions_and_limits_are_the_same() -> None:
    assert names_in_c("CLOCKWISE")[: len(operations.DIRECTIONS)] == [
        "CLOCKWISE",
        "COUNTERCLOCKWISE",
    ]
    text = "\n".join((SOURCE / name).read_text("utf-8") for name in ("pools.h", "collecting.h"))
    assert f"ROOM_FOR_EVENTS = {operations.MOST_EVENTS}," in text
    assert f"next[{operations.MOST_TYPES}];" in text


def test_the_joker_and_the_number_of_examples_are_the_same() -> None:
    text = "\n".join(path.read_text("utf-8") for path in sorted(SOURCE.glob("*.[ch]")))
    assert f"enum {{ JOKER = {JOKER_CODE} }};" in text
    assert f"enum {{ SHOWN_EXCUSED = {SHOWN_EXCUSED} }};" in text


def test_columns_in_lists_are_told_alike() -> None:
    text = (SOURCE / "log.h").read_text("utf-8")
    assert f"enum {{ LISTED = {library.LISTED} }};" in text


def test_there_is_an_aggregate_in_c_for_each_in_python() -> None:
    assert names_in_c("FIRST") == [
        "FIRST",
        "LAST",
        "COUNT",
        "SUM",
        "SMALLEST",
        "LARGEST_OF",
        "DISTINCT",
        "BLACKJACK",
        "HARD",
        "SOFT",
        "BACCARAT",
    ]
    assert len(operations.AGGREGATES) == len(names_in_c("FIRST"))
