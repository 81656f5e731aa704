"""How much is still decided where lines of a night cannot be read, and that nobody is accused.

On a lawful night nothing that is lost may look like a breach. On a night with breaches those that
are still found are breaches of the whole log: what is certain in spite of the holes stays certain.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from compliance.checking.check_log import check_log
from compliance.table_check.settings import Settings
from reports.model import Run
from reports.verdicts import FindingKind, Verdict
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from tests.benchmarks.measuring import PROPERTY, Limit, Ratio
from tests.compliance.checked_logs import SCHEMA
from tests.compliance.small_rulebook import answer

LOST = {"1 line in 1,000": 0.001, "1 line in 100": 0.01, "1 line in 2": 0.5}
FLOORS = {"1 line in 1,000": 0.75}
"""What share of all checks is surely still decided. On long nights it is more: see below."""
LONG_FLOORS = {"1 line in 1,000": 0.95, "1 line in 100": 0.1}
ALL_GAMES = "blackjack,baccarat,minibaccarat,red_dog"
SHORT = ("--games", ALL_GAMES, "--tables", "4", "--rounds", "40")
LONG = ("--tables", "8", "--hours", "8")
DECIDED = (Verdict.COMPLIED, Verdict.VIOLATED, Verdict.EXCUSED)
Simulated = Callable[..., list[str]]


@pytest.fixture(scope="module")
def rulebook() -> core.Rulebook:
    return load([bundled_rulebook()], SCHEMA).rulebook


@pytest.fixture
def simulated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Simulated:
    """The lines of a simulated night."""

    def lines(*words: str) -> list[str]:
        path = tmp_path / "night.jsonl"
        answer(capsys, "simulate", "-o", path, "--workers", "1", *words)
        return path.read_text("utf-8").splitlines()

    return lines


def checked(folder: Path, lines: list[str], rulebook: core.Rulebook) -> Run:
    path = folder / "log.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    result = check_log([path], Settings(rulebook, SCHEMA))
    assert result.run is not None, result.problems
    return result.run


def blotted_out(lines: list[str], share: float, seed: int) -> list[str]:
    chance = Random(seed)
    return ["?" if chance.random() < share else line for line in lines]


def breaches(run: Run) -> set[str]:
    """The violations of the law; damage of the evidence is none."""
    return {item.fingerprint for item in run.findings(FindingKind.VIOLATION)}


def decided(run: Run) -> float:
    """The share of all checks of the law that have an answer."""
    law = [outcome for outcome in run.outcomes if outcome.kind is not FindingKind.DATA_DEFECT]
    verdicts = sum((Counter(outcome.counts.by_verdict()) for outcome in law), Counter[Verdict]())
    return sum(verdicts[verdict] for verdict in DECIDED) / verdicts.total()


def told(
    record_property: Callable[[str, object], None], what: str, value: float, least: float
) -> None:
    """Hand a share to the table at the end of the run, and keep its promise."""
    ratio = Ratio("g", f"checks decided, {what} lost", value, Limit(least=least))
    record_property(PROPERTY, json.dumps(ratio.row()))
    assert ratio.met, ratio.row()


@pytest.mark.parametrize("lost", LOST)
def test_a_lawful_night_is_not_accused_whatever_is_lost(
    lost: str,
    simulated: Simulated,
    rulebook: core.Rulebook,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    lines = simulated(*SHORT)
    run = checked(tmp_path, blotted_out(lines, LOST[lost], seed=1), rulebook)
    assert run.lost_records > 0
    assert breaches(run) == set()
    told(record_property, f"{lost} of a short night", decided(run), FLOORS.get(lost, 0.0))


@pytest.mark.long
@pytest.mark.parametrize("lost", LOST)
def test_no_long_lawful_night_is_accused_whatever_is_lost(
    lost: str,
    simulated: Simulated,
    rulebook: core.Rulebook,
    tmp_path: Path,
    record_property: Callable[[str, object], None],
) -> None:
    shares = []
    for seed in range(1, 9):
        lines = simulated(*LONG, "--seed", str(seed))
        run = checked(tmp_path, blotted_out(lines, LOST[lost], seed), rulebook)
        assert breaches(run) == set(), f"seed {seed}"
        shares.append(decided(run))
    mean = sum(shares) / len(shares)
    told(record_property, f"{lost} of long nights", mean, LONG_FLOORS.get(lost, 0.0))


@pytest.mark.parametrize(
    "words", [SHORT, pytest.param(LONG, marks=pytest.mark.long)], ids=["short", "long"]
)
def test_breaches_that_are_certain_in_spite_of_the_holes_are_found_and_no_others(
    words: tuple[str, ...], simulated: Simulated, rulebook: core.Rulebook, tmp_path: Path
) -> None:
    every, certain = 0, 0
    for seed in (1, 2, 3):
        lines = simulated(*words, "--violations", "all", "--rate", "0.1", "--seed", str(seed))
        whole = breaches(checked(tmp_path, lines, rulebook))
        found = breaches(checked(tmp_path, blotted_out(lines, 0.01, seed), rulebook))
        assert found <= whole
        every, certain = every + len(whole), certain + len(found)
    assert certain > every / 4


def test_an_election_that_nobody_was_told_of_accuses_nobody_if_its_record_is_lost(
    rulebook: core.Rulebook, tmp_path: Path
) -> None:
    """By the habits of the table no option was elected between its rounds. It was, and then it was
    lawful to double: only the lost record could have told."""
    lines = _doubled_after_a_split(elected=True)
    barred = "no-double-after-a-split-where-it-is-barred"
    never_elected = checked(tmp_path, _doubled_after_a_split(elected=False), rulebook)
    assert {item.rule for item in never_elected.findings(FindingKind.VIOLATION)} >= {barred}
    whole = checked(tmp_path, lines, rulebook)
    lost = checked(tmp_path, [*lines[:9], "?", *lines[10:]], rulebook)
    assert barred not in {item.rule for item in whole.findings(FindingKind.VIOLATION)}
    assert breaches(lost) <= breaches(whole)
    (outcome,) = (item for item in lost.outcomes if item.rule == barred)
    assert outcome.counts.undetermined == 1
    assert lost.undecided_by_loss > 0


def _doubled_after_a_split(*, elected: bool) -> list[str]:
    """A table that bars doubling after a split, until it perhaps elects otherwise."""
    told: dict[str, object] = {"option_name": "double_after_split", "value": "no"}
    happened: list[tuple[str, dict[str, object]]] = [
        ("option_elected", {"option_name": "game", "value": "blackjack"}),
        ("option_elected", told),
        ("notice_posted", {"subject": "double_after_split"}),
        ("round_started", {"round": 1}),
        ("decision", {"round": 1, "kind": "stand", "seat": 1}),
        ("round_ended", {"round": 1}),
        ("round_started", {"round": 2}),
        ("decision", {"round": 2, "kind": "stand", "seat": 1}),
        ("round_ended", {"round": 2}),
        *([("option_elected", {**told, "value": "yes"})] if elected else ()),
        ("round_started", {"round": 3}),
        ("decision", {"round": 3, "kind": "split", "seat": 1}),
        ("decision", {"round": 3, "kind": "double", "seat": 1}),
        ("round_ended", {"round": 3}),
    ]
    return [
        json.dumps(
            {
                "id": f"e{seq}",
                "ts": f"2010-03-06T20:00:{seq:02}-05:00",
                "seq": seq,
                "casino": "C1",
                "table": "T1",
                "type": name,
                **fields,
            }
        )
        for seq, (name, fields) in enumerate(happened, start=1)
    ]
