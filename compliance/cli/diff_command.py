"""`compliance diff`: what is new, gone and unchanged between two saved results."""

from __future__ import annotations

import json
from collections.abc import Sequence
from io import StringIO
from pathlib import Path

from compliance.api.refusal import Refused
from compliance.api.saved_run import read_sound_run
from compliance.api.whole_file import write_whole
from compliance.cli.changes_text import show_changes
from compliance.cli.report_output import name_report
from compliance.cli.screen import Screen
from reports.change_record import Changes
from reports.changes import changes_between
from reports.verdicts import ExitCode, FindingKind

UNNAMED = "compliance-diff.html"
_ENDINGS = {".txt": "text", ".json": "json", ".html": "html"}


def diff_runs(old: Path, new: Path, form: str | None, files: Sequence[Path]) -> int:
    """1 if there is a violation that the older result does not have, else 0."""
    chosen = [(_form_of(file, form), file) for file in files]
    later = read_sound_run(new)
    changes = changes_between(read_sound_run(old), old.name, later)
    if not chosen and form == "html":
        chosen = [("html", Path(UNNAMED))]
    for kind, file in chosen:
        write_whole(file, _rendered(changes, kind, new.name, later.time_zone))
        name_report(file)
    if not chosen and form == "json":
        print(_rendered(changes, "json", new.name, later.time_zone), end="")
    elif form != "json" or chosen:
        show_changes(Screen(), changes, later.time_zone)
    fresh = changes.of(FindingKind.VIOLATION).new
    return int(ExitCode.VIOLATIONS if fresh else ExitCode.CLEAN)


def _form_of(file: Path, form: str | None) -> str:
    told = _ENDINGS.get(file.suffix)
    if told is None and form is None:
        raise Refused(f"The ending of {file} does not tell its format; .html, .json and .txt do.")
    if told is not None and form is not None and told != form:
        raise Refused(f"--format {form} does not fit {file}, which is written as {told}.")
    return told or form or "text"


def _rendered(changes: Changes, form: str, name: str, zone: str) -> str:
    if form == "html":
        from reports.changes_page import render_changes

        return render_changes(changes, name, zone)
    if form == "json":
        told = {"schema_version": "1", **changes.model_dump(mode="json")}
        return json.dumps(told, indent=2) + "\n"
    text = StringIO()
    show_changes(Screen(text), changes, zone)
    return text.getvalue()
