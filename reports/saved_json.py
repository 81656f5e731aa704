"""The result as JSON, which every other format can be made from again."""

from __future__ import annotations

from reports.model import Run
from reports.run_hash import run_hash


def render_json(run: Run) -> bytes:
    """The whole run, sealed with the hash of what it says."""
    sealed = run.model_copy(update={"sha256": run_hash(run)})
    return (sealed.model_dump_json(indent=2) + "\n").encode()


def altered(run: Run) -> bool:
    """Whether a saved run says something else than when it was sealed."""
    return bool(run.sha256) and run.sha256 != run_hash(run)
