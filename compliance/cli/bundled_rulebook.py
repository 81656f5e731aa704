"""Where the rulebook lies that comes with the product."""

from __future__ import annotations

from pathlib import Path


def bundled_rulebook() -> Path:
    """Where the rulebook lies that comes with the product."""
    import rules_dsl.rulebook

    return Path(rules_dsl.rulebook.__file__).parent / "rulebooks" / "nj"
