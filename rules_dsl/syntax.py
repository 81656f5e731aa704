"""The syntax tree: what a rule file says, before anything is known about what it means.

Every node is frozen. Where a node stands in its file (`span`) and whether it was written inside
brackets (`bracketed`) are kept for messages, but take no part in equality: two files that say the
same thing have equal trees, however they are laid out.
"""

from __future__ import annotations

from typing import Literal as OneOfWords

import msgspec

OUTSIDE_EQUALITY = frozenset({"span", "bracketed"})


class Span(msgspec.Struct, frozen=True, array_like=True):
    """A stretch of a source file: offsets of its first character and of the one after its last."""

    start: int
    end: int


NOWHERE = Span(0, 0)


class Node(msgspec.Struct, frozen=True, eq=False, kw_only=True):
    """Anything written in a rule file."""

    span: Span = NOWHERE

    def _identity(self) -> tuple[object, ...]:
        return tuple(
            getattr(self, name) for name in self.__struct_fields__ if name not in OUTSIDE_EQUALITY
        )

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self._identity() == other._identity()

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash((type(self).__name__, self._identity()))


# ---- expressions ---------------------------------------------------------------------------


class Expr(Node, frozen=True, eq=False, kw_only=True):
    """Anything that has a value when a rule is applied."""

    bracketed: bool = False


LiteralKind = OneOfWords[
    "number", "money", "percent", "odds", "duration", "date", "card", "text", "none", "flag", "word"
]


class Literal(Expr, frozen=True, eq=False):
    """A value written out: `21`, `$25`, `3 to 2`, `30 minutes`, `"P7"`, `none`."""

    kind: LiteralKind
    text: str


class Name(Expr, frozen=True, eq=False):
    """A field, a definition, a `let`, a setting or an enum word; `bet.amount` has an owner."""

    name: str
    owner: str | None = None


class Option(Expr, frozen=True, eq=False):
    """What the licensee has elected for this table at this moment: `option soft_17`."""

    name: str


class ReadingOf(Expr, frozen=True, eq=False):
    """Which reading of a doubtful passage the profile has chosen: `reading even_money`."""

    name: str


class Head(Node, frozen=True, eq=False):
    """The events a phrase is about, and the field taken from them: `wager_placed.amount`.

    Those of `any event` are not named: they are all that there are.
    """

    events: tuple[str, ...]
    field: str | None = None
    any_of: bool = False


ScopeKind = OneOfWords[
    "earlier", "later", "so far", "in", "since", "before", "not yet followed by",
    "up to the trigger", "before the trigger",
    "within", "at least", "more than", "less than", "between",
]  # fmt: skip
Which = OneOfWords["this", "previous", "next"]


class Scope(Node, frozen=True, eq=False):
    """Where to look for the events, as seen from the event in hand."""

    kind: ScopeKind
    interval: str | None = None
    which: Which = "this"
    target: Phrase | None = None
    length: Expr | None = None
    backwards: bool = False
    farthest: Expr | None = None
    """The other length of `between`."""


class Per(Node, frozen=True, eq=False):
    """Keep one event for each value of some fields: `latest per table`."""

    which: OneOfWords["latest", "earliest"]
    fields: tuple[str, ...]


class Phrase(Expr, frozen=True, eq=False):
    """Some events: their types, a condition on each, and where to look for them."""

    head: Head
    alias: str | None = None
    same: tuple[str, ...] = ()
    where: Expr | None = None
    per: Per | None = None
    scopes: tuple[Scope, ...] = ()


QuantityWord = OneOfWords[
    "no", "some", "every", "exactly", "at least", "at most", "more than", "fewer than"
]


class Quantified(Expr, frozen=True, eq=False):
    """How many such events there are: `no card_dealt since cards_cut`."""

    quantity: QuantityWord
    phrase: Phrase
    number: Expr | None = None
    has: Expr | None = None


class Pick(Expr, frozen=True, eq=False):
    """The value of one event among some: `previous dealer_arrived.dealer`."""

    which: OneOfWords["first", "last", "next", "previous"]
    phrase: Phrase


class Of(Expr, frozen=True, eq=False):
    """A function of one value or of many events: `sum of wager_placed.amount since ...`."""

    function: str
    argument: Expr
    distinct: bool = False


class Call(Expr, frozen=True, eq=False):
    """A definition or a lookup table applied to values: `banker_draws(points, third)`."""

    name: str
    arguments: tuple[Expr, ...]


class NextSeat(Expr, frozen=True, eq=False):
    """The next taken seat around the table: `the seat clockwise of 3 among ...`."""

    direction: OneOfWords["clockwise", "counterclockwise"]
    start: Expr
    phrase: Phrase


ArithmeticSign = OneOfWords["+", "-", "*", "/"]


class Arithmetic(Expr, frozen=True, eq=False):
    """Plain sums with exact numbers."""

    sign: ArithmeticSign
    left: Expr
    right: Expr


class Rounding(Expr, frozen=True, eq=False):
    """A value brought to a multiple of a unit: `x rounded up to $0.25`."""

    value: Expr
    way: OneOfWords["up", "down", "nearest"]
    unit: Expr


ComparisonSign = OneOfWords["=", "!=", "<", "<=", ">", ">="]


class Comparison(Expr, frozen=True, eq=False):
    """Two values held against each other."""

    sign: ComparisonSign
    left: Expr
    right: Expr


class Between(Expr, frozen=True, eq=False):
    """A value from one bound to another, both included."""

    value: Expr
    low: Expr
    high: Expr
    negated: bool = False


class OneOf(Expr, frozen=True, eq=False):
    """A value that is one of several."""

    value: Expr
    choices: tuple[Expr, ...]
    negated: bool = False


class Recorded(Expr, frozen=True, eq=False):
    """Whether the log records a value at all: `card is known`, `card is missing`."""

    value: Expr
    known: bool


class About(Expr, frozen=True, eq=False):
    """Nearly equal, with the tolerance said: `x is about 52 give or take 5`."""

    value: Expr
    target: Expr
    tolerance: Expr


class Goes(Expr, frozen=True, eq=False):
    """Seats taken in order around the table: `card_dealt.seat in the round goes clockwise`."""

    phrase: Expr
    direction: OneOfWords["clockwise", "counterclockwise"]
    start: Expr | None = None


class Both(Expr, frozen=True, eq=False):
    """All of several conditions."""

    parts: tuple[Expr, ...]


class Either(Expr, frozen=True, eq=False):
    """At least one of several conditions."""

    parts: tuple[Expr, ...]


class Not(Expr, frozen=True, eq=False):
    """The opposite of a condition."""

    part: Expr


class If(Expr, frozen=True, eq=False):
    """One value or another; without `else`, a condition that only binds when the first holds."""

    condition: Expr
    then: Expr
    otherwise: Expr | None = None


def looks_for_events(node: Node) -> bool:
    """Whether something written asks for other events than the one in hand."""
    return isinstance(node, Phrase) or (isinstance(node, Expr) and hasattr(node, "phrase"))


# ---- clauses of a rule ---------------------------------------------------------------------


class Clause(Node, frozen=True, eq=False):
    """One line of a rule."""


class Title(Clause, frozen=True, eq=False):
    text: str


class Cite(Clause, frozen=True, eq=False):
    citations: tuple[str, ...]


class InForce(Clause, frozen=True, eq=False):
    since: str
    until: str | None = None


class NotInForce(Clause, frozen=True, eq=False):
    since: str
    until: str
    reason: str = ""


class EditionStart(Clause, frozen=True, eq=False):
    """Opens an edition of the rule; the clauses after it belong to it."""

    since: str
    until: str | None = None
    label: str = ""


class Severity(Clause, frozen=True, eq=False):
    level: str


class KindOf(Clause, frozen=True, eq=False):
    kind: str


class Key(Node, frozen=True, eq=False):
    name: str
    every: bool = False


class ForEach(Clause, frozen=True, eq=False):
    keys: tuple[Key, ...]


class When(Clause, frozen=True, eq=False):
    phrase: Phrase
    first: bool = False


class WhenEnds(Clause, frozen=True, eq=False):
    interval: str


class Let(Clause, frozen=True, eq=False):
    name: str
    value: Expr


class OnlyIf(Clause, frozen=True, eq=False):
    condition: Expr


class Require(Clause, frozen=True, eq=False):
    condition: Expr


class Forbid(Clause, frozen=True, eq=False):
    condition: Expr


class Except(Clause, frozen=True, eq=False):
    authority: str
    condition: Expr


class ButNot(Clause, frozen=True, eq=False):
    """An exception to the exception before it."""

    authority: str
    condition: Expr


class Say(Clause, frozen=True, eq=False):
    text: str


class Remedy(Clause, frozen=True, eq=False):
    text: str


class Note(Clause, frozen=True, eq=False):
    text: str


class Given(Node, frozen=True, eq=False):
    what: OneOfWords["option", "reading", "setting"]
    name: str
    value: Literal


class EventField(Node, frozen=True, eq=False):
    name: str
    text: str


class EventLine(Node, frozen=True, eq=False):
    """One event of an example: `20:00:09 card_dealt seat=1 card=9S <- here`."""

    time: str
    event: str
    fields: tuple[EventField, ...] = ()
    next_day: bool = False
    here: bool = False


class Example(Clause, frozen=True, eq=False):
    expected: str
    title: str = ""
    date: str | None = None
    given: tuple[Given, ...] = ()
    lines: tuple[EventLine, ...] = ()


# ---- declarations --------------------------------------------------------------------------


class Declaration(Node, frozen=True, eq=False):
    """One block of a file."""


class Rulebook(Declaration, frozen=True, eq=False):
    title: str
    time_zone: str | None = None


class Chapter(Declaration, frozen=True, eq=False):
    """A part of the law that is no longer law: `chapter "N.J.A.C. 19:47" until 2012-01-01`."""

    citation: str
    until: str
    why: str = ""


class Section(Declaration, frozen=True, eq=False):
    title: str
    applies: tuple[Expr, ...] = ()
    given: tuple[Given, ...] = ()


class Use(Declaration, frozen=True, eq=False):
    path: str


class Interval(Declaration, frozen=True, eq=False):
    name: str
    opens: Phrase
    closes: Phrase


class EventGroup(Declaration, frozen=True, eq=False):
    """A name for some events: `events player_card are card_dealt where to is player`."""

    name: str
    events: tuple[str, ...]
    where: Expr | None = None


class Define(Declaration, frozen=True, eq=False):
    name: str
    parameters: tuple[str, ...]
    body: Expr


class Cell(Node, frozen=True, eq=False):
    text: str


class TableRow(Node, frozen=True, eq=False):
    keys: tuple[Cell, ...]
    cells: tuple[Cell, ...]


class Table(Declaration, frozen=True, eq=False):
    """A table as the law prints it. The first row names the keys and the columns."""

    name: str
    title: str
    header: TableRow
    rows: tuple[TableRow, ...]


class Setting(Declaration, frozen=True, eq=False):
    name: str
    value: Literal
    why: str = ""


class Reading(Node, frozen=True, eq=False):
    name: str
    text: str = ""
    default: bool = False


class Interpretation(Declaration, frozen=True, eq=False):
    name: str
    title: str
    citations: tuple[str, ...]
    readings: tuple[Reading, ...]


class Choice(Node, frozen=True, eq=False):
    what: OneOfWords["reading", "setting"]
    name: str
    value: Literal


class Profile(Declaration, frozen=True, eq=False):
    name: str
    title: str
    choices: tuple[Choice, ...]


class Template(Declaration, frozen=True, eq=False):
    name: str
    parameters: tuple[str, ...]
    clauses: tuple[Clause, ...]


class Argument(Node, frozen=True, eq=False):
    name: str
    value: Expr


class Rule(Declaration, frozen=True, eq=False):
    name: str
    clauses: tuple[Clause, ...]
    template: str | None = None
    arguments: tuple[Argument, ...] = ()


class File(Node, frozen=True, eq=False):
    """Everything that one rule file declares, in order."""

    declarations: tuple[Declaration, ...]
