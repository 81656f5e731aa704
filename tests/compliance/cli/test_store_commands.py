"""The commands that look into the store: what they say, in words and in documented keys."""

from __future__ import annotations

import shutil
import sqlite3
from datetime import date
from pathlib import Path

import pytest

from compliance.store.people import Decision, Role, add_account, assign, comment, review
from compliance.store.tables import StoredFinding
from tests.compliance.batch.site import Site, simulated
from tests.compliance.cli.test_json_keys import documented, keys
from tests.compliance.small_rulebook import answer, json_answer

Capture = pytest.CaptureFixture[str]
NIGHTS = 3


@pytest.fixture(scope="module")
def judged(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A machine that has judged its nights."""
    site = Site(tmp_path_factory.mktemp("judged") / "site", "compliance.db", NIGHTS)
    site.logs(simulated(NIGHTS, 2, 12, 1))
    site.run()
    return site.folder


@pytest.fixture
def site(tmp_path: Path, judged: Path, monkeypatch: pytest.MonkeyPatch) -> Site:
    shutil.copytree(judged, tmp_path / "site")
    site = Site(tmp_path / "site", "compliance.db", NIGHTS)
    monkeypatch.chdir(site.folder)
    return site


def a_finding(site: Site) -> str:
    store = site.store
    with store.writing() as session:
        row = session.query(StoredFinding).order_by(StoredFinding.id).first()
        assert row is not None
        add_account(session, "ann", "Ann", Role.REVIEWER, "tests")
        review(session, row.id, "ann", Decision.DISPUTED, "The camera shows otherwise.")
        comment(session, row.id, "ann", "Asked the pit.")
        assign(session, row.id, "ann", "ann", date(2010, 4, 1))
        name = row.id
    store.engine.dispose()
    return name


@pytest.mark.parametrize(
    ("command", "several"),
    [
        ("findings list", [["--most", "1"], []]),
        ("findings show", [["FINDING"]]),
        ("findings runs", [[]]),
        ("findings diff", [["1", "2"], ["2", "1"], ["2010-03-06", "2010-03-07"]]),
        ("findings trend", [["--since", "2010-03-01", "--until", "2010-03-31"]]),
        ("waivers list", [["--all"]]),
        ("audit verify", [[], ["--head", "1:" + "0" * 64]]),
        ("audit head", [[]]),
    ],
)
def test_the_documented_keys_are_those_of_the_answers(
    command: str, several: list[list[str]], site: Site, capsys: Capture
) -> None:
    name = a_finding(site)
    words = ("waivers", "add", "--fingerprint", name, "--authority", "D", "--reason", "r")
    assert answer(capsys, *words, "--expires", "2010-12-31")[0] == 0
    found = {
        key if not key.startswith("finding.") else "finding"
        for more in several
        for key in keys(
            json_answer(capsys, *command.split(), *(name if w == "FINDING" else w for w in more))
        )
    }
    assert found - {"fault"} == documented(command)


def test_a_list_in_words_tells_where_it_goes_on(site: Site, capsys: Capture) -> None:
    code, said, _ = answer(capsys, "findings", "list", "--most", "1")
    assert code == 0
    first, more = said.splitlines()
    assert more == f"More: --after {first[:12]}"
    _, rest, _ = answer(capsys, "findings", "list", "--most", "99", "--after", first[:12])
    assert first not in rest.splitlines()
    assert len(rest.splitlines()) == len(site.findings()) - 1


def test_a_finding_in_words_has_its_history_and_what_was_said(site: Site, capsys: Capture) -> None:
    code, said, _ = answer(capsys, "findings", "show", a_finding(site)[:8])
    assert code == 0
    assert "(a new night): found" in said
    assert "ann: disputed, The camera shows otherwise." in said
    assert "seen to by ann until 2010-04-01" in said


def test_new_findings_of_a_run_are_told_by_the_exit_code(site: Site, capsys: Capture) -> None:
    runs = json_answer(capsys, "findings", "runs")["runs"]
    busy = next(run["run"] for run in runs if run["new"])
    assert answer(capsys, "findings", "diff", str(busy), str(busy))[0] == 0
    other = next(run["run"] for run in runs if run["run"] != busy)
    assert answer(capsys, "findings", "diff", str(other), str(busy))[0] == 1


def test_a_changed_entry_of_the_audit_trail_is_found(site: Site, capsys: Capture) -> None:
    code, head, _ = answer(capsys, "audit", "head")
    assert answer(capsys, "audit", "verify", "--head", head.strip())[0] == 0
    with sqlite3.connect(site.folder / "compliance.db") as connection:
        with pytest.raises(sqlite3.IntegrityError, match="only added to"):
            connection.execute("UPDATE audit SET actor = 'nobody' WHERE number = 2")
        connection.execute("DROP TRIGGER audit_no_update")
        connection.execute("UPDATE audit SET actor = 'nobody' WHERE number = 2")
    code, said, _ = answer(capsys, "audit", "verify")
    assert code == 1
    assert "Entry 2 is not what it was" in said


def test_entries_that_were_cut_off_are_missed_by_the_head_that_was_kept(
    site: Site, capsys: Capture
) -> None:
    assert answer(capsys, "audit", "head", "-o", "head")[0] == 0
    with sqlite3.connect(site.folder / "compliance.db") as connection:
        connection.execute("DROP TRIGGER audit_no_delete")
        connection.execute("DELETE FROM audit WHERE number > 2")
    assert answer(capsys, "audit", "verify")[0] == 0
    code, said, _ = answer(capsys, "audit", "verify", "--head", "head")
    assert code == 1
    assert "The trail ends with entry 2" in said


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("findings", "show", "abc"), "write at least its first 6 digits"),
        (("findings", "show", "ffffffff"), "No finding begins with ffffffff."),
        (("findings", "diff", "1", "2010-03-06"), "Compare two runs, two days"),
        (("findings", "diff", "1", "99"), "There is no run 99."),
        (("findings", "diff", "rules:1", "rules:2"), "There are no rules 2."),
        (("findings", "diff", "x", "y"), "x is no run, day or version of the rules"),
        (("findings", "list", "--since", "x"), "--since: x is no day"),
        (("findings", "list", "--store", "none.db"), "There is no store none.db."),
        (("findings", "list", "--store", "none.toml"), "There is no none.toml here."),
        (("findings", "list", "--store", "mysql://x/y"), "mysql is no kind of store."),
        (("findings", "list", "--store", "postgresql://u:secret@h/d"), "holds a password"),
        (("findings", "list", "--store", "house.rules"), "is damaged, or is no store"),
        (("waivers", "withdraw", "7", "--reason", "x"), "There is no waiver 7."),
        (("audit", "verify", "--head", "x"), "a head is written as `compliance audit head` does"),
    ],
)
def test_what_cannot_be_asked_is_told(
    site: Site, capsys: Capture, words: tuple[str, ...], sentence: str
) -> None:
    code, said, errors = answer(capsys, *words)
    assert (code, said) == (2, "")
    assert sentence in errors


def test_no_password_is_repeated(site: Site, capsys: Capture) -> None:
    _, _, errors = answer(capsys, "findings", "list", "--store", "postgresql://u:hush@h/d")
    assert "hush" not in errors
