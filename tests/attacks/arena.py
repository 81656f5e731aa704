"""One attack at the command line: some files, a command, and what must come of it.

A case is one line of a table. Whatever the case, the command ends with the code that is agreed,
says the sentence that is expected, and never apologises for a mistake of its own.
"""

from __future__ import annotations

import json
import os
import resource
import shlex
import signal
from collections.abc import Callable, Iterable, Mapping
from contextlib import chdir
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import pytest

from compliance.cli import main

SECONDS = 60
LARGEST = 1_500_000
"""Kilobytes that no process may take."""
Content = str | bytes | Callable[[Path], object]
"""What lies in a file, or how the file is made."""

EVENT = {
    "id": "e1",
    "ts": "2024-03-09T20:00:00-05:00",
    "seq": 1,
    "casino": "C1",
    "table": "T1",
    "type": "card_dealt",
    "to": "player",
    "seat": 1,
    "card": "9S",
}
RULES = """\
rule burned-before-dealing
  "A card is burned before a card is dealt."
  cite N.J.A.C. 19:47-2.6(c)
  severity minor
  when card_dealt
  require card_burned earlier
  example complies
    20:00:00 card_burned
    20:00:09 card_dealt to=player
  example violates
    20:00:09 card_dealt to=player   <- here
"""
NIGHT = json.dumps(EVENT) + "\n"
FILES: Mapping[str, Content] = {"small.rules": RULES, "night.jsonl": NIGHT}
"""What lies there in every case, unless the case has another."""


class Attack(NamedTuple):
    """A case: what it is called, the command, what it must come to, and the files that it needs."""

    name: str
    words: str
    code: int
    says: str
    files: Mapping[str, Content] = {}


class TookTooLong(BaseException):
    """Not an `Exception`: no command may catch it."""


def cases(attacks: Iterable[Attack]) -> pytest.MarkDecorator:
    """A table as the cases of a test; no two may have one name."""
    table = list(attacks)
    names = [attack.name for attack in table]
    assert len(names) == len(set(names)), sorted(name for name in names if names.count(name) > 1)
    return pytest.mark.parametrize("attack", [pytest.param(a, id=a.name) for a in table])


def withstood(attack: Attack, folder: Path, capsys: pytest.CaptureFixture[str]) -> str:
    """Lay out the files, run the command there, and hold what it says to what is expected."""
    lay_out(folder, {**FILES, **attack.files})
    with chdir(folder):
        code = in_time(lambda: main(shlex.split(attack.words)))
    out, err = capsys.readouterr()
    said = out + err
    assert "Traceback" not in said
    assert "mistake in the program" not in said, err
    assert (code, attack.says in said) == (attack.code, True), f"{code}: {said[:2_000]}"
    # Those who watch compiled code (watched.py) take memory themselves.
    watched = "WATCHED_CODE" in os.environ
    assert watched or resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < LARGEST
    return said


def lay_out(folder: Path, files: Mapping[str, Content]) -> None:
    """Write files below a folder."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, str | bytes):
            path.write_bytes(content.encode() if isinstance(content, str) else content)
        else:
            content(path)


def in_time(work: Callable[[], Any], seconds: float = SECONDS) -> Any:
    """What some work gives, if it does not take too long."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise TookTooLong(f"more than {seconds} seconds")

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        return work()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def record(text: str | None = None, **changes: Any) -> str:
    """The good event with some fields changed, as a JSON line; VALUE stands for a text as it is."""
    line = json.dumps({**EVENT, **changes})
    return (line if text is None else line.replace('"VALUE"', text)) + "\n"


def linked(target: str) -> Callable[[Path], object]:
    """A link to another file, whether or not that is there."""
    return lambda path: os.symlink(target, path)
