"""Which rules were applied from when on, who answers for them, and under which names they went on.

A rule whose meaning is the same to the letter under another name was renamed. One that was changed
and renamed at once is followed where the batch's settings say so.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cached_property
from typing import Any, Final

import msgspec
from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from compliance.checking.rulebook_identity import rulebook_hash, rulebook_name
from compliance.store.audit import add_entry
from compliance.store.tables import RenamedRule, RulebookVersion, StoredFinding, Tally
from compliance.store.tallies import count_night
from rules_dsl import core

_NO_MEANING: Final = frozenset({"place", "citation", "citations", "authority"})


@dataclass(frozen=True)
class RulesApplied:
    """A set of rules, with who answers for it."""

    rulebook: core.Rulebook
    author: str = ""
    reviewer: str = ""
    reason: str = ""
    renamed: Mapping[str, str] = field(default_factory=dict)
    """Old names with the new ones, as a person states them."""

    @cached_property
    def sha256(self) -> str:
        """By what it is known: equal rules have equal ones."""
        return rulebook_hash(self.rulebook)


def _described(rule: core.Rule) -> dict[str, Any]:
    citations = sorted({cited for edition in rule.editions for cited in edition.citations})
    return {"title": rule.title, "citations": citations, "meaning": _meaning(rule)}


def _meaning(rule: core.Rule) -> str:
    """A proof of what a rule asks, wherever it stands, whatever it is called and cites."""
    asked = [
        [
            edition.since,
            edition.until,
            _written(edition.slice),
            _written(edition.trigger),
            _written(edition.only_if),
            _written(edition.requirements),
            _written(edition.exemptions),
        ]
        for edition in rule.editions
    ]
    return hashlib.sha256(json.dumps([rule.kind, asked]).encode()).hexdigest()


def _written(value: Any) -> Any:
    if isinstance(value, msgspec.Struct):
        names = (name for name in value.__struct_fields__ if name not in _NO_MEANING)
        return [type(value).__name__, *(_written(getattr(value, name)) for name in names)]
    if isinstance(value, tuple | list):
        return [_written(item) for item in value]
    if isinstance(value, dict):
        return [[key, _written(item)] for key, item in sorted(value.items())]
    return str(value)


def record_rulebook(session: Session, rules: RulesApplied, actor: str) -> None:
    """Know a set of rules from now on, and what was renamed in it."""
    if session.get(RulebookVersion, rules.sha256) is not None:
        return
    at = datetime.now(UTC)
    latest = session.scalar(
        select(RulebookVersion).order_by(RulebookVersion.number.desc()).limit(1)
    )
    described = {rule.name: _described(rule) for rule in rules.rulebook.rules}
    number = 1 + (session.scalar(select(func.max(RulebookVersion.number))) or 0)
    session.add(
        RulebookVersion(
            sha256=rules.sha256,
            number=number,
            name=rulebook_name(rules.rulebook),
            first_used=at,
            author=rules.author,
            reviewer=rules.reviewer,
            reason=rules.reason,
            rules=described,
        )
    )
    session.flush()
    found = {} if latest is None else _renamed(latest.rules, described)
    for old, new in sorted({**found, **rules.renamed}.items()):
        session.add(RenamedRule(old=old, new=new, rulebook=rules.sha256))
        session.flush()
        _rename(session, old, new)
    detail = {"number": number, "author": rules.author, "reviewer": rules.reviewer}
    add_entry(session, actor, "rulebook", rules.sha256, {**detail, "reason": rules.reason}, at)


def _rename(session: Session, old: str, new: str) -> None:
    """What was found under the old name is from now on listed under the new one."""
    nights = session.execute(select(Tally.casino, Tally.day).where(Tally.rule == old)).all()
    session.execute(update(StoredFinding).where(StoredFinding.rule == old).values(rule=new))
    for casino, day in nights:
        count_night(session, casino, day)


def _renamed(
    before: Mapping[str, Mapping[str, Any]], now: Mapping[str, Mapping[str, Any]]
) -> dict[str, str]:
    """Rules that are gone, each with the one that came and says the very same."""
    gone = {name: said["meaning"] for name, said in before.items() if name not in now}
    came = {name: said["meaning"] for name, said in now.items() if name not in before}
    often = Counter([*gone.values()]) + Counter([*came.values()])
    by_meaning = {meaning: name for name, meaning in came.items()}
    return {
        name: by_meaning[meaning]
        for name, meaning in gone.items()
        # Of twins nobody can tell which one went on as which.
        if meaning in by_meaning and often[meaning] == 2
    }


def name_today(session: Session, rule: str) -> str:
    """The name under which a rule goes on."""
    changes = session.execute(
        select(RenamedRule.old, RenamedRule.new)
        .join(RulebookVersion, RulebookVersion.sha256 == RenamedRule.rulebook)
        .order_by(RulebookVersion.number)
    )
    for old, new in changes:
        rule = new if old == rule else rule
    return rule
