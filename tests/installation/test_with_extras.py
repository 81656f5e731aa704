"""The pages about nights and about feeds, followed in a clean environment with the extras.

After the tests without extras, in order of name: both are done in one environment.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.docs.followed import follow
from tests.feeds import written_feeds
from tests.feeds.blackjack_game import Game
from tests.feeds.test_feed_commands import COMMANDS
from tests.feeds.test_what_feeds_show import documented
from tests.installation.conftest import Installation


@pytest.fixture(scope="module")
def extended(installation: Installation) -> Installation:
    done = installation.run("pip install --quiet typst xlsxwriter")
    assert done.returncode == 0, done.stderr
    return installation


def test_a_night_goes_as_its_page_says_from_the_installation(
    extended: Installation, tmp_path: Path
) -> None:
    def run(command: str) -> tuple[int, str]:
        done = extended.run(command, cwd=tmp_path)
        return done.returncode, done.stdout + done.stderr

    assert follow("docs/nightly.md", tmp_path, run) == 8
    assert (tmp_path / "night-answered.html").is_file()


def test_a_vendors_file_comes_to_its_report_from_the_installation(
    extended: Installation, tmp_path: Path
) -> None:
    rows = written_feeds.round_rows(Game(4, seats=1).rounds(60))
    (tmp_path / "rows.csv").write_text(rows, encoding="utf-8")
    bare, draft, preview, manifest, check = (f"compliance {command}" for command in COMMANDS)
    assert extended.run(bare, cwd=tmp_path).returncode == 2
    assert extended.run(draft, cwd=tmp_path).returncode == 0
    documented(tmp_path, "rows_feed.toml").replace(tmp_path / "rows.toml")
    documented(tmp_path, "rows_manifest.toml")
    assert "60  round_started" in extended.run(preview, cwd=tmp_path).stdout
    assert "Which games are played?" in extended.run(manifest, cwd=tmp_path).stdout
    done = extended.run(check, cwd=tmp_path)
    assert done.returncode in (0, 1, 5), done.stderr
    assert "Verdict" in done.stdout + done.stderr
