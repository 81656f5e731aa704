"""What a plan asks of a log: fields, constants, options and printed tables, for the engine."""

from __future__ import annotations

import ctypes
from array import array
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import polars as pl

from compliance.engine import layout
from compliance.engine.elected_values import elected_values
from compliance.engine.frame_handover import FrameHandover, HandoverColumns
from compliance.judgement.circumstances import Circumstances
from compliance.plan.constants import valued
from compliance.plan.nodes import number_of
from compliance.plan.plan import Plan, PlannedConstant
from compliance.table_log.columns import Integers, Words
from compliance.table_log.table_log import TableLog
from compliance.values.codes import CARD_CODES
from compliance.values.elected_options import ElectedOptions
from event_schemas import CARDS, Kind, parse_value

_KNOWN, _NOTHING = number_of("state", "known"), number_of("state", "nothing")
_MISSING = number_of("state", "missing")
_STATES = {"nothing": _NOTHING, "untold": _MISSING}
_NUMBER, _VALUE = ctypes.sizeof(ctypes.c_int64), ctypes.sizeof(layout.Value)
_MOST_FORMS = 100
_SPACE = ord(" ")
_CODES = np.zeros((128, 128), dtype=np.uint8)
"""The number of a card by the first and the last letter of its name."""
for _card, _code in CARD_CODES.items():
    _CODES[ord(str(_card)[0]), ord(str(_card)[-1])] = _code


class PlanBindings:
    """What is the same for all logs that are judged by a plan in the same circumstances."""

    def __init__(self, plan: Plan, circumstances: Circumstances) -> None:
        self.plan = plan
        self.code = np.frombuffer(plan.code, dtype=np.int64)
        self.intervals = np.array(plan.intervals, dtype=np.int64)
        self._places: dict[tuple[int, ...], Integers] = {}
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
        self.asks_for_cards = bool(self.card_lists) or any(
            kind == "cards" for _, kind in plan.columns
        )
        """Whether any field or constant is a list of cards."""
        self._kinds = {name: circumstances.schema.options[name].kind for name in plan.options}
        self._chosen: dict[tuple[str, object], bytes] = {}

    def places(self, editions: tuple[int, ...]) -> Integers:
        """Where editions stand in the code."""
        known = self._places.get(editions)
        if known is None:
            found = [self.plan.editions[number].at for number in editions]
            known = self._places[editions] = np.array(found, dtype=np.int64)
        return known

    def handed(self, columns: Any) -> HandoverColumns:
        """Which columns of a frame are handed over in one go."""
        known = self._handed.get(columns.in_order)
        if known is None:
            if len(self._handed) >= _MOST_FORMS:
                self._handed.clear()
            known = self._handed[columns.in_order] = HandoverColumns(self.plan.columns, columns.all)
        return known

    def chosen(self, name: str, value: Any, words: Words) -> bytes:
        """The value of an option as the engine reads it."""
        known = self._chosen.get((name, value))
        if known is None:
            kind = self._kinds[name]
            known = bytes(_chosen(kind, value, words))
            if kind.name != "text":
                # The number of a text is another one in each log.
                self._chosen[name, value] = known
        return known


def _chosen(kind: Kind, value: Any, words: Words) -> Any:
    if value is None:
        return layout.Value(below=1, state=_MISSING)
    if kind.enum is not None:
        return layout.Value(above=kind.enum.values.index(value), below=1, state=_KNOWN)
    if kind.name == "text":
        return layout.Value(above=words.number(value), below=1, state=_KNOWN)
    found = valued(kind.name, value)
    state = _STATES.get(found.what, _KNOWN)
    return layout.Value(above=found.above, below=found.below, state=state)


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


class _Memory:
    """Holds the memory that the engine looks at."""

    def __init__(self) -> None:
        self._held: list[object] = []

    def _address(self, values: npt.NDArray[Any], kind: Any) -> int:
        array_ = np.ascontiguousarray(values, dtype=kind)
        self._held.append(array_)
        return int(array_.ctypes.data)

    def _numbers(self, numbers: Iterable[int]) -> int:
        made = array("q", numbers)
        self._held.append(made)
        return made.buffer_info()[0]

    def _bytes(self, content: bytes) -> int:
        made = ctypes.create_string_buffer(content)
        self._held.append(made)
        return ctypes.addressof(made)


class LogFields(_Memory):
    """What a log holds, as the engine reads it, whatever its tables had elected."""

    def __init__(self, of_plan: PlanBindings, log: TableLog) -> None:
        super().__init__()
        self.of_plan = of_plan
        plan, lost = of_plan.plan, log.lost
        self.struct = layout.Log(
            size=len(log),
            types=self._address(log.types, np.int16),
            ts=self._address(log.ts, np.int64),
            until=self._address(log.ts if lost is None else lost.until, np.int64),
            seq=self._address(log.seq, np.int64),
            zones=self._address(log.zones, np.int16),
            tables=None if len(log.table_names) < 2 else self._address(log.tables, np.int32),
            columns=self._columns(log, plan.columns),
            constants=self._constants(log.words),
            lookups=self._tables(log.words),
        )
        if plan.asks_for_type_names:
            self.struct.type_words = self._numbers(log.words.numbers(log.type_names))
        if lost is not None:
            self.struct.number_of_lost = len(lost.rows)
            self.struct.lost_rows = self._address(lost.rows, np.int64)
            self.struct.lost_times = self._address(lost.times, np.int64)
            self.struct.lost_sets = self._address(lost.may_be, np.uint8)
        if of_plan.asks_for_cards:
            self._card_lists(log.words.hands)

    def _columns(self, log: TableLog, fields: Sequence[tuple[str, str]]) -> int:
        columns = (layout.Column * max(1, len(fields)))()
        self._held.append(columns)
        source = log.columns
        handed = self.of_plan.handed(source.names)
        frame = FrameHandover(source.frame, handed, ctypes.addressof(columns))
        self._held.append(frame)
        apart = list(handed.apart)
        if frame.read < len(handed.names):
            # What is not there as the engine reads it is looked at by itself.
            apart += [number for number in handed.numbers if not columns[number].values]
        for number, item in handed.texts.items():
            listed = source.listed(*item) if columns[number].values else None
            if listed is not None:
                columns[number].listed = self._address(listed, np.int64)
            elif columns[number].values:
                apart.append(number)
        for number in handed.times:
            columns[number].is_time = 1
        for number in apart:
            self._column(log, columns, number, *fields[number])
        return ctypes.addressof(columns)

    def _column(self, log: TableLog, columns: Any, number: int, name: str, kind: str) -> None:
        found = log.stored(name, kind)
        if found is None:
            columns[number] = layout.Column()
            return
        width, listed = found.values.dtype.itemsize, found.listed
        columns[number] = layout.Column(
            values=self._address(found.values, found.values.dtype),
            width=width if listed is None else width + layout.LISTED,
            valid=None if found.valid is None else self._address(found.valid, np.uint8),
            offset=found.offset,
            below=None if found.below is None else self._address(found.below, np.int64),
            listed=None if listed is None else self._address(listed, np.int64),
            is_time=int(kind == "time"),
        )

    def _constants(self, words: Words) -> int:
        of_plan = self.of_plan
        constants = type(of_plan.constants).from_buffer_copy(of_plan.constants)
        for number, text in of_plan.texts:
            constants[number].above = words.number(text)
        for number, text in of_plan.card_lists:
            cards: Any = parse_value(CARDS, text)
            constants[number].above = words.hand(tuple(cards))
        self._held.append(constants)
        return ctypes.addressof(constants)

    def _tables(self, words: Words) -> int:
        tables = self.of_plan.plan.tables
        addresses = (ctypes.c_void_p * max(1, len(tables)))()
        self._held.append(addresses)
        for number, table in enumerate(tables):
            numbers = array("q", table.numbers)
            for key in table.texts:
                numbers[key.at] = words.number(key.text)
            self._held.append(numbers)
            addresses[number] = numbers.buffer_info()[0]
        return ctypes.addressof(addresses)

    def _card_lists(self, hands: pl.Series) -> None:
        """All lists of cards that the log or the rules name: known once the columns are."""
        if hands.is_empty():
            return
        there = (hands != "").to_numpy()
        named = hands if there.all() else hands.filter(there)
        text = np.frombuffer(f"{named.str.join(chr(10))[0]}\n".encode(), dtype=np.uint8)
        after = np.flatnonzero(text <= _SPACE)
        first = np.append(0, after[:-1] + 1)
        cards = _CODES[text[first], text[after - 1]]
        ends = np.flatnonzero(text[after] != _SPACE) + 1
        if len(named) < len(hands):
            ends = np.append(0, ends)[np.cumsum(there)]
        self.struct.hand_starts = self._address(np.append(0, ends), np.int64)
        self.struct.hand_cards = self._address(cards, np.uint8)


def fields_of(of_plan: PlanBindings, log: TableLog) -> LogFields:
    """What a log holds, made ready once for all who ask by the same plan."""
    known: LogFields | None = log.made_ready.get("fields")
    if known is None or known.of_plan is not of_plan:
        known = log.made_ready["fields"] = LogFields(of_plan, log)
    return known


class LogBindings(_Memory):
    """One log as the engine reads it, with what its tables had elected."""

    def __init__(self, of_plan: PlanBindings, log: TableLog, circumstances: Circumstances) -> None:
        super().__init__()
        fields = fields_of(of_plan, log)
        self._held.append(fields)
        self._of_plan = of_plan
        self._log = log
        self.struct = layout.Log.from_buffer_copy(fields.struct)
        self.struct.options = self._options(circumstances.options)

    def _options(self, options: ElectedOptions) -> int:
        """What the table has elected of each option, all their values one after the other."""
        names, words = self._of_plan.plan.options, self._log.words
        found = elected_values(self._log, options, names)
        since, lost, values = array("q"), array("q"), []
        for name, (choices, _) in zip(names, found, strict=True):
            begins, chosen, hidden_by = zip(*choices, strict=True)
            since.extend(begins)
            lost.extend(hidden_by)
            known = {
                value: self._of_plan.chosen(name, value, words) for value in dict.fromkeys(chosen)
            }
            values += [known[value] for value in chosen]
        self._held += [since, lost]
        addresses = since.buffer_info()[0], self._bytes(b"".join(values)), lost.buffer_info()[0]
        at, parts = 0, []
        for choices, which in found:
            hides = any(choice.lost >= 0 for choice in choices)
            parts += [
                len(choices),
                addresses[0] + at * _NUMBER,
                addresses[1] + at * _VALUE,
                addresses[2] + at * _NUMBER if hides else 0,
                0 if which is None else self._address(which, np.int32),
            ]
            at += len(choices)
        return self._numbers(parts)
