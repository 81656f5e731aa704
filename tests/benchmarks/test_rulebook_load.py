"""How long a rulebook of 500 rules takes to load, against what Lark alone needs to parse it.

All are processor times, measured in turns in one run, the best of several: machines are noisy.
    .venv/bin/python -m pytest tests/benchmarks -s
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from event_schemas import builtin_schema
from rules_dsl.cache import RulebookCache
from rules_dsl.parsing.parser import make_lark
from rules_dsl.rulebook import load

RULEBOOK = Path(__file__).parents[2] / "rules_dsl" / "rulebooks" / "nj"
RULES = 500
ROUNDS = 5


@pytest.fixture(scope="module")
def large_rulebook(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rulebook of New Jersey with its rules repeated under other names until there are 500."""
    folder = tmp_path_factory.mktemp("large")
    texts = {
        path.relative_to(RULEBOOK): path.read_text("utf-8")
        for path in sorted([*RULEBOOK.rglob("*.rules"), *RULEBOOK.rglob("*.examples")])
    }
    rules = sum(len(re.findall(r"^rule ", text, re.M)) for text in texts.values())
    copies = -(-RULES // rules)
    for name, text in texts.items():
        blocks = re.split(r"^(?=[a-z])", text, flags=re.M)
        repeated = [
            re.sub(r"^(rule|examples of) (\S+)", rf"\1 \2-copy-{number}", block)
            for number in range(1, copies)
            for block in blocks
            if block.startswith(("rule ", "examples of "))
        ]
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text + "\n" + "".join(repeated), "utf-8")
    return folder


def best(*work: Callable[[], object]) -> list[float]:
    """The least processor time of each, measured in turns so that all meet the same weather."""
    times: list[list[float]] = [[] for _ in work]
    for _ in range(ROUNDS):
        for each, spent in zip(work, times, strict=True):
            start = time.process_time()
            each()
            spent.append(time.process_time() - start)
    return [min(spent) for spent in times]


def test_loading_costs_little_more_than_parsing(large_rulebook: Path, tmp_path: Path) -> None:
    schema = builtin_schema()
    lark = make_lark(with_tree=False)
    texts = [path.read_text("utf-8") for path in sorted(large_rulebook.rglob("*.[re]*s"))]
    cache = RulebookCache(tmp_path)
    loaded = load([large_rulebook], schema, cache)
    assert not loaded.errors
    assert len(loaded.rulebook.rules) >= RULES

    parsing, cold, cached = best(
        lambda: [lark.parse(text, start="file") for text in texts],
        lambda: load([large_rulebook], schema),
        lambda: load([large_rulebook], schema, cache),
    )
    print(
        f"\n{len(loaded.rulebook.rules)} rules: Lark alone {parsing:.3f} s, load {cold:.3f} s "
        f"({cold / parsing:.2f} times), cached {cached:.3f} s ({cold / cached:.1f} times faster)"
    )
    assert cold <= 2.5 * parsing
    assert cached * 5 <= cold
