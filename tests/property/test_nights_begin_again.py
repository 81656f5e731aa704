"""Nights whose numbers, and perhaps names, begin again give what one long log gives."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import pytest

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.table_check.settings import Settings
from reports.model import Run
from tests.compliance.checked_logs import SCHEMA, book

RULES = book(
    """
rulebook "Small rules" time zone "America/New_York"

interval round from round_started to round_ended

rule burn
  "A dealer new to the table burns a card before dealing."
  cite "Example"
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived

rule not-twice
  "No more than one card is burned in a round."
  cite "Example"
  when card_dealt
  require at most 1 card_burned in the round

rule ends
  "Every round ends within the hour."
  cite "Example"
  when round_started
  require round_ended within 1 hour, later

rule again
  "No dealer comes twice in a row."
  cite "Example"
  when dealer_arrived
  require previous dealer_arrived.dealer is not dealer

rule in-the-casino
  "A card is burned somewhere before a round begins."
  cite "Example"
  for each casino
  when round_started
  require card_burned earlier

rule soon-in-the-casino
  "A card is burned somewhere within a minute after a round begins."
  cite "Example"
  for each casino
  when round_started
  require card_burned within 1 minute, later

rule seldom-in-the-casino
  "No two cards are burned within a minute."
  cite "Example"
  for each casino
  when card_burned
  require no card_burned within 1 minute earlier

rule other-dealer-in-the-casino
  "Two dealers who come one after the other, to whatever table, are not the same."
  cite "Example"
  for each casino
  when dealer_arrived
  require previous dealer_arrived.dealer is not dealer
"""
)
TYPES = ("dealer_arrived", "card_dealt", "card_burned", "round_started", "round_ended")
START = datetime.fromisoformat("2024-03-16T18:00:00-04:00")
SHORT, LONG = 60, int(os.environ.get("NIGHT_CASES", "2000"))
Record = dict[str, Any]


def nights_of(random: Random) -> list[list[Record]]:
    """Some nights of two tables, numbered all through; times go up, now and then two are alike."""
    numbers = {"T1": 0, "T2": 0}
    nights = []
    for night in range(random.choice((2, 2, 3))):
        moment = START + timedelta(days=night)
        records: list[Record] = []
        for number in range(random.choice((8, 20, 40))):
            moment += timedelta(seconds=random.choice((0, 1, 5, 60)))
            # A table that is closed all night leaves its checks waiting.
            table = "T2" if number == 0 else random.choice(("T1", "T1", "T2"))
            table, kind = "T1" if number == 1 else table, random.choice(TYPES)
            # A number that nobody has is that of a lost record. Where numbers begin again, nobody
            # knows of one that is lost before the first.
            inside = any(record["table"] == table for record in records)
            numbers[table] += random.choice((1,) * 30 + (2,)) if inside else 1
            record = {
                "id": f"{table}-{numbers[table]}",
                "ts": moment.isoformat(),
                "seq": numbers[table],
                "casino": "C1",
                "table": table,
                "type": kind,
            }
            if kind == "card_dealt":
                record["to"] = "player"
            if kind == "dealer_arrived":
                record["dealer"] = random.choice(("D1", "D2"))
            records.append(record)
        nights.append(records)
    return nights


def begun_again(nights: Sequence[Sequence[Record]], *, names: bool) -> list[list[Record]]:
    """The same with numbers, and perhaps names, that begin with one every night."""
    found = []
    for records in nights:
        first: dict[str, int] = {}
        again = []
        for record in records:
            number = record["seq"] - first.setdefault(record["table"], record["seq"]) + 1
            ident = f"{record['table']}-{number}" if names else record["id"]
            again.append(record | {"seq": number, "id": ident})
        found.append(again)
    return found


def written(folder: Path, name: str, records: Sequence[Record]) -> Path:
    path = folder / name
    path.write_text("".join(json.dumps(record) + "\n" for record in records))
    return path


def shown(runs: Sequence[Run]) -> dict[str, Any]:
    """What runs one after the other say of each rule: counts without what was judged again, and
    the breaches by their time."""
    found: dict[str, Any] = {}
    for run in runs:
        for item in run.outcomes:
            if not item.rule.startswith("evidence-"):
                counts = found.setdefault(item.rule, [{}, set()])
                for verdict, number in item.counts.by_verdict().items():
                    waiting = 0 if run is runs[-1] else item.unsettled.by_verdict()[verdict]
                    counts[0][verdict] = counts[0].get(verdict, 0) + number - waiting
                for breach in item.findings:
                    assert breach.trigger is not None
                    counts[1].add((breach.trigger.ts, breach.trigger.table, breach.sentence))
    return found


def names_in(runs: Sequence[Run]) -> set[str]:
    """The fingerprints of the breaches that are told as such in the end."""
    outcomes = [item for run in runs for item in run.outcomes]
    return {
        breach.fingerprint
        for item in outcomes
        for breach in item.findings
        if not item.rule.startswith("evidence-")
    }


def counts_of(found: dict[str, Any]) -> dict[str, Any]:
    return {rule: counts[0] for rule, counts in found.items()}


def checked(paths: Sequence[Path], earlier: Nights | None = None) -> tuple[Run, Nights | None]:
    result = check_log(paths, Settings(RULES, SCHEMA), earlier)
    assert result.run is not None, result.problems
    return result.run, result.nights


def compare(seed: int, folder: Path) -> None:
    random = Random(seed)
    nights = nights_of(random)
    names = random.random() < 0.5
    long = written(folder, "long.jsonl", [record for records in nights for record in records])
    whole = shown([checked([long])[0]])
    parts = begun_again(nights, names=names)
    if random.random() < 0.5:
        # The files overlap: the last records of a night come again with the next.
        for number in range(len(parts) - 1):
            tail = nights[number][-random.choice((1, 3)) :]
            parts[number + 1] = begun_again([tail + nights[number + 1]], names=names)[0]
    paths = [written(folder, f"night{n}.jsonl", records) for n, records in enumerate(parts)]
    together = checked(paths)[0]
    assert shown([together]) == whole, "together"
    runs: list[Run] = []
    kept: Nights | None = Nights()
    for path in paths:
        run, kept = checked([path], kept)
        runs.append(run)
    assert counts_of(shown(runs)) == counts_of(whole), "one by one"
    assert names_in(runs) == names_in([together]), "names of findings"


def test_nights_that_begin_again_are_one_long_log() -> None:
    for seed in range(SHORT):
        with TemporaryDirectory() as folder:
            try:
                compare(seed, Path(folder))
            except AssertionError as problem:
                raise AssertionError(f"seed {seed}: {problem}") from problem


@pytest.mark.long
def test_nights_that_begin_again_are_one_long_log_in_the_long_run() -> None:
    for seed in range(SHORT, LONG):
        with TemporaryDirectory() as folder:
            compare(seed, Path(folder))
