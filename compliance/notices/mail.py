"""Sends a notice as a mail: plain text and a page, with the reports."""

from __future__ import annotations

import smtplib
from contextlib import suppress
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from pathlib import Path
from typing import Any

from compliance.api.secrets import Secrets
from compliance.notices.delivery import Delivered, Delivery, Undelivered
from compliance.notices.line import Line, NotSent, lost, trusted
from compliance.notices.notice import Notice
from compliance.notices.settings import Mail
from reports.hidden_characters import one_line


class _Connection(smtplib.SMTP):
    line: Line

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.line.all_out = True
        return super().data(msg)


class _SecureConnection(smtplib.SMTP_SSL):
    line: Line

    def data(self, msg: Any) -> tuple[int, bytes]:
        self.line.all_out = True
        return super().data(msg)


def send_mail(notice: Notice, mail: Mail, secrets: Secrets, line: Line) -> Delivery:
    """Hand the mail over to the server."""
    server = f"The mail server {mail.host}:{mail.at_port}"
    password = None if mail.password is None else secrets.of(mail.password)
    message = mail_of(notice, mail).as_bytes(policy=SMTP)
    try:
        connection = _connected(mail, line, secrets.folder)
        try:
            if mail.user is not None and password is not None:
                connection.login(mail.user, password)
            refused = connection.sendmail(mail.sender, mail.to, message)
        finally:
            # What was taken stays taken, however the farewell goes.
            with suppress(OSError, smtplib.SMTPException):
                if line.all_out and not line.given_up:
                    connection.quit()
            connection.close()
    except smtplib.SMTPException as problem:
        return _refused(server, problem, line)
    except OSError as problem:
        return lost(server, problem, all_out=line.all_out)
    return Delivered(tuple(f"{to}: {_said(*answer)}" for to, answer in refused.items()))


def mail_of(notice: Notice, mail: Mail) -> EmailMessage:
    """The mail as it goes out."""
    message = EmailMessage(policy=SMTP)
    message["From"] = mail.sender
    message["To"] = ", ".join(mail.to)
    message["Subject"] = notice.subject
    message["Date"] = datetime.now(UTC)
    message["Message-ID"] = f"<night.{notice.number}@{mail.sender.partition('@')[2]}>"
    # Nobody's answering machine answers.
    message["Auto-Submitted"] = "auto-generated"
    message.set_content(notice.text)
    message.add_alternative(notice.html, subtype="html")
    for item in notice.attachments:
        main, _, kind = item.kind.partition("/")
        message.add_attachment(item.content, maintype=main, subtype=kind, filename=item.name)
    return message


def _connected(mail: Mail, line: Line, folder: Path) -> smtplib.SMTP:
    context = trusted(None if mail.authorities is None else folder / mail.authorities)
    name = mail.sender.partition("@")[2]
    connection: _Connection | _SecureConnection
    if mail.security == "tls":
        connection = _SecureConnection(local_hostname=name, timeout=line.seconds, context=context)
    else:
        connection = _Connection(local_hostname=name, timeout=line.seconds)
    connection.line = line
    # Otherwise its certificate would be compared with nothing.
    connection._host = mail.host  # type: ignore[union-attr]
    code, said = connection.connect(mail.host, mail.at_port)
    line.socket = connection.sock
    if code != 220:
        raise smtplib.SMTPConnectError(code, said)
    if mail.security == "starttls":
        connection.ehlo()
        connection.starttls(context=context)
        line.socket = connection.sock
    if line.given_up:
        raise NotSent(Undelivered("It took too long.", worth_retrying=True))
    return connection


def _refused(server: str, problem: smtplib.SMTPException, line: Line) -> Undelivered:
    if isinstance(problem, smtplib.SMTPRecipientsRefused):
        answers = [f"{to}: {_said(*answer)}" for to, answer in problem.recipients.items()]
        passing = any(_passes(code) for code, _ in problem.recipients.values())
        return Undelivered(f"{server} refused {'; '.join(answers)}", passing)
    if isinstance(problem, smtplib.SMTPResponseException):
        code, said = problem.smtp_code, problem.smtp_error
        text = said if isinstance(said, bytes) else str(said).encode()
        what = "refused user or password" if code == 535 else "refused the message"
        return Undelivered(f"{server} {what}: {_said(code, text)}", _passes(code))
    if isinstance(problem, smtplib.SMTPServerDisconnected):
        return Undelivered(f"{server} hung up.", True, line.all_out)
    # What it does not offer today it will not offer in an hour.
    said_of_it = one_line(str(problem)).rstrip(".")
    return Undelivered(f"{server} cannot be used: {said_of_it}.", worth_retrying=False)


def _passes(code: int) -> bool:
    """Whether the server itself says that it may be otherwise later."""
    return 400 <= code < 500 or code <= 0


def _said(code: int, text: bytes) -> str:
    words = one_line(" ".join(text.decode("utf-8", "replace").split()))
    return f"{code} {words[:300]}".strip().rstrip(".") + "."
