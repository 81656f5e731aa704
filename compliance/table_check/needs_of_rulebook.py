"""What all rules of a rulebook need, and which options they ask for: worked out once and kept.

To walk through every rule takes longer than to judge a small log. What was found is kept beside
the rulebook in its cache, and is known again by the rules, the readings that were chosen and the
code that worked it out.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from functools import cache as once
from pathlib import Path
from typing import Final

import msgspec

import compliance.table_check.needs
from compliance.judgement.circumstances import Circumstances
from compliance.table_check.needs import Needs
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.cache import RulebookCache
from rules_dsl.garbage import no_collection
from rules_dsl.rulebook import Loaded

_WORKED_OUT_BY: Final = ("rule_walk", "essential_needs", "needs", "needs_of_rulebook")
"""The modules of this package that say what a rule needs."""


class RulebookNeeds(msgspec.Struct, frozen=True, array_like=True):
    """What the rules of a rulebook need under some readings."""

    options: frozenset[str]
    """What the licensee may have chosen, and some rule asks for."""
    editions: tuple[Needs, ...]
    """In the order of the rules and of their editions."""


class _Known:
    """What was last looked up. Rules are known by identity: another rulebook is another matter."""

    def __init__(
        self, rulebook: core.Rulebook, readings: Mapping[str, str], found: RulebookNeeds
    ) -> None:
        self.rulebook = rulebook
        self.readings = dict(readings)
        self.options = found.options
        self.needs = {
            id(edition): needs
            for edition, needs in zip(_editions(rulebook), found.editions, strict=True)
        }


_last: list[_Known] = []


def recall_needs(
    loaded: Loaded, schema: Schema, readings: Mapping[str, str], cache: RulebookCache
) -> None:
    """Take what a loaded rulebook needs from the cache, or work it out and keep it there."""
    name = f"needs-{_proof(readings)}"
    content = cache.part(loaded.key, name)
    found = None if content is None else _decoded(content, loaded.rulebook)
    if found is None:
        found = needs_of_rulebook(loaded.rulebook, schema, readings)
        cache.keep(loaded.key, name, msgspec.msgpack.encode(found))
    _last[:] = [_Known(loaded.rulebook, readings, found)]


def needs_of_rulebook(
    rulebook: core.Rulebook, schema: Schema, readings: Mapping[str, str]
) -> RulebookNeeds:
    """Walk through all rules."""
    return RulebookNeeds(
        frozenset(_options(tuple(_editions(rulebook)))),
        tuple(
            compliance.table_check.needs.needs(edition, rulebook, readings, schema)
            for edition in _editions(rulebook)
        ),
    )


def needs_of_edition(edition: core.Edition, surroundings: Circumstances) -> Needs:
    """What an edition of a rule needs; worked out anew where it is not known."""
    rulebook, readings = surroundings.rulebook, surroundings.readings
    for known in _last:
        if known.rulebook is rulebook and known.readings == readings:
            found = known.needs.get(id(edition))
            if found is not None:
                return found
    return compliance.table_check.needs.needs(edition, rulebook, readings, surroundings.schema)


def options_asked(rulebook: core.Rulebook) -> frozenset[str]:
    """The options that some rule asks for."""
    for known in _last:
        if known.rulebook is rulebook:
            return known.options
    return frozenset(_options(tuple(_editions(rulebook))))


def _editions(rulebook: core.Rulebook) -> Iterator[core.Edition]:
    return (edition for rule in rulebook.rules for edition in rule.editions)


def _options(node: object) -> Iterator[str]:
    if isinstance(node, core.OptionValue):
        yield node.name
    elif isinstance(node, tuple):
        for part in node:
            yield from _options(part)
    elif hasattr(node, "__struct_fields__"):
        for name in node.__struct_fields__:
            yield from _options(getattr(node, name))


def _decoded(content: bytes, rulebook: core.Rulebook) -> RulebookNeeds | None:
    try:
        with no_collection():
            found = msgspec.msgpack.decode(content, type=RulebookNeeds)
    except msgspec.DecodeError:
        return None
    return found if len(found.editions) == sum(1 for _ in _editions(rulebook)) else None


def _proof(readings: Mapping[str, str]) -> str:
    content = json.dumps([_code(), sorted(readings.items())])
    return hashlib.sha256(content.encode()).hexdigest()


@once
def _code() -> str:
    """A hash of the code by which needs are worked out."""
    folder = Path(__file__).parent
    parts = b"\0".join((folder / f"{name}.py").read_bytes() for name in _WORKED_OUT_BY)
    return hashlib.sha256(parts).hexdigest()
