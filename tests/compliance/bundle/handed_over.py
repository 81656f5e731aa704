"""A checked night that is packed on one machine and verified on another."""

from __future__ import annotations

import json
import os
import shutil
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from compliance.bundle.contents import LIST
from tests.compliance.checked_logs import night
from tests.compliance.small_rulebook import answer, write

Capture = pytest.CaptureFixture[str]
EVENTS = """
T1 0:00 dealer_arrived dealer=D7
T1 0:09 card_dealt to=player seat=1 card=9S
T2 0:00 dealer_arrived dealer=D8
T2 0:04 card_burned
T2 0:09 card_dealt to=player seat=1 card=9S
"""
OPTIONS = """
[[at]]
casino = "C1"
table = "T1"
"""


@dataclass(frozen=True)
class Office:
    """A folder in which a night was checked."""

    capsys: Capture
    folder: Path

    @property
    def bundle(self) -> Path:
        return self.folder / "night.bundle"

    def path(self, name: str) -> Path:
        return self.folder / name

    def run(self, *words: object) -> tuple[int, str, str]:
        return answer(self.capsys, *words)

    def pack(self, *words: object) -> tuple[int, str, str]:
        return self.run("bundle", self.path("run.json"), "-o", self.bundle, *words)

    def packed(self, *words: object) -> Path:
        code, _, errors = self.pack(*words)
        assert code == 0, errors
        return self.bundle

    def elsewhere(self, bundle: Path) -> Path:
        """The bundle alone, where nothing else of the night is."""
        other = self.folder.parent / "elsewhere"
        other.mkdir(exist_ok=True)
        shutil.copy(bundle, other / bundle.name)
        for path in self.folder.iterdir():
            if path.is_file() and path.suffix not in (".pem", ".key"):
                path.unlink()
        os.chdir(other)
        return other / bundle.name


def checked_office(folder: Path, capsys: Capture, *words: object) -> Office:
    """A night that was checked, with its result and a report."""
    office = Office(capsys, folder)
    night(folder / "night.jsonl", EVENTS)
    rules = write(folder)
    code, _, errors = office.run(
        "check", folder / "night.jsonl", "--rules", rules, "--workers", 1,
        "-o", folder / "run.json", "-o", folder / "report.html", *words,
    )  # fmt: skip
    assert code == 1, errors
    return office


def entries(bundle: Path) -> dict[str, bytes]:
    """Every file of a bundle."""
    with zipfile.ZipFile(bundle) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def repacked(bundle: Path, files: Mapping[str, bytes], *more: tuple[Any, bytes]) -> None:
    """The same bundle with other files; `more` may have names that come twice."""
    with zipfile.ZipFile(bundle, "w") as archive:
        for name, content in files.items():
            archive.writestr(name, content)
        for entry, content in more:
            archive.writestr(entry, content)


def listed(files: Mapping[str, bytes]) -> dict[str, Any]:
    """The list of a bundle."""
    found: dict[str, Any] = json.loads(files[LIST])
    return found
