"""The result of a run, as data: what was checked, what was found, and by which events.

Every renderer starts from `Run`. All models are immutable, refuse unknown fields and have one
order, so that the same result is always the same JSON.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import inf
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    Field,
    NonNegativeInt,
    PlainSerializer,
    model_validator,
)

from reports.answer import Answer
from reports.change_record import Changes
from reports.fingerprint import fingerprint
from reports.packed import Chained, Packed
from reports.record import Record
from reports.run_sources import Consulted as Consulted
from reports.run_sources import Input as Input
from reports.run_sources import Rulebook as Rulebook
from reports.run_sources import Scope as Scope
from reports.run_sources import Sha256
from reports.summary import Summary
from reports.surroundings import Exposure, Timeline
from reports.verdicts import (
    ClauseStatus,
    FindingKind,
    RuleStatus,
    Severity,
    Verdict,
    status_of,
)
from reports.waiver import Waiver

_PLACES = ("casino", "pit", "table", "shoe", "round", "dealer", "seat", "player")


def _by_name(entries: dict[str, str]) -> dict[str, str]:
    return dict(sorted(entries.items()))


def _widest_place_first(places: dict[str, str]) -> dict[str, str]:
    known = {name: places[name] for name in _PLACES if name in places}
    return known | _by_name(places)


Entries = Annotated[dict[str, str], AfterValidator(_by_name)]
Places = Annotated[dict[str, str], AfterValidator(_widest_place_first)]


class Witness(Record):
    """An event that decided a check, and what it showed."""

    event_id: str
    """The id of the event in the log."""
    ts: AwareDatetime
    """When it happened, with the offset that the log wrote."""
    type: str
    """The type of the event."""
    casino: str = ""
    """The casino in which it happened."""
    table: str
    """The table at which it happened."""
    seq: int
    """Its sequence number at that table."""
    line_text: str = ""
    """The event as it stands in the log."""
    part: str
    """What it showed: trigger, since, found, counted, before, ..."""


class Check(Record):
    """One rule applied at one trigger."""

    rule: str
    """The rule that was applied."""
    edition: date | None = None
    """First day in force of the edition of the law that was applied."""
    verdict: Verdict
    """How the check ended."""
    trigger: Witness
    """The event at which the rule was applied."""
    slice: Entries = Field(default_factory=dict)
    """The `for each` keys of the rule, with the values that this check is about."""
    witnesses: tuple[Witness, ...] = ()
    """The other events that decided the check."""
    excused_by: str | None = None
    """The citation of the exception, where one applied."""
    message: str = ""
    """The sentence of the rule, filled in; empty for a check that complied."""
    unmet: tuple[str, ...] = ()
    """The parts of the requirement that did not hold, or that could not be decided."""

    @model_validator(mode="after")
    def _excuse_needs_authority(self) -> Check:
        if (self.verdict is Verdict.EXCUSED) != (self.excused_by is not None):
            raise ValueError("excused_by names the exception of an excused check, and only of it")
        return self

    @property
    def fingerprint(self) -> str:
        """The stable name of what this check is about."""
        return fingerprint(
            rule=self.rule,
            edition=self.edition,
            casino=self.trigger.casino,
            table=self.trigger.table,
            slice=self.slice,
            trigger=self.trigger.event_id,
        )


class SameAct(Record):
    """The finding under which another one stands, because one act broke both rules."""

    rule: str
    """The rule that found it."""
    fingerprint: Sha256
    """Its stable name."""


class Finding(Record):
    """Something that a person has to look at, with all that is needed to judge it."""

    kind: FindingKind
    """A breach of the law, a pattern worth a look, or damaged evidence."""
    rule: str
    """The rule that found it."""
    title: str
    """The title of the rule."""
    citations: tuple[str, ...] = ()
    """Where the rule stands in law."""
    edition: date | None = None
    """First day in force of the edition of the law that was applied."""
    severity: Severity
    """How grave it is."""
    law: str = ""
    """What the law asks, in our words."""
    sentence: str
    """What happened, in one sentence."""
    where: Places = Field(default_factory=dict)
    """Casino, table, round, seat and so on, from the widest place to the narrowest."""
    amount_cents: NonNegativeInt | None = None
    """The money concerned: of the event itself, or wagered at its box in the round, in cents."""
    trigger: Witness | None = None
    """The event at which the rule was applied; a data defect may have none."""
    file: str = ""
    """The file in which that event stands, without its folder."""
    line: NonNegativeInt | None = None
    """The line of that file; of a file without lines, the record."""
    witnesses: tuple[Witness, ...] = ()
    """The other events that decided it."""
    unmet: tuple[str, ...] = ()
    """The parts of the rule's requirement that did not hold."""
    fingerprint: Sha256
    """The stable name of the finding: the same in every run in which it is found again."""
    remedy: str = ""
    """What to do about it, where the rule says so."""
    same_act: SameAct | None = None
    """The gravest finding of the same act, where one act broke several rules; that one has none."""
    exposure: Exposure | None = None
    """What was at stake until the breach was cured; absent where it was not measured."""
    timeline: Timeline | None = None
    """The table around the breach; only the first findings of a rule carry it."""
    waiver: Waiver | None = None
    """The waiver that covers it; a waived finding still counts."""


class Counts(Record):
    """How many checks ended in each verdict."""

    complied: NonNegativeInt = 0
    """Checks in which what the rule demands holds."""
    violated: NonNegativeInt = 0
    """Checks in which it does not hold, and nothing excuses it."""
    excused: NonNegativeInt = 0
    """Checks in which an exception of the law applies."""
    open: NonNegativeInt = 0
    """Checks that the log ends too early to decide."""
    undetermined: NonNegativeInt = 0
    """Checks that need a field which is not recorded."""

    @classmethod
    def of(cls, counts: Mapping[Verdict, int]) -> Counts:
        """Build from a count per verdict."""
        return cls(**{verdict.value: number for verdict, number in counts.items()})

    def by_verdict(self) -> dict[Verdict, int]:
        """Return a count for every verdict, zero included."""
        return {verdict: getattr(self, verdict.value) for verdict in Verdict}

    @property
    def total(self) -> int:
        """The number of checks."""
        return self.complied + self.violated + self.excused + self.open + self.undetermined


ReadingOrder = tuple[float, str, int, str]


def reading_order(finding: Finding) -> ReadingOrder:
    """What findings are sorted by to be in order of time."""
    if finding.trigger is None:
        return (-inf, "", 0, finding.fingerprint)
    event = finding.trigger
    return (event.ts.timestamp(), event.table, event.seq, finding.fingerprint)


def in_reading_order(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Findings in order of time."""
    return tuple(sorted(findings, key=reading_order))


def _packed(findings: Sequence[Finding]) -> Sequence[Finding]:
    return Packed.of(Finding, in_reading_order(findings))


Findings = Annotated[
    Sequence[Finding],
    AfterValidator(_packed),
    PlainSerializer(tuple, return_type=tuple[Finding, ...]),
]


class RuleOutcome(Record):
    """What a log shows about one rule."""

    rule: str
    """The name of the rule."""
    title: str
    """The title of the rule: the law in our words."""
    citations: tuple[str, ...] = ()
    """Where the rule stands in law."""
    severity: Severity
    """How grave a breach of it is."""
    kind: FindingKind = FindingKind.VIOLATION
    """What its findings are: breaches, patterns worth a look, or damaged evidence."""
    status: RuleStatus
    """The whole log in one word."""
    reason: str = ""
    """Why the rule was not evaluable or not in force, where that is so."""
    counts: Counts = Counts()
    """How the checks of this rule ended."""
    unsettled: Counts = Counts()
    """Of these checks, those of which the next log will speak again: what it then says takes the
    place of what is said here. Nothing unless nights are joined."""
    findings: Findings = ()
    """In order of time, whatever order the engine found them in."""

    @model_validator(mode="after")
    def _status_agrees_with_counts(self) -> RuleOutcome:
        if self.counts.total and self.status is not status_of(self.counts.by_verdict()):
            raise ValueError(f"the counts of {self.rule} do not add up to {self.status.value}")
        if not self.counts.total and self.status.value in set(Verdict):
            raise ValueError(f"{self.rule} has no checks and cannot be {self.status.value}")
        if any(found.kind is not self.kind or found.rule != self.rule for found in self.findings):
            raise ValueError(f"{self.rule} holds a finding of another rule or kind")
        return self

    def with_findings(self, findings: Packed[Finding]) -> RuleOutcome:
        """The same with findings of this rule that are in order, and packed, already."""
        return self.model_copy(update={"findings": findings})


class ClauseStatement(Record):
    """What the run says about one clause of the law, to be signed line by line."""

    clause: str
    """The clause as the rulebook's map of the law names it: 19:47-2.6(c)#1."""
    texts: tuple[str, ...] = ()
    """The texts of the law in which it stands: 1996, 2010, ..."""
    game: str = ""
    """The game that it concerns, or empty."""
    section: str = ""
    """The subject that it belongs to, or empty."""
    says: str
    """What the clause asks, in our words."""
    status: ClauseStatus
    """What the log shows about it, in one word."""
    checks: NonNegativeInt = 0
    """How many checks of its rules stand behind the status."""
    rules: tuple[str, ...] = ()
    """The rules that apply it."""
    level: Literal["full", "partial", "nominal", ""] = ""
    """How far its rules go; empty where it has none."""
    escapes: str = ""
    """What escapes them, where they do not cover the clause in full."""
    reason: str = ""
    """Why nothing could be said, where that is so."""


class NotRecorded(Record):
    """What a source does not record, and what of the law could be judged if it did."""

    record: str
    """Event types and fields, as a sentence names them."""
    clauses: NonNegativeInt = 0
    """How many clauses, not evaluable in this run, nothing else stands in the way of."""
    rules: tuple[str, ...] = ()
    """The rules that lack just this."""


def _by_file_name(inputs: tuple[Input, ...]) -> tuple[Input, ...]:
    return tuple(sorted(inputs, key=lambda source: (source.name, source.sha256)))


class Run(Record):
    """One rulebook applied to one set of logs: the whole result."""

    schema_version: Literal["1"] = "1"
    """The version of this form; docs/command-line.md says what changes it."""
    summary: Summary | None = None
    """What all this comes to; put in when the check is done."""
    changes: Changes | None = None
    """What changed since an earlier result, where one was given to compare with."""
    rulebook: Rulebook
    """Which rules were applied."""
    inputs: Annotated[tuple[Input, ...], AfterValidator(_by_file_name)]
    """Every file that was read."""
    scope: Scope = Scope()
    """What of the log was checked."""
    profile: str = ""
    """The profile of readings and settings that was chosen, or empty."""
    law_of: date | None = None
    """The day whose law was applied to every event; none: that of the event's own day."""
    interpretations: Entries = Field(default_factory=dict)
    """Where the law can be read in two ways: the question, and the reading that was chosen."""
    options: Entries = Field(default_factory=dict)
    """What the licensee elected, where it bears on the rules."""
    versions: Entries = Field(default_factory=dict)
    """The versions of the checker and of what it stands on."""
    notes: tuple[str, ...] = ()
    """What a reader has to know, such as that the recorded fields were inferred."""
    quarantined: NonNegativeInt = 0
    """Lines of the log that could not be read as events and were set aside."""
    set_aside: dict[str, NonNegativeInt] = Field(default_factory=dict)
    """Why lines were set aside, with their number, the most frequent reason first."""
    lost_records: NonNegativeInt = 0
    """Records of the tables that are known to be lost: missing numbers, unreadable lines, records
    that contradict each other. A place of which it is not known how many are lost counts once, and
    so does a line that may be of several tables."""
    undecided_by_loss: NonNegativeInt = 0
    """How many checks could not be decided because of them: each names a lost record."""
    time_zone: str = ""
    """The casino's time zone, in which reports show every time; empty: as the log wrote it."""
    command: str = ""
    """The command that made the run, with file names only and what bears on the result."""
    consulted: tuple[Consulted, ...] = ()
    """Files besides the log and the rules that the result rests on."""
    waivers: tuple[Waiver, ...] = ()
    """The waivers that were given, whether or not they cover anything."""
    answers: tuple[Answer, ...] = ()
    """What the owners of findings wrote into the action plan; no part of what the run found."""
    outcomes: tuple[RuleOutcome, ...] = ()
    """One for every rule, in the order of the rulebook."""
    statements: tuple[ClauseStatement, ...] = ()
    """One for every clause of the rulebook's law, in the order of the law."""
    not_recorded: tuple[NotRecorded, ...] = ()
    """What rules that are not evaluable lack: what would open the most clauses first."""
    sha256: Annotated[str, Field(pattern=r"^([0-9a-f]{64})?$")] = ""
    """The SHA-256 of all the rest, put in when the result is saved: it shows any later change."""

    def findings(self, kind: FindingKind) -> Sequence[Finding]:
        """All findings of one kind, rule by rule."""
        return Chained(outcome.findings for outcome in self.outcomes if outcome.kind is kind)
