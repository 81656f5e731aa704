"""The result of a run, as data: what was checked, what was found, and by which events.

Every renderer starts from `Run`. All models are immutable, refuse unknown fields and have one
order, so that the same result is always the same JSON.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from math import inf
from typing import Annotated, Literal

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    NonNegativeInt,
    model_validator,
)

from reports.fingerprint import fingerprint
from reports.verdicts import ExitCode, FindingKind, RuleStatus, Severity, Verdict, status_of

_PLACES = ("casino", "pit", "table", "shoe", "round", "dealer", "seat", "player")


def _by_name(entries: dict[str, str]) -> dict[str, str]:
    return dict(sorted(entries.items()))


def _widest_place_first(places: dict[str, str]) -> dict[str, str]:
    known = {name: places[name] for name in _PLACES if name in places}
    return known | _by_name(places)


Entries = Annotated[dict[str, str], AfterValidator(_by_name)]
Places = Annotated[dict[str, str], AfterValidator(_widest_place_first)]
Sha256 = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]


class _Record(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Witness(_Record):
    """An event that decided a check, and what it showed."""

    event_id: str
    ts: AwareDatetime
    type: str
    table: str
    seq: int
    line_text: str = ""
    """The event as it stands in the log."""
    part: str
    """What it showed: trigger, since, found, counted, before, ..."""


class Check(_Record):
    """One rule applied at one trigger."""

    rule: str
    edition: date | None = None
    """First day in force of the edition of the law that was applied."""
    verdict: Verdict
    trigger: Witness
    slice: Entries = {}
    """The `for each` keys of the rule, with the values that this check is about."""
    witnesses: tuple[Witness, ...] = ()
    excused_by: str | None = None
    """The citation of the exception, where one applied."""
    message: str = ""
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
            table=self.trigger.table,
            slice=self.slice,
            trigger=self.trigger.event_id,
        )


class Finding(_Record):
    """Something that a person has to look at, with all that is needed to judge it."""

    kind: FindingKind
    rule: str
    title: str
    citations: tuple[str, ...] = ()
    edition: date | None = None
    """First day in force of the edition of the law that was applied."""
    severity: Severity
    law: str = ""
    """What the law asks, in our words."""
    sentence: str
    """What happened, in one sentence."""
    where: Places = {}
    """Casino, table, round, seat and so on, from the widest place to the narrowest."""
    trigger: Witness | None = None
    """The event at which the rule was applied; a data defect may have none."""
    witnesses: tuple[Witness, ...] = ()
    fingerprint: Sha256
    remedy: str = ""


class Counts(_Record):
    """How many checks ended in each verdict."""

    complied: NonNegativeInt = 0
    violated: NonNegativeInt = 0
    excused: NonNegativeInt = 0
    open: NonNegativeInt = 0
    undetermined: NonNegativeInt = 0

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
        return sum(self.by_verdict().values())


def _reading_order(finding: Finding) -> tuple[float, str, int, str]:
    if finding.trigger is None:
        return (-inf, "", 0, finding.fingerprint)
    event = finding.trigger
    return (event.ts.timestamp(), event.table, event.seq, finding.fingerprint)


def _in_reading_order(findings: tuple[Finding, ...]) -> tuple[Finding, ...]:
    return tuple(sorted(findings, key=_reading_order))


class RuleOutcome(_Record):
    """What a log shows about one rule."""

    rule: str
    title: str
    citations: tuple[str, ...] = ()
    severity: Severity
    kind: FindingKind = FindingKind.VIOLATION
    status: RuleStatus
    reason: str = ""
    """Why the rule was not evaluable or not in force, where that is so."""
    counts: Counts = Counts()
    findings: Annotated[tuple[Finding, ...], AfterValidator(_in_reading_order)] = ()
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


class Rulebook(_Record):
    """The rules that were applied."""

    name: str
    sha256: Sha256


class Input(_Record):
    """A file that was read."""

    name: str
    """The file's name without its folder, so that a report does not depend on the machine."""
    sha256: Sha256
    events: NonNegativeInt


class Scope(_Record):
    """What the log covers."""

    casinos: tuple[str, ...] = ()
    tables: tuple[str, ...] = ()
    first: AwareDatetime | None = None
    last: AwareDatetime | None = None


def _by_file_name(inputs: tuple[Input, ...]) -> tuple[Input, ...]:
    return tuple(sorted(inputs, key=lambda source: (source.name, source.sha256)))


class Run(_Record):
    """One rulebook applied to one set of logs: the whole result."""

    schema_version: Literal["1"] = "1"
    rulebook: Rulebook
    inputs: Annotated[tuple[Input, ...], AfterValidator(_by_file_name)]
    scope: Scope = Scope()
    profile: str = ""
    interpretations: Entries = {}
    """Where the law can be read in two ways: the question, and the reading that was chosen."""
    options: Entries = {}
    """What the licensee elected, where it bears on the rules."""
    versions: Entries = {}
    """The versions of the checker and of what it stands on."""
    notes: tuple[str, ...] = ()
    """What a reader has to know, such as that the recorded fields were inferred."""
    quarantined: NonNegativeInt = 0
    """Lines of the log that could not be read as events and were set aside."""
    outcomes: tuple[RuleOutcome, ...] = ()
    """One for every rule, in the order of the rulebook."""

    def findings(self, kind: FindingKind) -> tuple[Finding, ...]:
        """All findings of one kind, rule by rule."""
        return tuple(
            found for outcome in self.outcomes if outcome.kind is kind for found in outcome.findings
        )

    @property
    def exit_code(self) -> ExitCode:
        """Violations of the law decide it; indicators and data defects do not."""
        broken = any(
            outcome.kind is FindingKind.VIOLATION and outcome.status is RuleStatus.VIOLATED
            for outcome in self.outcomes
        )
        return ExitCode.VIOLATIONS if broken else ExitCode.CLEAN
