"""Named breaches of the law: each alters a lawful night at one point."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from compliance.simulate.night import TablePlan
from compliance.simulate.table import Chapter, Record
from compliance.simulate.truth import Injected
from compliance.simulate.writing import event_id, flattened

APART = 4
"""So many chapters lie between two breaches, that one does not hide or cause another."""


def spoil(
    plan: TablePlan, chapters: Sequence[Chapter], names: Sequence[str], rate: float
) -> list[Injected]:
    return []


BREACHES: dict[str, str] = {}
