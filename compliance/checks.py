"""Puts a check together with its evidence, in the same way for every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date

from compliance.evidence import slice_text
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
    """A check at one place of a log; witnesses are places with what they showed."""
    shown = sorted(item for item in witnesses if item != (here, "found"))
    return Check(
        rule=rule.name,
        edition=date.fromisoformat(edition.since) if edition.since else None,
        verdict=verdict,
        trigger=witness_at(here, "trigger"),
        slice=slice_text(keys, schema, edition.slice),
        witnesses=tuple(witness_at(place, part) for place, part in shown),
        excused_by=excused_by,
        message=message,
        unmet=unmet,
    )
