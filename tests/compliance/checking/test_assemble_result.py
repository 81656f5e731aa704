"""A rulebook on a log: every rule gets its status, every breach a finding one can judge."""

from __future__ import annotations

import shutil
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest

from compliance.checking.rulebook_identity import rulebook_hash
from compliance.findings.finding import sentence
from event_schemas import Event, builtin_schema, event_from_record
from reports.model import Check, Input, RuleOutcome, Run
from reports.summing_up import exit_code
from reports.verdicts import FindingKind, RuleStatus, Severity, Verdict
from rules_dsl import core
from rules_dsl.rulebook import load, load_text
from tests.compliance.reference_result import reference_result
from tests.compliance.small_rulebook import RULES, write

EASTERN = timezone(timedelta(hours=-5))
START = datetime(2024, 3, 9, 20, 0, tzinfo=EASTERN)
SCHEMA = builtin_schema()
LOG = Input(name="night.jsonl", sha256="ab" * 32, events=2)

MORE = """
interpretation who_cuts "Who may cut"
  cite N.J.A.C. 19:47-2.5(b)
  reading anybody "Anybody at the table." default
  reading players "Players only."

setting patience = 5 minutes "The law gives no time."

profile strict "A strict reading"
  choose reading who_cuts is players
  choose setting patience is 1 minute

rule cut-in-time
  "The cut comes soon."
  cite N.J.A.C. 19:47-2.5(b)
  severity minor
  kind indicator
  when cards_cut
  require cards_shuffled within patience earlier
  require if reading who_cuts is players then by_role is player
  example complies
    20:00:00 cards_shuffled
    20:00:30 cards_cut by_role=player
  example violates
    20:00:30 cards_cut by_role=player   <- here
"""


def book(text: str = RULES) -> core.Rulebook:
    loaded = load_text(text, SCHEMA)
    assert not loaded.errors
    return loaded.rulebook


def log(*lines: tuple[str, dict[str, object]], start: datetime = START) -> list[Event]:
    """Events one second apart on table BJ-1."""
    events = []
    for number, (name, fields) in enumerate(lines, start=1):
        record = {
            "id": f"e-{number}",
            "ts": (start + timedelta(seconds=number)).isoformat(),
            "seq": number,
            "casino": "Boardwalk Palace",
            "table": "BJ-1",
            "type": name,
        }
        event = event_from_record(SCHEMA, record | fields)
        assert isinstance(event, Event)
        events.append(event)
    return events


UNBURNED = log(
    ("dealer_arrived", {"dealer": "D7", "pit": "2"}),
    ("card_dealt", {"to": "player", "seat": 3, "card": "9S", "round": 12, "player": "P1"}),
)


def outcome(result: Run, rule: str) -> RuleOutcome:
    return next(item for item in result.outcomes if item.rule == rule)


def checked(events: list[Event], text: str = RULES, profile: str | None = None) -> Run:
    return reference_result(book(text), SCHEMA, events, [LOG], profile=profile)


def test_every_rule_of_the_rulebook_has_an_outcome_in_its_order() -> None:
    assert [o.rule for o in checked(UNBURNED).outcomes] == [rule.name for rule in book().rules]


def test_a_breach_is_a_violation_and_the_exit_code_says_so() -> None:
    result = checked(UNBURNED)
    assert outcome(result, "burn-by-each-new-dealer").status is RuleStatus.VIOLATED
    assert exit_code(result) == 1


def test_a_finding_carries_all_that_is_needed_to_judge_it() -> None:
    (found,) = checked(UNBURNED).findings(FindingKind.VIOLATION)
    assert found.title == "A dealer new to the table burns a card before dealing"
    assert found.law == "A dealer new to the table burns a card before dealing"
    assert found.citations == ("N.J.A.C. 19:47-2.6(c)",)
    assert str(found.edition) == "1982-09-15"
    assert found.severity is Severity.MAJOR
    assert found.sentence == "D7 dealt 9S without burning a card."
    assert found.remedy == "Call a supervisor."
    assert found.trigger is not None
    assert found.trigger.event_id == "e-2"
    assert [witness.event_id for witness in found.witnesses] == ["e-1"]


def test_a_finding_says_where_it_happened() -> None:
    (found,) = checked(UNBURNED).findings(FindingKind.VIOLATION)
    assert found.where == {
        "casino": "Boardwalk Palace",
        "table": "BJ-1",
        "round": "12",
        "seat": "3",
        "player": "P1",
    }


def test_the_for_each_keys_are_part_of_the_place() -> None:
    text = RULES.replace(
        "when recut_ordered\n  require by_role is at least floorperson",
        "for each table, every player\n  when recut_ordered\n  require no cut_refused earlier",
    )
    events = log(("cut_refused", {"player": "P9"}), ("recut_ordered", {}))
    (found,) = checked(
        events, text[: text.index("  example complies\n    20:00:00 recut")]
    ).findings(FindingKind.VIOLATION)
    assert found.where["player"] == "P9"


def test_the_fingerprint_survives_more_data_before_it() -> None:
    more = log(
        ("cards_shuffled", {}), ("cards_cut", {}), start=START - timedelta(hours=1)
    )  # fmt: skip
    earlier = [
        Event(f"m-{e.id}", e.ts, e.seq - 10, e.casino, e.table, e.type, e.fields) for e in more
    ]
    (alone,) = checked(UNBURNED).findings(FindingKind.VIOLATION)
    (among,) = checked([*earlier, *UNBURNED]).findings(FindingKind.VIOLATION)
    assert alone.fingerprint == among.fingerprint


def test_a_rule_without_its_own_words_names_the_event_and_what_is_not_met() -> None:
    events = log(("recut_ordered", {"by": "D7", "by_role": "dealer"}))
    (found,) = checked(events).findings(FindingKind.VIOLATION)
    assert found.trigger is not None
    unsaid = Check(
        rule=found.rule, verdict=Verdict.VIOLATED, trigger=found.trigger, unmet=found.unmet
    )
    assert sentence(unsaid) == (
        "At this event a requirement is not met: recut_ordered by=D7 by_role=dealer "
        "(require by_role is at least floorperson)."
    )


def test_a_rule_whose_trigger_never_occurred_is_not_exercised() -> None:
    assert outcome(checked(UNBURNED), "recut-by-a-supervisor").status is RuleStatus.NOT_EXERCISED


def test_a_rule_of_another_time_is_not_in_force_and_says_when_it_was() -> None:
    old = outcome(checked(UNBURNED), "double-exposure-ended")
    assert old.status is RuleStatus.NOT_IN_FORCE
    assert old.reason == "In force from 1 January 1990 until 1 January 1995."


def test_an_empty_log_exercises_nothing() -> None:
    result = checked([])
    assert {item.status for item in result.outcomes} == {RuleStatus.NOT_EXERCISED}
    assert result.scope.first is None


def test_an_obligation_that_the_log_cuts_off_is_open_and_named() -> None:
    shuffle = outcome(checked(log(("cards_shuffled", {}))), "shuffle-is-followed-by-a-cut")
    assert shuffle.status is RuleStatus.OPEN
    assert shuffle.reason == "Open: cards_shuffled e-1 at BJ-1."


def test_a_missing_field_leaves_the_rule_undetermined_and_names_the_event() -> None:
    recut = outcome(checked(log(("recut_ordered", {}))), "recut-by-a-supervisor")
    assert recut.status is RuleStatus.UNDETERMINED
    assert recut.reason == "Undetermined: recut_ordered e-1 at BJ-1."


def test_an_excused_check_names_its_authority() -> None:
    events = log(
        ("option_elected", {"option_name": "alternative_procedure", "value": "yes"}),
        ("dealer_arrived", {"dealer": "D7"}),
        ("card_dealt", {"to": "player"}),
    )
    burn = outcome(checked(events), "burn-by-each-new-dealer")
    assert burn.status is RuleStatus.EXCUSED
    assert burn.reason == "Excused: card_dealt e-3 at BJ-1 (under N.J.A.C. 13:69F-2.5(k))."


def test_many_undecided_checks_are_counted_after_the_first_few() -> None:
    events = log(*[("recut_ordered", {})] * 5)
    reason = outcome(checked(events), "recut-by-a-supervisor").reason
    assert reason.count("recut_ordered") == 3
    assert reason.endswith(", 2 more.")


def test_an_indicator_is_no_violation() -> None:
    result = checked(log(("cards_cut", {})), RULES + MORE)
    assert [found.rule for found in result.findings(FindingKind.INDICATOR)] == ["cut-in-time"]
    assert result.findings(FindingKind.VIOLATION) == ()
    assert exit_code(result) == 0


def test_the_readings_and_assumptions_that_verdicts_rest_on_are_named() -> None:
    result = checked(UNBURNED, RULES + MORE)
    assert result.interpretations == {"Who may cut": "Anybody at the table."}
    assert result.notes == ("Assumed: patience is 5 minutes. The law gives no time.",)


def test_a_profile_changes_readings_and_assumptions() -> None:
    result = checked(UNBURNED, RULES + MORE, profile="strict")
    assert result.profile == "strict"
    assert result.interpretations == {"Who may cut": "Players only."}
    assert result.notes == ("Assumed: patience is 1 minute. The law gives no time.",)


def test_only_options_that_some_rule_asks_for_are_named_with_their_tables() -> None:
    events = log(
        ("option_elected", {"option_name": "alternative_procedure", "value": "yes"}),
        ("option_elected", {"option_name": "decks", "value": "8"}),
    )
    assert checked(events).options == {"alternative_procedure": "yes (BJ-1)"}


def test_options_given_for_all_tables_hold_and_are_named() -> None:
    given = {"alternative_procedure": True}
    result = reference_result(book(), SCHEMA, UNBURNED, [LOG], given)
    assert outcome(result, "burn-by-each-new-dealer").status is RuleStatus.EXCUSED
    assert result.options == {"alternative_procedure": "yes"}


def test_the_scope_is_what_the_log_covers() -> None:
    scope = checked(UNBURNED).scope
    assert (scope.casinos, scope.tables) == (("Boardwalk Palace",), ("BJ-1",))
    assert (scope.first, scope.last) == (UNBURNED[0].ts, UNBURNED[-1].ts)


def test_the_same_log_gives_the_same_result() -> None:
    assert checked(UNBURNED).model_dump_json() == checked(UNBURNED).model_dump_json()


# ---- the rulebook's hash -------------------------------------------------------------------


def _hash(*paths: Path) -> str:
    return rulebook_hash(load(paths, SCHEMA).rulebook)


def test_the_rulebook_hash_does_not_depend_on_the_folder(tmp_path: Path) -> None:
    (tmp_path / "a" / "deep").mkdir(parents=True)
    write(tmp_path / "a")
    write(tmp_path / "a" / "deep", "", name="empty.rules")
    shutil.copytree(tmp_path / "a", tmp_path / "b")
    assert _hash(tmp_path / "a") == _hash(tmp_path / "b")


@pytest.mark.parametrize("change", ["content", "name"])
def test_the_rulebook_hash_changes_with_a_files_content_and_name(
    change: str, tmp_path: Path
) -> None:
    before = _hash(write(tmp_path))
    text = RULES + "-- more\n" if change == "content" else RULES
    name = "other.rules" if change == "name" else "small.rules"
    assert _hash(write(tmp_path, text, name)) != before
