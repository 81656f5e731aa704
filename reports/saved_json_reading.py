"""Reads a saved result finding by finding: they are packed as they come, so that those of a whole
year never stand unpacked in memory together."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from reports.model import Finding, ReadingOrder, RuleOutcome, Run, reading_order
from reports.packed import Packed

_Parts = dict[str, msgspec.Raw]


class _OutOfForm(Exception):
    """Not as this program saves it: to be read as a whole, which says what is wrong with it."""


def run_from_json(content: bytes) -> Run:
    """A saved result. What is wrong with it is said as by `Run.model_validate_json`."""
    try:
        return _in_pieces(content)
    except (_OutOfForm, ValueError, RecursionError):
        return Run.model_validate_json(content)


def _in_pieces(content: bytes) -> Run:
    parts = msgspec.json.decode(content, type=_Parts)
    outcomes = msgspec.json.decode(parts.pop("outcomes", b"[]"), type=list[_Parts])
    run = Run.model_validate_json(msgspec.json.encode(parts))
    return run.model_copy(update={"outcomes": tuple(map(_outcome, outcomes))})


def _outcome(parts: _Parts) -> RuleOutcome:
    findings = msgspec.json.decode(parts.pop("findings", b"[]"), type=list[msgspec.Raw])
    outcome = RuleOutcome.model_validate_json(msgspec.json.encode(parts))
    if not findings:
        return outcome
    return outcome.with_findings(Packed(Finding, _written(outcome, findings)))


def _written(outcome: RuleOutcome, findings: list[msgspec.Raw]) -> Iterator[bytes]:
    before: ReadingOrder | None = None
    for written in findings:
        found = Finding.model_validate_json(bytes(written))
        order = reading_order(found)
        theirs = found.kind is not outcome.kind or found.rule != outcome.rule
        if theirs or (before is not None and order < before):
            raise _OutOfForm
        before = order
        yield found.model_dump_json().encode()
