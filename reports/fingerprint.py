"""The name under which a finding is known for good.

It is made of what happened only, so that it survives re-runs, more data, renumbered lines and
changes of the engine: nothing of the run, the file or the wording goes in.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from datetime import date


def fingerprint(
    *,
    rule: str,
    edition: date | None,
    casino: str,
    table: str,
    slice: Mapping[str, str],
    trigger: str,
) -> str:
    """Return the SHA-256 of rule, edition start, casino, table, slice and the trigger's id."""
    edition_start = edition.isoformat() if edition else ""
    # JSON, because joined text could make two different findings look alike.
    parts = json.dumps([rule, edition_start, casino, table, sorted(slice.items()), trigger])
    return hashlib.sha256(parts.encode()).hexdigest()
