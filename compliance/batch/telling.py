"""What a batch says while it works: to a person, or as lines of JSON to a machine."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime
from typing import TextIO

from compliance.checking.check_tables import UNSEEN, CheckProgress


class BatchTold:
    """Is told what a batch does; this one keeps it to itself."""

    @contextmanager
    def night(self, casino: str, day: date, cause: str) -> Iterator[CheckProgress]:
        """A night is being judged."""
        yield UNSEEN

    def say(self, level: str, event: str, sentence: str, **values: object) -> None:
        """Something that somebody may want to know."""


class JsonLines(BatchTold):
    """One object on each line, as collectors of logs read it."""

    def __init__(self, stream: TextIO | None = None) -> None:
        self._stream = stream

    @contextmanager
    def night(self, casino: str, day: date, cause: str) -> Iterator[CheckProgress]:
        """The beginning alone: the end is told with what came of it."""
        self.say(
            "info", "night_begun", f"{casino}, {day}: {cause}", casino=casino, day=day, cause=cause
        )
        yield UNSEEN

    def say(self, level: str, event: str, sentence: str, **values: object) -> None:
        """One line."""
        at = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {"at": at, "level": level, "event": event, "message": sentence, **values}
        stream = self._stream or sys.stderr
        stream.write(json.dumps(told, ensure_ascii=True, default=str) + "\n")
        stream.flush()
