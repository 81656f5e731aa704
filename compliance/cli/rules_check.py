"""`compliance rules check`: everything that is wrong with rule files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from compliance.api.opening import RulePath, existing, open_schema
from compliance.cli.problems import show_problems, tally
from compliance.cli.screen import Screen, Styled
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl.rulebook import load


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
                "rules": len(loaded.rulebook.rules),
                "errors": len(loaded.errors),
                "warnings": len(loaded.diagnostics) - len(loaded.errors),
                "diagnostics": [problem.as_dict() for problem in loaded.diagnostics],
            }
        )
        return ExitCode.BAD_RULES if bad else ExitCode.CLEAN
    show_problems(screen, loaded.diagnostics)
    files = counted(len(loaded.rule_files), "file")
    looked_at = f"{counted(len(loaded.rulebook.rules), 'rule')} in {files}"
    if loaded.diagnostics:
        screen.line()
    result = tally(loaded.diagnostics) if loaded.diagnostics else "no problem found"
    mark = Styled("✗ ", "bold red") if bad else Styled("✓ ", "bold green")
    screen.line(mark, f"{looked_at}: {result}.")
    return ExitCode.BAD_RULES if bad else ExitCode.CLEAN
