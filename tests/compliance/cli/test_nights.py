"""Nights that join up: logs checked one after the other say the same as one long log."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from tests.compliance.small_rulebook import answer, json_answer, write

Findings = dict[str, dict[str, Any]]
Capture = pytest.CaptureFixture[str]
ACROSS = """
rulebook "Across tables" time zone "America/New_York"

rule dealer-at-one-table
  "A dealer arrives at one table of a casino only, and soon ends a round."
  cite "Example"
  for each casino, dealer
  when dealer_arrived
  require no dealer_arrived earlier
  require round_ended within 20 minutes

rule round-of-the-pit
  "Not more than ninety rounds begin in a pit."
  cite "Example"
  for each pit
  when round_started
  require at most 90 round_started so far
"""


def small(folder: Path) -> tuple[str, Path]:
    """A short rulebook, for what does not depend on the rules."""
    path = folder / "across.rules"
    path.write_text(ACROSS, encoding="utf-8")
    return "--rules", path


def simulated(folder: Path, capsys: Capture, *words: object) -> list[str]:
    """The lines of an invented night, table by table."""
    code, _, errors = answer(capsys, "simulate", "-o", folder / "night", "--workers", "1", *words)
    assert code == 0, errors
    files = sorted((folder / "night").glob("*.jsonl"))
    return [line for file in files for line in file.read_text("utf-8").splitlines()]


def cut(lines: Sequence[str], *shares: float) -> list[list[str]]:
    """The lines in nights: cut at moments after which a share of all events is over."""
    times = [datetime.fromisoformat(json.loads(line)["ts"]) for line in lines]
    ends = [sorted(times)[int(len(times) * share)] for share in shares]
    nights: list[list[str]] = [[] for _ in range(len(ends) + 1)]
    for line, ts in zip(lines, times, strict=True):
        nights[sum(ts >= end for end in ends)].append(line)
    return nights


def written(folder: Path, name: str, lines: Sequence[str]) -> Path:
    path = folder / name
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def findings(*runs: Any, defects: bool = False) -> Findings:
    """All findings by their names; a later word replaces an earlier one.

    What surrounds a finding (exposure, timeline) is told of the log in which it was found, and so
    is the line on which it stands.
    """
    return {
        found["fingerprint"]: {
            key: value
            for key, value in found.items()
            if key not in ("exposure", "timeline", "file", "line")
        }
        for run in runs
        for outcome in run["outcomes"]
        if (outcome["kind"] == "data_defect") is defects
        for found in outcome["findings"]
    }


def decided(*runs: Any) -> dict[str, dict[str, int]]:
    """The checks of each rule; those that a night leaves unsettled belong to the next one."""
    found: dict[str, dict[str, int]] = {}
    for number, run in enumerate(runs, start=1):
        for outcome in run["outcomes"]:
            if outcome["kind"] == "data_defect":
                continue
            counts = found.setdefault(outcome["rule"], {})
            for verdict, times in outcome["counts"].items():
                later = outcome["unsettled"][verdict] if number < len(runs) else 0
                counts[verdict] = counts.get(verdict, 0) + times - later
    return found


def one_after_the_other(
    folder: Path, capsys: Capture, nights: Sequence[Sequence[str]], *words: object
) -> list[Any]:
    runs = []
    for number, lines in enumerate(nights):
        path = written(folder, f"night-{number}.jsonl", lines)
        words_of_all = ("--state", folder / "state", "--workers", "1", *words)
        runs.append(json_answer(capsys, "check", path, *words_of_all))
    return runs


@pytest.mark.parametrize("shares", [(0.5,), (0.15, 0.3, 0.301, 0.85)])
def test_cut_nights_find_what_the_whole_log_shows(
    tmp_path: Path, capsys: Capture, shares: tuple[float, ...]
) -> None:
    words = ("--tables", "4", "--rounds", "30", "--violations", "all", "--rate", "0.2")
    lines = simulated(tmp_path, capsys, *words, "--seed", len(shares))
    whole = json_answer(capsys, "check", written(tmp_path, "whole.jsonl", lines), "--workers", "1")
    runs = one_after_the_other(tmp_path, capsys, cut(lines, *shares))
    assert len(findings(whole)) >= 10
    assert findings(*runs) == findings(whole)
    assert decided(*runs) == decided(whole)


def test_rules_across_tables_join_up(tmp_path: Path, capsys: Capture) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "6", "--rounds", "40", "--games", "blackjack")
    words = small(tmp_path)
    path = written(tmp_path, "whole.jsonl", lines)
    whole = json_answer(capsys, "check", path, "--workers", "1", *words)
    runs = one_after_the_other(tmp_path, capsys, cut(lines, 0.3, 0.7), *words)
    assert findings(whole)
    assert findings(*runs) == findings(whole)
    assert decided(*runs) == decided(whole)


def lost(lines: list[str]) -> list[str]:
    """The first record of the second night is gone."""
    return lines[1:]


def sent_again(lines: list[str]) -> list[str]:
    """A record of the second night comes twice."""
    return [*lines, lines[5]]


def clock_back(lines: list[str]) -> list[str]:
    """The clock of the second night's first event is an hour behind."""
    record = json.loads(lines[0])
    return [json.dumps(record | {"ts": "2010-03-06T10:00:00-05:00"}), *lines[1:]]


@pytest.mark.parametrize("damage", [lost, sent_again, clock_back])
def test_damage_at_the_seam_is_told_as_in_one_log(
    tmp_path: Path, capsys: Capture, damage: Callable[[list[str]], list[str]]
) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "1", "--rounds", "30")
    first, second = lines[:400], damage(lines[400:])
    path = written(tmp_path, "whole.jsonl", [*first, *second])
    words = small(tmp_path)
    whole = json_answer(capsys, "check", path, "--workers", "1", *words)
    runs = one_after_the_other(tmp_path, capsys, [first, second], *words)
    assert findings(whole, defects=True)
    assert findings(*runs, defects=True).keys() == findings(whole, defects=True).keys()


def test_records_of_last_night_that_come_again_are_counted_once(
    tmp_path: Path, capsys: Capture
) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "1", "--rounds", "30")
    first, second = lines[:400], [*lines[380:400], *lines[400:]]
    words = small(tmp_path)
    runs = one_after_the_other(tmp_path, capsys, [first, second], *words)
    clean = one_after_the_other(tmp_path / "night", capsys, [first, lines[400:]], *words)
    assert decided(*runs) == decided(*clean)
    (told,) = findings(*runs, defects=True).values()
    assert told["rule"] == "evidence-retransmission"
    assert told["sentence"].startswith("20 records in a row came again")


def test_an_overfull_shoe_is_told_though_it_was_begun_the_night_before(
    tmp_path: Path, capsys: Capture
) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "1", "--rounds", "30", "--games", "blackjack")
    numbers = [n for n, line in enumerate(lines) if json.loads(line)["type"] == "card_dealt"]
    card = json.loads(lines[numbers[0]])["card"]
    changed = [
        json.dumps(json.loads(line) | {"card": card}) if n in numbers[:60] else line
        for n, line in enumerate(lines)
    ]
    middle = numbers[6]
    path = written(tmp_path, "whole.jsonl", changed)
    words = small(tmp_path)
    whole = json_answer(capsys, "check", path, "--workers", "1", *words)
    runs = one_after_the_other(tmp_path, capsys, [changed[:middle], changed[middle:]], *words)
    kinds = {found["rule"] for found in findings(runs[1], defects=True).values()}
    assert "evidence-card-too-often" in kinds
    assert findings(*runs, defects=True).keys() == findings(whole, defects=True).keys()


def test_a_correction_of_what_was_judged_is_left_out_and_told(
    tmp_path: Path, capsys: Capture
) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "1", "--rounds", "30")
    last, old = json.loads(lines[-1]), json.loads(lines[390])
    late = old | {"id": "late", "seq": last["seq"] + 1, "ts": last["ts"], "corrects": old["id"]}
    second = [*lines[400:], json.dumps(late)]
    runs = one_after_the_other(tmp_path, capsys, [lines[:400], second], *small(tmp_path))
    (told,) = findings(*runs, defects=True).values()
    assert told["rule"] == "evidence-late-record"
    assert "Check both logs together" in told["sentence"]


def test_a_record_that_comes_too_late_is_left_out_and_told(tmp_path: Path, capsys: Capture) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "1", "--rounds", "30")
    first = [line for n, line in enumerate(lines[:400]) if n != 100]
    nights = [first, [lines[100], *lines[400:]]]
    runs = one_after_the_other(tmp_path, capsys, nights, *small(tmp_path))
    told = [found["rule"] for found in findings(runs[1], defects=True).values()]
    assert told == ["evidence-late-record"]


@pytest.fixture
def kept(tmp_path: Path, capsys: Capture) -> Path:
    """What the first half of a night leaves; the second half is second.jsonl."""
    lines = simulated(tmp_path, capsys, "--tables", "2", "--rounds", "20")
    first, second = cut(lines, 0.5)
    one_after_the_other(tmp_path, capsys, [first], *small(tmp_path))
    written(tmp_path, "second.jsonl", second)
    return tmp_path / "state"


def refused(capsys: Capture, log: Path, *words: object, rules: str = "across.rules") -> str:
    rulebook = ("--rules", log.parent / rules, "--workers", "1")
    code, out, errors = answer(capsys, "check", log, *rulebook, *words)
    assert (code, out) == (2, ""), out
    return errors


def test_the_same_night_again_is_refused(tmp_path: Path, capsys: Capture, kept: Path) -> None:
    before = kept.read_bytes()
    said = refused(capsys, tmp_path / "night-0.jsonl", "--state", kept)
    assert "it was checked before, or it is older" in said
    assert kept.read_bytes() == before


@pytest.mark.parametrize("share", [0.0, 0.3, 0.99])
def test_a_truncated_file_is_refused(
    tmp_path: Path, capsys: Capture, kept: Path, share: float
) -> None:
    content = kept.read_bytes()
    kept.write_bytes(content[: int(len(content) * share)])
    said = refused(capsys, tmp_path / "second.jsonl", "--state", kept)
    assert "or it is damaged" in said


def test_what_other_rules_left_open_is_refused(tmp_path: Path, capsys: Capture, kept: Path) -> None:
    write(tmp_path)
    said = refused(capsys, tmp_path / "second.jsonl", "--state", kept, rules="small.rules")
    assert "kept by a check with other rules" in said


def test_a_file_that_must_be_there_is_missed(tmp_path: Path, capsys: Capture, kept: Path) -> None:
    said = refused(capsys, tmp_path / "second.jsonl", "--after", tmp_path / "none")
    assert "none: The file could not be read" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--state", "a", "--keep", "b"), "leave out --after and --keep"),
        (("--state", "a", "--table", "BJ01"), "need whole logs"),
    ],
)
def test_what_does_not_go_together_is_refused(
    tmp_path: Path, capsys: Capture, kept: Path, words: Sequence[str], sentence: str
) -> None:
    assert sentence in refused(capsys, tmp_path / "second.jsonl", *words)


def test_after_and_keep_say_the_same_as_state(tmp_path: Path, capsys: Capture, kept: Path) -> None:
    log = tmp_path / "second.jsonl"
    words = ("check", log, *small(tmp_path), "--workers", "1")
    explicit = json_answer(capsys, *words, "--after", kept, "--keep", tmp_path / "next")
    assert explicit == json_answer(capsys, *words, "--state", kept)
    assert kept.read_bytes() == (tmp_path / "next").read_bytes()


def test_a_table_without_a_log_tonight_is_kept_for_tomorrow(
    tmp_path: Path, capsys: Capture
) -> None:
    lines = simulated(tmp_path, capsys, "--tables", "2", "--rounds", "20")
    first, second = cut(lines, 0.5)
    tables = sorted({json.loads(line)["table"] for line in lines})
    halves = [[line for line in second if f'"table":"{name}"' in line] for name in tables]
    words = small(tmp_path)
    runs = one_after_the_other(tmp_path, capsys, [first, *halves], *words)
    path = written(tmp_path, "whole.jsonl", lines)
    whole = json_answer(capsys, "check", path, "--workers", "1", *words)
    complied = [counts["complied"] for counts in decided(*runs).values()]
    assert complied == [counts["complied"] for counts in decided(whole).values()]
