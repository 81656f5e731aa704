"""Messages are posted to real web servers of this machine."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from compliance.notices import Delivered, Secrets, Undelivered
from tests.compliance.notices.nights import by_web, night
from tests.compliance.notices.test_mail import _free_port, send


@dataclass
class Posts:
    """What was posted, and what is answered."""

    codes: list[int] = field(default_factory=list)
    waits: float = 0
    taken: list[tuple[dict[str, str], dict[str, Any]]] = field(default_factory=list)


@contextmanager
def web_server(posts: Posts) -> Iterator[int]:
    """A web server, and its port."""

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            posts.taken.append((dict(self.headers), json.loads(body)))
            time.sleep(posts.waits)
            code = posts.codes.pop(0) if posts.codes else 200
            self.send_response(code)
            if code == 302:
                self.send_header("Location", "/elsewhere")
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nobody reads it."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taker)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()


def test_a_message_is_posted_with_its_number_and_token() -> None:
    posts = Posts()
    with web_server(posts) as port:
        channel = by_web(port, token={"env": "P"})
        assert send(channel, secrets=Secrets(environment={"P": "t0ken"})) == Delivered()
        assert send(channel, secrets=Secrets(environment={"P": "t0ken"})) == Delivered()
    (head, body), (head_again, _) = posts.taken
    assert head["Authorization"] == "Bearer t0ken"
    assert body["violations"] == {"critical": 1, "minor": 1}
    assert body["day"] == "2010-03-06"
    assert head["Idempotency-Key"] == head_again["Idempotency-Key"] == body["number"]


@pytest.mark.parametrize(("form", "key"), [("slack", "text"), ("teams", "attachments")])
def test_chat_services_get_what_they_understand(form: str, key: str) -> None:
    posts = Posts()
    with web_server(posts) as port:
        told = night(casino="<!channel> Boardwalk")
        assert send(by_web(port, format=form), told) == Delivered()
    [(_, body)] = posts.taken
    assert key in body
    assert "2 violations of the law were found." in json.dumps(body)
    if form == "slack":
        # Otherwise a name would call everybody.
        assert "<!channel>" not in body["text"]


@pytest.mark.parametrize(
    ("code", "again"), [(500, True), (503, True), (429, True), (400, False), (404, False)]
)
def test_what_the_server_answers_tells_whether_it_is_worth_another_try(
    code: int, again: bool
) -> None:
    with web_server(Posts(codes=[code])) as port:
        found = send(by_web(port))
        assert isinstance(found, Undelivered)
        assert f"did not take the message: {code}" in found.reason
        assert found.worth_retrying is again
        assert send(by_web(port)) == Delivered()


def test_a_message_is_not_carried_to_another_place() -> None:
    posts = Posts(codes=[302])
    with web_server(posts) as port:
        found = send(by_web(port))
    assert isinstance(found, Undelivered)
    assert not found.worth_retrying
    assert len(posts.taken) == 1


def test_a_web_server_that_hangs_is_left_after_the_time_limit() -> None:
    with web_server(Posts(waits=5)) as port:
        begun = time.monotonic()
        found = send(by_web(port, policy={"seconds": 0.5}))
        assert time.monotonic() - begun < 3
    assert isinstance(found, Undelivered)
    assert found.worth_retrying
    assert found.perhaps_sent


def test_a_web_server_that_is_not_there_got_nothing() -> None:
    found = send(by_web(_free_port()))
    assert isinstance(found, Undelivered)
    assert found.worth_retrying
    assert not found.perhaps_sent


def test_a_secret_address_is_not_told_when_it_fails() -> None:
    address = f"http://127.0.0.1:{_free_port()}/services/hunter2"
    found = send(by_web(1, url={"env": "U"}), secrets=Secrets(environment={"U": address}))
    assert isinstance(found, Undelivered)
    assert "hunter2" not in found.reason
