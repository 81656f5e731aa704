"""The pages of docs/ are true: tutorials are followed literally, generated pages are current."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from io import BytesIO
from pathlib import Path

import pytest
from pydantic import TypeAdapter
from pypdf import PdfReader

from compliance.cli import main
from compliance.notices import Channels, NoticeSettings
from reports.first_page import first_page
from reports.model import Run
from tests.compliance.certificates import authority, holder
from tests.docs.followed import blocks, follow, in_this_process
from tests.tree import ROOT, project_files, text_of


def test_the_first_rule_comes_out_as_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert (
        follow("docs/first-rule.md", tmp_path, in_this_process(capsys), rules="first.rules") == 15
    )
    assert (tmp_path / "night.html").is_file()


def test_a_night_goes_as_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert follow("docs/nightly.md", tmp_path, in_this_process(capsys)) == 8
    assert (tmp_path / "night-answered.html").is_file()


def test_a_batch_goes_as_its_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    (settings,) = (block.body for block in blocks("docs/batch.md") if block.kind == "toml")
    (tmp_path / "batch.toml").write_text(settings, encoding="utf-8")
    assert follow("docs/batch.md", tmp_path, in_this_process(capsys)) == 14
    assert (tmp_path / "results" / "AC" / "2010-03-08" / "report.html").is_file()


def test_the_units_of_the_batch_are_sound(tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd is not installed")
    units = [block.body for block in blocks("docs/batch.md") if block.kind == "ini"]
    names = [tmp_path / f"compliance-batch.{kind}" for kind in ("service", "timer")]
    for name, unit in zip(names, units, strict=True):
        # What stands on another machine is not here.
        here = unit.replace("/opt/compliance/bin/compliance", "/bin/true").replace(
            "User=compliance", "User=root"
        )
        name.write_text(here, encoding="utf-8")
    said = subprocess.run(
        ["systemd-analyze", "verify", *names], check=False, capture_output=True, text=True
    )
    assert [line for line in said.stderr.splitlines() if "compliance-batch" in line] == []


def test_the_line_for_cron_runs_the_batch(tmp_path: Path) -> None:
    (line,) = (block.body for block in blocks("docs/batch.md") if block.kind == "cron")
    *times, user, command = line.strip().split(maxsplit=6)
    assert (len(times), user) == (5, "compliance")
    assert "%" not in command, "cron takes it for the end of the line"
    here = command.replace("/srv/compliance", str(tmp_path)).replace(
        "/opt/compliance/bin/compliance", str(Path(sys.executable).with_name("compliance"))
    )
    done = subprocess.run(["/bin/sh", "-c", here], check=False, env={"PATH": "/usr/bin:/bin"})
    assert done.returncode == 2
    assert "batch.toml cannot be used" in (tmp_path / "batch.log").read_text("utf-8")


def test_nights_are_archived_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert follow("docs/archive.md", tmp_path, in_this_process(capsys)) == 8


def test_a_result_is_handed_over_as_the_page_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("KEY_PASSPHRASE", "of nobody")
    authority().write_certificate(tmp_path / "authority.pem")
    signer = holder("Night Shift")
    signer.write_certificate(tmp_path / "night-shift.pem")
    signer.write_key(tmp_path / "night-shift.key", "of nobody")
    assert follow("docs/handover.md", tmp_path, in_this_process(capsys)) == 6


def test_the_settings_of_messages_are_read_as_the_page_prints_them() -> None:
    [printed] = [block for block in blocks("docs/notices.md") if block.kind == "toml"]
    channels = TypeAdapter(Channels).validate_python(tomllib.loads(printed.body)["notify"])
    assert [channel.name for channel in channels] == ["duty", "chat"]
    rows = re.findall(r"^\| `(\w+)` \|", text_of("docs/notices.md"), re.M)
    assert {*rows, "mail", "webhook"} == set(NoticeSettings.model_fields)


def test_the_vocabulary_is_what_its_command_writes(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", "page"]) == 0
    assert capsys.readouterr().out == text_of("docs/vocabulary.md")


def test_the_index_leads_to_every_page() -> None:
    index = text_of("docs/README.md")
    linked = set(re.findall(r"\]\(([^)#]+)\)", index))
    pages = {
        name.removeprefix("docs/")
        for name in project_files()
        if re.fullmatch(r"docs/[^/]+\.(md|pdf)", name)
    }
    assert pages - {"README.md"} <= linked
    assert [name for name in linked if not (ROOT / "docs" / name).exists()] == []


def test_the_sample_report_is_that_of_the_demonstration(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "--format", "json", "-o", str(tmp_path / "report.html")]) == 0
    run = Run.model_validate(json.loads(capsys.readouterr().out)["run"])
    content = (ROOT / "docs/sample-report.pdf").read_bytes()
    first = PdfReader(BytesIO(content)).pages[0].extract_text()
    said = re.sub(r"\s+", "", first)
    page = first_page(run)
    for part in (page.opinion.words, page.opinion.told, page.method, *page.limits):
        assert re.sub(r"\s+", "", part) in said, "bash .ci/picture makes it anew"
