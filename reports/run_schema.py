"""The form of a result as JSON Schema, for programs that read what `compliance check` writes."""

from __future__ import annotations

from typing import Any

from reports.model import Run

DRAFT = "https://json-schema.org/draft/2020-12/schema"


def run_schema() -> dict[str, Any]:
    """Every key of a result, with its meaning in words; all of them are always there."""
    schema = Run.model_json_schema(mode="serialization")
    version = Run.model_fields["schema_version"].default
    head = {"$schema": DRAFT, "$id": f"urn:table-compliance:run:{version}"}
    return {**head, "title": "The result of compliance check", **_for_readers(schema)}


def _for_readers(node: Any) -> Any:
    """Without titles that only repeat a key's name, and open to keys that are added later."""
    if isinstance(node, list):
        return [_for_readers(part) for part in node]
    if not isinstance(node, dict):
        return node
    kept: dict[str, Any] = {}
    for key, value in node.items():
        if key in ("properties", "$defs"):
            kept[key] = {name: _for_readers(part) for name, part in value.items()}
        elif key != "title" and (key, value) != ("additionalProperties", False):
            kept[key] = _for_readers(value)
    return kept
