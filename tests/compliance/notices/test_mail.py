"""Mails are sent to real servers of this machine: kind ones, rude ones, and those that hang."""

from __future__ import annotations

import email
import email.policy
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import AuthResult, LoginPassword

from compliance.notices import (
    Delivered,
    Delivery,
    NightSummary,
    NoticeSettings,
    Secrets,
    Undelivered,
    build_notice,
    deliver,
)
from tests.compliance.certificates import authority, holder
from tests.compliance.notices.nights import by_mail, night

PASSWORD = "correct horse"  # noqa: S105 - of nobody


@dataclass
class Receiver:
    """Takes mails, or answers as it is told."""

    answers: list[str] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    mails: list[EmailMessage] = field(default_factory=list)

    async def handle_RCPT(
        self, server: Any, session: Any, envelope: Any, address: str, options: Any
    ) -> str:
        if address in self.refused:
            return self.refused[address]
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:
        if self.answers:
            return self.answers.pop(0)
        mail = email.message_from_bytes(envelope.content, policy=email.policy.default)
        self.mails.append(mail)
        return "250 OK"


@contextmanager
def mail_server(receiver: Receiver, **words: Any) -> Iterator[int]:
    """A mail server, and its port."""
    controller = Controller(receiver, hostname="127.0.0.1", port=_free_port(), **words)
    controller.start()
    try:
        yield controller.port
    finally:
        controller.stop()


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def talking(talk: Callable[[socket.socket], None]) -> Iterator[int]:
    """A server that says what it likes."""
    with closing(socket.create_server(("127.0.0.1", 0))) as server:

        def serve() -> None:
            try:
                while True:
                    connection, _ = server.accept()
                    with connection:
                        talk(connection)
            except OSError:
                return

        threading.Thread(target=serve, daemon=True).start()
        yield server.getsockname()[1]


def send(
    channel: NoticeSettings, told: NightSummary | None = None, secrets: Secrets | None = None
) -> Delivery:
    """Tell a night by a channel."""
    notice = build_notice(told or night(), channel)
    assert notice is not None
    return deliver(notice, channel, secrets or Secrets(environment={"P": PASSWORD}))


def _undelivered(delivery: Delivery) -> Undelivered:
    assert isinstance(delivery, Undelivered)
    return delivery


def test_a_mail_arrives_with_text_page_and_report(tmp_path: Path) -> None:
    report = tmp_path / "report.html"
    report.write_text("<p>the report</p>")
    receiver = Receiver()
    with mail_server(receiver) as port:
        channel = by_mail(port, to=["duty@casino.example", "board@casino.example"])
        assert send(channel, night(reports=(report,))) == Delivered()
        assert send(channel, night(sentence="Corrected.")) == Delivered()
    mail, again = receiver.mails
    assert mail["Subject"] == "Boardwalk, night of 6 March 2010: 2 violations, 1 new"
    assert mail["To"] == "duty@casino.example, board@casino.example"
    kinds = [part.get_content_type() for part in mail.walk() if not part.is_multipart()]
    assert kinds == ["text/plain", "text/html", "text/html"]
    [attached] = mail.iter_attachments()
    assert attached.get_filename() == "report.html"
    assert attached.get_payload(decode=True) == b"<p>the report</p>"
    # Receivers tell a repeat by it.
    assert mail["Message-ID"] == again["Message-ID"]
    assert mail["Message-ID"].endswith("@casino.example>")


def test_a_server_that_refuses_the_connection_is_worth_another_try() -> None:
    found = _undelivered(send(by_mail(_free_port())))
    assert "cannot be reached: Connection refused" in found.reason
    assert found.worth_retrying
    assert not found.perhaps_sent


def test_a_passing_failure_is_told_and_the_next_try_succeeds() -> None:
    receiver = Receiver(answers=["451 Try again later"])
    with mail_server(receiver) as port:
        found = _undelivered(send(by_mail(port)))
        assert found.worth_retrying
        assert not found.perhaps_sent
        assert "451 Try again later" in found.reason
        assert send(by_mail(port)) == Delivered()
    assert len(receiver.mails) == 1


def test_a_final_refusal_is_not_tried_again() -> None:
    with mail_server(Receiver(answers=["554 No such thing"])) as port:
        found = _undelivered(send(by_mail(port)))
    assert not found.worth_retrying
    assert "554 No such thing" in found.reason


def test_one_refused_address_does_not_keep_it_from_the_others() -> None:
    receiver = Receiver(refused={"old@casino.example": "550 Nobody here"})
    with mail_server(receiver) as port:
        both = send(by_mail(port, to=["old@casino.example", "duty@casino.example"]))
        none = send(by_mail(port, to=["old@casino.example"]))
    assert both == Delivered(("old@casino.example: 550 Nobody here.",))
    assert not _undelivered(none).worth_retrying
    assert len(receiver.mails) == 1


def _say_nothing(connection: socket.socket) -> None:
    connection.recv(1)


def _drip(connection: socket.socket) -> None:
    for letter in b"220-" + b"x" * 10_000:
        connection.sendall(bytes([letter]))
        time.sleep(0.05)


def _hang_at_the_end(connection: socket.socket) -> None:
    connection.sendall(b"220 here\r\n")
    with connection.makefile("rb") as lines:
        for line in lines:
            if line == b".\r\n":
                # All was taken, and nothing is said of it.
                lines.readline()
                return
            if line.lower() == b"data\r\n":
                connection.sendall(b"354 go on\r\n")
            elif line.lower().startswith((b"ehlo", b"mail", b"rcpt")):
                connection.sendall(b"250 OK\r\n")


@pytest.mark.parametrize(
    ("talk", "perhaps"), [(_say_nothing, False), (_drip, False), (_hang_at_the_end, True)]
)
def test_a_server_that_hangs_is_left_after_the_time_limit(
    talk: Callable[[socket.socket], None], perhaps: bool
) -> None:
    with talking(talk) as port:
        begun = time.monotonic()
        found = _undelivered(send(by_mail(port, policy={"seconds": 0.7})))
        assert time.monotonic() - begun < 3
    assert found.worth_retrying
    assert found.perhaps_sent is perhaps


def _hang_up(connection: socket.socket) -> None:
    connection.sendall(b"220 here\r\n")


def test_a_server_that_hangs_up_is_worth_another_try() -> None:
    with talking(_hang_up) as port:
        found = _undelivered(send(by_mail(port)))
    assert found.worth_retrying


def _not_now(connection: socket.socket) -> None:
    connection.sendall(b"421 too busy\r\n")


def test_a_server_that_is_too_busy_is_worth_another_try() -> None:
    with talking(_not_now) as port:
        found = _undelivered(send(by_mail(port)))
    assert found.worth_retrying
    assert "421 too busy" in found.reason


# ---- encrypted ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def certificates(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("certificates")
    authority().write_certificate(folder / "authority.pem")
    server = holder("mail server", host=True)
    server.write_certificate(folder / "server.pem")
    server.write_key(folder / "server.key")
    return folder


def _context(folder: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(folder / "server.pem", folder / "server.key")
    return context


def _authenticated(server: Any, session: Any, envelope: Any, way: str, data: Any) -> AuthResult:
    assert isinstance(data, LoginPassword)
    known = (data.login, data.password) == (b"night", PASSWORD.encode())
    return AuthResult(success=known, handled=False)


def test_a_password_goes_over_starttls_and_a_wrong_one_is_not_tried_again(
    certificates: Path,
) -> None:
    receiver = Receiver()
    words = {"tls_context": _context(certificates), "require_starttls": True}
    with mail_server(receiver, authenticator=_authenticated, auth_required=True, **words) as port:
        channel = by_mail(
            port,
            security="starttls",
            user="night",
            password={"env": "P"},
            authorities=certificates / "authority.pem",
        )
        assert send(channel) == Delivered()
        wrong = _undelivered(send(channel, secrets=Secrets(environment={"P": "wrong"})))
        none = _undelivered(send(channel, secrets=Secrets(environment={})))
    assert len(receiver.mails) == 1
    assert "refused user or password" in wrong.reason
    assert not wrong.worth_retrying
    assert none.reason == "The environment has no P, or it is empty."


def test_a_mail_goes_over_tls_from_the_start(certificates: Path) -> None:
    receiver = Receiver()
    context = _context(certificates)
    with mail_server(receiver, ssl_context=context, server_hostname="localhost") as port:
        plain = by_mail(port, policy={"seconds": 1})
        assert isinstance(send(plain), Undelivered)
        channel = by_mail(port, security="tls", authorities=certificates / "authority.pem")
        assert send(channel) == Delivered()
    assert len(receiver.mails) == 1


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_a_server_for_which_nobody_vouches_gets_nothing(certificates: Path, security: str) -> None:
    receiver = Receiver()
    context = _context(certificates)
    words = {"ssl_context": context} if security == "tls" else {"tls_context": context}
    with mail_server(receiver, **words) as port:
        found = _undelivered(send(by_mail(port, security=security)))
    assert "is not trusted" in found.reason
    assert not found.worth_retrying
    assert not receiver.mails


def test_a_server_without_starttls_gets_nothing() -> None:
    receiver = Receiver()
    with mail_server(receiver) as port:
        found = _undelivered(send(by_mail(port, security="starttls")))
    assert "STARTTLS" in found.reason
    assert not found.worth_retrying
    assert not receiver.mails
