"""Numbers as large as a log may hold them are calculated with exactly, or not told at all."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from event_schemas import Event
from event_schemas.limits import LARGEST_NUMBER, LONGEST_DURATION
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core
from tests.compliance.reference_run import events as happened
from tests.compliance.reference_run import rulebook as small_rulebook
from tests.property.both_engines import checks_of_engine, checks_of_reference, counts_of_engine
from tests.property.random_logs import SCHEMA, ZONE
from tests.property.random_rulebook import rulebook

LARGEST = LARGEST_NUMBER
NEAR = (1, 2, 3, 7, 100, 2**31, 2**32 + 1, 10**12 + 1, 2**49 - 1, LARGEST - 1, LARGEST)
LONG_TIME = ("1 second", "90 days", "36500 days", f"{LONGEST_DURATION // 86_400} days")


class HostileRules:
    """Draws rules that calculate with whatever is there, and logs that make it large."""

    def __init__(self, random: Random) -> None:
        self.random = random

    def pick(self, choices: Any) -> Any:
        return self.random.choice(choices)

    # ---- logs

    def number(self) -> int:
        number = self.pick(NEAR)
        return int(self.pick((1, 1, 1, -1)) * min(LARGEST, number + self.pick((0, 0, 1))))

    def fraction(self) -> Fraction:
        return Fraction(abs(self.number()), abs(self.number()))

    def log(self) -> list[Event]:
        found = []
        for seq in range(1, self.pick((2, 4, 8))):
            fields: dict[str, object] = {
                "amount": self.number(),
                "stake": self.number(),
                "seat": abs(self.number()),
                "odds": self.fraction(),
            }
            kept = {name: value for name, value in fields.items() if self.random.random() < 0.95}
            moment = datetime(2000, 1, 1, tzinfo=ZONE) + timedelta(days=seq)
            found.append(Event(f"e{seq}", moment, seq, "C1", "T1", "wager_paid", kept))
        return found

    # ---- rules

    def rule(self) -> core.Rule:
        requirements = tuple(core.Requirement(self.condition(), f"{n}") for n in range(3))
        message = (core.MessagePart("a value", self.value("number", 0, 3), "number"),)
        edition = core.Edition(
            None, None, "", ("law",), core.Slice("table", None, (), ("wager_paid",)),
            core.Trigger(core.Pattern(("wager_paid",), 0), None, None), (), requirements, (),
            message, "", (),
        )  # fmt: skip
        return core.Rule("hostile", "", "violation", "major", "", (edition,), ())

    def condition(self) -> core.Expr:
        kind = self.pick(("money", "number", "odds", "seat", "duration", "time", "date"))
        choice = self.pick(("compare", "compare", "about", "how many", "in order"))
        if choice == "how many":
            bound: Any = self.pick(("at least", "at most", "exactly"))
            return core.HowMany(bound, self.value("number", 0, 2), self.events("past"))
        if choice == "in order":
            direction: Any = self.pick(("clockwise", "counterclockwise"))
            start = self.pick((None, core.Field(0, "seat", "seat")))
            return core.InOrder(
                self.events("past"), core.Field(1, "seat", "seat"), direction, start
            )
        if choice == "about" and kind in ("money", "number", "duration"):
            relative = self.pick((True, False))
            tolerance = self.value("number" if relative else kind, 0, 1)
            values = self.value(kind, 0, 2), self.value(kind, 0, 2)
            return core.About(*values, tolerance, relative)
        sign: Any = self.pick(("=", "!=", "<", "<=", ">", ">="))
        return core.Compare(sign, self.value(kind, 0, 3), self.value(kind, 0, 3))

    def events(self, reach: Any) -> core.Events:
        return core.Events(0, core.Pattern(("wager_paid",), 1), core.Window(reach, inclusive=True))

    def value(self, kind: str, var: int, depth: int) -> core.Expr:
        if depth and self.random.random() < 0.7:
            return self.computed(kind, var, depth - 1)
        fields = {
            "money": ("amount", "stake"), "seat": ("seat",), "odds": ("odds",), "time": ("ts",),
        }  # fmt: skip
        if kind in fields and self.random.random() < 0.7:
            return core.Field(var, self.pick(fields[kind]), kind)
        if kind == "time":
            return core.Field(var, "ts", "time")
        constants: dict[str, Callable[[], str]] = {
            "money": lambda: f"${abs(self.number()) // 100}",
            "number": lambda: self.pick((str(self.number()), "1.00000000000001", "0", "10")),
            "seat": lambda: str(abs(self.number())),
            "odds": lambda: f"{abs(self.number())} to {abs(self.number())}",
            "duration": lambda: self.pick(LONG_TIME),
            "date": lambda: self.pick(("2000-01-01", "9999-12-31", "0001-01-01")),
        }
        return core.Const(kind, constants[kind]())

    def computed(self, kind: str, var: int, depth: int) -> core.Expr:
        def value(other: str) -> core.Expr:
            return self.value(other, var, depth)

        makers: dict[str, list[Any]] = {
            "money": [
                lambda: core.Arithmetic(self.pick("+-"), value("money"), value("money")),
                lambda: core.Arithmetic("*", value("money"), value(self.pick(("odds", "number")))),
                lambda: core.Rounding(value("money"), self.way(), value("money")),
                lambda: self.total("money", var),
            ],
            "number": [
                lambda: core.Arithmetic(self.pick("+-*/"), value("number"), value("number")),
                lambda: core.Arithmetic("/", value("money"), value("money")),
                lambda: core.Arithmetic("/", value("duration"), value("duration")),
                lambda: core.Rounding(value("number"), self.way(), value("number")),
            ],
            "odds": [lambda: self.total("odds", var)],
            "seat": [
                lambda: core.NextSeat(
                    self.pick(("clockwise", "counterclockwise")), core.Field(0, "seat", "seat"),
                    self.events("past"), core.Field(1, "seat", "seat"),
                )
            ],
            "duration": [
                lambda: core.Arithmetic("-", value("time"), value("time")),
                lambda: core.Arithmetic(self.pick("+-"), value("duration"), value("duration")),
                lambda: core.Arithmetic("*", value("duration"), value("number")),
                lambda: core.Arithmetic("/", value("duration"), value("number")),
                lambda: core.Rounding(value("duration"), self.way(), value("duration")),
            ],
            "time": [lambda: core.Arithmetic(self.pick("+-"), value("time"), value("duration"))],
            "date": [lambda: core.Apply("date", (value("time"),))],
        }  # fmt: skip
        made: core.Expr = self.pick(makers[kind])()
        return made

    def way(self) -> Any:
        return self.pick(("up", "down", "nearest"))

    def total(self, kind: str, var: int) -> core.Expr:
        if var:  # one phrase inside another adds nothing here
            return self.value(kind, var, 0)
        function = self.pick(("sum", "smallest", "largest"))
        return core.Aggregate(function, self.events("past"), self.value(kind, 1, 1), kind)


def disagreement(seed: int) -> tuple[list[Check], list[Check]] | None:
    """The checks of the reference and of the engine, where they are not the same."""
    draw = HostileRules(Random(seed))
    book, log = rulebook(draw.rule()), draw.log()
    slow, fast = checks_of_reference(book, SCHEMA, log), checks_of_engine(book, SCHEMA, log)
    return None if slow == fast else (slow, fast)


@settings(max_examples=600, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.integers(0, 2**48))
def test_both_engines_calculate_alike_however_large_the_numbers(seed: int) -> None:
    assert disagreement(seed) is None


@pytest.mark.long
def test_they_do_in_the_long_run() -> None:
    for seed in range(50_000):
        assert disagreement(seed) is None, f"seed {seed}"


# ---- single numbers --------------------------------------------------------------------------

TWICE = """
    when cards_shuffled
    only if sum of vigorish_marked.amount earlier is more than {less}
    require sum of vigorish_marked.amount earlier is {sign} {number}
"""


def counts(clauses: str, *lines: str) -> dict[Verdict, int]:
    """How often each verdict is reached at two shuffles after some events; both engines agree."""
    log = happened("\n".join([*lines, "20:00:01 cards_shuffled", "20:00:02 cards_shuffled"]))
    book = small_rulebook(clauses)
    found = counts_of_engine(book, SCHEMA, log)
    assert checks_of_engine(book, SCHEMA, log) == checks_of_reference(book, SCHEMA, log)
    return dict(found)


def marked(amount: str) -> str:
    return f"20:00:00 vigorish_marked player=P1 amount={amount}"


@pytest.mark.parametrize("dollars", [2**29 // 100 - 1, 2**29 // 100 + 1, 2**29, 2**31, 2**33])
def test_a_sum_that_is_asked_for_twice_is_the_same_the_second_time(dollars: int) -> None:
    enough = TWICE.format(less="$0", sign="at most", number=f"${dollars}")
    too_little = TWICE.format(less="$0", sign="less than", number=f"${dollars}")
    assert counts(enough, marked(f"${dollars}")) == {Verdict.COMPLIED: 2}
    assert counts(too_little, marked(f"${dollars}")) == {Verdict.VIOLATED: 2}


@pytest.mark.parametrize("parts", [2**31 - 1, 2**31 + 1, 2**32 + 1])
def test_a_small_part_of_a_sum_is_less_than_the_whole(parts: int) -> None:
    clauses = f"""
        when cards_shuffled
        require sum of vigorish_marked.amount earlier / {parts} is at least $1
    """
    assert counts(clauses, marked("$1")) == {Verdict.VIOLATED: 2}


def test_a_product_that_is_too_large_is_not_told() -> None:
    most = f"${LARGEST // 100}"
    clauses = """
        when cards_shuffled
        require sum of vigorish_marked.amount earlier * 1000000 is at least $1
    """
    assert counts(clauses, marked("$1")) == {Verdict.COMPLIED: 2}
    assert counts(clauses, marked(most)) == {Verdict.UNDETERMINED: 2}


def test_a_sum_of_the_largest_amounts_is_exact() -> None:
    most = LARGEST // 100
    clauses = f"""
        when cards_shuffled
        require sum of vigorish_marked.amount earlier - ${most} is ${most}
    """
    assert counts(clauses, marked(f"${most}"), marked(f"${most}")) == {Verdict.COMPLIED: 2}
    assert counts(clauses, marked(f"${most}"), marked(f"${most - 1}")) == {Verdict.VIOLATED: 2}


def test_an_election_that_is_too_large_is_not_told() -> None:
    clauses = "when cards_shuffled\nrequire option decks is not 6"
    # Cut to 64 bits it would be six.
    elected = f"20:00:00 option_elected option_name=decks value={2**64 + 6}"
    assert counts(clauses, elected) == {Verdict.UNDETERMINED: 2}


def test_a_moment_that_no_calendar_has_is_not_told() -> None:
    later = "ts + 1100000 days + 1100000 days + {} days"
    clauses = f"when cards_shuffled\nrequire date({later}) is not 2000-01-01"
    assert counts(clauses.format(722000)) == {Verdict.UNDETERMINED: 2}
    assert counts(clauses.format(721000)) == {Verdict.COMPLIED: 2}
