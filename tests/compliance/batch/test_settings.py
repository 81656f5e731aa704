"""The settings of a batch: drafted, read, and every mistake told with its line."""

from __future__ import annotations

import io
import json
import re
from datetime import UTC, date, datetime, time
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from compliance.api.refusal import Refused
from compliance.batch.metrics import metrics_text
from compliance.batch.outcome import BatchOutcome, NightOutcome, missing_sentences
from compliance.batch.settings import with_date
from compliance.batch.settings_draft import Answers, draft
from compliance.batch.settings_file import load_settings
from compliance.batch.telling import JsonLines
from compliance.cli.init_command import answers
from compliance.values.gaming_day import GamingClock
from tests.compliance.small_rulebook import answer

ANSWERS = Answers('The "Pier"', "America/New_York", "logs/{date}/*", date(2026, 11, 18))


def mistakes(folder: Path, text: str) -> list[str]:
    path = folder / "batch.toml"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(Refused) as refusal:
        load_settings(path)
    assert refusal.value.code == 2
    return [str(problem) for problem in refusal.value.problems]


def test_a_draft_can_be_used_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "batch.toml").write_text(draft(ANSWERS), encoding="utf-8")
    settings = load_settings(tmp_path / "batch.toml")
    assert settings.casino[0].name == 'The "Pier"'
    assert settings.casino[0].clock.begins == time(6)
    assert settings.store_place == str(tmp_path / "compliance.db")


def test_every_word_that_a_draft_explains_is_one(tmp_path: Path) -> None:
    lines = draft(ANSWERS).splitlines()
    said = [re.sub(r"^# (?=[\[\w.-]+( =|\]))", "", line) for line in lines]
    said = [line for line in said if not line.startswith('store = "postgresql')]
    (tmp_path / "batch.toml").write_text("\n".join(said), encoding="utf-8")
    settings = load_settings(tmp_path / "batch.toml")
    assert settings.notify[0].name == "duty"
    assert settings.archive is not None
    assert settings.metrics is not None
    assert settings.rulebook.renamed == {"old-name": "new-name"}
    assert settings.casino[0].closed == (date(2026, 12, 25),)


def test_each_mistake_is_told_with_its_line(tmp_path: Path) -> None:
    text = draft(ANSWERS).replace("2026-11-18", '"soon"').replace("America/New_York", "Mars")
    text = text.replace('folder = "results"', 'fold = "results"')
    lines = text.splitlines()

    def at(begin: str) -> int:
        return 1 + next(n for n, line in enumerate(lines) if line.startswith(begin))

    told = mistakes(tmp_path, text)
    assert told == [
        f"batch.toml, line {at('[outputs]')}: outputs.folder: it must be there.",
        f'batch.toml, line {at("fold =")}: "fold" is not known in outputs; known are folder, '
        "files. Did you mean folder?",
        f"batch.toml, line {at('time_zone')}: casino[1].time_zone: Mars is no time zone; write one "
        "as America/New_York.",
        f"batch.toml, line {at('first_day')}: casino[1].first_day: write a day, as 2026-11-18, "
        "without quotation marks.",
    ]


def test_a_mistake_in_the_second_casino_is_told_there(tmp_path: Path) -> None:
    casino = draft(ANSWERS).split("[[casino]]")[1].split("# [check]")[0]
    text = draft(ANSWERS) + "\n[[casino]]" + casino.replace("{date}", "{day}")
    told = mistakes(tmp_path, text)
    lines = text.splitlines()
    line = max(number for number, text in enumerate(lines, 1) if text.startswith("logs"))
    assert told[0].startswith(f"batch.toml, line {line}: casino[2].logs[1]: write where the day")


def test_nothing_is_overwritten_by_init(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "batch.toml"
    code, said, _ = answer(capsys, "init", file)
    assert code == 0
    assert f"compliance batch {file} --dry-run" in said
    assert answer(capsys, "batch", file, "--dry-run")[1] == "Nothing is due.\n"
    code, _, errors = answer(capsys, "init", file)
    assert code == 2
    assert "is there already" in errors


def test_what_is_asked_at_a_terminal_goes_into_the_file() -> None:
    said = iter(["Pier", "Europe/Vienna", "in/{date}.csv", "05:00:00", "2026-01-02", "out", "a.db"])
    asked = answers(lambda question, proposal: next(said))
    assert asked == Answers(
        "Pier", "Europe/Vienna", "in/{date}.csv", date(2026, 1, 2), "05:00:00", "out", "a.db"
    )


def test_a_pattern_takes_the_day_in_any_form() -> None:
    assert with_date("a/{date}/{date:%y%m%d}-*.gz", date(2026, 1, 2)) == "a/2026-01-02/260102-*.gz"


@pytest.mark.parametrize(
    ("day", "hours"), [(date(2026, 3, 7), 23), (date(2026, 10, 31), 25), (date(2026, 7, 1), 24)]
)
def test_a_gaming_day_follows_the_clock_of_the_casino(day: date, hours: int) -> None:
    clock = GamingClock(ZoneInfo("America/New_York"), time(6))
    assert (clock.end(day) - clock.start(day)).total_seconds() == hours * 3600
    assert clock.day_of(clock.start(day)) == day
    assert clock.day_of(clock.end(day)) != day


def test_numbers_for_prometheus_are_lines_that_it_reads() -> None:
    outcome = BatchOutcome(
        [NightOutcome('A "B"', date(2026, 1, 2), "", 2)], [("C", date(2026, 1, 3))]
    )
    lines = metrics_text(outcome, datetime(2026, 1, 3, tzinfo=UTC), 1.5).splitlines()
    number = re.compile(r'[a-z_]+(\{([a-z]+="(\\.|[^"\\])*",?)+\})? -?[0-9.]+')
    assert all(line.startswith(("# HELP ", "# TYPE ")) or number.fullmatch(line) for line in lines)
    assert "compliance_batch_exit_code 2" in lines
    assert 'compliance_batch_nights{casino="A \\"B\\"",state="failed"} 1' in lines
    assert "compliance_batch_exit_code -1" in metrics_text(None, datetime.now(UTC), 0)


def test_each_line_for_a_collector_is_one_object() -> None:
    stream = io.StringIO()
    told = JsonLines(stream)
    with told.night("A", date(2026, 1, 2), "a new night"):
        told.say("warning", "remark", "Two\nlines")
    first, second = (json.loads(line) for line in stream.getvalue().splitlines())
    assert (first["event"], first["day"]) == ("night_begun", "2026-01-02")
    assert (second["level"], second["message"]) == ("warning", "Two\nlines")


def test_missing_days_in_a_row_are_told_together() -> None:
    days = [("A", date(2026, 1, day)) for day in (2, 3, 4, 9)]
    assert list(missing_sentences(days)) == [
        "A, 2026-01-02 to 2026-01-04: there are no logs of 3 days.",
        "A, 2026-01-09: there is no log of this day.",
    ]
