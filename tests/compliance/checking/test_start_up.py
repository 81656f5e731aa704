"""Promises that keep small jobs quick: what is not needed is neither loaded, started nor redone."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import compliance.checking.check_log
import compliance.checking.check_tables
import compliance.table_check.needs
import compliance.table_check.needs_of_rulebook
import rules_dsl.rulebook
from compliance.checking.check_log import check_log
from compliance.checking.precompiled_rulebook import precompile
from compliance.cli import main
from compliance.demo import NIGHT
from compliance.table_check.needs_of_rulebook import needs_of_edition, options_asked, recall_needs
from compliance.table_check.settings import Settings
from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.cache import RulebookCache
from rules_dsl.rulebook import Loaded, load, load_text

SCHEMA = builtin_schema()
RULE = """\
rule burn-first
  "The first card is burned."
  cite N.J.A.C. 19:47-2.6(c)
  when card_dealt
  require card_burned earlier
  except under N.J.A.C. 19:47-2.7 when option game is blackjack
"""
FOR_RULE_FILES = {"lark", "rules_dsl.parsing.parser", "rules_dsl.resolve.rulebook"}
FOR_PAGES = {"jinja2", "reports.html", "reports.charts", "typst", "xlsxwriter"}
FOR_TERMINALS = {"rich", "compliance.cli.terminal", "compliance.cli.progress_bar"}
LOADED = """
import sys, json
from compliance.cli import main
main(sys.argv[1:])
json.dump(sorted(sys.modules), sys.stderr)
"""


@pytest.fixture(scope="module")
def cache_home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's cache in which the bundled rulebook is known."""
    home = tmp_path_factory.mktemp("cache")
    precompile(bundled_rulebook(), home / "table-compliance" / "rulebooks")
    for entry in (home / "table-compliance" / "rulebooks").iterdir():
        entry.chmod(0o600)
    return home


@pytest.fixture
def remembering(cache_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everything about the bundled rulebook is known, and may not be worked out again."""

    def worked_out(*_: object) -> Loaded:
        raise AssertionError("worked out again")

    monkeypatch.setenv("XDG_CACHE_HOME", str(cache_home))
    monkeypatch.setattr(rules_dsl.rulebook, "_read", worked_out)
    monkeypatch.setattr(compliance.table_check.needs, "needs", worked_out)
    monkeypatch.setattr(compliance.table_check.needs_of_rulebook, "_options", worked_out)


# ---- nothing is loaded that is not needed ----------------------------------------------------


def loaded_by(cache_home: Path, folder: Path, *words: str) -> set[str]:
    done = subprocess.run(
        [sys.executable, "-c", LOADED, *words],
        capture_output=True,
        env={"XDG_CACHE_HOME": str(cache_home), "PYTHONPATH": str(Path(__file__).parents[3])},
        cwd=folder,
    )
    return set(json.loads(done.stderr))


def test_a_check_loads_neither_grammar_nor_pages_nor_terminal(
    cache_home: Path, tmp_path: Path
) -> None:
    loaded = loaded_by(cache_home, tmp_path, "check", str(NIGHT))
    assert "compliance.checking.check_log" in loaded
    assert loaded & (FOR_RULE_FILES | FOR_PAGES | FOR_TERMINALS) == set()


def test_the_demonstration_loads_only_what_its_page_needs(cache_home: Path, tmp_path: Path) -> None:
    loaded = loaded_by(cache_home, tmp_path, "demo")
    assert "reports.html" in loaded
    assert loaded & (FOR_RULE_FILES | FOR_TERMINALS | {"typst", "xlsxwriter"}) == set()


# ---- nothing is worked out twice -------------------------------------------------------------


@pytest.mark.usefixtures("remembering")
def test_a_check_takes_the_rulebook_and_its_needs_from_the_cache(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["check", str(NIGHT)]) == 1
    assert "violations of" in capsys.readouterr().out


@pytest.mark.usefixtures("remembering")
def test_the_demonstration_takes_the_rulebook_and_its_needs_from_the_cache(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["demo", "-o", str(tmp_path / "report.html")]) == 0
    assert "The report" in capsys.readouterr().out


def test_what_is_recalled_is_what_would_be_worked_out(tmp_path: Path) -> None:
    (tmp_path / "a.rules").write_text(RULE, encoding="utf-8")
    cache = RulebookCache(tmp_path / "cache", precompiled=None)
    for _ in ("worked out", "recalled"):
        loaded = load([tmp_path / "a.rules"], SCHEMA, cache)
        recall_needs(loaded, SCHEMA, {}, cache)
        (edition,) = loaded.rulebook.rules[0].editions
        fresh = compliance.table_check.needs.needs(edition, loaded.rulebook, {}, SCHEMA)
        assert needs_of_edition(edition, Settings(loaded.rulebook, SCHEMA).circumstances()) == fresh
        assert options_asked(loaded.rulebook) == {"game"}
    kept = {path.suffix.split("-")[0] for path in (tmp_path / "cache").iterdir()}
    assert kept == {".rulebook", ".examples", ".needs"}


def test_what_is_known_of_one_rulebook_is_not_said_of_another(tmp_path: Path) -> None:
    known, other = (
        load_text(RULE, SCHEMA),
        load_text(RULE.replace("card_burned", "round_started"), SCHEMA),
    )
    recall_needs(known, SCHEMA, {}, RulebookCache(tmp_path, precompiled=None))
    (edition,) = other.rulebook.rules[0].editions
    found = needs_of_edition(edition, Settings(other.rulebook, SCHEMA).circumstances())
    assert {need.event for need in found.required} == {"round_started"}


# ---- no workers for little work --------------------------------------------------------------


class PoolStarted(Exception):
    pass


@pytest.fixture
def pool(monkeypatch: pytest.MonkeyPatch) -> None:
    """Workers that announce themselves."""

    @contextmanager
    def started(*_: object) -> Iterator[None]:
        raise PoolStarted
        yield

    monkeypatch.setattr(compliance.checking.check_tables, "worker_pool", started)
    monkeypatch.setattr("os.cpu_count", lambda: 4)


def rulebook() -> core.Rulebook:
    return load_text(RULE, SCHEMA).rulebook


@pytest.mark.usefixtures("pool")
def test_a_small_log_starts_no_workers() -> None:
    assert check_log([NIGHT], Settings(rulebook(), SCHEMA, workers=None)).run is not None


@pytest.mark.usefixtures("pool")
def test_a_large_log_is_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compliance.checking.check_log, "SHARED_FROM", 300)
    with pytest.raises(PoolStarted):
        check_log([NIGHT], Settings(rulebook(), SCHEMA, workers=None))


@pytest.mark.usefixtures("pool")
def test_whoever_asks_for_workers_gets_them() -> None:
    with pytest.raises(PoolStarted):
        check_log([NIGHT], Settings(rulebook(), SCHEMA, workers=2))
