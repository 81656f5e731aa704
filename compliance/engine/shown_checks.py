"""Checks that the engine wrote down, with their evidence for the report."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from datetime import timedelta
from functools import cached_property, partial
from typing import Any, NamedTuple
from zoneinfo import ZoneInfo

from compliance.engine.judging import WrittenCheck
from compliance.judgement.build_check import build_check
from compliance.judgement.circumstances import Circumstances
from compliance.plan.constants import words_of
from compliance.plan.nodes import WORDS, number_of
from compliance.plan.plan import Plan, PlannedEdition
from compliance.table_log.table_log import TableLog
from compliance.values.codes import value_of
from compliance.values.event_texts import message_text, value_text
from compliance.values.moments import EPOCH
from event_schemas import CARDS, PLAIN_KINDS, parse_value
from reports.model import Check, Witness
from reports.verdicts import Verdict
from rules_dsl import core

VERDICTS = tuple(Verdict(str(word)) for word in WORDS["verdict"])
_PARTS = WORDS["part"]
_LACKS = number_of("part", "lacks")
_KNOWN = number_of("state", "known")


class FoundCheck(NamedTuple):
    """A check with its verdict, and where in the log its evidence stands.

    What a report says of it is written when somebody asks: of thousands that could not be decided
    only a few are shown.
    """

    rule: core.Rule
    edition: core.Edition
    verdict: Verdict
    log: TableLog
    row: int
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
            self.log.source.witness,
            self.row,
            self.keys,
            self.witnesses,
            self.log.schema,
            excused_by=self.excused_by,
            message=self.message(),
            unmet=self.unmet,
        )

    def lost_witnesses(self) -> Iterator[Witness]:
        """Of its evidence the records that are lost, in their order."""
        source, lost = self.log.source, len(self.log.type_names)
        places = sorted(item for item in self.witnesses if self.log.types[item[0]] >= lost)
        return (source.witness(*item) for item in places)

    def __eq__(self, other: object) -> bool:
        """Two are the same if a report says the same of them."""
        return isinstance(other, FoundCheck) and self.written() == other.written()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((self.rule.name, self.verdict))


class ShownChecks:
    """Turns what the engine wrote of one log's checks into checks that a report can show."""

    def __init__(self, plan: Plan, log: TableLog, circumstances: Circumstances) -> None:
        self._plan = plan
        self._log = log
        self._circumstances = circumstances
        self._rulebook = circumstances.rulebook
        self._kinds_of_keys: dict[str, str] = {}

    def check(self, planned: PlannedEdition, written: WrittenCheck) -> FoundCheck:
        """One check."""
        rule = self._rulebook.rules[planned.rule]
        edition = rule.editions[planned.edition]
        verdict = VERDICTS[written.verdict]
        excused = verdict is Verdict.EXCUSED
        return FoundCheck(
            rule,
            edition,
            verdict,
            self._log,
            written.row,
            self._keys(edition, written.keys),
            frozenset(self._each_once(self._witnesses(written.witnesses))),
            partial(self._message, edition, verdict, written.quotes),
            edition.exemptions[written.excuse].authority if excused else None,
            self._unmet(planned, edition, written.unmet),
        )

    def _witnesses(self, numbers: Sequence[int]) -> list[tuple[int, str]]:
        columns = self._plan.columns
        return [
            (row, f"lacks {columns[part - _LACKS][0]}" if part >= _LACKS else str(_PARTS[part]))
            for row, part in zip(numbers[::2], numbers[1::2], strict=True)
        ]

    def _each_once(self, seen: list[tuple[int, str]]) -> Iterable[tuple[int, str]]:
        """What events showed; a lost record that stands at several rows is named at the first."""
        lost = self._log.lost
        if lost is None or len(self._log.table_names) == 1:
            return seen
        rows = self._lost_rows
        named: dict[tuple[object, str], tuple[int, str]] = {}
        for row, part in sorted(seen):
            record = (self._log.tables[row], self._log.seq[row]) if row in rows else row
            named.setdefault((record, part), (row, part))
        return named.values()

    @cached_property
    def _lost_rows(self) -> frozenset[int]:
        return frozenset() if self._log.lost is None else frozenset(self._log.lost.rows.tolist())

    @staticmethod
    def _unmet(planned: PlannedEdition, edition: core.Edition, bits: int) -> tuple[str, ...]:
        missed = sorted(place for bit, place in enumerate(planned.required) if bits >> bit & 1)
        return tuple(edition.requirements[place].text for place in missed)

    def _keys(self, edition: core.Edition, numbers: Sequence[int]) -> dict[str, object]:
        """Whose slice it is."""
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        return {
            name: self._value(self._kind_of_key(name), number, 1, 0) if known else None
            for name, (known, number) in zip(edition.slice.keys, pairs, strict=False)
        }

    def _kind_of_key(self, name: str) -> str:
        if name not in self._kinds_of_keys:
            events = self._log.schema.events.values()
            kinds = (event.fields[name].kind.name for event in events if name in event.fields)
            self._kinds_of_keys[name] = next(kinds, "text")
        return self._kinds_of_keys[name]

    def _message(self, edition: core.Edition, verdict: Verdict, quotes: Sequence[int]) -> str:
        if verdict is Verdict.COMPLIED:
            return ""
        parts, left = [], zip(*(quotes[place::4] for place in range(4)), strict=True)
        for part in edition.message:
            if part.value is None:
                parts.append((part.text, ""))
                continue
            above, below, state, zone = next(left)
            parts.append(
                (self._quoted(part, above, below, zone), part.kind)
                if state == _KNOWN
                else (f"an unrecorded {part.text}", "")
            )
        return message_text(parts)

    def _quoted(self, part: core.MessagePart, above: int, below: int, zone: int) -> str:
        if part.kind == "time":
            # Times are told in the casino's zone, whatever zone the log writes them in.
            moment = EPOCH + timedelta(microseconds=above)
            return value_text("time", moment.astimezone(ZoneInfo(self._rulebook.time_zone)))
        return value_text(part.kind, self._value(part.kind, above, below, zone))

    def _value(self, kind: str, above: int, below: int, zone: int) -> Any:
        """The value that a number stands for."""
        if kind == "text":
            return self._log.words.texts[above]
        if kind == "cards":
            return parse_value(CARDS, self._log.words.hands[above])
        if kind == "poker_hand":
            return _poker_rank(above)
        if kind in PLAIN_KINDS:
            return value_of(kind, above, below, zone)
        return words_of(self._log.schema, self._rulebook, kind)[above]


def _poker_rank(number: int) -> tuple[int, ...]:
    """The rank of a poker hand as the rule language has it (see cards.h)."""
    if number < 0:
        digits = [number + 2**60 >> 4 * place & 15 for place in range(9, -1, -1)]
        return tuple(digit - 15 for digit in digits if digit)
    digits = [number >> 4 * place & 15 for place in range(4, -1, -1)]
    return (number >> 20, *(digit for digit in digits if digit))
