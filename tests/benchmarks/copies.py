"""The eight rules many times over, as in an office with many rules of one kind.

Each copy has other constants, chosen such that it finds no more than the original: what is measured
is the looking, not the writing of findings.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.rulebook import load_text
from tests.benchmarks.engine_runs import EIGHT_RULES

CONSTANTS: dict[str, Callable[[int], str]] = {
    "require card_burned since dealer_arrived": lambda n: (
        f"require card_burned since dealer_arrived, within {20 + n} hours earlier"
    ),
    "require no additional_card earlier": lambda n: (
        f"require no player_card where (at least {2 + n} player_card with same seat, earlier),"
        " earlier"
    ),
    "require cards_cut since cards_shuffled": lambda n: (
        f"require cards_cut since cards_shuffled, within {20 + n} hours earlier"
    ),
    "vigorish_collected.amount earlier is": lambda n: (
        f"vigorish_collected.amount earlier + ${n} is"
    ),
    "require dealers_total is at least 17": lambda n: f"require dealers_total is at least {17 - n}",
    "forbid dealer_card where (dealers_total is at least 17": lambda n: (
        f"forbid dealer_card where (dealers_total is at least {17 + n}"
    ),
    "player_first_two is at most 7": lambda n: f"player_first_two is at most {7 - n % 4}",
    "banker_first_two is at most 7": lambda n: f"banker_first_two is at most {7 - n // 4}",
    "at least 30 minutes": lambda n: f"at least {30 - n} minutes",
    "clockwise from 1": lambda n: f"clockwise from {20 + n}",
}
"""What stands in the rules, and what stands there in the n-th copy."""


def copies_of_the_eight(number: int) -> core.Rulebook:
    """A rulebook with so many copies of the eight rules; the first one is the original."""
    text = re.sub(r"^  example .*\n(?:    .*\n)*", "", EIGHT_RULES.read_text("utf-8"), flags=re.M)
    blocks = re.split(r"^(?=rule )", text, flags=re.M)
    parts = [text]
    for n in range(1, number):
        for block in blocks[1:]:
            copy = block.replace("\n", f"-{n}\n", 1)
            for written, other in CONSTANTS.items():
                copy = copy.replace(written, other(n))
            parts.append(copy)
    loaded = load_text("\n".join(parts), builtin_schema())
    assert [d.message for d in loaded.errors] == []
    assert len(loaded.rulebook.rules) == 8 * number
    return loaded.rulebook
