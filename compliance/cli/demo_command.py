"""`compliance demo`: an invented night, checked against the law of New Jersey, and its report."""

from __future__ import annotations

from pathlib import Path

from compliance.checking.check_log import check_log
from compliance.cli.opening import open_rules_to_judge
from compliance.cli.provenance import consulted
from compliance.cli.refusal import Refused
from compliance.cli.result_text import show_run
from compliance.cli.screen import Screen, Styled
from compliance.cli.whole_file import write_whole
from compliance.demo import MANIFEST, NIGHT
from compliance.log.manifest import load_manifest
from compliance.table_check.settings import Manifests, Settings
from event_schemas import builtin_schema
from reports.html import render_html


def run_demo(output: Path, rulebook: Path, form: str) -> int:
    """Check the bundled log, write the report, and show the result; a demonstration never fails."""
    schema = builtin_schema()
    manifest, _ = load_manifest(MANIFEST, schema)
    result = None
    if manifest is not None:
        rules = open_rules_to_judge([rulebook], schema)
        settings = Settings(rules, schema, manifests=Manifests({None: manifest}))
        result = check_log([NIGHT], settings).run
    if result is None:
        raise Refused("The bundled log cannot be read: the installation is damaged.")
    files = consulted([("--manifest", "manifest", MANIFEST)])
    result = result.model_copy(update={"command": "compliance demo", "consulted": files})
    write_whole(output, render_html(result))
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "report": str(output),
                "exit_code": int(result.exit_code),
                "run": result.model_dump(mode="json"),
            }
        )
        return 0
    show_run(screen, result)
    screen.line()
    screen.line("The report: ", Styled(str(output), "bold"))
    screen.line(
        f"This is a demonstration. A check of this log would exit with {int(result.exit_code)}."
    )
    return 0
