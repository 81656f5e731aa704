"""A part of a log gets the same verdicts as in the whole: only what is judged is selected."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

from compliance.checking.check_log import check_log
from compliance.table_check.selection import Selection
from compliance.table_check.settings import Settings
from reports.model import Run
from tests.compliance.checked_logs import SCHEMA, START, book, checked, night

RULES = """
rulebook "Small rules" time zone "America/New_York"

rule burn-once
  "A card is burned before each is dealt."
  cite "Example"
  when card_dealt
  require card_burned earlier and round_ended later

rule one-dealer-in-the-house
  "No dealer arrives at two tables."
  cite "Example"
  for each casino, dealer
  when dealer_arrived
  require no dealer_arrived earlier
"""
LOG = """
T1 0:00 card_burned
T1 1:00 card_dealt to=player
T1 2:00 dealer_arrived dealer=D1
T1 3:00 card_dealt to=player
T1 4:00 round_ended
T2 5:00 dealer_arrived dealer=D1
T2 6:00 card_dealt to=player
"""


def at(minutes: int) -> Selection:
    return Selection(since=START + timedelta(minutes=minutes))


def verdicts(run: Run) -> dict[str, dict[str, int]]:
    return {
        item.rule: {verdict.value: n for verdict, n in item.counts.by_verdict().items() if n}
        for item in run.outcomes
        if item.counts.total
    }


def test_what_lies_before_and_after_the_time_is_still_seen(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", LOG)
    asked = Selection(START + timedelta(minutes=2), START + timedelta(minutes=4))
    run = checked([log], book(RULES), selection=asked)
    assert verdicts(run) == {
        "burn-once": {"complied": 1},
        "one-dealer-in-the-house": {"complied": 1},
    }


def test_the_first_moment_belongs_to_the_time_and_the_last_one_does_not(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", LOG)
    asked = Selection(START + timedelta(minutes=1), START + timedelta(minutes=3))
    assert verdicts(checked([log], book(RULES), selection=asked))["burn-once"] == {"complied": 1}


def test_a_rule_across_tables_sees_the_tables_that_were_not_asked_for(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", LOG)
    run = checked([log], book(RULES), selection=Selection(tables=frozenset({"T2"})))
    assert verdicts(run)["one-dealer-in-the-house"] == {"violated": 1}
    assert run.scope.tables == ("T2",)


def test_the_scope_is_the_time_that_was_judged(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", LOG)
    run = checked([log], book(RULES), selection=at(5))
    assert run.scope.first == START + timedelta(minutes=5)
    assert run.scope.tables == ("T2",)


def test_a_defect_before_the_time_is_still_told(tmp_path: Path) -> None:
    first = night(tmp_path / "a.jsonl", "T1 0:00 card_burned")
    second = night(tmp_path / "b.jsonl", "T1 9:00 card_burned", first=5)
    run = checked([first, second], book(RULES), selection=at(10))
    assert "evidence-seq-gap" in {item.rule for item in run.outcomes}


def test_a_table_that_the_log_does_not_have_is_refused(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", LOG.replace("T1", "BJ-12"))
    asked = Selection(tables=frozenset({"BJ-13"}))
    result = check_log([log], Settings(book(RULES), SCHEMA, selection=asked))
    assert result.run is None
    assert str(result.problems[0]) == "the log: There is no table BJ-13; it has BJ-12, T2."
