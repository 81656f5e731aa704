"""A clean environment, made as the README says it: what a new user has, and nothing else."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from compliance.demo import MANIFEST, NIGHT
from tests.tree import ROOT, project_files, text_of


def blocks(page: str, language: str) -> list[str]:
    """The examples of a page in one language."""
    return re.findall(rf"```{language}\n(.*?)\n```", text_of(page), flags=re.DOTALL)


@dataclass(frozen=True)
class Installation:
    """An environment with the product, and a folder to work in with the files of the examples."""

    environment: Path
    folder: Path

    def run(self, command: str, *, cwd: Path | None = None) -> subprocess.CompletedProcess[str]:
        """Run a line of a page as a user types it."""
        clean = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        clean |= {
            "PATH": f"{self.environment / 'bin'}:{os.environ['PATH']}",
            "VIRTUAL_ENV": str(self.environment),
            "XDG_CACHE_HOME": str(self.folder / ".cache"),
        }
        return subprocess.run(
            ["bash", "-c", command],
            cwd=cwd or self.folder,
            env=clean,
            capture_output=True,
            text=True,
            check=False,
        )


RULES = """
rule house-burn
  "A card is burned before each is dealt."
  cite "House manual 3"
  when card_dealt
  require card_burned since round_started
  otherwise say "no card was burned"
"""


@pytest.fixture(scope="session")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """The README's first command, run in a copy of the tree: pip builds a wheel and installs it."""
    tree, folder = tmp_path_factory.mktemp("tree"), tmp_path_factory.mktemp("work")
    for name in project_files():
        if not name.startswith("tests/"):
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tree / name)
    made = Installation(tree / ".venv", folder)
    done = made.run(blocks("README.md", "sh")[0], cwd=tree)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "The report: compliance-report.html" in done.stdout
    # Whatever runs from here on is the installation: the tree that it came from is gone.
    for name in ("compliance", "rules_dsl", "reports", "event_schemas", "docs"):
        shutil.rmtree(tree / name)
    _files_of_the_examples(folder)
    return made


def _files_of_the_examples(folder: Path) -> None:
    """Every file that a page speaks of."""
    for name in ("night.jsonl", "monday.jsonl", "night/table.jsonl"):
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copy(NIGHT, folder / name)
    lines = [line for line in NIGHT.read_text("utf-8").splitlines() if '"BJ-12"' in line]
    later = [line.replace("2008-03-08", "2008-03-11").replace("BJ-12-", "X-") for line in lines]
    (folder / "tuesday.jsonl").write_text("\n".join(later) + "\n", encoding="utf-8")
    shutil.copy(MANIFEST, folder / "manifest.toml")
    (folder / "my.rules").write_text(RULES, encoding="utf-8")
    (folder / "uses-nj.rules").write_text(f'use "nj"\n{RULES}', encoding="utf-8")
    (folder / "wrong.rules").write_text("rule wrong\n  when card_delt\n", encoding="utf-8")
