"""What is promised of speed and memory, with the limit and the goal of docs/benchmarks.md.

The limits hold in the long form and in the short one alike. Where a promise is not kept yet,
`today` is what a busy machine still reaches.
"""

from __future__ import annotations

from typing import Final

from tests.benchmarks.measuring import Limit

WHOLE_CHECK: Final = Limit(most=3, goal="2", today=6)
ENGINE: Final = Limit(most=1, goal="0.5", today=4)
DUCKDB: Final = Limit(least=10, goal="20", today=4.5)
POLARS: Final = Limit(least=6, goal="10", today=2)
FOUR_RULES: Final = Limit(least=30, goal="60")
"""The monitor judges 200,000 events a second where six million are to be reached."""
JSONL: Final = Limit(most=1.4, goal="1")
CSV: Final = Limit(most=1.1, goal="1")
DAMAGED: Final = Limit(most=1.3, goal="1.1", today=5)
BATCH: Final = Limit(most=1.3, today=3.5)
"""Most of it is what joins nights: `check --keep` alone takes twice the time of the bare check."""
TWO_WORKERS: Final = Limit(least=1.8, goal="1.95")
MEMORY: Final = Limit(most=1024, goal="600")
FIVE_NIGHTS: Final = Limit(most=1.05)
SMALL_CHECK: Final = Limit(most=4, goal="1.5")
"""To import the packages takes 0.2 s of a processor where a small check is to take 0.8."""
DEMO: Final = Limit(most=6)
CHANGED_RULE: Final = Limit(most=0.03, goal="0.0075")
"""To read 3.4 million events takes Polars 0.67 s where the median rule is to take 20 ms."""
WORST_CHANGED_RULE: Final = Limit(most=0.15, today=0.5)
