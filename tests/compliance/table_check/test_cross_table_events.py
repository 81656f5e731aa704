"""Rules across tables are given the events that they can look at, casino by casino, pit by pit."""

from __future__ import annotations

from pathlib import Path

import pytest

from compliance.checking.nights import Nights
from compliance.log import tables
from compliance.table_check.casino_group import CasinoGroup
from compliance.table_check.cross_table_events import cross_table_events
from compliance.table_check.settings import Settings
from compliance.table_log.table_log import table_log
from tests.compliance.checked_logs import SCHEMA, book, checked, night, outcome

RULES = """
rulebook "Small rules" time zone "America/New_York"

rule dealers-of-a-casino
  "No dealer arrives at two tables."
  cite "Example"
  for each casino
  when dealer_arrived as arrived
  require no dealer_arrived where dealer is arrived.dealer, earlier

rule rounds-of-a-pit
  "A pit begins one round only."
  cite "Example"
  for each pit
  when round_started
  require no round_started earlier
"""
LOG = """
T1 0:00 dealer_arrived dealer=D1 pit=A
T1 0:01 round_started pit=A
T1 0:02 card_burned pit=A
T1 0:03 round_ended pit=A
T2 0:04 dealer_arrived dealer=D1 pit=A
T2 0:05 round_started pit=A
T2 0:06 round_ended pit=A
T3 0:07 round_started pit=B
T3 0:08 round_ended pit=B
""".strip()


def shared(log: Path) -> dict[tuple[str, CasinoGroup], list[str]]:
    settings = Settings(book(RULES), SCHEMA)
    names = list(SCHEMA.events)
    return {
        (table.table, where): [names[number] for number in part["type"]]
        for table in tables([log], SCHEMA)
        for where, part in cross_table_events(settings, table_log(SCHEMA, table.frame), table.frame)
    }


def test_a_casino_and_a_pit_get_only_what_their_rules_look_at(tmp_path: Path) -> None:
    found = shared(night(tmp_path / "night.jsonl", LOG))
    casino = {where[1] for _, where in found}.pop()
    # The last event of a table is always told: how far its log goes says what can still come.
    assert found == {
        ("T1", ("casino", casino, "")): ["dealer_arrived", "round_ended"],
        ("T1", ("pit", casino, "A")): ["round_started", "round_ended"],
        ("T2", ("casino", casino, "")): ["dealer_arrived", "round_ended"],
        ("T2", ("pit", casino, "A")): ["round_started", "round_ended"],
        ("T3", ("casino", casino, "")): ["round_ended"],
        ("T3", ("pit", casino, "B")): ["round_started", "round_ended"],
    }


def test_each_rule_judges_the_tables_that_belong_together(tmp_path: Path) -> None:
    result = checked([night(tmp_path / "night.jsonl", LOG)], book(RULES))
    dealers, rounds = outcome(result, "dealers-of-a-casino"), outcome(result, "rounds-of-a-pit")
    assert [found.where["table"] for found in dealers.findings] == ["T2"]
    assert [found.where["table"] for found in rounds.findings] == ["T2"]
    assert (dealers.counts.complied, rounds.counts.complied) == (1, 2)


@pytest.mark.parametrize("earlier", [None, Nights()], ids=["one log", "first of several nights"])
def test_every_pit_tells_its_breaches_with_a_timeline(
    tmp_path: Path, earlier: Nights | None
) -> None:
    again = "\nT4 0:09 round_started pit=B\nT4 0:10 round_ended pit=B"
    log = night(tmp_path / "night.jsonl", LOG + again)
    rounds = outcome(checked([log], book(RULES), earlier=earlier), "rounds-of-a-pit")
    assert [found.where["table"] for found in rounds.findings] == ["T2", "T4"]
    assert all(found.timeline is not None for found in rounds.findings)


@pytest.mark.parametrize("earlier", [None, Nights()], ids=["one log", "first of several nights"])
def test_what_a_table_without_a_pit_lost_may_be_missing_in_any_pit(
    tmp_path: Path, earlier: Nights | None
) -> None:
    more = "\n".join(f"T5 0:{second} table_idle_started" for second in (10, 11, 12))
    log = night(tmp_path / "night.jsonl", f"{LOG.rstrip()}\n{more}")
    whole = outcome(checked([log], book(RULES), earlier=earlier), "rounds-of-a-pit")
    lines = log.read_text("utf-8").splitlines()
    log.write_text("\n".join([*lines[:-2], lines[-1]]) + "\n", encoding="utf-8")
    damaged = outcome(checked([log], book(RULES), earlier=earlier), "rounds-of-a-pit")
    assert (whole.counts.complied, whole.counts.violated) == (2, 1)
    assert (damaged.counts.undetermined, damaged.counts.violated) == (2, 1)
