"""The result as JSON, which every other format can be made from again."""

from __future__ import annotations

from collections.abc import Iterator

from reports.json_in_pieces import with_items
from reports.model import RuleOutcome, Run
from reports.run_hash import run_hash

_STEP = "  "


def json_pieces(run: Run) -> Iterator[str]:
    """The whole run, sealed with the hash of what it says."""
    sealed = run.model_copy(update={"sha256": run_hash(run), "outcomes": ()})
    outcomes = (_outcome(outcome) for outcome in run.outcomes)
    yield from with_items(sealed.model_dump_json(indent=2), "outcomes", _STEP, _STEP, outcomes)
    yield "\n"


def _outcome(outcome: RuleOutcome) -> Iterator[str]:
    bare = outcome.model_copy(update={"findings": ()}).model_dump_json(indent=2)
    findings = ([found.model_dump_json(indent=2)] for found in outcome.findings)
    return with_items(bare, "findings", _STEP, _STEP, findings)


def render_json(run: Run) -> bytes:
    """The same at once."""
    return "".join(json_pieces(run)).encode()


def altered(run: Run) -> bool:
    """Whether a saved run says something else than when it was sealed."""
    return bool(run.sha256) and run.sha256 != run_hash(run)
