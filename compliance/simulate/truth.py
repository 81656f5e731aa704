"""The truth about a simulated log: which breaches were put into it, and who must find them."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import msgspec


class Injected(msgspec.Struct, frozen=True):
    """One breach that was put into a log."""

    breach: str
    rule: str
    """The rule that must find it."""
    casino: str
    table: str
    event_id: str
    """The event at which the rule must find it."""


def write_truth(path: Path, breaches: Iterable[Injected]) -> None:
    """One JSON object a line, table by table."""
    encoder = msgspec.json.Encoder()
    path.write_bytes(b"".join(encoder.encode(breach) + b"\n" for breach in breaches))


def read_truth(path: Path) -> list[Injected]:
    """The breaches that a truth file names."""
    decoder = msgspec.json.Decoder(Injected)
    return [decoder.decode(line) for line in path.read_bytes().splitlines() if line.strip()]
