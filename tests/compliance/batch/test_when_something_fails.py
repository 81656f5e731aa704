"""What goes wrong is said in a sentence with the right exit code, and the next batch recovers."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from compliance.api.refusal import Refused
from compliance.batch import night_judgement as judgement
from compliance.cli import main
from compliance.store.night_record import JudgedNight, NightChanges, record_night
from tests.compliance.batch.site import Site, simulated
from tests.compliance.postgres_server import PostgresServer
from tests.compliance.small_rulebook import answer

NIGHTS = 3


@pytest.fixture
def site(tmp_path: Path, store_place: str) -> Site:
    return made(tmp_path / "site", store_place)


def made(folder: Path, place: str) -> Site:
    site = Site(folder, place, NIGHTS)
    site.logs(simulated(NIGHTS, 2, 8, 3))
    return site


def as_undisturbed(site: Site) -> None:
    calm = made(site.folder.parent / "calm", str(site.folder.parent / "calm.db"))
    calm.run()
    assert site.end_state == calm.end_state


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one megabyte."""
    folder = tmp_path / "disk"
    folder.mkdir()
    command = ["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", str(folder)]
    if subprocess.run(command, check=False, capture_output=True).returncode:
        pytest.skip("this machine does not let us mount a disk")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def fill(path: Path) -> None:
    """Write until nothing goes onto the disk any more."""
    handle = os.open(path, os.O_WRONLY | os.O_CREAT)
    try:
        while True:
            os.write(handle, bytes(4096))
    except OSError:
        os.close(handle)


def test_a_full_disk_under_the_store(
    tmp_path: Path, small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = made(tmp_path / "site", str(small_disk / "compliance.db"))
    full = small_disk / "full"
    site.run(now=datetime(2010, 3, 7, 12, tzinfo=UTC))
    fill(full)
    code, _, errors = answer(capsys, "batch", site.settings(), "--format", "json")
    assert code == 2
    assert "The disk of the store" in errors
    full.unlink()
    site.run()
    as_undisturbed(site)


def test_a_full_disk_under_the_reports(
    tmp_path: Path, small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = made(tmp_path / "site", str(tmp_path / "compliance.db"))
    (site.folder / "results").symlink_to(small_disk)
    full = small_disk / "full"
    fill(full)
    code, _, errors = answer(capsys, "batch", site.settings(), "--format", "json")
    assert code == 2
    assert "No space left on device" in errors
    full.unlink()
    site.run()
    as_undisturbed(site)


def test_a_store_that_may_only_be_read(
    tmp_path: Path, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    place = postgres.new_database()
    site = made(tmp_path / "site", place)
    site.run(now=datetime(2010, 3, 7, 12, tzinfo=UTC))
    site.place = f"{place}&options=-c%20default_transaction_read_only=on"
    code, _, errors = answer(capsys, "batch", site.settings(), "--format", "json")
    assert code == 2
    assert "may be read, but not written" in errors
    site.place = place
    site.settings()
    site.run()
    as_undisturbed(site)


def test_a_disk_that_may_only_be_read(
    tmp_path: Path, small_disk: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = made(tmp_path / "site", str(small_disk / "compliance.db"))
    site.run(now=datetime(2010, 3, 7, 12, tzinfo=UTC))
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    code, _, errors = answer(capsys, "batch", site.settings(), "--format", "json")
    assert code == 2
    assert "compliance.db cannot be written: Read-only file system." in errors
    subprocess.run(["mount", "-o", "remount,rw", str(small_disk)], check=True)
    site.run()
    as_undisturbed(site)


def test_a_server_that_stops_in_the_middle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    server = PostgresServer()
    try:
        site = made(tmp_path / "site", server.new_database())
        stops = iter([False, True])

        def stopping(session: object, judged: JudgedNight) -> NightChanges:
            if next(stops):
                server.stop()
            return record_night(session, judged)  # type: ignore[arg-type]

        monkeypatch.setattr(judgement, "record_night", stopping)
        code, _, errors = answer(capsys, "batch", site.settings(), "--format", "json")
        assert code == 2
        assert "does not answer" in errors
        code, _, errors = answer(capsys, "batch", site.settings(), "--format", "json")
        assert code == 2
        assert "does not answer" in errors
        server.start()
        monkeypatch.undo()
        site.run()
        as_undisturbed(site)
    finally:
        server.remove()


def test_a_clock_that_was_set_back(site: Site) -> None:
    site.run()
    with pytest.raises(Refused, match="it was set back") as refusal:
        site.run(now=datetime.now(UTC) - timedelta(days=2), clock_is_right=False)
    assert refusal.value.code == 2
    site.run(now=datetime.now(UTC) - timedelta(days=2), clock_is_right=True)
    site.run(clock_is_right=False)
    as_undisturbed(site)


def test_two_batches_at_once_do_not_collide(site: Site) -> None:
    site.run(now=datetime(2010, 3, 7, 12, tzinfo=UTC))
    store = site.store
    with store.alone(), pytest.raises(Refused, match="Another batch is at work"):
        site.run()
    store.engine.dispose()
    site.run()
    as_undisturbed(site)


class KilledHere(BaseException):
    """Stands for a kill at one known moment."""


@pytest.mark.parametrize("place", [0, 1, 2])
def test_killed_while_the_reports_are_put_into_their_place(
    site: Site, monkeypatch: pytest.MonkeyPatch, place: int
) -> None:
    replace, moved = os.replace, iter(range(100))

    def killed(source: Path, target: Path) -> None:
        if ".unfinished" in str(source) and ".unfinished" not in str(target):
            number = next(moved)
            if number == place:
                raise KilledHere
        replace(source, target)

    monkeypatch.setattr(os, "replace", killed)
    with pytest.raises(KilledHere):
        site.run()
    monkeypatch.undo()
    assert site.run().published == 1
    as_undisturbed(site)


def test_reports_that_were_lost_are_made_again(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(*_: object) -> None:
        raise KilledHere

    monkeypatch.setattr(judgement, "publish", killed)
    with pytest.raises(KilledHere):
        site.run()
    monkeypatch.undo()
    for path in (site.folder / "results" / ".unfinished").rglob("run.json"):
        path.unlink()
    site.run()
    calm = made(site.folder.parent / "calm", str(site.folder.parent / "calm.db"))
    calm.run()
    assert site.reports() == calm.reports()
    assert site.findings().keys() == calm.findings().keys()


def test_settings_with_mistakes_do_nothing(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = made(tmp_path / "site", "compliance.db")
    code, _, errors = answer(capsys, "batch", site.settings(more="night = 1\n"))
    assert code == 2
    assert '"night" is not known in casino[1]' in errors
    assert not (site.folder / "compliance.db").exists()


def test_rules_with_mistakes_are_told_as_such(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    site = made(tmp_path / "site", "compliance.db")
    site.rules("rule of thumb")
    assert main(["batch", str(site.settings())]) == 3
    assert "The rules have mistakes" in capsys.readouterr().err
