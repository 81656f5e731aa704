"""Every diagnostic has a page in docs/diagnostics, and the rules on that page do what it says."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from compliance.rule_tests.example_runs import run_example
from event_schemas import builtin_schema
from rules_dsl.diagnostics import CATALOGUE, Diagnostic
from rules_dsl.parsing import parser
from rules_dsl.rulebook import Loaded, load

DOCS = Path(__file__).resolve().parents[2] / "docs" / "diagnostics"
SCHEMA = builtin_schema()
SMALL_LIMIT = 400
"""What the page about too large files imagines as the limit."""
SHAPE = re.compile(
    r"# (?P<code>[a-z-]+): (?P<sentence>[^\n.]+)\n\n"
    r"\*\*What it means\*\*\n\n(?P<means>(?!```).+?)\n\n"
    r"\*\*Avoid\*\*\n\n```rules\n(?P<avoid>.+?)```\n\n"
    r"\*\*Prefer\*\*\n\n```rules\n(?P<prefer>.+?)```\n\n"
    r"\*\*Why\*\*\n\n(?P<why>.+)\n",
    re.S,
)
BESIDES = {
    "cards.rules": b"events player_card are card_dealt where to is player\n",
    "other.rules": b'use "main"\n',
    "latin.rules": "-- Café\n".encode("latin-1"),
}
"""The files that the examples use."""
FIRST = '  "A card is burned before one is dealt."\n  cite N.J.A.C. 19:47-2.6(c)\n'
BESIDE = "-- In the file beside it, main.examples:\n"
EXAMPLES = """  example complies
    20:00:00 card_burned
    20:00:05 card_dealt to=player
  example violates
    20:00:05 card_dealt to=player <- here
"""

every_code = pytest.mark.parametrize("code", CATALOGUE)


def parts_of(code: str) -> dict[str, str]:
    """The parts of a page by their names."""
    found = SHAPE.fullmatch((DOCS / f"{code}.md").read_text(encoding="utf-8"))
    assert found, f"the page of {code} does not have the shape of the others"
    return found.groupdict()


def whole_file(block: str) -> str:
    """A block as a file: a part of a rule gets the clauses that it leaves out."""
    if not block.startswith(" "):
        return block
    text = "rule burn-before-dealing\n" + FIRST
    if not re.search(r"^  when ", block, re.M):
        text += "  when card_dealt\n"
    text += block
    if not re.search(r"^  (require|forbid) ", block, re.M):
        text += "  require card_burned earlier\n"
    return text if "  example " in block else text + EXAMPLES


def loaded(code: str, block: str, folder: Path) -> Loaded:
    """A block, read in a folder with the files that it may use."""
    for name, content in BESIDES.items():
        (folder / name).write_bytes(content)
    main = folder / "main.rules"
    rules, _, examples = block.partition(BESIDE)
    main.write_text(whole_file(rules), encoding="utf-8")
    if examples:
        main.with_suffix(".examples").write_text(examples, encoding="utf-8")
    with pytest.MonkeyPatch.context() as patch:
        if code == "too-large":
            patch.setattr(parser, "LARGEST_RULE_FILE", SMALL_LIMIT)
        return load([main], SCHEMA)


def told(code: str, block: str, folder: Path) -> list[Diagnostic]:
    """What is wrong with a block; that it leaves out its sentence counts on one page only."""
    found = loaded(code, block, folder).diagnostics
    return [d for d in found if d.code == code or d.code != "missing-message"]


def test_every_code_has_a_page_and_every_page_a_code() -> None:
    assert {path.stem for path in DOCS.glob("*.md")} - {"README"} == set(CATALOGUE)


@every_code
def test_a_page_is_headed_by_its_code(code: str) -> None:
    assert parts_of(code)["code"] == code


@every_code
def test_what_to_avoid_gives_this_diagnostic_and_no_other(code: str, tmp_path: Path) -> None:
    found = told(code, parts_of(code)["avoid"], tmp_path)
    assert {d.code for d in found} == {code}, [d.message for d in found]


@every_code
def test_what_to_prefer_gives_no_diagnostics(code: str, tmp_path: Path) -> None:
    found = told(code, parts_of(code)["prefer"], tmp_path)
    assert [f"{d.line}:{d.column} {d.message}" for d in found] == []


@every_code
def test_examples_of_what_to_prefer_end_as_they_say(code: str, tmp_path: Path) -> None:
    block = parts_of(code)["prefer"]
    rulebook = loaded(code, block, tmp_path).rulebook
    results = [
        run_example(rule, example, rulebook, SCHEMA)
        for rule in rulebook.rules
        for example in rule.examples
        if "  example " in block  # the others were added here, whatever the rule says
    ]
    assert [result.problem for result in results if not result.passed] == []


def test_the_index_lists_every_page_with_its_level_and_sentence() -> None:
    index = (DOCS / "README.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| \[([a-z-]+)\]\(\1\.md\) \| (\w+) \| ([^|]+) \|$", index, re.M)
    wanted = [(code, level, parts_of(code)["sentence"]) for code, level in CATALOGUE.items()]
    assert rows == wanted
