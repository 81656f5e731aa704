"""Twice the events take about twice the work, for each construct of the language by itself.

Each is asked at every event, on 2 to 32 thousand events that lie in one slice, and on as many keys.
What ties each event to all others by more than equal fields cannot keep this: `rules check` names
such a rule with its order of growth, and it ends after some seconds without a verdict
(tests/compliance/engine/test_costly_rules.py).
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
from rules_dsl import core
from rules_dsl.growth import growth_of
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


COSTLY = {
    "tie": "no wager_placed as other where other.amount is more than mine.amount + $50, earlier",
    "every tie": (
        "every wager_placed as other earlier has other.amount is at most mine.amount + $500"
    ),
    "two same": "sum of wager_placed.amount with same seat and same player, so far is at least $0",
    "sum later": "sum of wager_placed.amount later is at least $0",
    "every later": "every wager_placed later has amount is at least $10",
    "average": "average of wager_placed.amount earlier is at least $0",
    "median": "median of wager_placed.amount earlier is at least $0",
    "count latest per": "count of wager_placed latest per player, so far is at least 0",
    "ties inside ties": (
        "no wager_placed as other where (wager_placed as third where third.amount is more than"
        " other.amount + mine.amount, earlier), earlier"
    ),
}
"""Those that `rules check` names."""
BOUNDED = {"nested every": "violated at every event: each breach is told with all its witnesses"}
"""Those that grow faster in telling, until that is ended, and why."""


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


def rulebook(requirement: str) -> core.Rulebook:
    text = (
        'rule a\n  "T."\n  cite N.J.A.C. 19:47-2.6(c)\n  severity minor\n'
        f"  when wager_placed as mine\n  require {requirement}\n"
    )
    loaded = load_text(text, builtin_schema())
    assert not loaded.errors, loaded.errors
    return loaded.rulebook


def seconds(rules: core.Rulebook, frames: Sequence[TableFrame]) -> float:
    start = time.process_time()
    check(rules, frames)
    return time.process_time() - start


def measured(requirement: str, keys: int, folder: Path) -> list[float]:
    rules, taken = rulebook(requirement), [0.0]
    for size in SIZES:
        if taken[-1] < FEW:
            taken.append(seconds(rules, log(folder, size, keys)))
    return taken[1:]


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_what_is_measured_as_near_linear_is_told_so(name: str) -> None:
    (rule,) = rulebook(CONSTRUCTS[name]).rules
    assert growth_of(rule).order == 1


@pytest.mark.long
@pytest.mark.parametrize("keys", [7, 1_000_000], ids=["few keys", "as many keys"])
@pytest.mark.parametrize("name", CONSTRUCTS)
def test_twice_the_events_take_about_twice_the_work(name: str, keys: int, tmp_path: Path) -> None:
    taken = measured(CONSTRUCTS[name], keys, tmp_path)
    print(name, [f"{each:.3f}" for each in taken])
    slow = [after / before for before, after in itertools.pairwise(taken) if after > 0.3]
    assert all(ratio < MOST for ratio in slow[-1 if name in BOUNDED else 0 :]), taken


@pytest.mark.long
@pytest.mark.parametrize("keys", [7, 1_000_000], ids=["few keys", "as many keys"])
@pytest.mark.parametrize("name", COSTLY)
def test_what_grows_faster_is_named_and_ends(name: str, keys: int, tmp_path: Path) -> None:
    (rule,) = rulebook(COSTLY[name]).rules
    taken = measured(COSTLY[name], keys, tmp_path)
    print(name, growth_of(rule).order, [f"{each:.3f}" for each in taken])
    assert growth_of(rule).order > 1
    assert max(taken) < FEW
