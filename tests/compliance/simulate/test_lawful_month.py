"""A lawful month gives nothing to find: every game, every way of playing it, every side wager.

The floor is simulated, written and checked as the command line does it. The long form plays 31
nights in a row, and of every year the nights on which the law changed.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import pytest

from compliance.checking.check_log import check_log
from compliance.simulate.blackjack.side_wagers.offers import OFFERS
from compliance.simulate.elections import FIRST_DAY
from compliance.simulate.floor import (
    CASINO,
    LETTERS,
    TABLES_IN_A_PIT,
    Floor,
    Wishes,
    simulate_floor,
)
from compliance.simulate.night import TablePlan
from compliance.simulate.table import Place
from compliance.simulate.variants import SINCE, USUAL
from compliance.table_check.settings import Settings
from reports.verdicts import RuleStatus
from tests.compliance.simulate.checking import SCHEMA, bundled_rulebook

SECTIONS = ("All tables", "Blackjack", "Baccarat", "Minibaccarat", "Red dog")
FIRST_OF_THE_MONTH = date(2009, 5, 1)
MONTH = [FIRST_OF_THE_MONTH + timedelta(days=n) for n in range(31)]
YEARS = range(1982, 2021)
NOTHING_TO_SAY = (
    *(RuleStatus.COMPLIED, RuleStatus.EXCUSED, RuleStatus.NOT_EXERCISED),
    *(RuleStatus.NOT_EVALUABLE, RuleStatus.NOT_PLAYED, RuleStatus.NOT_IN_FORCE),
)


def days_of(year: int) -> list[date]:
    """The days of a year on which a rule of the simulated games began to hold, and the last day."""
    rules = [r for r in bundled_rulebook().rules if r.section.startswith(SECTIONS)]
    starts = {e.since for rule in rules for e in rule.editions if e.since}
    days = {date.fromisoformat(start) for start in starts} | {date(year, 12, 31)}
    return sorted(d for d in days if d.year == year and d >= FIRST_DAY["blackjack"])


def full_floor(day: date, *, hours: float | None = None, rounds: int | None = None) -> Floor:
    """Tables of every game, and of blackjack one for everything that the law of the day knows."""

    def plan(number: int, game: str, wishes: Wishes) -> TablePlan:
        pit = f"{LETTERS[game]}-PIT{number // TABLES_IN_A_PIT + 1}"
        place = Place(CASINO, pit, f"{LETTERS[game]}{number + 1:02d}", game)
        return TablePlan(place, day, day.toordinal(), hours, rounds, *wishes)

    others = [game for game, first in FIRST_DAY.items() if game != "blackjack" and day >= first]
    return Floor(
        (
            *(plan(number, game, Wishes()) for game in others for number in range(2)),
            *(plan(number, "blackjack", wishes) for number, wishes in enumerate(_blackjack(day))),
        )
    )


def _blackjack(day: date) -> Iterator[Wishes]:
    usual = Wishes((), USUAL, 0.0)
    yield from [usual] * 4
    yield from [usual._replace(accidents=0.1)] * 3
    yield from (usual._replace(offers=(name,)) for name, o in OFFERS.items() if day >= o.since)
    yield from (usual._replace(variant=name) for name, since in SINCE.items() if day >= since)
    # Everything by lot, as on any simulated floor.
    yield from [Wishes()] * 4


def found_on(floor: Floor, folder: Path) -> list[tuple[str, ...]]:
    """What the checker says of a floor's log: every rule that was not simply kept, and why."""
    log = simulate_floor(floor, folder / "night.parquet", "parquet", workers=1)
    run = check_log(log.files, Settings(bundled_rulebook(), SCHEMA)).run
    assert run is not None
    assert run.quarantined == 0
    assert sum(outcome.counts.complied for outcome in run.outcomes) > log.events / 10
    return [
        (outcome.rule, outcome.status.value, *(found.sentence for found in outcome.findings[:2]))
        for outcome in run.outcomes
        if outcome.status not in NOTHING_TO_SAY
    ]


@pytest.mark.parametrize("day", [date(1997, 1, 10), date(2009, 5, 5)], ids=str)
def test_a_lawful_floor_gives_nothing_to_find(day: date, tmp_path: Path) -> None:
    assert found_on(full_floor(day, rounds=6), tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("day", MONTH, ids=str)
def test_a_lawful_month_gives_nothing_to_find(day: date, tmp_path: Path) -> None:
    assert found_on(full_floor(day, hours=3), tmp_path) == []


@pytest.mark.long
@pytest.mark.parametrize("year", YEARS)
def test_lawful_nights_of_every_year_give_nothing_to_find(year: int, tmp_path: Path) -> None:
    found = {day: found_on(full_floor(day, hours=3), tmp_path) for day in days_of(year)}
    assert {day: said for day, said in found.items() if said} == {}
