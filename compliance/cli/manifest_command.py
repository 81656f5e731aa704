"""`compliance manifest draft`: writes a manifest from a log, with questions as comments."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from compliance.api.opened_request import opened
from compliance.api.opening import open_rules_to_judge, open_schema
from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from compliance.cli.screen import Screen, Styled
from compliance.judgement.circumstances import circumstances
from compliance.log.manifest_draft import drafted_manifest, facts_of
from compliance.log.mapping_file import load_mapping
from compliance.log.tables import tables
from compliance.table_check.needs_of_rulebook import needs_of_edition
from compliance.values.elected_options import ElectedOptions
from event_schemas import Schema
from rules_dsl import core
from rules_dsl.clauses.model import ANY_TABLE


@dataclass(frozen=True)
class DraftRequest:
    """What a manifest is drafted from."""

    logs: Sequence[str]
    rules: Sequence[str | Path]
    mapping: Path | None = None
    schema: Path | None = None
    output: Path | None = None


def draft_manifest(request: DraftRequest) -> int:
    """Write a manifest of what occurs in some logs."""
    schema = open_schema(request.schema)
    rulebook = open_rules_to_judge(request.rules, schema)
    log = tables(request.logs, schema, opened(load_mapping, request.mapping, schema))
    if log.problems:
        raise Refused("The log could not be read; nothing was drafted.", problems=log.problems)
    facts = facts_of(schema, (table.frame for table in log))
    name = Path(request.logs[0]).name
    text = drafted_manifest(facts, schema, name, _asked(rulebook, schema, facts.games))
    if request.output is None:
        sys.stdout.write(text)
        return 0
    write_whole(request.output, text)
    Screen().line(
        "Drafted ",
        Styled(str(request.output), "cyan", whole=True),
        ". Answer the questions in it, then check with --manifest.",
    )
    return 0


def _asked(rulebook: core.Rulebook, schema: Schema, games: set[str]) -> Counter[str]:
    """How many rules, of the games that are played, look for each event type."""
    surroundings = circumstances(rulebook, schema, ElectedOptions(schema))
    here = games | {ANY_TABLE}
    elsewhere = {name for clause in rulebook.clauses for name in clause.rules}
    elsewhere -= {name for item in rulebook.clauses if item.game in here for name in item.rules}
    found: Counter[str] = Counter()
    for rule in rulebook.rules:
        if games and rule.name in elsewhere:
            continue
        needs = needs_of_edition(rule.editions[-1], surroundings)
        found.update({need.event for need in needs.rest if not need.field})
    return found
