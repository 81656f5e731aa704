"""Constants of the rules as a plan holds them."""

from __future__ import annotations

from typing import Any

import msgspec

from compliance.judgement.circumstances import Absent
from compliance.plan.plan import PlannedConstant
from compliance.values.codes import LARGEST, NUMBERED_BY_THE_LOG, code_of, zone_of
from event_schemas import PLAIN_KINDS, Schema, parse_value
from rules_dsl import core
from rules_dsl.functions import COLOR, POKER_CLASS


def words_of(schema: Schema, rulebook: core.Rulebook, name: str) -> tuple[str, ...]:
    """The words of a kind that is a list of words, in their order."""
    if name in schema.enums:
        return schema.enums[name].values
    for own in (COLOR, POKER_CLASS):
        if own.enum is not None and own.name == name:
            return own.enum.values
    passage = rulebook.interpretations[name.removeprefix("reading ")]
    return tuple(reading.name for reading in passage.readings)


def planned_constant(expr: Any, rulebook: core.Rulebook, schema: Schema) -> PlannedConstant:
    """A constant, a reading or a setting; the last two are known only with a profile."""
    if isinstance(expr, core.ReadingValue):
        return PlannedConstant("reading", text=expr.name)
    if isinstance(expr, core.SettingValue):
        return PlannedConstant("setting", text=expr.name, kind=expr.kind)
    assert isinstance(expr, core.Const)
    return constant_of(expr.kind, expr.text, rulebook, schema)


def constant_of(kind: str, text: str, rulebook: core.Rulebook, schema: Schema) -> PlannedConstant:
    """A value that is written in a rule."""
    if kind == "none":
        return PlannedConstant("nothing")
    if kind in NUMBERED_BY_THE_LOG:
        return PlannedConstant(kind, text=text)
    plain = PLAIN_KINDS.get(kind)
    if plain is None:
        return PlannedConstant("number", words_of(schema, rulebook, kind).index(text), text=text)
    try:
        return msgspec.structs.replace(valued(kind, parse_value(plain, text)), text=text)
    except OverflowError:
        # A length of time that is too large to be told.
        return PlannedConstant("untold")


def valued(kind: str, value: object) -> PlannedConstant:
    """A value of a plain kind that is known already."""
    if kind == "text":
        return PlannedConstant("text", text=str(value))
    if isinstance(value, Absent):
        return PlannedConstant("untold")
    above, below = code_of(kind, value)
    if max(abs(above), below) > LARGEST:
        return PlannedConstant("untold")
    return PlannedConstant("number", above, below, zone_of(value))
