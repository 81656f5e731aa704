"""What is told to whom, and when: the tables `[[notify]]` of a batch's settings."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    model_validator,
)

from compliance.api.secrets import Secret
from compliance.notices.summary import NightSummary
from reports.verdicts import Severity

_ADDRESS: Final = re.compile(r"[^\s@<>,;\"]+@[^\s@<>,;\"]+")
_TELLING: Final = re.compile(
    r"(^|\.)(hooks\.slack\.com|webhook\.office\.com|logic\.azure\.com|powerplatform\.com|"
    r"discord\.com|discordapp\.com|chat\.googleapis\.com)$"
)
"""Services whose addresses are themselves the key."""


def _address(text: str) -> str:
    if not _ADDRESS.fullmatch(text) or not text.isascii() or not text.isprintable():
        raise ValueError("write a plain mail address, as night@casino.example")
    return text


def _place(value: Any) -> Any:
    """An address of the web that is no secret; one that is stands elsewhere."""
    if not isinstance(value, str):
        return value
    try:
        parts = urlsplit(value)
        parts.port  # noqa: B018 - says whether it is a number
    except ValueError:
        raise ValueError("this is no address of the web") from None
    if _TELLING.search(parts.hostname or "") or parts.username or parts.query:
        raise ValueError(
            'whoever has this address can use it; write url = { env = "NAME" } '
            'or { file = "PATH" } instead'
        )
    return checked_address(value)


def checked_address(text: str) -> str:
    """An address that what is sent to cannot be read on its way."""
    parts = urlsplit(text)
    if parts.scheme not in ("https", "http") or not parts.hostname or not text.isprintable():
        raise ValueError("write an address that begins with https://")
    if parts.scheme == "http" and not is_this_machine(parts.hostname):
        raise ValueError("what is sent to http:// can be read on its way; write https://")
    return text


def is_this_machine(host: str) -> bool:
    """Whether a name stands for the machine itself."""
    return host == "localhost" or host.startswith("127.") or host == "::1"


Text = Annotated[str, Field(min_length=1)]
Address = Annotated[str, AfterValidator(_address)]
Seconds = Annotated[float, Field(gt=0, le=600)]


class _Words(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)


class Mail(_Words):
    """A mail server, and to whom it sends."""

    host: Text
    port: Annotated[int, Field(ge=1, le=65535)] | None = None
    """587 with STARTTLS, 465 with TLS, 25 with neither, if it is not said."""
    security: Literal["starttls", "tls", "none"] = "starttls"
    user: Text | None = None
    password: Secret | None = None
    sender: Address
    to: Annotated[tuple[Address, ...], Field(min_length=1)]
    authorities: Path | None = None
    """Certificates of authorities that vouch for the server, besides those of the machine."""

    @property
    def at_port(self) -> int:
        """The port that is meant."""
        return self.port or {"starttls": 587, "tls": 465, "none": 25}[self.security]

    @model_validator(mode="after")
    def _whole(self) -> Mail:
        if (self.user is None) != (self.password is None):
            raise ValueError("user and password go together")
        if self.password is not None and self.security == "none":
            raise ValueError('a password is not sent unencrypted; write security = "starttls"')
        return self


class Webhook(_Words):
    """An address of the web that takes messages."""

    url: Annotated[str | Secret, BeforeValidator(_place)]
    format: Literal["json", "slack", "teams"] = "json"
    token: Secret | None = None
    """Sent along as `Authorization: Bearer`."""
    authorities: Path | None = None


class NoticeSettings(_Words):
    """One channel: what it is told, and by which way."""

    name: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]{1,60}$")]
    mail: Mail | None = None
    webhook: Webhook | None = None
    severity: Severity = Severity.MINOR
    """Breaches less grave than this one are no reason for a message."""
    only_new: bool = False
    """Whether breaches that were there the night before are no reason, either."""
    defects: bool = True
    """Whether damaged evidence is a reason."""
    clean_nights: bool = False
    """Whether a message comes also where there is no reason: silence could be a broken mail
    server."""
    attach: bool = True
    """Whether the reports go with a mail."""
    attach_at_most: Annotated[int, Field(ge=0)] = 10_000_000
    """Bytes of all attachments together; a report that is larger is named only."""
    seconds: Seconds = 60
    """How long a message may take altogether."""

    @model_validator(mode="after")
    def _one_way(self) -> NoticeSettings:
        if (self.mail is None) == (self.webhook is None):
            raise ValueError("a channel has one way: either [notify.mail] or [notify.webhook]")
        return self

    def wants(self, night: NightSummary) -> bool:
        """Whether this channel is to be told of a night. A night without verdict always is."""
        if self.clean_nights or night.verdict == "failed":
            return True
        counted = night.new if self.only_new else night.violations
        gravity = list(Severity)
        grave = gravity[: gravity.index(self.severity) + 1]
        return any(counted.get(item, 0) for item in grave) or (self.defects and night.in_doubt)


def _names_apart(channels: tuple[NoticeSettings, ...]) -> tuple[NoticeSettings, ...]:
    names = [channel.name for channel in channels]
    for name in names:
        if names.count(name) > 1:
            # By its name it is known what a channel was told already.
            raise ValueError(f"two channels are called {name}; their names must differ")
    return channels


Channels = Annotated[tuple[NoticeSettings, ...], AfterValidator(_names_apart)]
"""All tables `[[notify]]` of a file."""
