"""What people say of findings and nights: reviews, comments, assignments, sign-offs; and who may.

Nothing here is ever changed or taken away by a check. Each word is kept with who said it and when,
and stands in the audit trail.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from enum import StrEnum

from sqlalchemy import select
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.store.audit import add_entry
from compliance.store.tables import (
    Account,
    Assignment,
    Comment,
    NightRun,
    Review,
    SignOff,
    StoredFinding,
)


class Role(StrEnum):
    """What an account may do; each may also do what stands before it."""

    READER = "reader"
    REVIEWER = "reviewer"
    OFFICER = "officer"
    ADMINISTRATOR = "administrator"


class Decision(StrEnum):
    """What a reviewer thinks of a finding."""

    CONFIRMED = "confirmed"
    DISPUTED = "disputed"
    NEEDS_INFORMATION = "needs_information"


@dataclass(frozen=True)
class Words:
    """All that people said of a finding, in the order in which they said it."""

    reviews: Sequence[Review]
    comments: Sequence[Comment]
    assignments: Sequence[Assignment]

    @property
    def decision(self) -> Review | None:
        """The review that holds: the last one."""
        return self.reviews[-1] if self.reviews else None

    @property
    def owner(self) -> Assignment | None:
        """Who has to see to it."""
        return self.assignments[-1] if self.assignments else None


def add_account(
    session: Session, name: str, shown_as: str, role: Role, actor: str, secret: str | None = None
) -> Account:
    """Open an account. `secret` is a hash of its password, never the password."""
    if session.get(Account, name) is not None:
        raise Refused(f"There is an account {name} already.")
    account = Account(
        name=name, shown_as=shown_as, role=role.value, secret=secret, since=datetime.now(UTC)
    )
    session.add(account)
    session.flush()
    add_entry(session, actor, "account opened", name, {"role": role.value})
    return account


def close_account(session: Session, name: str, actor: str) -> None:
    """Nobody can speak by it any more; what was said by it stays."""
    account = _open_account(session, name)
    account.until = datetime.now(UTC)
    session.flush()
    add_entry(session, actor, "account closed", name, {})


def review(session: Session, finding: str, account: str, decision: Decision, reason: str) -> Review:
    """Say what a finding is worth; the last word holds, the earlier ones stay."""
    _open_account(session, account)
    _must_exist(session, finding)
    _must_say(reason, "A review")
    row = Review(
        finding=finding,
        account=account,
        decision=decision.value,
        reason=reason,
        at=datetime.now(UTC),
    )
    session.add(row)
    session.flush()
    detail = {"decision": decision.value, "reason": reason}
    add_entry(session, account, "reviewed", finding, detail, row.at)
    return row


def comment(session: Session, finding: str, account: str, text: str) -> Comment:
    """Write something beside a finding."""
    _open_account(session, account)
    _must_exist(session, finding)
    _must_say(text, "A comment")
    row = Comment(finding=finding, account=account, text=text, at=datetime.now(UTC))
    session.add(row)
    session.flush()
    add_entry(session, account, "commented", finding, {"text": text}, row.at)
    return row


def assign(
    session: Session, finding: str, owner: str, account: str, due: date | None = None
) -> Assignment:
    """Say who has to see to a finding, and until when."""
    _open_account(session, account)
    _open_account(session, owner)
    _must_exist(session, finding)
    row = Assignment(finding=finding, owner=owner, account=account, due=due, at=datetime.now(UTC))
    session.add(row)
    session.flush()
    add_entry(session, account, "assigned", finding, {"owner": owner, "due": due}, row.at)
    return row


def sign_off(session: Session, run: int, account: str, statement: str) -> SignOff:
    """Sign a night as one of its runs shows it; a later run of it is not signed."""
    _open_account(session, account)
    _must_say(statement, "A sign-off")
    signed = session.get(NightRun, run)
    if signed is None:
        raise Refused(f"There is no run {run}.")
    row = SignOff(run=run, account=account, statement=statement, at=datetime.now(UTC))
    session.add(row)
    session.flush()
    detail = {"result": signed.result, "statement": statement}
    add_entry(session, account, "signed off", str(run), detail, row.at)
    return row


def words_about(session: Session, finding: str) -> Words:
    """All that people said of a finding."""
    return Words(
        session.scalars(
            select(Review).where(Review.finding == finding).order_by(Review.number)
        ).all(),
        session.scalars(
            select(Comment).where(Comment.finding == finding).order_by(Comment.number)
        ).all(),
        session.scalars(
            select(Assignment).where(Assignment.finding == finding).order_by(Assignment.number)
        ).all(),
    )


def sign_offs_of(session: Session, casino: str, day: date) -> Sequence[tuple[SignOff, NightRun]]:
    """Who signed a night, and which run of it."""
    asked = (
        select(SignOff, NightRun)
        .join(NightRun, NightRun.number == SignOff.run)
        .where(NightRun.casino == casino, NightRun.day == day)
        .order_by(SignOff.number)
    )
    return [(signed, run) for signed, run in session.execute(asked)]


def _open_account(session: Session, name: str) -> Account:
    account = session.get(Account, name)
    if account is None:
        raise Refused(f"There is no account {name}.")
    if account.until is not None:
        raise Refused(f"The account {name} is closed.")
    return account


def _must_exist(session: Session, finding: str) -> None:
    if session.get(StoredFinding, finding) is None:
        raise Refused(f"There is no finding {finding[:16]}.")


def _must_say(text: str, what: str) -> None:
    if not text.strip():
        raise Refused(f"{what} must say something.")
