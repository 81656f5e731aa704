"""A record that is lost among the events of several tables leaves the same doubt when the next
night is judged: nobody is accused later of what was in doubt at once.
"""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from compliance.checking.check_log import check_log
from compliance.checking.nights import Nights
from compliance.table_check.settings import Settings
from reports.model import Counts, Run
from tests.compliance.checked_logs import SCHEMA, START, book, checked, outcome

RULES = book("""
rulebook "Small rules" time zone "America/New_York"

rule soon
  "A card is burned somewhere within a minute after a round begins."
  cite "Example"
  for each casino
  when round_started
  require card_burned within 1 minute, later
""")
Told = tuple[str, int, int, str]
"""Table, number, seconds after the beginning, and what happened."""
FIRST: list[Told] = [
    ("T1", 1, 0, "round_ended"),
    ("T2", 1, 1, "round_started"),  # record 2 of T1 may be the card that was burned
    ("T1", 3, 2, "round_ended"),
]
SECOND: list[Told] = [("T1", 4, 86_400, "round_ended"), ("T2", 2, 86_401, "round_ended")]


def written(path: Path, told: list[Told]) -> Path:
    lines = [
        {
            "id": f"{table}-{number}",
            "ts": (START + timedelta(seconds=after)).isoformat(),
            "seq": number,
            "casino": "C1",
            "table": table,
            "type": kind,
        }
        for table, number, after, kind in told
    ]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def one_by_one(folder: Path, *nights: list[Told]) -> list[Run]:
    kept: Nights | None = Nights()
    runs = []
    for number, told in enumerate(nights):
        path = written(folder / f"night{number}.jsonl", told)
        found = check_log([path], Settings(RULES, SCHEMA), kept)
        assert found.run is not None
        runs.append(found.run)
        kept = found.nights
    return runs


def counts(run: Run) -> Counts:
    return outcome(run, "soon").counts


def test_a_lost_record_that_may_be_what_was_asked_for_still_may_be_it_the_next_night(
    tmp_path: Path,
) -> None:
    first, second = one_by_one(tmp_path, FIRST, SECOND)
    assert counts(first).open == 1
    assert (counts(second).violated, counts(second).undetermined) == (0, 1)
    together = checked([written(tmp_path / "long.jsonl", FIRST + SECOND)], RULES)
    assert (counts(together).violated, counts(together).undetermined) == (0, 1)


def test_a_record_that_was_lost_before_the_round_began_excuses_nothing(tmp_path: Path) -> None:
    before = [("T1", 1, 0, "round_ended"), ("T1", 3, 1, "round_ended")]
    _, second = one_by_one(tmp_path, [*before, ("T2", 1, 2, "round_started")], SECOND)
    assert (counts(second).violated, counts(second).undetermined) == (1, 0)


def test_records_that_no_rule_speaks_of_tell_where_a_lost_one_lies(tmp_path: Path) -> None:
    """Ten minutes after the round began a record of the other table is lost: too late to matter."""
    told = [
        ("T1", 1, 0, "round_ended"),
        ("T2", 1, 1, "round_started"),
        ("T1", 2, 600, "round_ended"),
        ("T1", 4, 602, "round_ended"),
        ("T2", 2, 700, "round_ended"),
    ]
    run = checked([written(tmp_path / "long.jsonl", told)], RULES)
    assert (counts(run).violated, counts(run).undetermined) == (1, 0)
