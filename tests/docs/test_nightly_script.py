"""The script that docs/nightly.md prints for cron, run as cron would run it."""

from __future__ import annotations

import os
import re
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.cli import main
from tests.tree import text_of

NIGHT = "2024-03-09"


def script(name: str, folder: Path, text: str) -> Path:
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder as the script expects it, with a clock and a letter box of our own."""
    found = re.search(
        r"```bash\n(#!/bin/sh\n# nightly\.sh.*?)```", text_of("docs/nightly.md"), re.S
    )
    assert found is not None
    (tmp_path / "logs").mkdir()
    (tmp_path / "bin").mkdir()
    script("nightly.sh", tmp_path, found[1])
    script("date", tmp_path / "bin", f'#!/bin/sh\n[ "$*" = "-d yesterday +%F" ] && echo {NIGHT}\n')
    script(
        "mail", tmp_path / "bin", '#!/bin/sh\n{ echo "$2 to $3"; cat; } >>"$COMPLIANCE_HOME/mail"\n'
    )
    return tmp_path


def run(home: Path, program: str | None = None) -> int:
    command = program or f'#!/bin/sh\nexec "{sys.executable}" -m compliance.cli "$@"\n'
    script("compliance", home / "bin", command)
    environment = os.environ | {
        "PATH": f"{home / 'bin'}:{os.environ['PATH']}",
        "COMPLIANCE_HOME": str(home),
    }
    return subprocess.run([home / "nightly.sh"], env=environment, check=False).returncode


def simulated(home: Path, *words: str) -> None:
    log = home / "logs" / f"{NIGHT}.jsonl"
    shape = ["--tables", "1", "--rounds", "4", "--workers", "1"]
    assert main(["simulate", "-o", str(log), *shape, *words]) == 0


def test_a_night_with_violations_is_mailed_and_kept(home: Path) -> None:
    simulated(home, "--violations", "all", "--rate", "0.5")
    assert run(home) == 1
    mail = (home / "mail").read_text()
    assert mail.startswith(f"Compliance {NIGHT} to duty@example.org\n")
    assert "violation" in mail
    assert (home / "results" / f"{NIGHT}.json").stat().st_size > 0
    assert (home / "nights.state").is_file()


def test_a_night_without_a_log_is_told_with_the_reason(home: Path) -> None:
    assert run(home) == 2
    mail = (home / "mail").read_text()
    assert mail.startswith(f"No verdict for {NIGHT}: exit code 2 to duty@example.org\n")
    assert f"logs/{NIGHT}.jsonl" in mail
    assert not (home / "nights.state").exists()


def test_a_check_that_was_killed_is_told(home: Path) -> None:
    assert run(home, "#!/bin/sh\necho half\nkill -9 $$\n") == 137
    assert (home / "mail").read_text().splitlines()[:2] == [
        f"No verdict for {NIGHT}: exit code 137 to duty@example.org",
        "half",
    ]


def test_a_clean_night_is_silent(home: Path) -> None:
    assert run(home, "#!/bin/sh\nexit 0\n") == 0
    assert not (home / "mail").exists()
