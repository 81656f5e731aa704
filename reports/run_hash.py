"""One short proof of a whole result: two runs that say the same have the same hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence

from reports.model import Finding, Run
from reports.packed import Packed


def run_hash(run: Run) -> str:
    """The SHA-256 of everything that a run says, taken part by part to keep memory small.

    What people answered to it later is not a part of that.
    """
    apart = {"outcomes", "sha256", "answers"}
    whole = hashlib.sha256(run.model_dump_json(exclude=apart).encode())
    for outcome in run.outcomes:
        whole.update(outcome.model_dump_json(exclude={"findings"}).encode())
        for found in _written(outcome.findings):
            whole.update(found)
    return whole.hexdigest()


def _written(findings: Sequence[Finding]) -> Iterator[bytes]:
    if isinstance(findings, Packed):
        return findings.written()
    return (found.model_dump_json().encode() for found in findings)
