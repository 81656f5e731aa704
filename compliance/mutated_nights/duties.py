"""The duties that were done in a lawful night, and every way in which each of them is spoilt."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from compliance.engine.judging import WrittenCheck
from compliance.mutated_nights.lawful_night import LawfulNight
from compliance.mutated_nights.mutation import SETTLED, SETTLEMENTS, Mutation
from compliance.mutated_nights.other_values import other_values
from compliance.mutated_nights.reads import Reads
from compliance.plan.nodes import number_of
from compliance.simulate.table import MINUTE

_DOES_THE_DUTY: Final = (number_of("part", "found"), number_of("part", "counted"))
_NEAREST: Final = 2
"""Of many witnesses of one type so many are spoilt: those nearest to the trigger."""
_QUANTITIES: Final = frozenset({"amount", "stake", "card", "cards", "cards_total"})
"""Fields by which a rule reckons: for such a rule an event that comes twice is another matter."""
OCCASIONS: Final = frozenset(
    {
        *("round_started", "round_ended", "table_opened", "table_closed", "option_elected"),
        *("player_seated", "player_left", "wager_placed", "wager_increased", "wager_withdrawn"),
        *("insurance_placed", "decision", "choice_accepted", "request_made", "cut_refused"),
        *("dealer_arrived", "dealer_departed", "cutting_card_reached", "irregularity"),
        *("table_idle_started", "shuffle_decided", "rule_changed", "limits_changed"),
        *("recut_ordered", "wager_handled", "wagering_barred", "hole_card_viewed"),
        *("card_found_face_up", "device_malfunction"),
    }
)
"""What nobody owes: choices of players and of the licensee, chance, what the law merely allows or
forbids, and the frame of a night."""


@dataclass(frozen=True)
class Duty:
    """A check that ended well in a lawful night: a rule, its trigger and its witnesses."""

    night: LawfulNight
    check: WrittenCheck
    rule: str
    reads: Reads

    @property
    def trigger(self) -> int:
        """The event at which the rule was applied."""
        return self.check.row

    @cached_property
    def witnesses(self) -> tuple[int, ...]:
        """The events that decided it: of each type those nearest to the trigger."""
        pairs = zip(self.check.witnesses[::2], self.check.witnesses[1::2], strict=True)
        rows = {row for row, part in pairs if part in _DOES_THE_DUTY and row != self.trigger}
        chosen: dict[str, list[int]] = {}
        for row in sorted(rows, key=lambda row: (abs(row - self.trigger), row)):
            chosen.setdefault(self.night.records[row]["type"], []).append(row)
        return tuple(row for rows in chosen.values() for row in rows[:_NEAREST])

    @property
    def shape(self) -> tuple[str, ...]:
        """The types of the events in it: duties of one shape are spoilt alike."""
        types = {self.night.records[row]["type"] for row in self.witnesses}
        return (self.rule, self.night.records[self.trigger]["type"], *sorted(types))

    def is_owed(self, row: int) -> bool:
        """Whether the rule asks for the event, or money hangs on it."""
        event = self.night.records[row]["type"]
        return event in self.reads.owed or event in SETTLEMENTS

    def mutations(self) -> Iterator[Mutation]:
        """Every way in which it is spoilt."""
        records, schema = self.night.records, self.night.settings.schema
        if records[self.trigger]["type"] not in OCCASIONS:
            yield self._left_out(self.trigger)
        for row in self.witnesses:
            if self.is_owed(row):
                yield self._left_out(row)
                yield from self._delayed(row)
                yield Mutation("swapped", row, other=self.trigger)
        for row in (self.trigger, *self.witnesses):
            event = records[row]["type"]
            if self.is_owed(row) or _QUANTITIES & set(self.reads.fields(event)):
                yield Mutation("twice", row)
            if event in SETTLED:
                yield Mutation("given back", row)
            for name in self.reads.fields(event):
                for kind, value in other_values(schema, records, row, name):
                    yield Mutation(kind, row, name, value)
        yield from self._other_options()

    def _left_out(self, row: int) -> Mutation:
        settles = self.night.records[row]["type"] in SETTLEMENTS
        return Mutation("never settled" if settles else "omitted", row)

    def _delayed(self, row: int) -> Iterator[Mutation]:
        """It comes too late: past a limit of time, and after the round in which it was due."""
        records = self.night.records
        begin = records[self.trigger]["ts"]
        for limit in self.reads.limits:
            moment = begin + (limit + MINUTE if row > self.trigger else MINUTE - limit)
            after = row
            while after + 1 < len(records) and records[after + 1]["ts"] <= moment:
                after += 1
            if after > row:
                yield Mutation("delayed", row, other=after, late=moment - records[after]["ts"])
        last = max(row, self.trigger)
        for end in range(last + 1, len(records)):
            if records[end]["type"] == "round_ended":
                yield Mutation("delayed", row, other=end, late=1)
                break

    def _other_options(self) -> Iterator[Mutation]:
        """The table had elected something else; the game stays, or all rules would be others."""
        records, schema = self.night.records, self.night.settings.schema
        latest = {
            record["option_name"]: row
            for row, record in enumerate(records[: self.trigger])
            if record["type"] == "option_elected"
        }
        for name in sorted(self.reads.options & set(latest) - {"game"}):
            row = latest[name]
            kind = schema.options[name].kind
            words: Sequence[str] = ("yes", "no") if kind.name == "flag" else ()
            if kind.enum:
                words = kind.enum.values
            for word in words:
                if word != records[row]["value"]:
                    yield Mutation("other option", row, "value", word)
