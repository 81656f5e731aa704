"""Brings the examples that stand in files of their own to the rules that they are about.

A rule keeps the one or two examples that explain it. The many that test it stand in the file of the
same name that ends in `.examples`, in blocks that begin with `examples of` and the rule's name.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from rules_dsl import syntax
from rules_dsl.diagnostics import nearest
from rules_dsl.parsing.parser import Parsed
from rules_dsl.resolve.editions import EditionClauses, PlacedClause, read_date
from rules_dsl.resolve.names import Declared, Desk
from rules_dsl.rule_files import EXAMPLES, SUFFIX
from rules_dsl.syntax import Span

EQUIVALENT = "equivalent mutant:"
"""How a note begins that says of a mutant of the rule that it makes no difference, and why."""


@dataclass
class ExamplesBeside:
    """The blocks of examples by the rule that they belong to."""

    blocks: dict[str, Declared[syntax.Examples]] = field(default_factory=dict)
    damaged: set[str] = field(default_factory=set)
    """Rules of whose examples a part could not be read."""
    were_read: bool = True
    """Whether anybody looked: to judge a log, only the rules are read."""


def collect_examples(
    desk: Desk, rules: Sequence[Parsed], beside: Sequence[Parsed] | None
) -> ExamplesBeside:
    """Find the rule of every block; `beside` is None where files of examples are not read."""
    found = ExamplesBeside(were_read=beside is not None)
    homes: dict[str, str] = {}
    for index, item in enumerate(rules):
        for node in item.file.declarations:
            if isinstance(node, syntax.Rule):
                homes.setdefault(node.name, item.source.name)
            elif isinstance(node, syntax.Examples):
                _report_wrong_file(desk, node, index)
                # Its examples are not missed as well.
                found.damaged.add(node.name)
    known = {PurePath(item.source.name) for item in rules}
    for index, item in enumerate(beside or (), start=len(rules)):
        own = PurePath(item.source.name).with_suffix(SUFFIX)
        if own not in known:
            message = f"There is no rule file `{own.name}` that these examples could belong to."
            hint = "give both files the same name"
            desk.report("missing-file", message, index, Span(0, 0), hint)
            continue
        found.damaged |= item.damaged
        for node in item.file.declarations:
            if not isinstance(node, syntax.Examples):
                _report_wrong_file(desk, node, index)
            elif _has_its_rule(desk, node, index, own, homes):
                _enter(desk, found, node, index)
    return found


def add_examples(
    desk: Desk, rule: syntax.Rule, editions: Sequence[EditionClauses], beside: ExamplesBeside
) -> None:
    """Put the examples and notes from the file beside to those of the rule itself."""
    block = beside.blocks.get(rule.name)
    if block is None:
        return
    targets = list(editions)
    for clause in block.node.clauses:
        if isinstance(clause, syntax.EditionStart):
            targets = _edition(desk, rule, editions, clause, block.file)
            continue
        if isinstance(clause, syntax.Note) and not is_equivalence(clause.text):
            desk.report(
                "wrong-file",
                "A note beside the rules speaks of mutants that make no difference.",
                block.file,
                desk.spot(block.file, clause.span, "note"),
                f'move it into the rule, or begin it with "{EQUIVALENT}"',
            )
        for edition in targets:
            edition.clauses.append(PlacedClause(clause, block.file))


def is_equivalence(note: str) -> bool:
    """Whether a note is about a mutant of the rule, and so nothing for readers of the law."""
    return note.strip().lower().startswith(EQUIVALENT)


def _edition(
    desk: Desk,
    rule: syntax.Rule,
    editions: Sequence[EditionClauses],
    clause: syntax.EditionStart,
    file: int,
) -> list[EditionClauses]:
    day = read_date(desk, clause.since, file, clause)
    found = [edition for edition in editions if edition.since == day]
    if day is not None and not found:
        desk.report(
            "unknown-edition",
            f"No edition of `{rule.name}` begins on {clause.since}.",
            file,
            desk.spot(file, clause.span, clause.since, after="from"),
            nearest(clause.since, [edition.since.isoformat() for edition in editions])
            or "give the day on which one of its editions begins",
        )
    return found


def _enter(desk: Desk, found: ExamplesBeside, node: syntax.Examples, file: int) -> None:
    before = found.blocks.setdefault(node.name, Declared(node, file))
    if before.node is not node:
        line = desk.sources[before.file].position(before.node.span.start)[0]
        desk.report(
            "declared-twice",
            f"The examples of `{node.name}` begin in line {line} already.",
            file,
            desk.spot(file, node.span, node.name, after="of"),
            "put all of them into one block",
        )


def _has_its_rule(
    desk: Desk, node: syntax.Examples, file: int, own: PurePath, homes: dict[str, str]
) -> bool:
    home = homes.get(node.name)
    if home is not None and PurePath(home) == own:
        return True
    if home is not None:
        name = PurePath(home)
        message = f"The rule `{node.name}` stands in `{name.name}`."
        hint = f"move its examples into `{name.with_suffix(EXAMPLES).name}`"
    else:
        if desk.symbols.excused(node.name):
            return False
        message = f"There is no rule `{node.name}`."
        beside = [rule for rule, place in homes.items() if PurePath(place) == own]
        hint = nearest(node.name, beside)
    desk.report("unknown-rule", message, file, desk.spot(file, node.span, node.name), hint)
    return False


def _report_wrong_file(desk: Desk, node: syntax.Declaration, file: int) -> None:
    """Rules and definitions stand in rule files, more examples beside them: nowhere else."""
    name = PurePath(desk.sources[file].name)
    first = desk.sources[file].text[node.span.start : node.span.end].split()[0]
    span = Span(node.span.start, node.span.start + len(first))
    if isinstance(node, syntax.Examples):
        message = "In a rule file, examples stand inside their rule."
        hint = f"move the block into `{name.with_suffix(EXAMPLES).name}`, or into its rule"
    else:
        message = "A file of examples holds nothing but examples."
        hint = f"move the `{first}` into `{name.with_suffix(SUFFIX).name}`"
    desk.report("wrong-file", message, file, span, hint)
