"""Twice the events take about twice the work, for each construct of the language by itself.

Each is asked at every event, on 2 to 32 thousand events that lie in one slice, and on as many keys.
What ties each event to all others by more than equal fields cannot keep this: such a rule ends
after some seconds without a verdict (tests/compliance/engine/test_costly_rules.py).
"""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from compliance.log import tables
from compliance.log.tables import TableFrame
from event_schemas import builtin_schema
from rules_dsl.rulebook import load_text
from tests.benchmarks.engine_runs import check

SIZES = (2_000, 4_000, 8_000, 16_000, 32_000)
MOST = 2.4
"""What doubling may cost; the first steps are too quick to be measured."""
FEW = 20.0
"""Seconds after which no larger log is tried."""
CONSTRUCTS = {
    "earlier": "card_burned earlier",
    "earlier where": "card_dealt where card is 9S, earlier",
    "with same": "card_dealt with same seat, earlier",
    "with same player": "wager_placed with same player, earlier",
    "later": "no wager_placed with same player, later",
    "within": "card_dealt within 5 minutes",
    "since": "card_burned since cards_shuffled",
    "before": "card_burned before cards_shuffled",
    "count": "count of card_dealt so far is at least 1",
    "count where": "count of card_dealt where seat is 3, so far is at least 0",
    "sum": "sum of wager_placed.amount so far is at least $0",
    "sum with same": "sum of wager_placed.amount with same player, so far is at least $0",
    "largest": "largest of wager_placed.amount so far is at most $500",
    "distinct": "count of distinct wager_placed.player so far is at least 0",
    "previous": "previous wager_placed.amount is at least $0",
    "exactly": "exactly 2 card_burned earlier",
    "every": "every wager_placed earlier has amount is at least $10",
    "every with same": "every wager_placed with same seat, earlier has amount is at least $10",
    "latest per seat": "every wager_placed latest per seat, earlier has amount is at least $10",
    "latest per player": "every wager_placed latest per player, earlier has amount is at least $10",
    "some": "some wager_placed earlier has amount is at least $10",
    "nested every": (
        "every wager_placed earlier has (some card_dealt with same seat, earlier or amount is $10)"
    ),
}


BOUNDED = {"nested every": "violated at every event: each breach is told with all its witnesses"}
"""Those that grow faster until their work is ended, and why."""


def log(folder: Path, size: int, keys: int) -> Sequence[TableFrame]:
    lines = []
    for n in range(size):
        base = {
            "id": f"e{n}",
            "ts": f"2024-03-09T{n // 3600 % 24:02d}:{n // 60 % 60:02d}:{n % 60:02d}-05:00",
            "seq": n,
            "casino": "C",
            "table": "T",
        }
        if n % 2:
            own = {"type": "card_dealt", "to": "player", "seat": 1 + n % 7, "card": "9S"}
        else:
            own = {"type": "wager_placed", "seat": 1 + n % 7, "player": f"P{n % keys}",
                   "amount": 1000 + n % 5, "wager": "blackjack"}  # fmt: skip
        lines.append(json.dumps(base | own))
    path = folder / f"{size}.jsonl"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return list(tables([path], builtin_schema()))


def seconds(requirement: str, frames: Sequence[TableFrame]) -> float:
    text = (
        'rule a\n  "T."\n  cite N.J.A.C. 19:47-2.6(c)\n  severity minor\n'
        f"  when wager_placed\n  require {requirement}\n"
    )
    loaded = load_text(text, builtin_schema())
    assert not loaded.errors, loaded.errors
    start = time.process_time()
    check(loaded.rulebook, frames)
    return time.process_time() - start


@pytest.mark.long
@pytest.mark.parametrize("keys", [7, 1_000_000], ids=["few keys", "as many keys"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_twice_the_events_take_about_twice_the_work(name: str, keys: int, tmp_path: Path) -> None:
    taken: list[float] = []
    for size in SIZES:
        taken.append(seconds(CONSTRUCTS[name], log(tmp_path, size, keys)))
        if taken[-1] > FEW:
            break
    print(name, [f"{each:.3f}" for each in taken])
    slow = [after / before for before, after in itertools.pairwise(taken) if after > 0.3]
    assert all(ratio < MOST for ratio in slow[-1 if name in BOUNDED else 0 :]), taken
