"""The tables of the store: what is kept of nights, findings, people's words and the audit trail.

Machine and people never write the same rows: a night that is judged again replaces what the machine
found, and nothing that a person said of it.
"""

from __future__ import annotations

from datetime import UTC, date, datetime
from enum import StrEnum
from typing import Any, ClassVar, Final

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    DateTime,
    Dialect,
    ForeignKey,
    Index,
    LargeBinary,
    MetaData,
    String,
    Text,
    UniqueConstraint,
)
from sqlalchemy.orm import DeclarativeBase, Mapped, mapped_column
from sqlalchemy.types import TypeDecorator

HASH: Final = String(64)
NAME: Final = String(200)


class FindingStatus(StrEnum):
    """What the newest check of its night says of a finding."""

    NEW = "new"  # found for the first time
    RECURRING = "recurring"  # found before, and again
    RESOLVED = "resolved"  # found before, and not any more
    REOPENED = "reopened"  # was resolved, and is found again


class Moment(TypeDecorator[datetime]):
    """A moment with its zone: SQLite knows none, so that it is kept there in UTC."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """What is written has a zone."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a moment needs a zone")
        value = value.astimezone(UTC)
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """What is read is told in UTC."""
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Base(DeclarativeBase):
    """All tables of the store. Constraints have names, so that migrations can speak of them."""

    metadata = MetaData(
        naming_convention={
            "ix": "ix_%(table_name)s_%(column_0_N_name)s",
            "uq": "uq_%(table_name)s_%(column_0_N_name)s",
            "ck": "ck_%(table_name)s_%(constraint_name)s",
            "fk": "fk_%(table_name)s_%(column_0_N_name)s",
            "pk": "pk_%(table_name)s",
        }
    )
    type_annotation_map: ClassVar[dict[Any, Any]] = {datetime: Moment}


# ---- what the machine found ----------------------------------------------------------------


class RulebookVersion(Base):
    """A set of rules that was applied, who wrote it, who looked at it, and why it was changed."""

    __tablename__ = "rulebook_versions"

    sha256: Mapped[str] = mapped_column(HASH, primary_key=True)
    number: Mapped[int] = mapped_column(unique=True)
    name: Mapped[str] = mapped_column(Text)
    first_used: Mapped[datetime]
    author: Mapped[str] = mapped_column(Text, default="")
    reviewer: Mapped[str] = mapped_column(Text, default="")
    reason: Mapped[str] = mapped_column(Text, default="")
    rules: Mapped[dict[str, Any]] = mapped_column(JSON)
    """For each rule its title, its citations, and a proof of its meaning without its name."""


class RenamedRule(Base):
    """A rule that went on under another name: its findings and waivers go on with it."""

    __tablename__ = "renamed_rules"

    old: Mapped[str] = mapped_column(NAME, primary_key=True)
    rulebook: Mapped[str] = mapped_column(ForeignKey("rulebook_versions.sha256"), primary_key=True)
    new: Mapped[str] = mapped_column(NAME)


class KeptNight(Base):
    """What a check kept for the one of the next night: events, and the names of open checks."""

    __tablename__ = "kept_nights"

    sha256: Mapped[str] = mapped_column(HASH, primary_key=True)
    content: Mapped[bytes] = mapped_column(LargeBinary)


class NightRun(Base):
    """One check of one night of one casino; a night that is judged again has several."""

    __tablename__ = "runs"
    __table_args__ = (UniqueConstraint("casino", "day", "revision"),)

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    casino: Mapped[str] = mapped_column(NAME)
    day: Mapped[date]
    """The gaming day."""
    revision: Mapped[int]
    """1 for its first check."""
    cause: Mapped[str] = mapped_column(Text)
    """Why it was judged: a new night, a changed file, ..."""
    rulebook: Mapped[str] = mapped_column(ForeignKey("rulebook_versions.sha256"), index=True)
    settings: Mapped[str] = mapped_column(HASH)
    """A proof of all that bears on the result besides logs and the night before."""
    before: Mapped[str | None] = mapped_column(HASH)
    """What the night before had left when this one was judged; another hash: judge it again."""
    joined: Mapped[str | None] = mapped_column(HASH)
    """What the check went on from; none where a row of nights begins."""
    kept: Mapped[str] = mapped_column(HASH)
    """What this one leaves."""
    result: Mapped[str] = mapped_column(HASH)
    """The SHA-256 of the whole result, as its file states it."""
    verdict: Mapped[str] = mapped_column(String(20))
    exit_code: Mapped[int]
    summary: Mapped[dict[str, Any]] = mapped_column(JSON)
    told: Mapped[dict[str, Any]] = mapped_column(JSON)
    """How many findings are new, recurring, resolved, reopened, waived; and what else is told."""
    time_zone: Mapped[str] = mapped_column(String(100))
    """The casino's zone, in which days are counted."""
    events: Mapped[int] = mapped_column(BigInteger)
    quarantined: Mapped[int] = mapped_column(BigInteger)
    seconds: Mapped[float]
    at: Mapped[datetime]


class Night(Base):
    """A gaming day of a casino, with the check that holds."""

    __tablename__ = "nights"

    casino: Mapped[str] = mapped_column(NAME, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    run: Mapped[int] = mapped_column(ForeignKey("runs.number"), index=True)
    published: Mapped[bool]
    """Whether its reports lie in their place."""


class NightFile(Base):
    """A file that a run was made from, or that it wrote, by its hash."""

    __tablename__ = "files"

    run: Mapped[int] = mapped_column(ForeignKey("runs.number"), primary_key=True)
    role: Mapped[str] = mapped_column(String(40), primary_key=True)
    """A log, or what the report calls the file; `report` for what was written."""
    name: Mapped[str] = mapped_column(String(1000), primary_key=True)
    sha256: Mapped[str] = mapped_column(HASH, index=True)
    size: Mapped[int] = mapped_column(BigInteger)
    stamp: Mapped[str] = mapped_column(String(100), default="")
    """By which a file is known to be untouched without reading it: its size and times."""


class StoredFinding(Base):
    """A finding through all runs. Its first fingerprint is its name for good."""

    __tablename__ = "findings"
    __table_args__ = (
        # Lists go by night, newest first; each filter that a person uses has its index.
        Index("ix_findings_by_night", "casino", "day", "position", "id"),
        Index("ix_findings_by_day", "day", "position", "id"),
        Index("ix_findings_by_rule", "rule", "day", "position", "id"),
        Index("ix_findings_by_status", "status", "day", "position", "id"),
        Index("ix_findings_by_severity", "severity", "day", "position", "id"),
        Index("ix_findings_by_table", "table_name", "day", "position", "id"),
        Index("ix_findings_by_place", "place"),
        Index("ix_findings_by_waiver", "waiver"),
    )

    id: Mapped[str] = mapped_column(HASH, primary_key=True)
    fingerprint: Mapped[str] = mapped_column(HASH, unique=True)
    """The present one: a renamed rule gives another."""
    place: Mapped[str] = mapped_column(HASH)
    """A proof of what happened without the name of the rule."""
    casino: Mapped[str] = mapped_column(NAME)
    day: Mapped[date]
    """The gaming day on which it was first found."""
    moment: Mapped[datetime | None]
    """When it happened."""
    position: Mapped[int]
    """Its place among the findings of its night, in order of time."""
    kind: Mapped[str] = mapped_column(String(20))
    rule: Mapped[str] = mapped_column(NAME)
    severity: Mapped[str] = mapped_column(String(20))
    table_name: Mapped[str] = mapped_column(NAME)
    sentence: Mapped[str] = mapped_column(Text)
    status: Mapped[str] = mapped_column(String(20))
    first_run: Mapped[int] = mapped_column(ForeignKey("runs.number"))
    last_run: Mapped[int] = mapped_column(ForeignKey("runs.number"))
    last_day: Mapped[date]
    """The last gaming day whose check found it."""
    waiver: Mapped[int | None] = mapped_column(ForeignKey("waivers.number"))
    document: Mapped[bytes] = mapped_column(LargeBinary)
    """The whole finding as JSON, compressed."""


class Sighting(Base):
    """A run found a finding."""

    __tablename__ = "sightings"
    __table_args__ = (Index("ix_sightings_of_finding", "finding", "run"),)

    run: Mapped[int] = mapped_column(ForeignKey("runs.number"), primary_key=True)
    finding: Mapped[str] = mapped_column(ForeignKey("findings.id"), primary_key=True)


class Tally(Base):
    """How many findings of a rule a night has: a trend of years need not count them."""

    __tablename__ = "tallies"
    __table_args__ = (
        Index("ix_tallies_of_rule", "rule", "day"),
        Index("ix_tallies_by_day", "day"),
    )

    casino: Mapped[str] = mapped_column(NAME, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    rule: Mapped[str] = mapped_column(NAME, primary_key=True)
    kind: Mapped[str] = mapped_column(String(20))
    severity: Mapped[str] = mapped_column(String(20))
    number: Mapped[int]


class DeliveryState(StrEnum):
    """How far a message has come."""

    INTENDED = "intended"  # it is to be sent
    SENDING = "sending"  # a batch is at it, or was killed while it was
    SENT = "sent"  # somebody has it
    FAILED = "failed"  # nobody tries again: it was refused, or may have arrived


class Delivery(Base):
    """The message of a night on one channel: it is decided here whether it must still be sent."""

    __tablename__ = "deliveries"
    __table_args__ = (Index("ix_deliveries_by_state", "state"),)

    casino: Mapped[str] = mapped_column(NAME, primary_key=True)
    day: Mapped[date] = mapped_column(primary_key=True)
    channel: Mapped[str] = mapped_column(NAME, primary_key=True)
    about: Mapped[str] = mapped_column(String(40), primary_key=True)
    """night, failure, or the revision that brought something new: each is told once."""
    run: Mapped[int | None] = mapped_column(ForeignKey("runs.number"))
    sentence: Mapped[str] = mapped_column(Text)
    """Why there is no verdict, or what was corrected."""
    state: Mapped[str] = mapped_column(String(20))
    attempts: Mapped[int]
    at: Mapped[datetime]
    reason: Mapped[str] = mapped_column(Text)
    """Why it was not taken, the last time."""


# ---- what people say -----------------------------------------------------------------------


class Account(Base):
    """Somebody who may look at findings and speak of them."""

    __tablename__ = "accounts"

    name: Mapped[str] = mapped_column(NAME, primary_key=True)
    shown_as: Mapped[str] = mapped_column(Text)
    role: Mapped[str] = mapped_column(String(20))
    secret: Mapped[str | None] = mapped_column(Text)
    """A hash of the password; none where somebody else vouches for who it is."""
    since: Mapped[datetime]
    until: Mapped[datetime | None]
    """Closed accounts stay: their words do."""


class StoredWaiver(Base):
    """An authority's word that some findings are accepted for a time."""

    __tablename__ = "waivers"
    __table_args__ = (
        Index("ix_waivers_of_rule", "rule"),
        CheckConstraint("(fingerprint = '') <> (rule = '')", name="names_one"),
    )

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    fingerprint: Mapped[str] = mapped_column(HASH, default="")
    rule: Mapped[str] = mapped_column(NAME, default="")
    table_name: Mapped[str] = mapped_column(NAME, default="")
    casino: Mapped[str] = mapped_column(NAME, default="")
    """Empty: every casino of the store."""
    authority: Mapped[str] = mapped_column(Text)
    reason: Mapped[str] = mapped_column(Text)
    expires: Mapped[date]
    origin: Mapped[str] = mapped_column(String(20))
    """file or command."""
    since: Mapped[datetime]
    withdrawn: Mapped[datetime | None]


class Review(Base):
    """What somebody decided about a finding; the last one holds."""

    __tablename__ = "reviews"

    number: Mapped[int] = mapped_column(primary_key=True)
    finding: Mapped[str] = mapped_column(ForeignKey("findings.id"), index=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.name"))
    decision: Mapped[str] = mapped_column(String(20))
    reason: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


class Comment(Base):
    """What somebody wrote about a finding."""

    __tablename__ = "comments"

    number: Mapped[int] = mapped_column(primary_key=True)
    finding: Mapped[str] = mapped_column(ForeignKey("findings.id"), index=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.name"))
    text: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


class Assignment(Base):
    """Who has to see to a finding, and until when; the last one holds."""

    __tablename__ = "assignments"

    number: Mapped[int] = mapped_column(primary_key=True)
    finding: Mapped[str] = mapped_column(ForeignKey("findings.id"), index=True)
    owner: Mapped[str] = mapped_column(ForeignKey("accounts.name"), index=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.name"))
    due: Mapped[date | None]
    at: Mapped[datetime]


class SignOff(Base):
    """Somebody signs a night as one run shows it."""

    __tablename__ = "sign_offs"

    number: Mapped[int] = mapped_column(primary_key=True)
    run: Mapped[int] = mapped_column(ForeignKey("runs.number"), index=True)
    account: Mapped[str] = mapped_column(ForeignKey("accounts.name"))
    statement: Mapped[str] = mapped_column(Text)
    at: Mapped[datetime]


# ---- who did what --------------------------------------------------------------------------


class AuditEntry(Base):
    """One line of the audit trail; each holds the hash of the one before it."""

    __tablename__ = "audit"

    number: Mapped[int] = mapped_column(primary_key=True, autoincrement=False)
    at: Mapped[datetime]
    actor: Mapped[str] = mapped_column(NAME)
    action: Mapped[str] = mapped_column(String(40))
    subject: Mapped[str] = mapped_column(Text)
    detail: Mapped[str] = mapped_column(Text)
    """JSON, as it was hashed."""
    before: Mapped[str] = mapped_column(HASH)
    sha256: Mapped[str] = mapped_column(HASH, unique=True)
