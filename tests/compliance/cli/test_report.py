"""`compliance report`: any format from a saved result alone, or one sentence why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.formats import FORMATS
from reports.saved_json import render_json
from reports.verdicts import FindingKind
from tests.compliance.checked_logs import night
from tests.compliance.small_rulebook import answer, write
from tests.reports.sample import full_run

Capture = pytest.CaptureFixture[str]


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "run.json"
    path.write_bytes(render_json(full_run()))
    return path


@pytest.mark.parametrize("name", FORMATS)
def test_a_saved_result_is_written_in_every_format(name: str, saved: Path, capsys: Capture) -> None:
    out = saved.parent / f"out{FORMATS[name].ending}"
    code, _, errors = answer(capsys, "report", saved, "--format", name, "-o", out)
    assert (code, errors) == (0, "")
    assert out.read_bytes() == FORMATS[name].render(full_run())


@pytest.mark.parametrize("name", [name for name in FORMATS if name not in ("json", "pdf")])
def test_a_check_writes_the_same_bytes_as_a_report_from_its_saved_result(
    name: str, tmp_path: Path, capsys: Capture
) -> None:
    log = night(tmp_path / "night.jsonl", "T1 0:00 dealer_arrived\nT1 0:09 card_dealt to=player")
    check = ["check", log, "--rules", write(tmp_path), "--workers", 1]
    answer(capsys, *check, "--format", name, "-o", tmp_path / "now")
    answer(capsys, *check, "--format", "json", "-o", tmp_path / "run.json")
    answer(capsys, "report", tmp_path / "run.json", "--format", name, "-o", tmp_path / "later")
    assert (tmp_path / "now").read_bytes() == (tmp_path / "later").read_bytes()


def test_without_a_format_the_page_is_written(
    saved: Path, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(saved.parent)
    code, out, _ = answer(capsys, "report", saved)
    assert (code, out.splitlines()[-1]) == (0, "The report: compliance-report.html")
    assert (saved.parent / "compliance-report.html").is_file()


def test_text_formats_go_to_standard_output(saved: Path, capsys: Capture) -> None:
    assert "VERDICT: 2 violations" in answer(capsys, "report", saved, "--format", "mail")[1]


def test_the_summary_is_that_of_a_check(saved: Path, capsys: Capture) -> None:
    assert "2 violations of 1 rule" in answer(capsys, "report", saved, "--format", "text")[1]


def test_a_house_template_is_filled(saved: Path, capsys: Capture) -> None:
    folder = saved.parent / "house"
    folder.mkdir()
    (folder / "report.txt.j2").write_text("{{ violations | length }}", encoding="utf-8")
    out = saved.parent / "out.txt"
    assert answer(capsys, "report", saved, "--template", folder, "-o", out)[0] == 0
    assert out.read_text() == "2"


def test_a_mistake_in_a_template_is_told_with_its_line(saved: Path, capsys: Capture) -> None:
    folder = saved.parent / "house"
    folder.mkdir()
    (folder / "report.txt.j2").write_text("one\n{{ nothing }}", encoding="utf-8")
    code, _, errors = answer(capsys, "report", saved, "--template", folder)
    assert code == 2
    assert errors == f"compliance: {folder}/report.txt.j2, line 2: 'nothing' is undefined.\n"


def test_a_template_and_a_format_contradict_each_other(saved: Path, capsys: Capture) -> None:
    code, _, errors = answer(
        capsys, "report", saved, "--template", saved.parent, "--format", "html"
    )
    assert (code, errors.count("\n")) == (2, 1)


def test_an_altered_result_is_refused(saved: Path, capsys: Capture) -> None:
    saved.write_text(saved.read_text().replace("D7 dealt", "D8 dealt", 1))
    code, _, errors = answer(capsys, "report", saved)
    assert code == 2
    assert "was altered after it was saved" in errors


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b'{"a": 1', "line 1, column 8: it is not JSON"),
        (b"[]", "it has no schema_version"),
        (b'{"schema_version": "9"}', "has the form 9; this version of the program reads form 1"),
        (b'{"schema_version": "1"}', "rulebook: field required (and 1 more)"),
        (b"\xff\xfe", "it is not UTF-8"),
        (b"", "it is not JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"schema_version": ' + b"9" * 5_000 + b"}", "a number in it is too long"),
    ],
)
def test_what_is_no_saved_result_is_refused_in_a_sentence(
    content: bytes, said: str, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "run.json"
    path.write_bytes(content)
    code, _, errors = answer(capsys, "report", path)
    assert code == 2
    assert said in errors.splitlines()[0]


def test_a_missing_file_is_named(tmp_path: Path, capsys: Capture) -> None:
    code, _, errors = answer(capsys, "report", tmp_path / "gone.json")
    assert (code, errors) == (
        2,
        f"compliance: {tmp_path}/gone.json cannot be read: no such file or directory.\n",
    )


def test_answers_of_a_filled_plan_are_shown(saved: Path, capsys: Capture) -> None:
    plan, out = saved.parent / "plan.csv", saved.parent / "out.html"
    found = full_run().findings(FindingKind.VIOLATION)[0]
    plan.write_text(f"Owner,Response,Status,Fingerprint\nA,Seen,done,{found.fingerprint}\n")
    code, _, errors = answer(capsys, "report", saved, "--answers", plan, "-o", out)
    assert (code, errors) == (0, f"1 answer taken from {plan}.\n")
    assert "answered by their owners: 1 done." in out.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("row", "said"),
    [
        ("A,soon,", ", line 2: `soon` is not a date; write it as in 2024-03-31."),
        ("A,,", "None of the answers in"),
    ],
)
def test_answers_that_cannot_be_used_are_refused_and_nothing_is_written(
    row: str, said: str, saved: Path, capsys: Capture
) -> None:
    plan, out = saved.parent / "plan.csv", saved.parent / "out.html"
    plan.write_text(f"Owner,Due date,Fingerprint\n{row}{'0' * 64}\n")
    code, _, errors = answer(capsys, "report", saved, "--answers", plan, "-o", out)
    assert code == 2
    assert said in errors
    assert not out.exists()
