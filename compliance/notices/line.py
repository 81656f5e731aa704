"""The connection over which a message goes: what is known of it when time runs out."""

from __future__ import annotations

import socket
import ssl
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from compliance.notices.delivery import Undelivered


@dataclass
class Line:
    """One attempt to send."""

    seconds: float
    socket: socket.socket | None = None
    all_out: bool = False
    """Whether the whole message is on its way, so that it may arrive whatever happens now."""
    given_up: bool = False

    def cut(self) -> None:
        """Nobody waits any more."""
        self.given_up = True
        if self.socket is not None:
            with suppress(OSError):
                self.socket.shutdown(socket.SHUT_RDWR)


class NotSent(Exception):
    """Ends an attempt; the delivery says why."""

    def __init__(self, delivery: Undelivered) -> None:
        super().__init__(delivery.reason)
        self.delivery = delivery


def trusted(authorities: Path | None) -> ssl.SSLContext:
    """Whom a server must be vouched for by."""
    context = ssl.create_default_context()
    if authorities is not None:
        try:
            context.load_verify_locations(authorities)
        except (OSError, ssl.SSLError) as problem:
            said = f"{authorities} holds no certificates that can be read: {problem}."
            raise NotSent(Undelivered(said, worth_retrying=False)) from None
    return context


def lost(server: str, problem: OSError, *, all_out: bool) -> Undelivered:
    """What came of a connection that failed."""
    if isinstance(problem, ssl.SSLCertVerificationError):
        said = f"The certificate of {server} is not trusted: {problem.verify_message}."
        return Undelivered(said, worth_retrying=False)
    if isinstance(problem, ssl.SSLError) and not all_out:
        said = f"No secure connection with {server}: {problem.reason or problem}."
        return Undelivered(said, worth_retrying=False)
    if isinstance(problem, TimeoutError):
        return Undelivered(f"{server} did not answer in time.", True, all_out)
    said = problem.strerror or str(problem) or type(problem).__name__
    return Undelivered(f"{server} cannot be reached: {said}.", True, all_out)
