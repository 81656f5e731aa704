"""What a plan asks of a log: fields, constants, options and printed tables, for the engine."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from compliance.engine import layout
from compliance.engine.elected_values import elected_values
from compliance.engine.frame_handover import FrameHandover, HandoverColumns
from compliance.judgement.circumstances import Circumstances
from compliance.plan.constants import valued
from compliance.plan.nodes import number_of
from compliance.plan.plan import Plan, PlannedConstant
from compliance.table_log.table_log import TableLog
from compliance.values.codes import CARD_CODES
from event_schemas import CARDS, parse_value

_KNOWN, _NOTHING = number_of("state", "known"), number_of("state", "nothing")
_MISSING = number_of("state", "missing")
_STATES = {"nothing": _NOTHING, "untold": _MISSING}
_MOST_FORMS = 100
_CODES = {str(card): code for card, code in CARD_CODES.items()}


class PlanBindings:
    """What is the same for all logs that are judged by a plan in the same circumstances."""

    def __init__(self, plan: Plan, circumstances: Circumstances) -> None:
        self.plan = plan
        self.code = np.frombuffer(plan.code, dtype=np.int64)
        self.intervals = np.array(plan.intervals, dtype=np.int64)
        self._handed: dict[tuple[str, ...], HandoverColumns] = {}
        self.texts: list[tuple[int, str]] = []
        """The numbers of constants that are texts: each log counts these anew."""
        self.card_lists: list[tuple[int, str]] = []
        constants = (layout.Value * max(1, len(plan.constants)))()
        for number, constant in enumerate(plan.constants):
            known = _resolved(constant, circumstances)
            if known.what == "text":
                self.texts.append((number, known.text))
            elif known.what == "cards":
                self.card_lists.append((number, known.text))
            state = _STATES.get(known.what, _KNOWN)
            constants[number] = layout.Value(
                above=known.above, below=known.below, state=state, zone=known.zone
            )
        self.constants = constants

    def handed(self, columns: Any) -> HandoverColumns:
        """Which columns of a frame are handed over in one go."""
        known = self._handed.get(columns.in_order)
        if known is None:
            if len(self._handed) >= _MOST_FORMS:
                self._handed.clear()
            known = self._handed[columns.in_order] = HandoverColumns(self.plan.columns, columns.all)
        return known


def _resolved(constant: PlannedConstant, circumstances: Circumstances) -> PlannedConstant:
    """A constant with what the profile chooses."""
    rulebook = circumstances.rulebook
    if constant.what == "reading":
        readings = rulebook.interpretations[constant.text].readings
        names = [reading.name for reading in readings]
        return PlannedConstant("number", names.index(circumstances.readings[constant.text]))
    if constant.what == "setting":
        return valued(constant.kind, circumstances.settings[constant.text])
    return constant


class LogBindings:
    """One log as the engine reads it; holds the memory that the engine looks at."""

    def __init__(self, of_plan: PlanBindings, log: TableLog, circumstances: Circumstances) -> None:
        self._held: list[object] = []
        self._log = log
        self._of_plan = of_plan
        plan = of_plan.plan
        lost = log.lost
        self.struct = layout.Log(
            size=len(log),
            types=self._address(log.types, np.int16),
            ts=self._address(log.ts, np.int64),
            until=self._address(log.ts if lost is None else lost.until, np.int64),
            seq=self._address(log.seq, np.int64),
            zones=self._address(log.zones, np.int16),
            tables=None if len(log.table_names) < 2 else self._address(log.tables, np.int32),
            columns=self._columns(plan.columns),
            constants=self._constants(),
            options=self._options(plan.options, circumstances),
            lookups=self._tables(),
        )
        if plan.asks_for_type_names:
            self.struct.type_words = self._numbers(log.words.numbers(log.type_names))
        if lost is not None:
            self.struct.number_of_lost = len(lost.rows)
            self.struct.lost_rows = self._address(lost.rows, np.int64)
            self.struct.lost_times = self._address(lost.times, np.int64)
            self.struct.lost_sets = self._address(lost.may_be, np.uint8)
        self._card_lists()

    def _address(self, values: npt.NDArray[Any], kind: Any) -> int:
        array_ = np.ascontiguousarray(values, dtype=kind)
        self._held.append(array_)
        return int(array_.ctypes.data)

    def _numbers(self, numbers: Iterable[int]) -> int:
        made = array("q", numbers)
        self._held.append(made)
        return made.buffer_info()[0]

    def _columns(self, fields: Sequence[tuple[str, str]]) -> int:
        columns = (layout.Column * max(1, len(fields)))()
        self._held.append(columns)
        source = self._log.columns
        handed = self._of_plan.handed(source.names)
        frame = FrameHandover(source.frame, handed, ctypes.addressof(columns))
        self._held.append(frame)
        apart: Iterable[int] = range(len(fields))
        if frame.read == len(handed.names):
            apart = handed.apart
            for number, item in handed.texts.items():
                listed = source.listed(*item)
                if listed is None:
                    apart = [*apart, number]
                else:
                    columns[number].listed = self._address(listed, np.int64)
            for number in handed.times:
                columns[number].is_time = 1
        for number in apart:
            self._column(columns, number, *fields[number])
        return ctypes.addressof(columns)

    def _column(self, columns: Any, number: int, name: str, kind: str) -> None:
        found = self._log.in_memory(name, kind)
        if found is None:
            columns[number] = layout.Column()
            return
        held, values, width, valid, offset, below, listed = found
        self._held.append(held)
        columns[number] = layout.Column(
            values=values,
            width=width if listed is None else width + layout.LISTED,
            valid=valid,
            offset=offset,
            below=None if below is None else self._address(below, np.int64),
            listed=None if listed is None else self._address(listed, np.int64),
            is_time=int(kind == "time"),
        )

    def _constants(self) -> int:
        of_plan = self._of_plan
        constants = type(of_plan.constants).from_buffer_copy(of_plan.constants)
        for number, text in of_plan.texts:
            constants[number].above = self._log.words.number(text)
        for number, text in of_plan.card_lists:
            cards: Any = parse_value(CARDS, text)
            constants[number].above = self._log.words.hand(tuple(cards))
        self._held.append(constants)
        return ctypes.addressof(constants)

    def _options(self, names: Sequence[str], circumstances: Circumstances) -> int:
        options = (layout.Option * max(1, len(names)))()
        self._held.append(options)
        known = self._log.schema.options
        for number, name in enumerate(names):
            found = elected_values(self._log, circumstances.options, name)
            values = (layout.Value * len(found.choices))()
            self._held.append(values)
            kind = known[name].kind
            for place, choice in enumerate(found.choices):
                values[place] = self._chosen(kind, choice.value)
            which = None if found.which is None else self._address(found.which, np.int32)
            hides = any(choice.lost >= 0 for choice in found.choices)
            options[number] = layout.Option(
                number=len(found.choices),
                since=self._numbers(choice.since for choice in found.choices),
                values=ctypes.addressof(values),
                lost=self._numbers(choice.lost for choice in found.choices) if hides else None,
                which=which,
            )
        return ctypes.addressof(options)

    def _chosen(self, kind: Any, value: Any) -> Any:
        if value is None:
            return layout.Value(below=1, state=_MISSING)
        if kind.enum is not None:
            return layout.Value(above=kind.enum.values.index(value), below=1, state=_KNOWN)
        if kind.name == "text":
            return layout.Value(above=self._log.words.number(value), below=1, state=_KNOWN)
        found = valued(kind.name, value)
        state = _STATES.get(found.what, _KNOWN)
        return layout.Value(above=found.above, below=found.below, state=state)

    def _tables(self) -> int:
        tables = self._of_plan.plan.tables
        addresses = (ctypes.c_void_p * max(1, len(tables)))()
        self._held.append(addresses)
        for number, table in enumerate(tables):
            numbers = array("q", table.numbers)
            for key in table.texts:
                numbers[key.at] = self._log.words.number(key.text)
            self._held.append(numbers)
            addresses[number] = numbers.buffer_info()[0]
        return ctypes.addressof(addresses)

    def _card_lists(self) -> None:
        """All lists of cards that the log or the rules name: known once the columns are."""
        hands = self._log.words.hands
        if not hands:
            return
        lists = [_codes_of(hand) for hand in hands]
        starts = np.zeros(len(hands) + 1, dtype=np.int64)
        starts[1:] = np.cumsum([len(cards) for cards in lists])
        cards = np.frombuffer(b"".join(lists) or b"\0", dtype=np.uint8)
        self.struct.hand_starts = self._address(starts, np.int64)
        self.struct.hand_cards = self._address(cards, np.uint8)


@lru_cache(maxsize=200_000)
def _codes_of(hand: str) -> bytes:
    """A list of cards as their numbers; the same hands come again and again."""
    return bytes(_CODES[card] for card in hand.split())
