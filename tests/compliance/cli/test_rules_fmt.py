"""`compliance rules fmt`: one layout, written whole or not at all, and never into broken rules."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from compliance.cli import rules_fmt
from tests.compliance.small_rulebook import RULES, answer, json_answer, write

UNTIDY = RULES.replace("  severity minor", "     severity    minor")


@pytest.fixture
def tidy(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """The rules as the formatter lays them out."""
    path = write(tmp_path, name="tidy.rules")
    answer(capsys, "rules", "fmt", path)
    text = path.read_text(encoding="utf-8")
    path.unlink()
    return text


def test_a_file_is_rewritten_in_the_agreed_layout(
    tidy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, UNTIDY)
    code, out, err = answer(capsys, "rules", "fmt", path)
    assert (code, err) == (0, "")
    assert out.splitlines() == [f"formatted {path}", "1 file changed, 0 already right."]
    assert path.read_text(encoding="utf-8") == tidy


def test_formatting_twice_changes_nothing_the_second_time(
    tidy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, tidy)
    before = path.stat().st_mtime_ns
    code, out, _ = answer(capsys, "rules", "fmt", path)
    assert (code, out) == (0, "0 files changed, 1 already right.\n")
    assert path.stat().st_mtime_ns == before


def test_check_exits_1_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, UNTIDY)
    code, out, _ = answer(capsys, "rules", "fmt", "--check", path)
    assert code == 1
    assert f"would format {path}" in out
    assert path.read_text(encoding="utf-8") == UNTIDY


def test_check_exits_0_when_all_is_right(
    tidy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer(capsys, "rules", "fmt", "--check", write(tmp_path, tidy))[0] == 0


def test_diff_shows_the_change_and_writes_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, UNTIDY)
    code, out, _ = answer(capsys, "rules", "fmt", "--diff", path)
    assert code == 0
    assert "-     severity    minor" in out.splitlines()
    assert "+  severity minor" in out.splitlines()
    assert path.read_text(encoding="utf-8") == UNTIDY


def test_a_file_with_syntax_errors_is_left_alone_and_the_others_are_formatted(
    tidy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = UNTIDY.replace("require card_burned since", "require card_burned since since")
    broken = write(tmp_path, text, name="broken.rules")
    good = write(tmp_path, UNTIDY, name="good.rules")
    code, out, _ = answer(capsys, "rules", "fmt", tmp_path)
    assert code == 3
    assert broken.read_text(encoding="utf-8") == text
    assert good.read_text(encoding="utf-8") == tidy
    assert f"✗ {broken}: left as it is." in out.splitlines()


def test_the_files_rights_are_kept(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, UNTIDY)
    path.chmod(0o640)
    answer(capsys, "rules", "fmt", path)
    assert path.stat().st_mode & 0o777 == 0o640


def test_a_link_stays_a_link(tidy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = write(tmp_path, UNTIDY)
    link = tmp_path / "link.rules"
    link.symlink_to(path)
    answer(capsys, "rules", "fmt", link)
    assert link.is_symlink()
    assert path.read_text(encoding="utf-8") == tidy


def test_a_failure_while_writing_leaves_the_old_file_and_nothing_else(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, UNTIDY)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    code, _, err = answer(capsys, "rules", "fmt", path)
    assert code == 2
    assert "No space left on device" in err
    assert path.read_text(encoding="utf-8") == UNTIDY
    assert os.listdir(tmp_path) == [path.name]


def test_windows_line_ends_become_plain_ones(
    tidy: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "windows.rules"
    path.write_bytes(tidy.replace("\n", "\r\n").encode())
    assert json_answer(capsys, "rules", "fmt", path)["files"][0]["changed"] is True
    assert path.read_bytes() == tidy.encode()


def test_a_file_that_is_no_text_exits_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "picture.rules"
    path.write_bytes(b"\xff\xfe\x00")
    code, _, err = answer(capsys, "rules", "fmt", path)
    assert code == 2
    assert "it is not text in UTF-8" in err


def test_one_file_named_twice_is_formatted_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path, UNTIDY)
    written: list[Path] = []
    monkeypatch.setattr(rules_fmt, "write_whole", lambda path, text, **_: written.append(path))
    answer(capsys, "rules", "fmt", path, tmp_path)
    assert written == [path]
