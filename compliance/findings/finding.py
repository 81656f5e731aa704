"""Turns a violated check into a finding: what a person needs in order to judge it."""

from __future__ import annotations

from collections.abc import Mapping

from compliance.findings.breach_context import BreachContext
from compliance.values.event_texts import value_text
from event_schemas import Event, Schema
from reports.model import Check, Finding, SameAct
from reports.verdicts import FindingKind, Severity
from rules_dsl import core

PLACES = ("casino", "pit", "table", "shoe", "round", "dealer", "seat", "player")


def finding(
    check: Check,
    rule: core.Rule,
    edition: core.Edition,
    trigger: Event,
    schema: Schema,
    context: BreachContext | None = None,
    place: tuple[str, int | None] = ("", None),
    same_act: SameAct | None = None,
) -> Finding:
    """The finding behind a violated check of a rule, in the edition that was in force.

    `place` is the file and line in which the trigger stands, `same_act` the finding under which
    this one stands.
    """
    seen = context or BreachContext()
    return Finding(
        kind=FindingKind(rule.kind),
        rule=rule.name,
        title=title(rule),
        citations=edition.citations,
        edition=check.edition,
        severity=Severity(rule.severity),
        law=title(rule),
        sentence=sentence(check),
        where={**seen.places, **where(trigger, check.slice, schema)},
        amount_cents=seen.amount_cents,
        trigger=check.trigger,
        file=place[0],
        line=place[1],
        witnesses=check.witnesses,
        unmet=check.unmet,
        fingerprint=check.fingerprint,
        remedy=edition.remedy,
        same_act=same_act,
        exposure=seen.exposure,
        timeline=seen.timeline,
    )


def without_timeline(found: Finding) -> Finding:
    """The same finding, lighter."""
    return found.model_copy(update={"timeline": None})


def title(rule: core.Rule) -> str:
    """The rule's title as a heading, which ends without a full stop."""
    return rule.title.removesuffix(".") or rule.name


def sentence(check: Check) -> str:
    """What happened: the rule's own words, or the event and what did not hold at it."""
    if check.message:
        return _as_sentence(check.message)
    missing = "; ".join(check.unmet) or "what the rule asks"
    event = check.trigger.line_text or check.trigger.type
    return f"At this event a requirement is not met: {event} ({missing})."


def _as_sentence(text: str) -> str:
    whole = text[:1].upper() + text[1:]
    return whole if whole.endswith((".", "!", "?")) else whole + "."


def where(trigger: Event, slice_: Mapping[str, str], schema: Schema) -> dict[str, str]:
    """The place of a finding, as far as the trigger and the rule's `for each` keys tell."""
    kinds = schema.events[trigger.type].fields
    known = {
        name: value_text(kinds[name].kind.name, trigger.get(name))
        for name in PLACES
        if name in kinds and trigger.get(name) is not None
    }
    return known | dict(slice_)
