"""Follows a page literally: writes its files, runs its commands, and compares what it shows."""

from __future__ import annotations

import re
import shlex
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from compliance.cli import main
from tests.tree import ROOT

_BLOCK = re.compile(
    r"(?:^<!-- exits (?P<exits>[0-9 or]+) -->\n)?^```(?P<kind>\w+)\n(?P<body>.*?)^```$",
    re.S | re.M,
)


@dataclass(frozen=True)
class Block:
    """A fenced block of a page; `exits` are the exit codes that its commands may have."""

    kind: str
    body: str
    exits: frozenset[int]


def blocks(page: str) -> list[Block]:
    text = (ROOT / page).read_text(encoding="utf-8")
    return [
        Block(
            found["kind"],
            found["body"],
            frozenset(int(code) for code in re.findall(r"[0-9]+", found["exits"] or "0")),
        )
        for found in _BLOCK.finditer(text)
    ]


Runner = Callable[[str], tuple[int, str]]
"""Runs a line as a user types it: its exit code, and all that it wrote."""


def in_this_process(capsys: pytest.CaptureFixture[str]) -> Runner:
    """Runs commands without a new process for each."""

    def run(command: str) -> tuple[int, str]:
        name, *words = shlex.split(command, comments=True)
        assert name == "compliance", command
        code = main(words)
        written = capsys.readouterr()
        return code, written.out + written.err

    return run


def follow(page: str, folder: Path, run: Runner, rules: str = "") -> int:
    """Do what a page says, in a folder; the number of commands that were run.

    A block of rules becomes the file `rules`. What a page shows after its commands must be in what
    they wrote, line by line.
    """
    shown, ran = "", 0
    for block in blocks(page):
        if block.kind == "rules":
            (folder / rules).write_text(block.body, encoding="utf-8")
        elif block.kind == "sh":
            shown = ""
            for command in block.body.splitlines():
                code, written = run(command)
                assert code in block.exits, f"{command}\n{written}"
                shown += written
                ran += 1
        elif block.kind == "text" and not block.body.startswith("#!"):
            plain = " ".join(shown.split())
            for line in block.body.splitlines():
                assert " ".join(line.split()) in plain, f"{line!r} is not in:\n{shown}"
    return ran
