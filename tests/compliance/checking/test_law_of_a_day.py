"""The law of the event's own day is applied, or that of one day; what ended or was only proposed
is not law, and the result says so."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import compliance
from reports.model import Run
from reports.verdicts import ClauseStatus, RuleStatus
from tests.compliance.checked_logs import night

UNSHUFFLED = """
T1 0:00 option_elected option_name=game value=blackjack
T1 0:01 dealer_arrived dealer=D7
T1 0:09 card_dealt to=player seat=1 card=9S
T1 0:10 decks_received decks_total=6 cards_total=311
"""
"""A night of 2024 in which a new dealer burns no card (19:47-2.6) and a card is lacking (19:46)."""
BURN, WHOLE = "burn-by-each-new-dealer", "decks-are-whole"


def run_of(path: Path, law_of: str | None = None, profile: str | None = None) -> Run:
    log = night(path / "night.jsonl", UNSHUFFLED)
    return compliance.check(log, law_of=law_of, profile=profile).run


def status(run: Run, rule: str) -> RuleStatus:
    return next(item.status for item in run.outcomes if item.rule == rule)


def test_a_chapter_that_ended_accuses_nobody(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    assert status(run, BURN) is RuleStatus.NOT_IN_FORCE
    statement = next(item for item in run.statements if item.clause.startswith("19:47-2.9(c)"))
    assert statement.status is ClauseStatus.NOT_IN_FORCE
    assert len([note for note in run.notes if "--law-of 2011-12-31" in note]) == 1


def test_the_end_of_a_chapter_is_not_told_of_a_log_that_is_older(tmp_path: Path) -> None:
    log = night(tmp_path / "night.jsonl", UNSHUFFLED)
    log.write_text(log.read_text().replace("2024-", "2008-"))
    run = compliance.check(log).run
    assert status(run, BURN) is RuleStatus.VIOLATED
    assert not [note for note in run.notes if "ended on" in note]


def test_the_text_that_took_its_place_is_applied(tmp_path: Path) -> None:
    run = run_of(tmp_path)
    today = [item for item in run.statements if item.clause.startswith("13:69F-2.5")]
    assert today
    assert ClauseStatus.NOT_IN_FORCE not in {item.status for item in today}


def test_the_law_of_one_day_is_applied_to_every_event(tmp_path: Path) -> None:
    run = run_of(tmp_path, law_of="2011-12-31")
    assert status(run, BURN) is RuleStatus.VIOLATED
    assert str(run.law_of) == "2011-12-31"
    assert any("as it stood on 31 December 2011" in note for note in run.notes)


def test_a_proposal_is_not_law_unless_its_profile_is_chosen(tmp_path: Path) -> None:
    run = run_of(tmp_path, law_of="2011-12-31")
    assert status(run, WHOLE) is RuleStatus.NOT_IN_FORCE
    proposed = [item for item in run.statements if "2011 proposal" in item.texts]
    assert {item.status for item in proposed} == {ClauseStatus.NOT_IN_FORCE}
    run = run_of(tmp_path, law_of="2011-12-31", profile="proposed_rules")
    assert status(run, WHOLE) is RuleStatus.VIOLATED
    found = next(item for item in run.outcomes if item.rule == WHOLE)
    assert found.citations == ("N.J.A.C. 19:46-1.17(a) (proposed)",)


def test_a_result_by_the_law_of_one_day_can_be_verified(tmp_path: Path) -> None:
    from compliance.cli import main

    log = night(tmp_path / "night.jsonl", UNSHUFFLED)
    saved = tmp_path / "run.json"
    assert main(["check", str(log), "--law-of", "2011-12-31", "-o", str(saved)]) == 1
    assert "--law-of 2011-12-31" in json.loads(saved.read_text())["command"]
    assert main(["verify", str(saved), str(log)]) == 0


def test_a_day_that_there_is_not_is_refused(tmp_path: Path) -> None:
    with pytest.raises(compliance.Refused, match="2011-13-01 is no day"):
        run_of(tmp_path, law_of="2011-13-01")
