"""Puts suggested examples below their rules; everything else in the files stays byte for byte."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from compliance.api.opening import RulePath, existing, open_rules
from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from compliance.rule_tests.example_runs import run_example
from compliance.rule_tests.suggested_examples import SuggestedExample
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.bundled import is_bundled
from rules_dsl.rulebook import Loaded


@dataclass(frozen=True)
class Addition:
    """Lines that go below a line of a file."""

    below: int
    lines: tuple[str, ...]


def with_additions(content: bytes, additions: Iterable[Addition]) -> bytes:
    """A file with some more lines, which end as the lines around them do."""
    lines = content.split(b"\n")
    for addition in sorted(additions, key=lambda item: -item.below):
        # The end of a line is that of the lines before it: the last line may have none.
        ending = b"\r" if b"\r\n" in content else b""
        new = [line.encode() + ending for line in addition.lines]
        if addition.below == len(lines):
            lines[-1] += ending
            new[-1] = new[-1].removesuffix(b"\r")
        lines[addition.below : addition.below] = new
    return b"\n".join(lines)


def refuse_bundled(paths: Sequence[RulePath]) -> None:
    """The law that comes with the product is not the user's to write to."""
    if any(map(is_bundled, paths)):
        raise Refused("The bundled law is not written to; name a file of your own.")


def write_examples(
    paths: Sequence[RulePath],
    loaded: Loaded,
    suggested: Sequence[SuggestedExample],
    schema: Schema,
) -> Mapping[str, int]:
    """Write each example below the last one of its rule; tells how many went into each file."""
    rules = {rule.name: rule for rule in loaded.rulebook.rules}
    additions: dict[str, list[Addition]] = {}
    for name in dict.fromkeys(item.notices[0].rule for item in suggested):
        file, line = _last_line(rules[name], loaded)
        new = [text for item in suggested if item.notices[0].rule == name for text in item.lines]
        additions.setdefault(file, []).append(Addition(line, tuple(new)))
    roots = [path.resolve() for path in existing(paths)]
    for file in additions:
        if not any(Path(file).resolve().is_relative_to(root) for root in roots):
            raise Refused(f"{file} is only used by these rules; name it itself to write to it.")
    before = {file: _bytes(file) for file in additions}
    try:
        for file, content in before.items():
            write_whole(
                Path(file).resolve(), with_additions(content, additions[file]), over_input=True
            )
        _prove(open_rules(paths, schema), set(rules), schema)
    except BaseException:
        for file, content in before.items():
            write_whole(Path(file).resolve(), content, over_input=True)
        raise
    counts = dict.fromkeys(additions, 0)
    for item in suggested:
        counts[_last_line(rules[item.notices[0].rule], loaded)[0]] += 1
    return counts


def _last_line(rule: core.Rule, loaded: Loaded) -> tuple[str, int]:
    """The file of the last example of a rule, and the last line of it."""
    last = max(rule.examples, key=lambda example: example.place.start)
    places = [last.place, *(event.place for event in last.events)]
    source = loaded.sources[last.place.file]
    return source.name, max(source.position(max(p.start, p.end - 1))[0] for p in places)


def _prove(loaded: Loaded, names: set[str], schema: Schema) -> None:
    """What was written must say what was meant."""
    for rule in loaded.rulebook.rules:
        for example in rule.examples if rule.name in names else ():
            result = run_example(rule, example, loaded.rulebook, schema)
            if not result.passed:
                raise Refused(f"An example of {rule.name} would fail; nothing was written.")


def _bytes(file: str) -> bytes:
    try:
        return Path(file).read_bytes()
    except OSError as problem:
        raise Refused(f"{file} cannot be read: {problem.strerror}.") from None
