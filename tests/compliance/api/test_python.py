"""`import compliance`: three lines do what the command does, and everything has a type."""

from __future__ import annotations

import subprocess
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

import compliance
from compliance.demo import MANIFEST, NIGHT
from compliance.log.problems import LogProblem
from reports.model import Finding
from reports.summary import RunVerdict
from rules_dsl.diagnostics import Diagnostic
from tests.compliance.small_rulebook import RULES, answer, write


@pytest.fixture(scope="module")
def result() -> compliance.Result:
    return compliance.check(NIGHT, manifest=MANIFEST)


def test_the_result_is_that_of_the_command(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    result = compliance.check(NIGHT, manifest=MANIFEST)
    code, _, _ = answer(capsys, "check", NIGHT, "--manifest", MANIFEST, "-o", "command.json")
    result.report("python.json")
    assert Path("python.json").read_bytes() == Path("command.json").read_bytes()
    assert result.exit_code == code == 1


@pytest.mark.parametrize("option", ["quarantine", "keep", "state"])
def test_what_is_written_never_destroys_the_log(tmp_path: Path, option: str) -> None:
    log = tmp_path / "night.jsonl"
    log.write_bytes(NIGHT.read_bytes())
    named: dict[str, Any] = {option: log}
    with pytest.raises(compliance.Refused, match="belongs to the log"):
        compliance.check(log, **named)
    assert log.read_bytes() == NIGHT.read_bytes()


def test_verdict_and_findings_are_objects(result: compliance.Result) -> None:
    assert result.verdict is RunVerdict.VIOLATIONS
    assert len(result.violations) == result.summary.violations == 7
    assert all(isinstance(found, Finding) for found in result)
    assert len(result.findings) == 7 + len(result.indicators) + len(result.defects)
    assert str(result).startswith("7 violations of 7 rules: ")
    assert result.exit_code_on("quarantine") == 5


def test_the_frame_has_a_row_for_every_finding(result: compliance.Result) -> None:
    frame = result.frame()
    assert len(frame) == len(result.findings)
    assert set(frame["rule"]) == {found.rule for found in result}
    assert frame["moment"].dtype.is_temporal()


def test_a_saved_result_is_loaded_again(result: compliance.Result, tmp_path: Path) -> None:
    saved = result.report(tmp_path / "night.json")
    again = compliance.load(saved)
    assert again.summary == result.summary
    assert [item.unchanged for item in again.changes_since(result).counts] == [7, 0, 1]
    assert result.changes_since(saved).new == ()


def test_several_logs_and_own_rules(tmp_path: Path) -> None:
    lines = NIGHT.read_text("utf-8").splitlines(keepends=True)
    for name in ("BJ-12", "BAC-3"):
        chosen = "".join(line for line in lines if f'"{name}"' in line)
        (tmp_path / f"{name}.jsonl").write_text(chosen, encoding="utf-8")
    found = compliance.check(
        tmp_path / "BJ-12.jsonl",
        tmp_path / "BAC-3.jsonl",
        rules=["nj", write(tmp_path, RULES.replace("burn-by-each-new", "house-burn-by-each"))],
        tables="BJ-12",
        since=datetime.fromisoformat("2008-03-08T19:00:00-05:00"),
    )
    assert found.run.scope.tables == ("BJ-12",)
    assert {"burn-by-each-new-dealer", "house-burn-by-each-dealer"} <= {
        outcome.rule for outcome in found.run.outcomes
    }


def test_bad_input_is_one_exception_with_the_place(tmp_path: Path) -> None:
    bad = write(tmp_path, RULES.replace("when recut_ordered", "when recut_orderd"))
    with pytest.raises(compliance.Refused) as refused:
        compliance.check(NIGHT, rules=bad)
    assert refused.value.code == 3
    assert isinstance(refused.value.problems[0], Diagnostic)
    assert f"{bad}:{refused.value.problems[0].line}:" in str(refused.value)
    with pytest.raises(compliance.Refused) as refused:
        compliance.check(tmp_path / "none.jsonl")
    assert refused.value.code == 2
    assert isinstance(refused.value.problems[0], LogProblem)


def test_a_manifest_with_a_mistake_names_file_and_line(tmp_path: Path) -> None:
    (tmp_path / "manifest.toml").write_text(
        'source = "S"\nrecords = "everything"\n', encoding="utf-8"
    )
    with pytest.raises(compliance.Refused, match=r"manifest\.toml, line 2: "):
        compliance.check(NIGHT, manifest=tmp_path / "manifest.toml")


def test_without_a_log_nothing_is_checked() -> None:
    with pytest.raises(TypeError, match="at least one log"):
        compliance.check()


def test_the_import_loads_nothing_of_the_checker() -> None:
    program = (
        "import sys, compliance; compliance.__version__, dir(compliance);"
        "print([n for n in ('polars', 'pydantic', 'msgspec', 'numpy') if n in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert done.stdout == "[]\n", done.stderr


def test_a_name_that_is_not_offered_is_no_attribute() -> None:
    assert compliance.__all__ == sorted(compliance.__all__)
    with pytest.raises(AttributeError):
        compliance.chek  # noqa: B018


def test_logs_may_come_as_a_list(tmp_path: Path) -> None:
    logs = [tmp_path / "monday.jsonl", tmp_path / "tuesday.jsonl"]
    lines = NIGHT.read_text("utf-8").splitlines(keepends=True)
    for log, part in zip(logs, (lines[:200], lines[200:]), strict=True):
        log.write_text("".join(part), "utf-8")
    assert compliance.check(logs).violations == compliance.check(*logs).violations
    with pytest.raises(TypeError, match="at least one log"):
        compliance.check([])


@pytest.mark.parametrize(
    ("file", "form", "said"),
    [
        ("night.html", "csv", "is written as html, not as csv"),
        ("night.html", "htm", 'There is no format "htm"'),
        ("night", "doc", 'There is no format "doc"'),
    ],
)
def test_a_report_is_never_written_in_another_format_than_was_asked_for(
    result: compliance.Result, tmp_path: Path, file: str, form: str, said: str
) -> None:
    with pytest.raises(compliance.Refused, match=said):
        result.report(tmp_path / file, form)
    assert not list(tmp_path.iterdir())


def test_a_result_introduces_itself_in_one_line(result: compliance.Result) -> None:
    assert repr(result) == "<Result: 7 violations of 7 rules>"


def test_concerns_may_come_as_a_list(result: compliance.Result) -> None:
    assert result.exit_code_on(["violation", "defect"]) == result.exit_code_on("violation,defect")


def test_a_check_needs_at_least_one_process() -> None:
    with pytest.raises(compliance.Refused, match="from 1 to 256"):
        compliance.check(NIGHT, workers=0)
