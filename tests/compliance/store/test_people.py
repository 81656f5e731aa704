"""What people say is kept with who said it, stands in the audit trail, and outlives checks."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from sqlalchemy import select

from compliance.api.refusal import Refused
from compliance.batch.due_nights import Asked
from compliance.store.audit import entries, first_fault
from compliance.store.people import (
    Decision,
    Role,
    add_account,
    assign,
    close_account,
    comment,
    review,
    sign_off,
    sign_offs_of,
    words_about,
)
from compliance.store.tables import StoredFinding
from tests.compliance.batch.site import FIRST, Site, simulated
from tests.compliance.small_rulebook import RULES


@pytest.fixture
def site(tmp_path: Path, store_place: str) -> Site:
    site = Site(tmp_path / "site", store_place, 3)
    site.logs(simulated(3, 2, 12, 1))
    site.run()
    return site


def test_words_outlive_every_check(site: Site) -> None:
    with site.store.writing() as session:
        name = session.scalars(select(StoredFinding.id)).first()
        assert name is not None
        add_account(session, "ann", "Ann", Role.REVIEWER, "tests")
        add_account(session, "bob", "Bob", Role.OFFICER, "tests")
        review(session, name, "ann", Decision.NEEDS_INFORMATION, "Which dealer?")
        review(session, name, "bob", Decision.CONFIRMED, "The camera shows it.")
        comment(session, name, "ann", "Asked the pit.")
        assign(session, name, "bob", "ann", date(2010, 4, 1))
        sign_off(session, 1, "bob", "I have read it.")
    site.rules(RULES.replace("severity minor\n  when recut", "severity major\n  when recut"))
    site.run(asked=Asked(since=FIRST))
    with site.store.reading() as session:
        words = words_about(session, name)
        assert words.decision is not None
        assert words.owner is not None
        assert [item.decision for item in words.reviews] == ["needs_information", "confirmed"]
        assert (words.decision.account, words.owner.owner) == ("bob", "bob")
        assert [item.text for item in words.comments] == ["Asked the pit."]
        ((signed, run),) = sign_offs_of(session, "AC", FIRST)
        assert (signed.account, run.number, run.revision) == ("bob", 1, 1)
        actions = [entry.action for entry in entries(session)]
        assert [actions.count(word) for word in ("reviewed", "commented", "signed off")] == [
            2,
            1,
            1,
        ]
        assert first_fault(session) is None


def test_who_has_no_open_account_cannot_speak(site: Site) -> None:
    with site.store.writing() as session:
        name = session.scalars(select(StoredFinding.id)).first()
        assert name is not None
        with pytest.raises(Refused, match="There is no account ann"):
            comment(session, name, "ann", "x")
        add_account(session, "ann", "Ann", Role.READER, "tests")
        with pytest.raises(Refused, match="an account ann already"):
            add_account(session, "ann", "Ann", Role.READER, "tests")
        with pytest.raises(Refused, match="must say something"):
            comment(session, name, "ann", " ")
        with pytest.raises(Refused, match="There is no finding ffff"):
            review(session, "f" * 64, "ann", Decision.CONFIRMED, "x")
        with pytest.raises(Refused, match="There is no run 77"):
            sign_off(session, 77, "ann", "x")
        close_account(session, "ann", "tests")
        with pytest.raises(Refused, match="is closed"):
            assign(session, name, "ann", "ann")
