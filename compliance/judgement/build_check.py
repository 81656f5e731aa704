"""Puts a check together with its evidence, in the same way for every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date

from compliance.values.event_texts import value_text
from event_schemas import Schema
from reports.model import Check, Witness
from reports.verdicts import Verdict
from rules_dsl import core


def build_check(
    rule: core.Rule,
    edition: core.Edition,
    verdict: Verdict,
    witness_at: Callable[[int, str], Witness],
    here: int,
    keys: Mapping[str, object],
    witnesses: Iterable[tuple[int, str]],
    schema: Schema,
    *,
    excused_by: str | None = None,
    message: str = "",
    unmet: tuple[str, ...] = (),
) -> Check:
    """A check at one row of a log; witnesses are rows with what they showed."""
    shown = sorted(item for item in witnesses if item != (here, "found"))
    return Check(
        rule=rule.name,
        edition=date.fromisoformat(edition.since) if edition.since else None,
        verdict=verdict,
        trigger=witness_at(here, "trigger"),
        slice=slice_text(keys, schema, edition.slice),
        witnesses=tuple(witness_at(row, part) for row, part in shown),
        excused_by=excused_by,
        message=message,
        unmet=unmet,
    )


def slice_text(values: Mapping[str, object], schema: Schema, slice_: core.Slice) -> dict[str, str]:
    """The `for each` keys of a check as text."""
    return {
        key: "not recorded" if value is None else value_text(_kind(schema, slice_, key), value)
        for key, value in values.items()
    }


def _kind(schema: Schema, slice_: core.Slice, key: str) -> str:
    """The kind of a `for each` key; a field can be of another kind in some event types."""
    fields = (schema.events[name].fields.get(key) for name in reversed(slice_.relevant))
    return next(field.kind.name for field in fields if field is not None)
