"""What is written never destroys what was read, and comes whole or not at all."""

from __future__ import annotations

import fcntl
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.arena import (
    FILES,
    NIGHT,
    RULES,
    Attack,
    Content,
    cases,
    lay_out,
    linked,
    withstood,
)

CHECK = "check night.jsonl --rules small.rules --workers 1"
OWN = "[tables.T1]\ndecks = 6\n"
COMMAND = [sys.executable, "-m", "compliance.cli"]


def onto_inputs() -> Iterator[Attack]:
    inputs = {
        "the log": "night.jsonl",
        "a link to the log": "link.jsonl",
        "a second name of the log": "hard.jsonl",
        "the rules": "small.rules",
        "the options": "own.toml",
        "a roundabout name": "./../{here}/night.jsonl",
    }
    files: dict[str, Content] = {
        "link.jsonl": linked("night.jsonl"),
        "hard.jsonl": lambda path: os.link(path.with_name("night.jsonl"), path),
        "own.toml": OWN,
    }
    for option in (
        "--format text -o",
        "--quarantine",
        "--keep",
        "--state",
        "--format html -o",
        "--format pdf -o",
    ):
        for name, path in inputs.items():
            says = "is a link" if "link" in name else "would overwrite"
            words = f"{CHECK} --options own.toml {option} {path}"
            yield Attack(f"{option} onto {name}", words, 2, says, files)
        yield Attack(f"{option} onto a folder", f"{CHECK} {option} .", 2, "is a folder")
        words = f"{CHECK} {option} x.out"
        yield Attack(
            f"{option} onto a broken link", words, 2, "is a link", {"x.out": linked("gone")}
        )
        yield Attack(f"{option} onto a circle", words, 2, "is a link", {"x.out": linked("x.out")})
    files = {"d/night.jsonl": NIGHT, "r/small.rules": RULES, "r/clauses/x.toml": ""}
    for option in ("--format text -o", "--quarantine", "--keep"):
        for name, path in (("log", "d/night.jsonl"), ("rule file", "r/small.rules")):
            words = f"check d --rules r --workers 1 {option} {path}"
            yield Attack(f"{option} onto a {name} of a folder", words, 2, "would overwrite", files)
    for one, other in (
        ("--format text -o", "--keep"),
        ("--format text -o", "--quarantine"),
        ("--quarantine", "--state"),
    ):
        words = f"{CHECK} {one} same.out {other} ./same.out"
        yield Attack(f"{one} and {other} alike", words, 2, "name the same file")
    says = "is not what a check has kept"
    for option in ("--keep", "--state"):
        yield Attack(f"{option} onto notes", f"{CHECK} {option} n.txt", 2, says, {"n.txt": "notes"})
    says = "which a check has kept"
    for option in ("--format text -o", "--quarantine"):
        words = f"{CHECK} {option} n"
        yield Attack(f"{option} onto a state", words, 2, says, {"n": b"ARROW1\0\0"})
    words = f"{CHECK} -o no/such/folder/x.txt"
    yield Attack("no such folder", words, 2, "cannot be written: No such file or directory")


@cases(
    attack._replace(words=attack.words.replace("./../{here}", "../HERE"))
    for attack in onto_inputs()
)
def test_an_output_never_destroys_an_input(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    attack = attack._replace(words=attack.words.replace("HERE", tmp_path.name))
    lay_out(tmp_path, {**FILES, **attack.files})
    before = contents(tmp_path)
    for path in attack.files:
        (tmp_path / path).unlink()
    withstood(attack, tmp_path, capsys)
    assert contents(tmp_path) == before


def contents(folder: Path) -> dict[Path, bytes | str]:
    return {
        path: os.readlink(path) if path.is_symlink() else path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_symlink() or path.is_file()
    }


def test_a_report_does_not_replace_the_saved_result_that_it_is_made_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    withstood(Attack("", f"{CHECK} --format json -o run.json", 1, ""), tmp_path, capsys)
    before = (tmp_path / "run.json").read_bytes()
    for words in ("report run.json -o run.json", "report ./run.json --format json -o run.json"):
        withstood(Attack("", words, 2, "is read by this command"), tmp_path, capsys)
    assert (tmp_path / "run.json").read_bytes() == before


@pytest.mark.parametrize(
    "option", ["--format text -o", "--quarantine", "--keep", "--format html -o"]
)
def test_a_device_is_written_to_and_stays_one(
    option: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    withstood(Attack("", f"{CHECK} {option} /dev/null", 1, ""), tmp_path, capsys)
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)


def test_a_full_device_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    withstood(
        Attack("", f"{CHECK} --format text -o /dev/full", 2, "No space left"), tmp_path, capsys
    )


def test_a_pipe_is_written_to_and_stays_one(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    os.mkfifo(tmp_path / "pipe")
    heard: list[str] = []
    listener = threading.Thread(target=lambda: heard.append((tmp_path / "pipe").read_text()))
    listener.start()
    withstood(Attack("", f"{CHECK} --format text -o pipe", 1, ""), tmp_path, capsys)
    listener.join(5)
    assert "1 violation" in heard[0]
    assert stat.S_ISFIFO((tmp_path / "pipe").stat().st_mode)


def test_two_checks_do_not_work_on_one_state(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with (tmp_path / ".nights.lock").open("w") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        attack = Attack("", f"{CHECK} --state nights", 2, "Another check is at work on nights")
        withstood(attack, tmp_path, capsys)
    withstood(attack._replace(code=1, says=""), tmp_path, capsys)
    assert not (tmp_path / ".nights.lock").exists()


@pytest.mark.parametrize(
    ("redirection", "code", "says"),
    [
        (">&-", 2, "Standard output is closed"),
        (">/dev/full", 2, "The answer cannot be written: No space left on device."),
        ("2>&-", 1, "1 violation"),
        ("<&-", 1, "1 violation"),
        ("- <&-", 2, "Standard input is closed"),
        ("<(cat night.jsonl)", 1, "1 violation"),
        ("--options <(cat own.toml) --format json", 1, "1822edc"),
        ("--format text -o /dev/stdout", 1, "1 violation"),
        # What the shell has opened for writing may be what is read.
        ("--format text -o /dev/fd/3 3<> small.rules", 2, "would overwrite /dev/fd/3"),
        ("--keep /dev/fd/3 3<> night.jsonl", 2, "would overwrite /dev/fd/3"),
        ("--quarantine /proc/self/fd/3 3<> night.jsonl", 2, "would overwrite /proc/self/fd/3"),
        (">> night.jsonl", 2, "The answer would be written into night.jsonl"),
        (">> small.rules", 2, "The answer would be written into small.rules"),
        (
            "--format text -o /dev/stdout > answer; code=$?; cat answer; exit $code",
            1,
            "1 violation",
        ),
    ],
)
def test_streams_that_are_closed_full_or_piped(
    redirection: str, code: int, says: str, tmp_path: Path
) -> None:
    lay_out(tmp_path, {**FILES, "own.toml": OWN})
    log = "" if redirection.startswith(("- ", "<(")) else "night.jsonl"
    words = f"{' '.join(COMMAND)} check {log} --rules small.rules --workers 1 {redirection}"
    done = subprocess.run(
        ["bash", "-c", words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert (done.returncode, says in done.stdout + done.stderr) == (code, True), done
    # An answer that is added to what was read would be seen there.
    assert (tmp_path / "night.jsonl").read_text(encoding="utf-8") == NIGHT
    assert (tmp_path / "small.rules").read_text(encoding="utf-8") == RULES


@pytest.mark.parametrize("number", ["0", "-1", "257", "9" * 20])
@pytest.mark.parametrize("command", ["check night.jsonl", "simulate -o x.jsonl"])
def test_as_many_processes_as_nobody_has_are_refused(
    command: str, number: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    says = "--workers is a number from 1 to 256."
    withstood(Attack("", f"{command} --workers {number}", 2, says), tmp_path, capsys)


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    lay_out(tmp_path, FILES)
    words = f"mkdir d && cd d && rmdir ../d && {' '.join(COMMAND)} check ../night.jsonl"
    done = subprocess.run(
        ["bash", "-c", words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": os.getcwd()},
    )
    assert done.returncode == 2
    assert "is no longer there" in done.stderr
