"""The whole of a finding, as the store keeps it."""

from __future__ import annotations

import zlib

from compliance.store.tables import StoredFinding
from reports.model import Finding


def packed_document(finding: Finding) -> bytes:
    """A finding to be kept. Timeline and waiver are not of it: both belong to a run."""
    bare = finding.model_copy(update={"timeline": None, "waiver": None})
    return zlib.compress(bare.model_dump_json().encode())


def document(row: StoredFinding) -> Finding:
    """The finding as it was last found."""
    return Finding.model_validate_json(zlib.decompress(row.document))
