"""Each night is told once on each channel; what could not be sent is tried again, never twice."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from datetime import date
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from compliance.batch import messages
from compliance.notices import deliver
from compliance.store.tables import Delivery
from tests.compliance.batch.site import Site, simulated

NIGHTS = 3


class Duty:
    """Somebody who is told by a webhook; who may be away."""

    def __init__(self) -> None:
        duty = self
        self.heard: list[str] = []
        self.answers = 200

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if duty.answers == 200:
                    duty.heard.append(json.loads(body)["subject"])
                self.send_response(duty.answers)
                self.end_headers()

            def log_message(self, format: str, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def settings(self) -> str:
        port = self.server.server_address[1]
        return (
            '[[notify]]\nname = "duty"\nclean_nights = true\n'
            f'[notify.webhook]\nurl = "http://127.0.0.1:{port}/night"\n'
        )


@pytest.fixture
def duty() -> Iterator[Duty]:
    duty = Duty()
    yield duty
    duty.server.shutdown()


@pytest.fixture
def site(tmp_path: Path, duty: Duty, monkeypatch: pytest.MonkeyPatch) -> Site:
    monkeypatch.setattr(time, "sleep", lambda seconds: None)
    site = Site(tmp_path / "site", "compliance.db", NIGHTS)
    site.logs(simulated(NIGHTS, 2, 8, 3))
    site.settings(more=duty.settings)
    return site


def states(site: Site) -> list[tuple[date, str, str, int]]:
    store = site.store
    with store.reading() as session:
        rows = session.query(Delivery).order_by(Delivery.day, Delivery.about).all()
        found = [(row.day, row.about, row.state, row.attempts) for row in rows]
    store.engine.dispose()
    return found


def test_every_night_is_told_once(site: Site, duty: Duty) -> None:
    site.run()
    site.run()
    assert len(duty.heard) == NIGHTS
    assert {state[1:] for state in states(site)} == {("night", "sent", 1)}


def test_who_is_away_is_told_the_next_time(site: Site, duty: Duty) -> None:
    duty.answers = 503
    assert site.run().exit_code == 2
    assert site.heard.of("message_failed")
    assert {state[1:] for state in states(site)} == {("night", "intended", 3)}
    duty.answers = 200
    site.run()
    site.run()
    assert len(duty.heard) == NIGHTS


def test_what_may_have_arrived_is_not_sent_again(
    site: Site, duty: Duty, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        pass

    def sent_and_killed(*words: object) -> None:
        deliver(*words)  # type: ignore[arg-type]
        raise Killed

    with monkeypatch.context() as patch:
        patch.setattr(messages, "deliver", sent_and_killed)
        with pytest.raises(Killed):
            site.run()
    site.run()
    assert len(duty.heard) == len(set(duty.heard)) == NIGHTS
    assert [state[2] for state in states(site)] == ["failed", "sent", "sent"]
    assert "may not have been told" in site.heard.of("message_in_doubt")[0]


def test_a_night_without_verdict_is_told_and_told_again_when_it_has_one(
    site: Site, duty: Duty
) -> None:
    for path in (site.folder / "logs" / "2010-03-07").iterdir():
        path.unlink()
    site.run()
    site.run()
    assert [state[1] for state in states(site)] == ["night", "failure", "night"]
    site.log(1, simulated(NIGHTS, 2, 8, 3)[1])
    site.run()
    told = [state for state in states(site) if state[0] == date(2010, 3, 7)]
    assert [state[1:] for state in told] == [("failure", "sent", 1), ("night", "sent", 1)]


def test_a_correction_that_brings_nothing_new_is_not_told(site: Site, duty: Duty) -> None:
    site.run()
    night = dict(simulated(NIGHTS, 2, 8, 3)[0])
    name = sorted(night)[0]
    site.log(0, {name: "".join(night[name].splitlines(keepends=True)[:30])})
    site.run()
    before = len(duty.heard)
    site.log(0, night)
    outcome = site.run()
    assert outcome.nights
    back = [night for night in outcome.nights if night.changes and night.changes.reopened]
    # What is there again is news; what was there all the time is none.
    assert len(duty.heard) == before + len(back)


def test_the_archive_holds_every_night_that_was_judged(site: Site) -> None:
    site.settings(more='[archive]\nfolder = "archive"\n')
    site.run()
    kept = sorted(path.name for path in (site.folder / "archive").rglob("nights/*.json"))
    assert kept == ["2010-03-06.json", "2010-03-07.json", "2010-03-08.json"]
