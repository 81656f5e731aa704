"""From truth values to verdicts: when a rule applies, is met, is broken, or is excused."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, verdicts

# At a cut with position 1 and no seat recorded: holds, fails, lacks a field, awaits the future.
WRITTEN = {"T": "position is 1", "F": "position is 2", "M": "seat is 1", "O": "card_burned later"}
LOG = "20:00 cards_cut position=1"


@pytest.mark.parametrize(
    ("requirement", "exception", "verdict"),
    [
        ("T", "T", "complied"),
        ("T", "F", "complied"),
        ("T", "M", "complied"),
        ("T", "O", "complied"),
        ("F", "T", "excused"),
        ("F", "F", "violated"),
        ("F", "M", "undetermined"),
        ("F", "O", "open"),
        ("M", "T", "excused"),
        ("M", "F", "undetermined"),
        ("M", "M", "undetermined"),
        ("M", "O", "open"),
        ("O", "T", "open"),
        ("O", "F", "open"),
        ("O", "M", "open"),
        ("O", "O", "open"),
    ],
)
def test_requirement_and_exception(requirement: str, exception: str, verdict: str) -> None:
    rule = f"""when cards_cut
        require {WRITTEN[requirement]}
        except under "Authority" when {WRITTEN[exception]}"""
    assert verdicts(rule, LOG) == [verdict]


@pytest.mark.parametrize(
    ("exception", "limit", "verdict"),
    [
        ("T", "T", "violated"),
        ("T", "F", "excused"),
        ("T", "M", "undetermined"),
        ("T", "O", "open"),
        ("F", "T", "violated"),
        ("F", "F", "violated"),
        ("F", "M", "violated"),
        ("F", "O", "violated"),
        ("M", "T", "violated"),
        ("M", "F", "undetermined"),
        ("O", "T", "violated"),
        ("O", "F", "open"),
    ],
)
def test_a_limit_takes_an_exception_away(exception: str, limit: str, verdict: str) -> None:
    rule = f"""when cards_cut
        require {WRITTEN["F"]}
        except under "Authority" when {WRITTEN[exception]}
        but not under "Limit" when {WRITTEN[limit]}"""
    assert verdicts(rule, LOG) == [verdict]


@pytest.mark.parametrize(
    ("trigger", "only_if", "expected"),
    [
        ("T", "T", ["complied"]),
        ("T", "F", []),
        ("T", "M", ["undetermined"]),
        ("T", "O", ["open"]),
        ("F", "T", []),
        ("F", "M", []),
        ("M", "T", ["undetermined"]),
        ("M", "F", []),
        ("M", "O", ["open"]),
        ("O", "T", ["open"]),
        ("O", "F", []),
        ("O", "M", ["open"]),
    ],
)
def test_trigger_and_only_if(trigger: str, only_if: str, expected: list[str]) -> None:
    rule = f"""when cards_cut where ({WRITTEN[trigger]})
        only if {WRITTEN[only_if]}
        require {WRITTEN["T"]}"""
    assert verdicts(rule, LOG) == expected


def test_the_first_exception_that_holds_is_named() -> None:
    rule = f"""when cards_cut
        require {WRITTEN["F"]}
        except under "First" when {WRITTEN["F"]}
        except under "Second" when {WRITTEN["T"]}
        except under "Third" when {WRITTEN["T"]}"""
    (check,) = checks(rule, LOG)
    assert check.excused_by == "Second"


def test_a_limit_binds_only_the_exception_before_it() -> None:
    rule = f"""when cards_cut
        require {WRITTEN["F"]}
        except under "First" when {WRITTEN["T"]}
        but not under "Limit" when {WRITTEN["T"]}
        except under "Second" when {WRITTEN["T"]}"""
    (check,) = checks(rule, LOG)
    assert check.excused_by == "Second"


def test_the_requirements_that_are_not_met_are_named() -> None:
    rule = f"""when cards_cut
        require {WRITTEN["T"]}
        require {WRITTEN["F"]}
        forbid {WRITTEN["T"]}
        require {WRITTEN["M"]}"""
    (check,) = checks(rule, LOG)
    assert check.verdict.value == "violated"
    assert check.unmet == ("require position is 2", "forbid position is 1", "require seat is 1")


def test_a_check_that_complied_says_nothing() -> None:
    rule = 'when cards_cut\nrequire position is {}\notherwise say "cut at {{position}}"'
    assert [c.message for c in checks(rule.format(1), LOG)] == [""]
    assert [c.message for c in checks(rule.format(2), LOG)] == ["cut at 1"]


def test_the_message_names_what_is_not_recorded() -> None:
    rule = 'when cards_cut\nrequire position is 2\notherwise say "seat {seat} of {by}"'
    (check,) = checks(rule, LOG)
    assert check.message == "seat an unrecorded seat of an unrecorded by"


@pytest.mark.parametrize(
    ("dates", "expected"),
    [
        ("from 1999-12-31 until 2000-01-01", []),
        ("from 2000-01-01 until 2000-01-02", ["violated"]),
        ("from 2000-01-02", []),
    ],
)
def test_a_rule_is_applied_only_while_it_is_in_force(dates: str, expected: list[str]) -> None:
    rule = f"in force {dates}\nwhen cards_cut\nrequire position is 2"
    assert verdicts(rule, LOG) == expected


def test_each_check_names_its_edition() -> None:
    rule = """when cards_cut
        edition from 1990-01-01 until 2000-01-02
        require position is 1
        edition from 2000-01-02
        require position is 2"""
    log = "23:59 cards_cut position=1\nnext day 00:00 cards_cut position=1"
    found = checks(rule, log)
    assert [c.verdict.value for c in found] == ["complied", "violated"]
    assert [str(c.edition) for c in found] == ["1990-01-01", "2000-01-02"]
