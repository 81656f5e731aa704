"""Checks a scenario's log against the whole law of New Jersey, and reads what is stated."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from pathlib import Path

from compliance.checking.check_log import check_log
from compliance.log.manifest import load_manifest
from compliance.table_check.settings import Manifests, Settings
from event_schemas import builtin_schema
from reports.model import ClauseStatement, Run
from reports.verdicts import ClauseStatus
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from tests.compliance.scenario_stories import SCENARIOS

MANIFEST = SCENARIOS / "manifest.toml"


@cache
def new_jersey() -> core.Rulebook:
    """The bundled law, loaded once."""
    loaded = load([bundled_rulebook()], builtin_schema())
    assert not loaded.errors
    return loaded.rulebook


def checked(path: Path, profile: str | None = None) -> Run:
    """The result of a log with the manifest of the examples."""
    schema = builtin_schema()
    manifest, _ = load_manifest(MANIFEST, schema)
    assert manifest is not None
    manifests = Manifests({None: manifest})
    settings = Settings(new_jersey(), schema, profile=profile, manifests=manifests)
    found = check_log([path], settings).run
    assert found is not None
    return found


def stated(statements: Iterable[ClauseStatement], clause: str) -> set[str]:
    """What is said of a clause: of those that stand in several texts, of the texts in force."""
    said = {one.status for one in statements if one.clause == clause}
    return {status.value for status in said - {ClauseStatus.NOT_IN_FORCE} or said}
