"""`compliance verify`: identical, or what differs; one altered byte is enough."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from reports.formats import FORMATS
from reports.model import Run
from reports.run_hash import run_hash
from reports.saved_json import render_json
from tests.compliance.checked_logs import night
from tests.compliance.cli.test_json_keys import documented, keys
from tests.compliance.small_rulebook import answer, json_answer, write

Capture = pytest.CaptureFixture[str]
EVENTS = """
T1 0:00 dealer_arrived dealer=D7
T1 0:09 card_dealt to=player seat=1 card=9S
T1 1:00 recut_ordered by=F1 by_role=floorperson
T2 0:00 dealer_arrived dealer=D8
T2 0:04 card_burned
T2 0:09 card_dealt to=player seat=1 card=9S
T2 9:00 cards_shuffled
"""


@dataclass(frozen=True)
class Case:
    """A checked night: its log, its rules and its saved result."""

    capsys: Capture
    log: Path
    rules: Path
    saved: Path

    def check(self, *words: object) -> None:
        code, _, errors = answer(
            self.capsys, "check", self.log, "--rules", self.rules, "--workers", 1,
            "--format", "json", "-o", self.saved, *words,
        )  # fmt: skip
        assert code in (0, 1, 5), errors

    def verify(self, *words: object) -> tuple[int, str, str]:
        return answer(
            self.capsys, "verify", self.saved, self.log, "--rules", self.rules, "--workers", 1,
            *words,
        )  # fmt: skip

    def replace(self, path: Path, old: str, new: str) -> None:
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")

    def forge(self, change: dict[str, Any]) -> None:
        """Alter the saved result and give it a new hash, as a forger would."""
        run = Run.model_validate(json.loads(self.saved.read_bytes()) | change)
        self.saved.write_bytes(render_json(run))


@pytest.fixture
def case(tmp_path: Path, capsys: Capture) -> Case:
    log = night(tmp_path / "night.jsonl", EVENTS)
    made = Case(capsys, log, write(tmp_path), tmp_path / "run.json")
    made.check()
    return made


def test_a_result_that_is_made_again_is_identical(case: Case) -> None:
    assert case.verify() == (0, "Identical.\n", "")


def test_a_log_altered_by_one_byte_is_named(case: Case) -> None:
    case.replace(case.log, "9S", "8S")
    code, out, _ = case.verify()
    assert code == 1
    assert "The log night.jsonl was altered" in out


def test_a_blank_added_to_a_log_is_found(case: Case) -> None:
    case.log.write_bytes(case.log.read_bytes() + b"\n")
    code, out, _ = case.verify()
    assert code == 1
    assert "The log night.jsonl was altered" in out


def test_a_rule_file_altered_by_one_byte_is_found(case: Case) -> None:
    case.replace(case.rules, "Call a supervisor.", "Call a supervisor!")
    code, out, _ = case.verify()
    assert code == 1
    assert "The rules are not those of the saved result" in out


def test_a_comment_in_a_rule_file_counts(case: Case) -> None:
    case.rules.write_text(case.rules.read_text() + "-- a remark\n")
    assert case.verify()[0] == 1


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("D7 dealt", "D8 dealt"),
        ('"events": 7', '"events": 8'),
        ('"severity": "major"', '"severity": "minor"'),
        ('"table-compliance": "0', '"table-compliance": "1'),
        ("compliance check night", "compliance check might"),
    ],
)
def test_a_saved_result_altered_by_one_byte_is_found(old: str, new: str, case: Case) -> None:
    case.replace(case.saved, old, new)
    code, out, _ = case.verify()
    assert code == 1
    assert "its own SHA-256 does not fit it" in out


def test_a_count_that_contradicts_the_verdict_is_unusable(case: Case) -> None:
    case.replace(case.saved, '"violated": 1', '"violated": 0')
    code, _, errors = case.verify()
    assert code == 2
    assert "burn-by-each-new-dealer" in errors


def test_a_blank_in_the_layout_is_found(case: Case) -> None:
    case.replace(case.saved, '"scope": {', '"scope":  {')
    code, out, _ = case.verify()
    assert code == 1
    assert "bytes were altered" in out


def test_every_byte_of_a_saved_result_counts(case: Case) -> None:
    """Whatever byte is altered: it is no sound result, its seal is broken, or its layout is."""
    content = case.saved.read_bytes()
    assert Run.model_validate_json(content).sha256 == run_hash(Run.model_validate_json(content))
    for place in range(0, len(content), 7):
        altered = bytearray(content)
        altered[place] ^= 1
        try:
            run = Run.model_validate_json(bytes(altered))
        except ValueError:
            continue
        assert run.sha256 != run_hash(run) or render_json(run) != bytes(altered), place


def test_a_forged_sentence_with_a_new_hash_is_found(case: Case) -> None:
    run = json.loads(case.saved.read_bytes())
    run["outcomes"][0]["findings"][0]["sentence"] = "All was well."
    case.forge(run)
    code, out, _ = case.verify()
    assert code == 1
    assert "sentence: All was well. then, D7 dealt" in out
    assert "SHA-256 does not fit" not in out


def test_a_forged_verdict_with_a_new_hash_is_found(case: Case) -> None:
    run = json.loads(case.saved.read_bytes())
    outcome = run["outcomes"][0]
    outcome["counts"] |= {"violated": 0, "complied": 2}
    outcome |= {"status": "complied", "findings": []}
    case.forge(run)
    code, out, _ = case.verify()
    assert code == 1
    assert "burn-by-each-new-dealer, status: complied then, violated now." in out
    assert "is missing in the saved result: D7 dealt" in out


def test_a_forged_moment_that_means_the_same_is_found(case: Case) -> None:
    run = json.loads(case.saved.read_bytes())
    assert run["scope"]["first"] == "2024-03-09T20:00:00-05:00"
    case.forge({"scope": run["scope"] | {"first": "2024-03-09T19:00:00-06:00"}})
    assert case.verify()[0] == 1


def test_another_version_is_a_note_and_no_difference(case: Case) -> None:
    case.forge({"versions": {"table-compliance": "0.0.9", "Python": "3.11"}})
    code, out, _ = case.verify()
    assert code == 0
    assert "table-compliance was 0.0.9, now it is" in out


def test_rules_in_another_folder_are_a_note_and_no_difference(case: Case, tmp_path: Path) -> None:
    (tmp_path / "copy").mkdir()
    copy = tmp_path / "copy" / case.rules.name
    copy.write_bytes(case.rules.read_bytes())
    code, out, _ = answer(
        case.capsys, "verify", case.saved, case.log, "--rules", copy.parent, "--workers", 1
    )
    assert code == 0
    assert "Note: The command was " in out


def test_a_renamed_log_is_a_difference(case: Case, tmp_path: Path) -> None:
    other = tmp_path / "other.jsonl"
    case.log.rename(other)
    renamed = Case(case.capsys, other, case.rules, case.saved)
    code, out, _ = renamed.verify()
    assert code == 1
    assert "The log night.jsonl is now called other.jsonl; it is the same." in out


def test_a_part_of_a_log_is_judged_again_without_asking(case: Case) -> None:
    case.check("--table", "T1", "--from", "2024-03-09T20:00:00-05:00")
    assert case.verify()[:2] == (0, "Identical.\n")


def test_a_file_that_the_result_rests_on_is_asked_for(case: Case, tmp_path: Path) -> None:
    waivers = tmp_path / "waivers.toml"
    waivers.write_text(
        '[[waiver]]\nrule = "burn-by-each-new-dealer"\nauthority = "A"\nreason = "R"\n'
        "expires = 2024-12-31\n"
    )
    case.check("--waivers", waivers)
    code, _, errors = case.verify()
    assert code == 2
    assert "rests on waivers.toml" in errors
    assert "give it with --waivers" in errors
    assert case.verify("--waivers", waivers)[0] == 0


def test_a_first_night_of_several_is_made_again_as_such(case: Case, tmp_path: Path) -> None:
    case.check("--state", tmp_path / "kept.nights")
    assert any(o["unsettled"]["open"] for o in json.loads(case.saved.read_bytes())["outcomes"])
    assert case.verify()[:2] == (0, "Identical.\n")


def test_a_later_night_needs_what_the_night_before_kept(case: Case, tmp_path: Path) -> None:
    kept = tmp_path / "kept.nights"
    case.check("--keep", kept)
    second = night(tmp_path / "second.jsonl", "T2 60:00 card_dealt to=player card=9S", first=99)
    later = Case(case.capsys, second, case.rules, tmp_path / "second.json")
    later.check("--after", kept)
    code, _, errors = later.verify()
    assert code == 2
    assert "kept.nights (the night before" in errors
    assert later.verify("--after", kept)[:2] == (0, "Identical.\n")


@pytest.mark.parametrize("name", ["html", "csv", "sarif", "junit"])
def test_an_altered_report_is_found(name: str, case: Case, tmp_path: Path) -> None:
    report = tmp_path / f"report{FORMATS[name].ending}"
    answer(case.capsys, "report", case.saved, "--format", name, "-o", report)
    assert case.verify("--report", report)[0] == 0
    case.replace(report, "D7 dealt", "D8 dealt")
    code, out, _ = case.verify("--report", report)
    assert code == 1
    assert f"The report {report} is not what this version makes" in out


def test_the_json_answer_has_every_difference(case: Case) -> None:
    case.replace(case.log, "9S", "8S")
    told = json_answer(
        case.capsys, "verify", case.saved, case.log, "--rules", case.rules, "--workers", 1
    )
    assert told["identical"] is False
    assert told["differences"][0]["part"] == "log"


def test_the_documented_keys_are_those_of_the_answer(case: Case) -> None:
    case.forge({"versions": {"table-compliance": "0.0.9"}})
    case.replace(case.log, "9S", "8S")
    told = json_answer(
        case.capsys, "verify", case.saved, case.log, "--rules", case.rules, "--workers", 1
    )
    # What is said of signatures is seen where something is signed.
    said = {key for key in documented("verify") if not key.startswith("signatures[]")}
    assert set(keys(told)) == said


def test_a_log_that_is_gone_is_unusable(case: Case) -> None:
    case.log.unlink()
    assert case.verify()[0] == 2
