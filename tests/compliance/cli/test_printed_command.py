"""The command that a report prints makes the same result again when it is pasted."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from html import unescape
from pathlib import Path

import pytest

from compliance.demo import MANIFEST, NIGHT
from tests.compliance.small_rulebook import answer

OWN = """use "nj"

rule house-burn
  "A card is burned before each is dealt."
  cite "House manual 3"
  when card_dealt
  require card_burned since round_started
  otherwise say "no card was burned"
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A place whose files have awkward names."""
    monkeypatch.chdir(tmp_path)
    Path("two nights").mkdir()
    shutil.copy(NIGHT, "two nights/the night; of $March.jsonl")
    shutil.copy(NIGHT, "-first.jsonl")
    shutil.copy(MANIFEST, "what it's about.toml")
    Path("our rules").mkdir()
    Path("our rules/own.rules").write_text(OWN, encoding="utf-8")
    Path("inner/nj").mkdir(parents=True)
    Path("inner/nj/own.rules").write_text(OWN.partition("\n")[2], encoding="utf-8")
    return tmp_path


def pasted(command: str, output: str) -> dict[str, object]:
    """What the printed command makes, typed into a shell."""
    with_us = {**os.environ, "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-c", f"{command} -o {output} --quiet"],
        env=with_us,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode in (0, 1, 5), done.stderr
    result: dict[str, object] = json.loads(Path(output).read_text("utf-8"))
    return result


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    "words",
    [
        ["two nights"],
        ["two nights/*.jsonl", "--rules", "our rules/own.rules", "--table", "BJ-12"],
        ["./-first.jsonl", "--manifest", "what it's about.toml", "--rules", "inner/nj"],
        ["./-first.jsonl", "--from", "2008-03-08T20:00:00-05:00", "--input", "jsonl"],
    ],
    ids=str,
)
def test_a_pasted_command_makes_the_same_result(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = answer(capsys, "check", *words, "-o", "run.json", "-o", "run.html")
    assert code == 1, err
    page = unescape(Path("run.html").read_text("utf-8"))
    printed = re.search(r"<dt>Command</dt><dd><code>(.*?)</code>", page)
    assert printed is not None
    first = json.loads(Path("run.json").read_text("utf-8"))
    assert first["command"] == printed.group(1)
    assert pasted(printed.group(1), "again.json") == first


def test_the_default_law_is_printed_by_its_name(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answer(capsys, "check", folder / "-first.jsonl", "-o", "run.json")
    command = json.loads(Path("run.json").read_text("utf-8"))["command"]
    assert command == "compliance check ./-first.jsonl --rules nj"


def test_no_place_of_the_machine_is_printed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    answer(capsys, "check", NIGHT, "--manifest", MANIFEST, "-o", "run.json")
    command = json.loads(Path("run.json").read_text("utf-8"))["command"]
    assert command == "compliance check night.jsonl --rules nj --manifest manifest.toml"
