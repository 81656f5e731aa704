"""`compliance rules list`: the rules of a rulebook on one page."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from compliance.api.opening import RulePath, open_rules, open_schema
from compliance.cli.screen import Column, Screen, Styled
from reports.wording import counted
from rules_dsl import core


def list_rules(paths: Sequence[RulePath], schema_file: Path | None, form: str) -> int:
    """One row for each rule, in the order of the files."""
    loaded = open_rules(paths, open_schema(schema_file))
    rules = loaded.rulebook.rules
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "rulebook": loaded.rulebook.title,
                "rules": [rule_data(rule) for rule in rules],
            }
        )
        return 0
    columns = (
        Column("rule", names=True),
        Column("title", below=True),
        Column("citations", wraps=True),
        Column("in force", below=True),
        Column("severity"),
        Column("kind", below=True),
        Column("examples", right=True),
    )
    screen.table(
        columns,
        [
            (
                Styled(rule.name, "cyan"),
                rule.title,
                "; ".join(citations(rule)),
                Styled(in_force(rule), "dim"),
                rule.severity,
                Styled(rule.kind, "dim"),
                str(len(rule.examples)),
            )
            for rule in rules
        ],
    )
    screen.line()
    examples = sum(len(rule.examples) for rule in rules)
    screen.line(f"{counted(len(rules), 'rule')} with {counted(examples, 'example')}.")
    return 0


def citations(rule: core.Rule) -> list[str]:
    """Every passage that some edition of a rule rests on."""
    return list(dict.fromkeys(c for edition in rule.editions for c in edition.citations))


def in_force(rule: core.Rule) -> str:
    """From when until when a rule holds, in all its editions."""
    return "; ".join(_dates(edition) for edition in rule.editions)


def _dates(edition: core.Edition) -> str:
    if edition.since is None and edition.until is None:
        return "always"
    begin = f"from {edition.since}" if edition.since else ""
    end = f"until {edition.until}" if edition.until else ""
    return " ".join(part for part in (begin, end) if part)


def rule_data(rule: core.Rule) -> dict[str, Any]:
    """A rule as plain data, for other tools."""
    return {
        "name": rule.name,
        "title": rule.title,
        "section": rule.section,
        "citations": citations(rule),
        "severity": rule.severity,
        "kind": rule.kind,
        "editions": [
            {
                "from": edition.since,
                "until": edition.until,
                "label": edition.label,
                "citations": list(edition.citations),
            }
            for edition in rule.editions
        ],
        "examples": len(rule.examples),
    }
