"""Works out everything about the bundled rulebook once, when the product is built.

    python -m compliance.checking.precompiled_rulebook FOLDER

What is written there belongs into `rules_dsl/precompiled` of the installation. It is found by the
content of the rules and of the code: beside other rules or another version it is never used.
"""

from __future__ import annotations

import sys
from pathlib import Path

from compliance.plan.remembered_plan import recall_plan
from compliance.table_check.needs_of_rulebook import recall_needs
from event_schemas import builtin_schema
from rules_dsl.cache import RulebookCache
from rules_dsl.rulebook import load


def precompile(rulebook: Path, target: Path) -> None:
    """Write the entry of a rulebook, with what its rules need, to a folder."""
    cache, schema = RulebookCache(target, precompiled=None), builtin_schema()
    loaded = load([rulebook], schema, cache)
    if not loaded.key:
        raise SystemExit(f"{rulebook} has mistakes: `compliance rules check` shows them.")
    readings = {name: item.default for name, item in loaded.rulebook.interpretations.items()}
    recall_needs(loaded, schema, readings, cache)
    recall_plan(loaded, schema, cache)
    # For every user of the installation.
    target.chmod(0o755)
    for file in target.iterdir():
        file.chmod(0o644)


if __name__ == "__main__":
    precompile(Path(__file__).parents[2] / "rules_dsl" / "rulebooks" / "nj", Path(sys.argv[1]))
