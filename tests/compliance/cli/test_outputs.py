"""Where a result goes: files by their endings, several in one run, and always the verdict."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import reports.formats
from tests.compliance.checked_logs import night
from tests.compliance.small_rulebook import answer, write

Capture = pytest.CaptureFixture[str]
VERDICT = "✕ Verdict: 1 violation of 1 rule."
WAIVER = """[[waiver]]
rule = "burn-by-each-new-dealer"
authority = "Division, letter 12"
reason = "A trial."
expires = 2031-01-01
"""


@pytest.fixture
def check(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.chdir(tmp_path)
    night(
        tmp_path / "night.jsonl", "T1 0:00 dealer_arrived dealer=D7\nT1 0:09 card_dealt to=player"
    )
    write(tmp_path, name="small.rules")
    return ["check", "night.jsonl", "--rules", "small.rules", "--workers", "1"]


def test_each_file_is_written_in_the_format_of_its_ending(
    check: list[str], capsys: Capture
) -> None:
    names = ["a.html", "a.json", "a.csv", "a.sarif", "a.xml", "a.parquet", "a.txt"]
    code, out, err = answer(capsys, *check, *(word for name in names for word in ("-o", name)))
    assert (code, err) == (1, "")
    assert out.splitlines()[0] == VERDICT
    assert [line for line in out.splitlines() if line.startswith("The report: ")] == [
        f"The report: {name}" for name in names
    ]
    begins = {
        "a.html": b"<!doctype html>",
        "a.json": b"{",
        "a.csv": b"\xef\xbb\xbf",
        "a.sarif": b"{",
        "a.xml": b"<?xml",
        "a.parquet": b"PAR1",
        "a.txt": VERDICT.encode(),
    }
    for name, start in begins.items():
        assert Path(name).read_bytes().lower().startswith(start.lower()), name


def test_a_format_is_named_where_endings_are_shared(check: list[str], capsys: Capture) -> None:
    answer(capsys, *check, "--format", "action-plan-csv", "-o", "plan.csv", "-o", "run.json")
    assert b"Owner" in Path("plan.csv").read_bytes()
    assert json.loads(Path("run.json").read_text())["schema_version"] == "1"


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["-o", "report.doc"], "The ending of report.doc does not tell its format; .csv, .html"),
        (["--format", "html", "-o", "a.pdf"], "--format html fits none of the files: a.pdf is"),
        (["-o", "a.csv", "-o", "a.csv"], "a.csv would be written twice."),
    ],
)
def test_what_does_not_go_together_is_said_before_the_work(
    words: list[str], sentence: str, check: list[str], capsys: Capture
) -> None:
    code, out, err = answer(capsys, *check, *words)
    assert (code, out) == (2, "")
    assert sentence in err


@pytest.mark.parametrize(("form", "needs"), [("pdf", "typst"), ("action-plan", "xlsxwriter")])
def test_a_format_that_needs_more_says_what_to_install(
    form: str,
    needs: str,
    check: list[str],
    capsys: Capture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(reports.formats, "find_spec", lambda name: None)
    code, _, err = answer(capsys, *check, "--format", form)
    assert code == 2
    assert f"The format {form} needs {needs}, which is not installed: pip install {needs}" in err


def test_the_verdict_goes_beside_a_result_on_standard_output(
    check: list[str], capsys: Capture
) -> None:
    _, out, err = answer(capsys, *check, "--format", "json")
    assert json.loads(out)["summary"]["verdict"] == "violations"
    assert err.splitlines()[0] == VERDICT


def test_the_verdict_is_printed_with_a_page(check: list[str], capsys: Capture) -> None:
    _, out, _ = answer(capsys, *check, "--format", "html")
    assert out.splitlines()[0] == VERDICT
    assert out.splitlines()[-1] == "The report: compliance-report.html"


@pytest.mark.parametrize("words", [[], ["-o", "a.html"], ["--format", "html"]])
def test_quiet_prints_nothing(words: list[str], check: list[str], capsys: Capture) -> None:
    assert answer(capsys, *check, *words, "--quiet") == (1, "", "")


def test_waived_findings_are_marked_in_the_text(check: list[str], capsys: Capture) -> None:
    Path("waivers.toml").write_text(WAIVER, encoding="utf-8")
    _, out, _ = answer(capsys, *check, "--waivers", "waivers.toml")
    assert out.splitlines()[0] == "✕ Verdict: 1 violation of 1 rule; 1 of them waived."
    assert "once, 1 waived" in out
    assert "waived until 1 January 2031 by Division, letter 12" in out


def test_cover_text_and_json_tell_the_same_numbers(check: list[str], capsys: Capture) -> None:
    answer(capsys, *check, "-o", "a.html", "-o", "a.json", "-o", "a.txt")
    told = json.loads(Path("a.json").read_text())
    law = [item for item in told["outcomes"] if item["kind"] != "data_defect"]
    checks = sum(sum(item["counts"].values()) for item in law)
    applied = sum(any(item["counts"].values()) for item in law)
    summary = told["summary"]
    assert (summary["checks"], summary["rules"]) == (checks, len(law))
    assert summary["rules_applied"] == applied < len(law)
    extent = f"{applied} rule; {len(law) - applied} of {len(law)} rules never applied"
    assert extent in Path("a.html").read_text("utf-8")
    assert extent in Path("a.txt").read_text("utf-8").splitlines()[-1]
