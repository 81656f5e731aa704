"""What every part of a result has in common: it never changes, and holds nothing unknown."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Record(BaseModel):
    """A part of the result of a run."""

    # The words under each field are also its description in the JSON Schema of a run.
    model_config = ConfigDict(
        frozen=True,
        extra="forbid",
        use_attribute_docstrings=True,
        json_schema_serialization_defaults_required=True,
    )
