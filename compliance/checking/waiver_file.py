"""Reads waivers: who accepted which findings, why, and until when.

[[waiver]]
rule = "burn-by-each-new-dealer"
table = "BJ-*"
authority = "Division of Gaming Enforcement, letter of 2 March 2008"
reason = "Trial of the new shuffling machine."
expires = 2008-06-30
"""

from __future__ import annotations

import re
from datetime import date, datetime
from pathlib import Path
from typing import Any, Final

from compliance.log.problems import LogProblem
from compliance.log.toml_file import UserFile, read_user_file
from event_schemas import did_you_mean
from reports.waiver import Waiver
from rules_dsl import core

_HEADER: Final = re.compile(r"\s*\[\[\s*waiver\s*\]\]")
_FINGERPRINT: Final = re.compile(r"[0-9a-f]{16,64}")
_TEXTS: Final = ("fingerprint", "rule", "table", "authority", "reason")


def load_waivers(
    path: str | Path, rulebook: core.Rulebook
) -> tuple[tuple[Waiver, ...] | None, tuple[LogProblem, ...]]:
    """Read a file of waivers; with any problem there are none, and all problems are listed."""
    file = read_user_file(path)
    if file.problems:
        return None, file.sorted_problems()
    file.check_keys(file.content, ("waiver",))
    entries = file.content.get("waiver", [])
    if not isinstance(entries, list) or not all(isinstance(entry, dict) for entry in entries):
        file.add(("waiver",), "waivers are written one by one, each under [[waiver]].")
        entries = []
    headers = [n for n, line in enumerate(file.lines, start=1) if _HEADER.match(line)]
    rules = {rule.name for rule in rulebook.rules}
    waivers = []
    for number, entry in enumerate(entries):
        line = headers[number] if number < len(headers) else 1
        waiver = _waiver(file, entry, rules, line)
        if waiver is not None:
            waivers.append(waiver)
    return (None if file.problems else tuple(waivers)), file.sorted_problems()


def _waiver(file: UserFile, entry: dict[str, Any], rules: set[str], line: int) -> Waiver | None:
    before = len(file.problems)

    def wrong(message: str, suggestion: str | None = None) -> None:
        file.problems.append(LogProblem(file.name, message, line, suggestion))

    known = (*_TEXTS, "expires")
    for key in entry:
        if key not in known:
            close = did_you_mean(key, known)
            wrong(f'A waiver has no "{key}"; it has {", ".join(known)}.', close)
    for key in _TEXTS:
        if key in entry and not (isinstance(entry[key], str) and entry[key].strip()):
            wrong(f"{key} of a waiver is a text.")
    for key in ("authority", "reason", "expires"):
        if key not in entry:
            wrong(f"A waiver must name its {key}.")
    if ("fingerprint" in entry) == ("rule" in entry):
        wrong("A waiver names either the fingerprint of one finding, or a rule.")
    if "fingerprint" in entry and "table" in entry:
        wrong("A waiver of one finding names no table: the fingerprint says it all.")
    if "rule" in entry and isinstance(entry["rule"], str) and entry["rule"] not in rules:
        wrong(f'There is no rule "{entry["rule"]}".', did_you_mean(entry["rule"], rules))
    mark = entry.get("fingerprint")
    if isinstance(mark, str) and not _FINGERPRINT.fullmatch(mark):
        wrong("A fingerprint is written with 16 to 64 of the digits 0 to 9 and a to f.")
    expires = entry.get("expires")
    if expires is not None and (not isinstance(expires, date) or isinstance(expires, datetime)):
        wrong("expires is a day, such as 2008-06-30, without quotes.")
    return Waiver(**entry) if len(file.problems) == before else None
