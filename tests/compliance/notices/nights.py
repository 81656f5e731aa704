"""Nights to be told of, and channels to tell them by."""

from __future__ import annotations

from datetime import date
from typing import Any

from compliance.notices import NightSummary, NoticeSettings
from reports.verdicts import Severity


def night(**changed: Any) -> NightSummary:
    """A night with two breaches, one of them new."""
    facts: dict[str, Any] = {
        "casino": "Boardwalk",
        "day": date(2010, 3, 6),
        "verdict": "violations",
        "sentence": "2 violations of the law were found.",
        "violations": {Severity.CRITICAL: 1, Severity.MINOR: 1},
        "new": {Severity.MINOR: 1},
        "recurring": 1,
        "events": 12_345,
        "tables": 4,
        "command": "compliance findings list --casino Boardwalk --date 2010-03-06",
    }
    return NightSummary(**(facts | changed))


def clean_night(**changed: Any) -> NightSummary:
    """A night without a finding."""
    facts: dict[str, Any] = {
        "verdict": "clean",
        "sentence": "Clean.",
        "violations": {},
        "new": {},
        "recurring": 0,
    }
    return night(**(facts | changed))


def by_mail(port: int, *, policy: dict[str, Any] | None = None, **mail: Any) -> NoticeSettings:
    """A channel to a mail server of this machine."""
    words = {
        "host": "127.0.0.1",
        "port": port,
        "security": "none",
        "sender": "night@casino.example",
        "to": ["duty@casino.example"],
        **mail,
    }
    return NoticeSettings.model_validate(
        {"name": "mail", "seconds": 10, "mail": words} | (policy or {})
    )


def by_web(port: int, *, policy: dict[str, Any] | None = None, **webhook: Any) -> NoticeSettings:
    """A channel to a web server of this machine."""
    words = {"url": f"http://127.0.0.1:{port}/night", **webhook}
    return NoticeSettings.model_validate(
        {"name": "web", "seconds": 10, "webhook": words} | (policy or {})
    )
