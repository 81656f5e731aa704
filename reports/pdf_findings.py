"""Findings as the pages of the PDF show them: the first of each rule in full, more as lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from event_schemas import format_money
from reports.answer import Answer, by_fingerprint
from reports.cards import drawn
from reports.model import Finding, Run
from reports.shown import LETTERS, Group, Step, going_with, groups, steps
from reports.surroundings import CURE, Exposure
from reports.verdicts import FindingKind
from reports.wording import counted, day, lasting
from reports.zone import Clock

FULL_OF_A_RULE = 3
"""Paper has no filters: three examples of each rule show what happened."""
LINES_OF_A_RULE = 40
_SUITS = {"spades": "♠", "hearts": "♥", "diamonds": "♦", "clubs": "♣"}
_WIDE_PLACES = ("casino", "pit")
_NOT_RECORDED = "not recorded"


def told_in_full(run: Run) -> bool:
    """Whether the report tells everything about every finding."""
    return all(len(outcome.findings) <= FULL_OF_A_RULE for outcome in run.outcomes)


def finding_groups(run: Run, kind: FindingKind, clock: Clock) -> list[dict[str, Any]]:
    """The rules with findings of a kind, the gravest first."""
    answers = by_fingerprint(run.answers)
    found = groups(run, kind)
    others = {
        leading: "; ".join(f"{number} {item.title.rstrip('.')}" for number, item in listed)
        for leading, listed in going_with(found, kind).items()
    }
    return [_group(item, f"{LETTERS[kind]}{item.number}", clock, answers, others) for item in found]


def _group(
    item: Group,
    number: str,
    clock: Clock,
    answers: Mapping[str, Answer],
    others: Mapping[str, str],
) -> dict[str, Any]:
    outcome = item.outcome
    findings = outcome.findings
    full = findings[: min(FULL_OF_A_RULE, len(item.full))]
    lines = findings[len(full) : len(full) + LINES_OF_A_RULE]
    checks = (
        f" in {counted(outcome.counts.total, 'check')}"
        if outcome.kind is not FindingKind.DATA_DEFECT
        else ""
    )
    waived = f", {item.waived:,} waived" if item.waived else ""
    left = len(findings) - len(full) - len(lines)
    return {
        "number": number,
        "id": f"rule-{number}",
        "rule": outcome.rule,
        "title": outcome.title,
        "severity": outcome.severity.value,
        "citations": "; ".join(outcome.citations),
        "often": f"{counted(len(findings), 'finding')}{checks}{waived}",
        "law": item.law,
        "findings": [
            _full(f"{number}.{place}", found, clock, answers.get(found.fingerprint))
            | {"others": others.get(found.fingerprint, "")}
            for place, found in enumerate(full, start=1)
        ],
        "lines": [
            {
                "number": f"{number}.{place}",
                "sentence": found.sentence,
                "where": _where(found, clock),
            }
            for place, found in enumerate(lines, start=len(full) + 1)
        ],
        "left": f"{counted(left, 'more finding')} of this rule "
        f"{'is' if left == 1 else 'are'} counted here and listed in the table of findings "
        "(CSV or Parquet) that can be made from the same result."
        if left
        else "",
    }


def _answer(answer: Answer) -> str:
    due = f"due {day(answer.due)}" if answer.due else ""
    facts = ", ".join(part for part in (answer.owner, answer.status, due) if part)
    return f"{answer.response} ({facts})" if answer.response and facts else answer.response or facts


def _full(number: str, found: Finding, clock: Clock, answer: Answer | None) -> dict[str, Any]:
    edition = f" Edition in force from {day(found.edition)}." if found.edition else ""
    cited = f" ({'; '.join(found.citations)})" if found.citations else ""
    law = (found.law or found.title).rstrip(".")
    waiver = found.waiver
    return {
        "number": number,
        "sentence": found.sentence,
        "where": _where(found, clock),
        "criteria": f"{law}{cited}.{edition}",
        "unmet": list(found.unmet),
        "steps": [_step(step, found, clock) for step in steps(found, clock)],
        "audited": found.kind is not FindingKind.DATA_DEFECT,
        "effect": _effect(found.exposure),
        "exposure": _exposure(found.exposure),
        "remedy": found.remedy,
        "waiver": f"Waived by {waiver.authority}, up to and including {day(waiver.expires)}: "
        f"{waiver.reason}"
        if waiver
        else "",
        "answer": _answer(answer) if answer else "",
        "fingerprint": found.fingerprint[:16],
        "place": ", ".join(_stands_in(found)),
    }


def _stands_in(found: Finding) -> Iterator[str]:
    if found.line is not None:
        yield f"{found.file} line {found.line:,}"
    yield from (f"{name} {found.where[name]}" for name in _WIDE_PLACES if name in found.where)


def _where(found: Finding, clock: Clock) -> str:
    parts = [clock.moment(found.trigger.ts)] if found.trigger else []
    parts += [
        f"{'patron' if name == 'player' else name} {text}"
        for name, text in found.where.items()
        if name not in _WIDE_PLACES
    ]
    if found.amount_cents is not None:
        parts.append(f"amount {format_money(found.amount_cents)}")
    if found.same_act is not None:
        parts.append(f"same act as in {found.same_act.rule}")
    if found.waiver is not None:
        parts.append("waived")
    return ", ".join(parts)


def _step(step: Step, found: Finding, clock: Clock) -> dict[str, Any]:
    shown: dict[str, Any] = {"gap": step.in_gap, "day": "", "time": "", "cards": [], "text": ""}
    if step.missing:
        return shown | {"mark": "missing", "what": step.missing, "note": "missing"}
    if step.lost:
        return shown | {"mark": "lost", "what": step.lost}
    event = step.event
    if event is None:
        return shown | {"mark": "skipped", "what": f"{counted(step.skipped, 'event')} not shown"}
    if step.trigger:
        mark, note = "breach", "breach" if found.kind is FindingKind.VIOLATION else "here"
    elif event.part == CURE:
        mark, note = "cure", "cured here"
    else:
        mark, note = ("witness", f"witness: {event.part}") if event.part else ("event", "")
    return shown | {
        "mark": mark,
        "day": clock.day(event.ts) if step.new_day else "",
        "time": clock.time(event.ts),
        "what": event.type,
        "text": event.text,
        "cards": [_card(card) for card in event.cards],
        "note": note,
        "source": f"event {event.event_id}, number {event.seq} of {event.table}"
        if event.part
        else "",
    }


def _card(text: str) -> dict[str, str]:
    card = drawn(text)
    return {"rank": card.rank, "suit": _SUITS.get(card.suit, ""), "words": card.words}


def _effect(exposure: Exposure | None) -> str:
    if exposure is None:
        return "Not measured."
    length = lasting(exposure.seconds)
    if exposure.cured:
        return f"Cured after {length}, by {exposure.until}."
    if exposure.until == "the event itself":
        return "Nothing done later could cure it, and it lies outside a round."
    return f"Not cured; counted for {length}, up to {exposure.until}."


def _exposure(exposure: Exposure | None) -> list[list[str]]:
    if exposure is None:
        return []
    wagered = exposure.wagered_cents
    return [
        ["rounds", _amount(exposure.rounds)],
        ["hands", _amount(exposure.hands)],
        ["patrons", _amount(exposure.patrons)],
        ["wagered", _NOT_RECORDED if wagered is None else format_money(wagered)],
        ["time", lasting(exposure.seconds)],
    ]


def _amount(number: int | None) -> str:
    return _NOT_RECORDED if number is None else f"{number:,}"
