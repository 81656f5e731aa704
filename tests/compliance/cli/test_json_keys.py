"""The keys of JSON answers: what docs/command-line.md lists is what the commands write."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reports.model import Run
from reports.saved_json import render_json
from tests.compliance.small_rulebook import RULES, json_answer, write
from tests.reports.sample import burn_outcome, full_run, run_of, unburned
from tests.tree import text_of

PAGE = text_of("docs/command-line.md")
DESCRIBED_ELSEWHERE = {"run", "examples[].checks[]"}
"""Keys whose content is the result model, which has its own description."""

NOTHING_OF_THAT_NAME = {"event", "enum", "option"}
"""Keys of `schema show` that are null."""


def documented(command: str) -> set[str]:
    section = PAGE.split(f"### compliance {command}\n", 1)[1].split("\n### ", 1)[0]
    rows = [row.split("|")[1] for row in section.splitlines() if row.startswith("| `")]
    return {key for row in rows for key in re.findall(r"`([^`]+)`", row)}


def keys(data: Any, path: str = "") -> Iterator[str]:
    """Every key of an answer, as the page writes them; empty lists and nulls tell nothing."""
    if path in DESCRIBED_ELSEWHERE:
        yield path
    elif isinstance(data, dict):
        for name, value in data.items():
            yield from keys(value, f"{path}.{name}" if path else name)
    elif isinstance(data, list):
        for value in data:
            yield from keys(value, f"{path}[]")
    else:
        yield path


ANOTHER = run_of(burn_outcome(unburned())).model_copy(update={"profile": "another"})
BAD = RULES.replace("when recut_ordered", "when recut_orderd when")
UNTESTED = RULES.replace(
    "card is known\n", 'card is known\n  note "equivalent mutant: fits none"\n  only if seat is 1\n'
)

COSTLY = """
rule nobody-wagered-more
  "No wager follows one that was higher."
  cite "House rule 1"
  when wager_placed as mine
  require no wager_placed as other where other.amount is more than mine.amount, earlier
"""

UNNOTICED = """
rulebook "House" time zone "America/New_York"

rule burn
  "A dealer burns a card before dealing."
  cite "House rule 12"
  when first card_dealt since dealer_arrived
  require card_burned since dealer_arrived
  otherwise say "none was burned"
  example complies
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player seat=1
"""


@pytest.mark.parametrize(
    ("command", "several"),
    [
        ("schema list", [["schema", "list"]]),
        ("schema show", [["schema", "show", "card_dealt"], ["schema", "show", "game"]]),
        ("rules list", [["rules", "list", "GOOD"]]),
        ("rules coverage", [["rules", "coverage", "--section", "19:47-2.5"]]),
        ("rules check", [["rules", "check", "BAD"], ["rules", "check", "COSTLY"]]),
        ("rules fmt", [["rules", "fmt", "--check", "BAD", "GOOD"]]),
        (
            "rules test",
            [
                ["rules", "test", "UNTESTED", "--suggest"],
                ["rules", "test", "UNNOTICED", "--write"],
            ],
        ),
        ("rules explain", [["rules", "explain", "burn-by-each-new-dealer", "GOOD"]]),
        ("diff", [["diff", "OLD", "NEW"], ["diff", "NEW", "OLD"]]),
        ("help", [["help", "unknown-event"]]),
        ("breaches", [["breaches"]]),
        ("demo", [["demo", "-o", "REPORT"]]),
    ],
)
def test_the_documented_keys_are_those_of_the_answers(
    command: str,
    several: list[list[str]],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = {key for words in several for key in _answered(words, tmp_path, capsys)}
    assert found - NOTHING_OF_THAT_NAME == documented(command)


def _answered(words: list[str], folder: Path, capsys: pytest.CaptureFixture[str]) -> Iterator[str]:
    files = {
        "GOOD": write(folder, name="good.rules"),
        "BAD": write(folder, BAD, name="bad.rules"),
        "COSTLY": write(folder, COSTLY, name="costly.rules"),
        "UNTESTED": write(folder, UNTESTED, name="untested.rules"),
        "UNNOTICED": write(folder, UNNOTICED, name="unnoticed.rules"),
        "REPORT": folder / "report.html",
        "OLD": _saved(folder / "old.json", ANOTHER),
        "NEW": _saved(folder / "new.json", full_run()),
    }
    return keys(json_answer(capsys, *(files.get(word, word) for word in words)))


def _saved(path: Path, run: Run) -> Path:
    path.write_bytes(render_json(run))
    return path
