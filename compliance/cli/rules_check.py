"""`compliance rules check`: everything that is wrong with rule files."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from compliance.api.opening import RulePath, existing, open_schema
from compliance.cli.problems import show_problems, tally
from compliance.cli.screen import Screen, Styled
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl.rulebook import Loaded, load

_RULE = re.compile(r"^rule\b", re.M)


def _written_rules(loaded: Loaded) -> int:
    """How many rules the files hold, also those that cannot be used."""
    return sum(len(_RULE.findall(source.text)) for source in loaded.rule_files)


def check_rules(
    paths: Sequence[RulePath], schema_file: Path | None, strict: bool, form: str
) -> int:
    """Show the diagnostics; errors are bad rules, and under `strict` warnings are too."""
    schema = open_schema(schema_file)
    loaded = load(existing(paths), schema)
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
            }
        )
        return ExitCode.BAD_RULES if bad else ExitCode.CLEAN
    show_problems(screen, loaded.diagnostics)
    files = counted(len(loaded.rule_files), "file")
    written, usable = _written_rules(loaded), len(loaded.rulebook.rules)
    looked_at = f"{counted(written, 'rule')} in {files}"
    if usable < written:
        looked_at += f", {counted(written - usable, 'of them', 'of them')} cannot be used"
    if loaded.diagnostics:
        screen.line()
    result = tally(loaded.diagnostics) if loaded.diagnostics else "no problem found"
    mark = Styled("✗ ", "bold red") if bad else Styled("✓ ", "bold green")
    screen.line(mark, f"{looked_at}: {result}.")
    return ExitCode.BAD_RULES if bad else ExitCode.CLEAN
