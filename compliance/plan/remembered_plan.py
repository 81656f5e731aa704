"""The plan of a rulebook, made once and kept beside the rulebook in its cache.

To make it takes longer than to judge a small log. It is known again by the rules and by the code
that made it.
"""

from __future__ import annotations

import hashlib
from functools import cache as once
from pathlib import Path

import msgspec

from compliance.plan.builder import build_plan
from compliance.plan.plan import Plan
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.cache import RulebookCache
from rules_dsl.rulebook import Loaded

_last: list[tuple[core.Rulebook, Schema, Plan]] = []
"""What was last made or recalled. Rules are known by identity: others are another matter."""
_FEW = 4


def recall_plan(loaded: Loaded, schema: Schema, cache: RulebookCache) -> None:
    """Take the plan of a loaded rulebook from the cache, or make it and keep it there."""
    name = f"plan-{_code()}"
    content = cache.part(loaded.key, name)
    plan = None if content is None else _decoded(content)
    if plan is None:
        plan = build_plan(loaded.rulebook, schema)
        cache.keep(loaded.key, name, msgspec.msgpack.encode(plan))
    _last[:] = [(loaded.rulebook, schema, plan), *_last[: _FEW - 1]]


def plan_of(rulebook: core.Rulebook, schema: Schema) -> Plan:
    """The plan of a rulebook; made anew where it is not known."""
    for known, of_schema, plan in _last:
        if known is rulebook and of_schema is schema:
            return plan
    made = build_plan(rulebook, schema)
    _last[:] = [(rulebook, schema, made), *_last[: _FEW - 1]]
    return made


def _decoded(content: bytes) -> Plan | None:
    try:
        return msgspec.msgpack.decode(content, type=Plan)
    except msgspec.DecodeError:
        return None


@once
def _code() -> str:
    """A hash of the code by which plans are made."""
    here = Path(__file__).parent
    files = [*sorted(here.glob("*.py")), here.parent / "values" / "codes.py"]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files)).hexdigest()
