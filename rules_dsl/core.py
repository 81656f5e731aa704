"""The core form of a rule: every name bound, every type known, every definition written out.

The plan, the reference interpreter, the explainer and the mutants start from this form. It is small
on purpose. An event that is being talked about has a number (a *variable*): 0 is the trigger,
higher numbers are the events of the phrases inside. Each phrase says from which event it looks
(`at`): nothing is implied.

A part never leads back to itself, so the search for garbage need not look at any of them.

The fields of an expression are its one description. From them follows whatever can be done without
knowing what it means: to go through it, to tell which events it speaks of, to write it into a plan,
to make mistakes in it. A part that has `events` introduces each of these events to those of its
parts that are `OfEach`; all others are said of the events around it.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Final, Literal

import msgspec

from rules_dsl.clauses.model import Clause, Text

TRIGGER = 0
OF_EACH: Final = "of each event"
OfEach = Annotated["Expr", OF_EACH]
"""A value or condition that is asked of each of the events that a phrase finds."""
Direction = Literal["clockwise", "counterclockwise"]


class Place(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Where in the rulebook something was written."""

    file: int
    start: int
    end: int


class Core(
    msgspec.Struct, frozen=True, eq=False, kw_only=True, tag=True, array_like=True, gc=False
):
    """A part of a rule. Where it was written takes no part in equality."""

    gives: ClassVar[str] = "flag"
    """The kind of the value of an expression: that of a condition, unless it says otherwise;
    `own` where it is written in its `kind`, `of ...` where a part or a table tells it."""
    place: Place | None = None

    def _identity(self) -> tuple[object, ...]:
        return tuple(getattr(self, name) for name in self.__struct_fields__ if name != "place")

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._identity()))


# ---- values --------------------------------------------------------------------------------


class Const(Core, frozen=True, eq=False):
    """A value that is written in the rule; `kind` says how its text is read."""

    gives: ClassVar[str] = "own"
    kind: str
    text: str


class Field(Core, frozen=True, eq=False):
    """A field of one of the events that the rule speaks of."""

    gives: ClassVar[str] = "own"
    var: int
    name: str
    kind: str


class OptionValue(Core, frozen=True, eq=False):
    """What the licensee had elected for the table of an event, at the moment of that event."""

    gives: ClassVar[str] = "own"
    name: str
    at: int
    kind: str


class ReadingValue(Core, frozen=True, eq=False):
    """The reading of a doubtful passage that the profile chooses."""

    gives: ClassVar[str] = "of reading"
    name: str


class SettingValue(Core, frozen=True, eq=False):
    """A stated assumption, such as a tolerance, that a profile may change."""

    gives: ClassVar[str] = "own"
    name: str
    kind: str


class Arithmetic(Core, frozen=True, eq=False):
    gives: ClassVar[str] = "of both sides"
    sign: Literal["+", "-", "*", "/"]
    left: Expr
    right: Expr


class Rounding(Core, frozen=True, eq=False):
    gives: ClassVar[str] = "of value"
    value: Expr
    way: Literal["up", "down", "nearest"]
    unit: Expr


class Apply(Core, frozen=True, eq=False):
    """A function of single values: `rank of card`, `larger(a, b)`."""

    gives: ClassVar[str] = "of function"
    function: str
    arguments: tuple[Expr, ...]


class Lookup(Core, frozen=True, eq=False):
    """The entry of a printed table."""

    gives: ClassVar[str] = "of table"
    table: str
    keys: tuple[Expr, ...]


class If(Core, frozen=True, eq=False):
    gives: ClassVar[str] = "of then"
    condition: Expr
    then: Expr
    otherwise: Expr


# ---- conditions ----------------------------------------------------------------------------

Sign = Literal["=", "!=", "<", "<=", ">", ">="]


class Compare(Core, frozen=True, eq=False):
    """Two values of one kind; `order` holds the words of an ordered enum from lowest to highest."""

    sign: Sign
    left: Expr
    right: Expr
    order: tuple[str, ...] = ()


class Recorded(Core, frozen=True, eq=False):
    """Whether a value is there at all."""

    value: Expr
    known: bool


class About(Core, frozen=True, eq=False):
    """Nearly equal: no further from the target than the tolerance (or that share of the target)."""

    value: Expr
    target: Expr
    tolerance: Expr
    relative: bool


class And(Core, frozen=True, eq=False):
    parts: tuple[Expr, ...]


class Or(Core, frozen=True, eq=False):
    parts: tuple[Expr, ...]


class Not(Core, frozen=True, eq=False):
    part: Expr


# ---- events --------------------------------------------------------------------------------


class Pattern(Core, frozen=True, eq=False):
    """Which events are meant: their types and a condition on each, as event `var`."""

    types: tuple[str, ...]
    var: int
    where: Expr | None = None
    any_event: bool = False
    """Whether the types are all that there are, because none was named."""


class Window(Core, frozen=True, eq=False):
    """Where to look, seen from an event.

    `past` ends just before it (or with it, when inclusive), `future` begins just after it, `whole`
    is the interval all around it.
    """

    reach: Literal["past", "future", "whole"]
    inclusive: bool = False
    interval: str | None = None
    which: Literal["this", "previous", "next"] = "this"
    since: Pattern | None = None
    before: Pattern | None = None
    within: Expr | None = None
    at_least: Expr | None = None
    after: int | None = None
    """Another event: only what comes after it counts."""
    less_than: bool = False
    """The instant that is just as far away as `within` says does not count."""
    more_than: bool = False
    """Nor that which is just as far away as `at_least` says."""


class Events(Core, frozen=True, eq=False):
    """The events that match a pattern in a window around event `at`."""

    at: int
    pattern: Pattern
    window: Window
    per: Literal["latest", "earliest"] | None = None
    per_fields: tuple[str, ...] = ()


Bound = Literal["exactly", "at least", "at most"]


class HowMany(Core, frozen=True, eq=False):
    """How many events there are: `no` is at most 0, `some` is at least 1."""

    bound: Bound
    number: Expr
    events: Events


class Every(Core, frozen=True, eq=False):
    """Each of the events fulfils a condition."""

    events: Events
    condition: OfEach


class Aggregate(Core, frozen=True, eq=False):
    """One value from many events: a count, a sum, a first or last value, a hand's total."""

    gives: ClassVar[str] = "own"
    function: str
    events: Events
    value: OfEach | None
    kind: str
    order: tuple[str, ...] = ()


class InOrder(Core, frozen=True, eq=False):
    """The seats of the events, in the order of the events, go round the table one way."""

    events: Events
    value: OfEach
    direction: Direction
    start: Expr | None = None


class NextSeat(Core, frozen=True, eq=False):
    """The next seat round the table among the seats of the events."""

    gives: ClassVar[str] = "seat"
    direction: Direction
    start: Expr
    events: Events
    value: OfEach


Expr = (
    Const
    | Field
    | OptionValue
    | ReadingValue
    | SettingValue
    | Arithmetic
    | Rounding
    | Apply
    | Lookup
    | If
    | Compare
    | Recorded
    | About
    | And
    | Or
    | Not
    | HowMany
    | Every
    | Aggregate
    | InOrder
    | NextSeat
)


# ---- rules ---------------------------------------------------------------------------------


class Trigger(Core, frozen=True, eq=False):
    """The event at which the rule is applied. `since` makes it the first one after another."""

    pattern: Pattern
    since: Pattern | None = None
    ends: str | None = None


class Slice(Core, frozen=True, eq=False):
    """What the rule is applied to separately: a table, a player at a table, a round, a casino."""

    across: Literal["table", "pit", "casino"] = "table"
    interval: str | None = None
    keys: tuple[str, ...] = ()
    relevant: tuple[str, ...] = ()


class Requirement(Core, frozen=True, eq=False):
    """What must hold, with its own text for the report."""

    condition: Expr
    text: str


class Exemption(Core, frozen=True, eq=False):
    """A condition under which the rule does not bind, and by which authority."""

    authority: str
    condition: Expr
    but_not: tuple[Exemption, ...] = ()


class MessagePart(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Either fixed words, or a value of some kind."""

    text: str
    value: Expr | None = None
    kind: str = ""


class Choice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A circumstance that an example or a profile sets: an option, a reading, a setting."""

    what: Literal["option", "reading", "setting"]
    name: str
    text: str


class ExampleEvent(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """One event of an example; fields as text, days counted from the example's date."""

    day: int
    time: str
    type: str
    fields: dict[str, str]
    here: bool
    place: Place


class Example(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A short log with the verdict that the rule must reach on it."""

    expected: str
    title: str
    date: str
    given: tuple[Choice, ...]
    events: tuple[ExampleEvent, ...]
    place: Place


class Edition(Core, frozen=True, eq=False):
    """The rule as it stood between two dates (the second one excluded)."""

    since: str | None
    until: str | None
    label: str
    citations: tuple[str, ...]
    slice: Slice
    trigger: Trigger
    only_if: tuple[Expr, ...]
    requirements: tuple[Requirement, ...]
    exemptions: tuple[Exemption, ...]
    message: tuple[MessagePart, ...]
    remedy: str
    notes: tuple[str, ...]
    ended: str = ""
    """The chapter that ended it, and why, where the rule itself gives no earlier end."""


class Rule(Core, frozen=True, eq=False):
    """One duty or ban of the law, in all its editions."""

    name: str
    title: str
    kind: Literal["violation", "indicator"]
    severity: str
    section: str
    editions: tuple[Edition, ...]
    examples: tuple[Example, ...]


class Interval(Core, frozen=True, eq=False):
    """A stretch of a table's log from one event to another."""

    name: str
    opens: Pattern
    closes: Pattern


class TableKey(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """The head of a row or column: a value, a range of numbers, or `none`."""

    low: str
    high: str


class LookupTable(Core, frozen=True, eq=False):
    """A table of the law; `columns` is empty when there is only one value a row."""

    name: str
    title: str
    row_kind: str
    column_kind: str
    value_kind: str
    rows: tuple[TableKey, ...]
    columns: tuple[TableKey, ...]
    cells: tuple[tuple[str, ...], ...]


class Setting(Core, frozen=True, eq=False):
    name: str
    value: Const
    why: str


class ReadingChoice(msgspec.Struct, frozen=True, array_like=True, gc=False):
    name: str
    text: str


class Interpretation(Core, frozen=True, eq=False):
    """A passage of the law that can be read in more than one way."""

    name: str
    title: str
    citations: tuple[str, ...]
    readings: tuple[ReadingChoice, ...]
    default: str


class Profile(Core, frozen=True, eq=False):
    """A named set of choices between readings and settings."""

    name: str
    title: str
    choices: tuple[Choice, ...]


class Chapter(Core, frozen=True, eq=False):
    """A part of the law that is no longer law from a day on."""

    citation: str
    until: str
    why: str

    def holds(self, citation: str) -> bool:
        """Whether a paragraph stands in it; what was only proposed does not."""
        rest = citation.removeprefix(self.citation)
        return rest != citation and not rest[:1].isalnum() and not rest.endswith("(proposed)")

    @property
    def told(self) -> str:
        """That it ended, and why, for a reader of the report."""
        return f"{self.citation} ended: {self.why}" if self.why else f"{self.citation} ended"


class FileRecord(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """A rule file that went into the rulebook, with the hash of its bytes."""

    name: str
    sha256: str


class Rulebook(msgspec.Struct, frozen=True, array_like=True, gc=False):
    """Everything that a set of rule files says, ready to be applied."""

    title: str
    time_zone: str
    schema: str
    files: tuple[FileRecord, ...]
    intervals: dict[str, Interval]
    tables: dict[str, LookupTable]
    settings: dict[str, Setting]
    interpretations: dict[str, Interpretation]
    profiles: dict[str, Profile]
    rules: tuple[Rule, ...]
    texts: tuple[Text, ...] = ()
    clauses: tuple[Clause, ...] = ()
    chapters: tuple[Chapter, ...] = ()
    law_of: str | None = None
    """The day whose law is applied to every event, where it is not that of the event."""
