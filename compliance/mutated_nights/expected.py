"""The mutations that nobody finds and somebody has looked at, each with its reason.

They stand in `expected.toml`, beside this file, with the numbers of cells of the table in which all
mutations are found: these may only grow.
"""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from compliance.mutated_nights.outcomes import Subject


class Explained(msgspec.Struct, frozen=True):
    """A family of mutations that escape, and why; what is empty says nothing."""

    why: str
    is_: Literal["lawful", "hole"] = msgspec.field(name="is")
    """No breach at all, or a breach that the rules are known to miss."""
    kinds: tuple[str, ...] = ()
    events: tuple[str, ...] = ()
    fields: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()

    def speaks_of(self, subject: Subject) -> bool:
        """Whether a mutation belongs to this family."""
        field = subject.field.removesuffix(" more").removesuffix(" less")
        pairs = (
            (self.kinds, subject.kind),
            (self.events, subject.event),
            (self.fields, field),
            (self.rules, subject.rule),
        )
        return all(not listed or word in listed for listed, word in pairs)


class Expected(msgspec.Struct, frozen=True):
    """What mutated nights are known to give."""

    sample: dict[str, int]
    """By game: in how many cells of the table every breach is found, in the nights of the
    sample."""
    whole: dict[str, int]
    """The same in all nights."""
    escapes: tuple[Explained, ...] = ()

    def explanation(self, subject: Subject) -> Explained | None:
        """What is known of a mutation that escapes; the first that speaks of it counts."""
        return next((item for item in self.escapes if item.speaks_of(subject)), None)


@cache
def expected() -> Expected:
    """What is known of the bundled rulebook."""
    text = Path(__file__).with_name("expected.toml").read_text(encoding="utf-8")
    return msgspec.convert(tomllib.loads(text), Expected)
