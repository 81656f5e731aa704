"""`compliance rules check`: everything that is wrong with rule files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compliance.api.opening import RulePath, existing, open_schema
from compliance.cli.problems import show_problems, tally
from compliance.cli.screen import Screen, Styled
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl.growth import LINEAR, growth_of
from rules_dsl.places import Places, Position
from rules_dsl.rulebook import Loaded, load

_POWERS = {2: "the square", 3: "the third power", 4: "the fourth power"}
_RULE = re.compile(r"^rule\b", re.M)


def _written_rules(loaded: Loaded) -> int:
    """How many rules the files hold, also those that cannot be used."""
    return sum(len(_RULE.findall(source.text)) for source in loaded.rule_files)


@dataclass(frozen=True)
class _Costly:
    """A rule whose work can grow faster than a log, and the phrase that makes it so."""

    order: int
    rule: str
    at: Position


def _costly_rules(loaded: Loaded) -> list[_Costly]:
    places = Places(loaded.sources)
    found = [(growth_of(rule), rule) for rule in loaded.rulebook.rules]
    return [
        _Costly(growth.order, rule.name, places.position(growth.place or rule.place))
        for growth, rule in found
        if growth.order > LINEAR
    ]


def _show_costly(screen: Screen, costly: Sequence[_Costly]) -> None:
    """By order of growth, what to look at where a log takes long."""
    for order in sorted({each.order for each in costly}):
        some = [each for each in costly if each.order == order]
        power = _POWERS.get(order, f"power {order}")
        screen.line(
            f"The work of {counted(len(some), 'rule')} can grow with {power} of a table's events "
            "(docs/limits.md):"
        )
        for each in some:
            at = each.at
            screen.line(f"{each.rule}: {at.file}, line {at.line}, column {at.column}", indent=2)


def check_rules(
    paths: Sequence[RulePath], schema_file: Path | None, strict: bool, form: str
) -> int:
    """Show the diagnostics; errors are bad rules, and under `strict` warnings are too."""
    schema = open_schema(schema_file)
    loaded = load(existing(paths), schema)
    costly = _costly_rules(loaded)
    bad = bool(loaded.diagnostics if strict else loaded.errors)
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "files": len(loaded.rule_files),
                "rules": _written_rules(loaded),
                "usable_rules": len(loaded.rulebook.rules),
                "errors": len(loaded.errors),
                "warnings": len(loaded.diagnostics) - len(loaded.errors),
                "diagnostics": [problem.as_dict() for problem in loaded.diagnostics],
                "growth": [
                    {
                        "rule": each.rule,
                        "order": each.order,
                        "file": each.at.file,
                        "line": each.at.line,
                        "column": each.at.column,
                    }
                    for each in costly
                ],
            }
        )
        return ExitCode.BAD_RULES if bad else ExitCode.CLEAN
    show_problems(screen, loaded.diagnostics)
    files = counted(len(loaded.rule_files), "file")
    written, usable = _written_rules(loaded), len(loaded.rulebook.rules)
    looked_at = f"{counted(written, 'rule')} in {files}"
    if usable < written:
        looked_at += f", {counted(written - usable, 'of them', 'of them')} cannot be used"
    _show_costly(screen, costly)
    if loaded.diagnostics or costly:
        screen.line()
    result = tally(loaded.diagnostics) if loaded.diagnostics else "no problem found"
    mark = Styled("✗ ", "bold red") if bad else Styled("✓ ", "bold green")
    screen.line(mark, f"{looked_at}: {result}.")
    return ExitCode.BAD_RULES if bad else ExitCode.CLEAN
