"""What is no file, or none that can be read: one sentence, and no waiting."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.attacks.arena import NIGHT, RULES, Attack, Content, cases, linked, withstood


def fifo(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    before = os.getcwd()
    os.chdir(path.parent)
    try:
        socket.socket(socket.AF_UNIX).bind(path.name)
    finally:
        os.chdir(before)


def folder(path: Path) -> None:
    path.mkdir()


STRANGE: dict[str, tuple[Content, str]] = {
    "a named pipe": (fifo, "it is a named pipe"),
    "a socket": (listening, "no such device or address"),
    "an endless device": (linked("/dev/zero"), "it is a device"),
    "an empty device": (linked("/dev/null"), "it is a device"),
    "random bytes": (linked("/dev/urandom"), "it is a device"),
    "a file of /proc": (linked("/proc/self/maps"), "it is a view of the running machine"),
    "memory": (linked("/proc/self/mem"), "it is a view of the running machine"),
    "a link to itself": (linked("x"), "too many levels of symbolic links"),
    "a broken link": (linked("nothing"), "no such file or directory"),
    "a folder": (folder, "it is a folder"),
}
"""What stands where a file belongs, and what is said of it; `x` is its name without an ending."""


def at_each_place() -> Iterator[Attack]:
    check = "check night.jsonl --rules small.rules --workers 1"
    places = {
        "options": (f"{check} --options x", 2),
        "manifest": (f"{check} --manifest x", 2),
        "mapping": (f"{check} --mapping x", 2),
        "waivers": (f"{check} --waivers x", 2),
        "schema": (f"{check} --schema x", 2),
        "after": (f"{check} --after x", 2),
        "report": ("report x", 2),
        "verify": ("verify x night.jsonl", 2),
    }
    for name, (content, says) in STRANGE.items():
        for place, (words, code) in places.items():
            yield Attack(f"{place}: {name}", words, code, says, {"x": content})
        if name != "a folder":
            said = "it is a socket" if name == "a socket" else says
            words = "check x --rules small.rules --workers 1"
            yield Attack(f"log: {name}", words, 2, said, {"x": content})
            link = linked("x.jsonl") if name == "a link to itself" else content
            files = {"d/night.jsonl": NIGHT, "d/x.jsonl": link}
            yield Attack(f"folder of logs: {name}", words.replace("x ", "d "), 2, said, files)
            link = linked("x.rules") if name == "a link to itself" else content
            files = {"d/small.rules": RULES, "d/x.rules": link}
            words = "check night.jsonl --rules d --workers 1"
            yield Attack(f"folder of rules: {name}", words, 3, says, files)
        link = linked("x.toml") if name == "a link to itself" else content
        files = {"d/small.rules": RULES, "d/clauses/x.toml": link}
        yield Attack(f"clause map: {name}", "rules coverage --rules d", 3, says, files)


def names() -> Iterator[Attack]:
    words = {
        "log": "check {} --rules small.rules",
        "rules": "check night.jsonl --rules {}",
        "rules to check": "rules check {}",
        "options": "check night.jsonl --rules small.rules --options {}",
        "schema": "schema list --schema {}",
        "saved result": "report {}",
        "output": "check night.jsonl --rules small.rules -o {}",
        "quarantine": "check night.jsonl --rules small.rules --quarantine {}",
        "state": "check night.jsonl --rules small.rules --state {}",
    }
    for place, form in words.items():
        yield Attack(f"{place}: 300 letters", form.format("a" * 300), 2, "is too long")
        yield Attack(f"{place}: a long path", form.format("a/" * 3_000 + "b"), 2, "is too long")
        yield Attack(f"{place}: not UTF-8", form.format("\udcff.x"), 2, "is not UTF-8 text")


@cases([*at_each_place(), *names()])
def test_what_is_no_file_is_refused_in_a_sentence(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    withstood(attack, tmp_path, capsys)


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda d: (d / ".hidden.jsonl").write_text(NIGHT), ".hidden.jsonl"),
        (lambda d: (d / "notes.txt").write_text("x"), "notes.txt"),
        (lambda d: os.symlink("/", d / "elsewhere"), "elsewhere/"),
        (lambda d: (d / ".git").mkdir(), ".git/"),
    ],
)
def test_what_a_folder_holds_besides_logs_is_named_and_strictly_refused(
    make: Callable[[Path], object], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    night = tmp_path / "d"
    night.mkdir()
    (night / "night.jsonl").write_text(NIGHT, encoding="utf-8")
    make(night)
    words = "check d --rules small.rules --workers 1 --format json"
    withstood(Attack("", words, 1, f"also holds {said}, which was not read"), tmp_path, capsys)
    strict = Attack("", f"{words} --strict", 2, f"also holds {said}, which was not read")
    withstood(strict, tmp_path, capsys)


def test_a_log_in_a_folder_whose_name_is_no_text_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "d").mkdir()
    (tmp_path / "d" / os.fsdecode(b"\xff.jsonl")).write_text(NIGHT, encoding="utf-8")
    attack = Attack("", "check d --rules small.rules", 2, "its name is not UTF-8 text")
    withstood(attack, tmp_path, capsys)
