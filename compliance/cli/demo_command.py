"""`compliance demo`: an invented night, checked against the law of New Jersey, and its report."""

from __future__ import annotations

from pathlib import Path

from compliance.cli.opening import open_rules
from compliance.cli.result_text import show_run
from compliance.cli.screen import Screen, Styled
from compliance.cli.writing import write_whole
from compliance.demo import NIGHT
from compliance.json_lines import read_json_lines
from compliance.run import run
from event_schemas import builtin_schema
from reports.html import render_html


def run_demo(output: Path, rulebook: Path, form: str) -> int:
    """Check the bundled log, write the report, and show the result; a demonstration never fails."""
    schema = builtin_schema()
    loaded = open_rules([rulebook], schema)
    log = read_json_lines(NIGHT, schema)
    result = run(
        loaded.rulebook,
        schema,
        log.events,
        [log.source],
        quarantined=len(log.set_aside),
        notes=log.notes,
    )
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
