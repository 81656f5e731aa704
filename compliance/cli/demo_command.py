"""`compliance demo`: an invented night, checked against the law of New Jersey, and its report."""

from __future__ import annotations

from pathlib import Path

from compliance.api.opening import open_rules_to_judge
from compliance.api.provenance import consulted
from compliance.api.refusal import Refused
from compliance.api.report_files import form_of, write_report
from compliance.checking.check_log import check_log
from compliance.cli.result_text import show_run
from compliance.cli.screen import Screen, Styled
from compliance.demo import MANIFEST, NIGHT
from compliance.log.manifest import load_manifest
from compliance.table_check.settings import Manifests, Settings
from event_schemas import builtin_schema
from reports.summing_up import exit_code, summed_up
from rules_dsl.bundled import DEFAULT


def run_demo(output: Path, form: str) -> int:
    """Check the bundled log, write the report, and show the result; a demonstration never fails."""
    schema = builtin_schema()
    manifest, _ = load_manifest(MANIFEST, schema)
    result = None
    if manifest is not None:
        rules = open_rules_to_judge([DEFAULT], schema)
        settings = Settings(rules, schema, manifests=Manifests({None: manifest}))
        result = check_log([NIGHT], settings).run
    if result is None:
        raise Refused("The bundled log cannot be read: the installation is damaged.")
    files = consulted([("--manifest", "manifest", MANIFEST)])
    made_so = {"command": "compliance demo", "consulted": files}
    result = summed_up(result.model_copy(update=made_so))
    write_report(result, form_of(output, None), output)
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "report": str(output),
                "exit_code": int(exit_code(result)),
                "run": result.model_dump(mode="json"),
            }
        )
        return 0
    show_run(screen, result)
    screen.line()
    screen.line("The report: ", Styled(str(output), "bold"))
    screen.line(
        f"This is a demonstration. A check of this log would exit with {int(exit_code(result))}."
    )
    return 0
