"""Starting the product stays quick although the vocabulary is large."""

import sys
from subprocess import run

LOADED = """
import sys
from event_schemas import builtin_schema
assert not any("model" in vars(event) for event in builtin_schema().events.values())
assert "pydantic.main" not in sys.modules
"""


def test_no_model_is_built_before_it_is_needed() -> None:
    run([sys.executable, "-c", LOADED], check=True)
