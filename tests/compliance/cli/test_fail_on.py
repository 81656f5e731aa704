"""Exit codes that cannot be misread: a log with lost evidence is not clean."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.checked_logs import night
from tests.compliance.small_rulebook import answer, write

Capture = pytest.CaptureFixture[str]
LAWFUL = (
    "T1 0:00 dealer_arrived dealer=D7\nT1 0:04 card_burned\nT1 0:09 card_dealt to=player card=9S\n"
)


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return night(tmp_path / "night.jsonl", LAWFUL)


def checked(capsys: Capture, log: Path, *words: object) -> tuple[int, str]:
    rules = write(log.parent, name="small.rules")
    code, out, _ = answer(capsys, "check", log, "--rules", rules, "--workers", 1, *words)
    return code, out


def test_a_whole_lawful_log_is_clean(log: Path, capsys: Capture) -> None:
    code, out = checked(capsys, log)
    assert (code, out.splitlines()[0]) == (0, "✓ Verdict: No violation found.")


def test_a_line_that_is_no_event_is_told_first_and_by_the_exit_code(
    log: Path, capsys: Capture
) -> None:
    log.write_text(log.read_text("utf-8") + "{\n", encoding="utf-8")
    code, out = checked(capsys, log)
    assert code == 5
    assert "does not support a clean verdict" in out.splitlines()[0]
    assert "1 line of the log was not readable" in "".join(out.splitlines()[:4])
    assert checked(capsys, log, "--fail-on", "violation")[0] == 0
    assert checked(capsys, log, "--fail-on", "violation,quarantine")[0] == 5


def test_a_gap_in_the_numbers_is_not_clean(log: Path, capsys: Capture) -> None:
    lines = log.read_text("utf-8").splitlines(keepends=True)
    log.write_text("".join(lines[:1] + lines[2:]), encoding="utf-8")
    assert checked(capsys, log)[0] == 5


def test_a_log_that_shows_nothing_is_not_clean(tmp_path: Path, capsys: Capture) -> None:
    log = night(tmp_path / "night.jsonl", "T1 0:00 round_started")
    code, out = checked(capsys, log, "--fail-on", "violation")
    assert code == 5
    assert out.splitlines()[0] == "? Verdict: Nothing could be checked."


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("violations", '"violations" is none of violation, defect, undetermined, quarantine, new.'),
        ("new", "--fail-on new compares with an earlier result: give it with --baseline."),
    ],
)
def test_what_nobody_knows_is_refused(
    words: str, sentence: str, log: Path, capsys: Capture
) -> None:
    code, _, err = answer(capsys, "check", log, "--fail-on", words)
    assert code == 2
    assert sentence in err
