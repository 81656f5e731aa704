"""Puts a check together with its evidence, in the same way for every engine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Set
from datetime import date
from typing import NamedTuple

from compliance.table_log.columns import TableLog
from compliance.values.event_texts import slice_text
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


class FoundCheck(NamedTuple):
    """A check with its verdict, and where in the log its evidence stands.

    What a report says of it is written when somebody asks: of thousands that could not be decided
    only a few are shown.
    """

    rule: core.Rule
    edition: core.Edition
    verdict: Verdict
    log: TableLog
    place: int
    keys: Mapping[str, object]
    witnesses: Set[tuple[int, str]]
    message: Callable[[], str]
    excused_by: str | None = None
    unmet: tuple[str, ...] = ()

    def written(self) -> Check:
        """The check as a report shows it."""
        return build_check(
            self.rule,
            self.edition,
            self.verdict,
            self.log.witness,
            self.place,
            self.keys,
            self.witnesses,
            self.log.schema,
            excused_by=self.excused_by,
            message=self.message(),
            unmet=self.unmet,
        )

    def __eq__(self, other: object) -> bool:
        """Two are the same if a report says the same of them."""
        return isinstance(other, FoundCheck) and self.written() == other.written()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.rule.name, self.verdict))
