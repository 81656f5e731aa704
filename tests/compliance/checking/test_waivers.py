"""Waivers: read with every mistake named, applied without hiding anything."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from compliance.checking.waiver_file import load_waivers
from compliance.cli import main
from tests.compliance.checked_logs import book, night
from tests.compliance.small_rulebook import RULES

WAIVER = """
[[waiver]]
rule = "burn-by-each-new-dealer"
table = "T*"
authority = "Division of Gaming Enforcement"
reason = "A trial."
expires = 2024-03-09
"""
LOG = """
T1 0:00 dealer_arrived dealer=D7
T1 0:09 card_dealt to=player seat=1 card=9S
"""


def problems(tmp_path: Path, text: str) -> list[str]:
    """What is wrong with a file of waivers."""
    file = tmp_path / "waivers.toml"
    file.write_text(text, encoding="utf-8")
    found, wrong = load_waivers(file, book(RULES))
    assert (found is None) == bool(wrong)
    return [str(item) for item in wrong]


def check(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], waivers: str
) -> tuple[int, dict[str, object]]:
    """The exit code and the result of a check with waivers."""
    rules, file = tmp_path / "small.rules", tmp_path / "waivers.toml"
    rules.write_text(RULES, encoding="utf-8")
    file.write_text(waivers, encoding="utf-8")
    log = night(tmp_path / "night.jsonl", LOG)
    words = ["check", str(log), "--rules", str(rules), "--waivers", str(file)]
    code = main([*words, "--format", "json", "--workers", "1"])
    return code, json.loads(capsys.readouterr().out)


def _waiver_of(run: dict[str, object]) -> object:
    outcomes = run["outcomes"]
    assert isinstance(outcomes, list)
    return outcomes[0]["findings"][0]["waiver"]


def test_a_good_file_has_no_problems(tmp_path: Path) -> None:
    assert problems(tmp_path, WAIVER) == []


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (('authority = "Division of Gaming Enforcement"\n', ""), "must name its authority"),
        (('reason = "A trial."\n', ""), "must name its reason"),
        (("expires = 2024-03-09\n", ""), "must name its expires"),
        (("2024-03-09", '"soon"'), "expires is a day"),
        (("burn-by-each-new-dealer", "burn-by-every-new-dealer"), "burn-by-each-new-dealer"),
        (("authority", "autority"), "authority"),
        (('rule = "burn-by-each-new-dealer"\n', ""), "either the fingerprint"),
        (('rule = "burn-by-each-new-dealer"\ntable = "T*"', 'fingerprint = "xyz"'), "16 to 64"),
        (('"A trial."', "7"), "reason of a waiver is a text"),
    ],
)
def test_every_mistake_is_named_in_a_sentence_with_its_line(
    tmp_path: Path, change: tuple[str, str], sentence: str
) -> None:
    found = problems(tmp_path, WAIVER.replace(*change))
    assert any(sentence in item for item in found)
    assert all("waivers.toml" in item and "line 2" in item for item in found)


def test_the_second_waiver_has_its_own_line(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, WAIVER + WAIVER.replace('reason = "A trial."\n', ""))
    assert "line 9" in found


def test_a_waived_finding_stays_marked_and_the_exit_code_does_not_change(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, run = check(tmp_path, capsys, WAIVER)
    assert code == 1
    assert _waiver_of(run) is not None
    assert run["waivers"][0]["findings"] == 1  # type: ignore[index]


def test_a_waiver_does_not_cover_what_happened_after_its_last_day(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, run = check(tmp_path, capsys, WAIVER.replace("2024-03-09", "2024-03-08"))
    assert _waiver_of(run) is None
    assert run["waivers"][0]["expired"] == 1  # type: ignore[index]


def test_a_waiver_of_another_table_covers_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, run = check(tmp_path, capsys, WAIVER.replace('"T*"', '"BJ-*"'))
    assert _waiver_of(run) is None


def test_the_waivers_are_among_the_files_that_the_result_rests_on(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _, run = check(tmp_path, capsys, WAIVER)
    assert [file["name"] for file in run["consulted"]] == ["waivers.toml"]  # type: ignore[attr-defined]
    assert run["command"] == (
        "compliance check night.jsonl --rules small.rules --waivers waivers.toml"
    )
