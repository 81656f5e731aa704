"""An invented night at an invented casino: a small log with a few breaches, for the first look.

`night.jsonl` is what `tests.compliance.demo.night` writes. Nobody in it exists.
"""

from pathlib import Path

NIGHT = Path(__file__).parent / "night.jsonl"
MANIFEST = Path(__file__).parent / "manifest.toml"
"""What the source of that log records."""
