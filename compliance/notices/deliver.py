"""Brings a notice on its way, within a time: whatever a server does, the caller goes on."""

from __future__ import annotations

import queue
import threading
from typing import Final

from compliance.api.secrets import Secrets, SecretUnknown
from compliance.notices.delivery import Delivery, Undelivered
from compliance.notices.line import Line, NotSent
from compliance.notices.mail import send_mail
from compliance.notices.notice import Notice
from compliance.notices.settings import NoticeSettings
from compliance.notices.webhook import send_to_web

_LAST_WORD: Final = 0.5
"""Seconds for an answer that came as the time ran out."""


def deliver(notice: Notice, channel: NoticeSettings, secrets: Secrets) -> Delivery:
    """Send a message once. It returns after the channel's time limit at the latest."""
    line = Line(channel.seconds)
    answers: queue.SimpleQueue[Delivery | BaseException] = queue.SimpleQueue()

    def send() -> None:
        try:
            answers.put(_sent(notice, channel, secrets, line))
        except BaseException as problem:
            answers.put(problem)

    # A name that nobody resolves cannot be interrupted: whoever waits for it must be left behind.
    threading.Thread(target=send, name=f"notice-{channel.name}", daemon=True).start()
    try:
        found = answers.get(timeout=channel.seconds)
    except queue.Empty:
        line.cut()
        try:
            found = answers.get(timeout=_LAST_WORD)
        except queue.Empty:
            found = _too_long(channel, line)
        if isinstance(found, Undelivered):
            found = _too_long(channel, line)
    if isinstance(found, BaseException):
        raise found
    return found


def _sent(notice: Notice, channel: NoticeSettings, secrets: Secrets, line: Line) -> Delivery:
    try:
        if channel.mail is not None:
            return send_mail(notice, channel.mail, secrets, line)
        assert channel.webhook is not None
        return send_to_web(notice, channel.webhook, secrets, line)
    except SecretUnknown as problem:
        return Undelivered(str(problem), worth_retrying=False)
    except NotSent as problem:
        return problem.delivery


def _too_long(channel: NoticeSettings, line: Line) -> Undelivered:
    where = channel.mail.host if channel.mail is not None else "the server"
    said = f"{where} did not take the message within {channel.seconds:g} seconds."
    return Undelivered(said[:1].upper() + said[1:], True, line.all_out)
