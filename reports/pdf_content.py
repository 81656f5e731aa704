"""What the pages of the PDF say, as plain data: texts are ready, the templates lay them out."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from datetime import date
from typing import Any

from reports import wording
from reports.charts import Bar, Chart, by_hour, charts
from reports.first_page import COLUMNS, SIGNED_BY, Subject, first_page, section_counts
from reports.hidden_characters import visible
from reports.model import ClauseStatement, Run
from reports.pdf_findings import finding_groups
from reports.run_hash import run_hash
from reports.shown import MOST_NOT_RECORDED, rules_by_status, sections
from reports.verdicts import ClauseStatus, FindingKind, RuleStatus
from reports.wording import clause_label, counted, label, told_of_loss
from reports.zone import Clock

_JUDGED = {
    ClauseStatus.VIOLATED,
    ClauseStatus.UNDETERMINED,
    ClauseStatus.OPEN,
    ClauseStatus.COMPLIED,
    ClauseStatus.EXCUSED,
}
_ANY_TABLE = "any_table"
_NO_DAY = date(2000, 1, 1)
"""The date of a report on a log without events."""
# What the fonts of the PDF can draw; everything else appears as its code. A letter without a
# shape would vanish from the page.
_UNDRAWN = re.compile(
    "[^\t\n\x20-\x7e\xa0-\u017f\u0391-\u03a1\u03a3-\u03c9\u0401-\u040c\u040e-\u044f\u0451-\u045c"
    "\u2013\u2014\u2018-\u201e\u2020-\u2022\u2026\u20ac\u2190-\u2193\u2205\u2212\u2260\u2264\u2265"
    "\u2610\u25a1\u25b2\u25c6\u25c7\u25cb\u2660\u2663\u2665\u2666\u2713\u2715]"
)


def pdf_content(run: Run) -> dict[str, Any]:
    """The whole report as data that the templates read."""
    clock = Clock(run.time_zone)
    kinds = [finding_groups(run, kind, clock) for kind in FindingKind]
    pages = {group["rule"]: group["id"] for groups in kinds for group in groups}
    found = run.findings(FindingKind.VIOLATION)
    violations, indicators, defects = kinds
    content = {
        "casino": ", ".join(run.scope.casinos) or "Table games",
        "period": _period(run, clock),
        "day": _last_day(run, clock),
        "hash": run_hash(run),
        "page": _page(run),
        "clauses": _clause_tiles(run.statements),
        "rules": _rule_tiles(run),
        "charts": [_chart(chart) for chart in charts(found)] if found else [],
        "hours": _chart(by_hour(found, clock)) if found else None,
        "violations": violations,
        "indicators": indicators,
        "defects": defects,
        "evidence": _evidence(run),
        "sections": _sections(run, pages),
        "summed_up": _summed_up(run),
        "checked": _checked(run, pages),
        "unchecked": _unchecked(run),
        "interpretations": _pairs(run.interpretations),
        "options": _pairs({name.replace("_", " "): text for name, text in run.options.items()}),
        "not_recorded": _not_recorded(run),
        "waivers": _waivers(run),
        "notes": list(run.notes),
        "proofs": _proofs(run),
        "command": run.command,
        "versions": _versions(run),
        "zone": run.time_zone or "as written in the log",
    }
    drawn: dict[str, Any] = _drawable(content)
    return drawn


def _drawable(value: Any) -> Any:
    """The same data, with codes for what would not be seen or cannot be drawn."""
    if isinstance(value, str):
        return _UNDRAWN.sub(lambda odd: f"\\u{ord(odd.group()):04x}", visible(value))
    if isinstance(value, dict):
        return {key: _drawable(part) for key, part in value.items()}
    if isinstance(value, list):
        return [_drawable(part) for part in value]
    return value


# ---- cover ---------------------------------------------------------------------------------


def _period(run: Run, clock: Clock) -> str:
    scope = run.scope
    if scope.first is None or scope.last is None:
        return ""
    zone = f", {run.time_zone}" if run.time_zone else ""
    return f"{clock.moment(scope.first)} to {clock.moment(scope.last)}{zone}"


def _last_day(run: Run, clock: Clock) -> list[int]:
    day = clock.here(run.scope.last).date() if run.scope.last else _NO_DAY
    return [day.year, day.month, day.day]


def _page(run: Run) -> dict[str, Any]:
    """The page that is signed."""
    page = first_page(run)
    opinion = page.opinion
    return {
        "opinion": {
            "tone": opinion.label.tone,
            "symbol": opinion.label.symbol,
            "doubts": list(opinion.doubts),
            "words": opinion.words,
            "told": opinion.told,
        },
        "brief": [
            ["Objective", page.objective],
            ["Method", page.method],
            ["Evidence", page.evidence],
            *([["Answers", page.answers]] if page.answers else []),
        ],
        "limits": list(page.limits),
        "columns": [name for name, _ in COLUMNS],
        "subjects": [_counts(item) for item in page.subjects],
        "sections": [_counts(item) for item in section_counts(run.statements)],
        "broken": list(page.broken),
        "signed_by": list(SIGNED_BY),
    }


def _counts(subject: Subject) -> dict[str, Any]:
    counts = [f"{number:,}" for number in subject.counts]
    return {"name": subject.name, "law": subject.law, "counts": counts}


def _tile(shown: wording.Label, number: int, meaning: str) -> dict[str, Any]:
    return {
        "symbol": shown.symbol,
        "word": shown.word,
        "tone": shown.tone if number else "empty",
        "number": f"{number:,}",
        "meaning": meaning,
    }


def _clause_tiles(statements: Iterable[ClauseStatement]) -> list[dict[str, Any]]:
    counts = Counter(item.status for item in statements)
    if not counts:
        return []
    return [
        _tile(clause_label(status), counts[status], wording.CLAUSE_MEANING[status])
        for status in ClauseStatus
        if counts[status]
    ]


def _rule_tiles(run: Run) -> list[dict[str, Any]]:
    return [
        _tile(label(status), number, wording.MEANING[status])
        for status, number in rules_by_status(run).items()
        if number or status in (RuleStatus.VIOLATED, RuleStatus.COMPLIED)
    ]


def _chart(chart: Chart) -> dict[str, Any]:
    return {"title": chart.title, "bars": [_bar(bar) for bar in chart.bars]}


def _bar(bar: Bar) -> dict[str, Any]:
    segments = [
        {"severity": part.severity.value, "start": part.start, "length": part.length}
        for part in bar.segments
    ]
    return {"name": bar.name, "number": bar.number, "segments": segments}


# ---- evidence and statement ----------------------------------------------------------------


def _evidence(run: Run) -> list[list[str]]:
    events = sum(source.events for source in run.inputs)
    defects = len(run.findings(FindingKind.DATA_DEFECT))
    reasons = [f"{number:,}: {reason}" for reason, number in run.set_aside.items()]
    aside = f"{counted(run.quarantined, 'line')} that could not be read as events"
    lost = told_of_loss(run.lost_records, run.undecided_by_loss)
    return [
        ["Read", f"{counted(events, 'event')} from {counted(len(run.inputs), 'file')}"],
        ["Set aside", "\n".join([aside, *reasons])],
        *([["Lost", lost]] if lost else []),
        [
            "Defects",
            f"{counted(defects, 'defect')}, listed below"
            if defects
            else "No gap, repetition or contradiction was found in what was read",
        ],
    ]


def _told_in_full(run: Run) -> set[str]:
    """The games that were played; their clauses are listed one by one."""
    return {item.game for item in run.statements if item.status in _JUDGED} | {_ANY_TABLE, ""}


def _sections(run: Run, pages: dict[str, str]) -> list[dict[str, Any]]:
    played = _told_in_full(run)
    shown = [
        item
        for item in run.statements
        if item.game in played and item.status is not ClauseStatus.NOT_IN_FORCE
    ]
    return [
        {
            "name": section.name or "Other clauses",
            "game": section.game.replace("_", " "),
            "tally": [
                f"{clause_label(status).symbol} {number:,} {clause_label(status).word}"
                for status, number in section.counts.items()
            ],
            "rows": [_clause(item, pages) for item in section.statements],
        }
        for section in sections(shown)
    ]


def _clause(item: ClauseStatement, pages: dict[str, str]) -> dict[str, Any]:
    shown = clause_label(item.status)
    return {
        "clause": item.clause,
        "says": item.says,
        "reason": item.reason,
        "symbol": shown.symbol,
        "word": shown.word,
        "tone": shown.tone,
        "checks": f"{item.checks:,}" if item.rules else "\u2013",
        "rules": [{"name": rule, "id": pages.get(rule, "")} for rule in item.rules],
    }


def _summed_up(run: Run) -> list[list[str]]:
    """The clauses that are not listed: how many of each game and status, and why."""
    played = _told_in_full(run)
    rest = Counter(
        (item.game, item.status, item.reason)
        for item in run.statements
        if item.game not in played or item.status is ClauseStatus.NOT_IN_FORCE
    )
    order = list(ClauseStatus)
    ranked = sorted(rest.items(), key=lambda entry: (entry[0][0], order.index(entry[0][1])))
    return [
        [
            game.replace("_", " ") or "any",
            f"{clause_label(status).symbol} {clause_label(status).word}",
            reason,
            f"{number:,}",
        ]
        for (game, status, reason), number in ranked
    ]


def _checked(run: Run, pages: dict[str, str]) -> list[dict[str, Any]]:
    order = list(RuleStatus)
    shown = [
        item
        for item in run.outcomes
        if item.counts.total or item.status is RuleStatus.NOT_EVALUABLE
    ]
    shown.sort(key=lambda item: order.index(item.status))
    return [
        {
            "title": item.title,
            "rule": item.rule,
            "id": pages.get(item.rule, ""),
            "citations": "; ".join(item.citations),
            "reason": item.reason,
            "symbol": label(item.status, item.kind).symbol,
            "word": label(item.status, item.kind).word,
            "tone": label(item.status, item.kind).tone,
            "counts": [
                f"{number:,}" for number in (item.counts.total, *item.counts.by_verdict().values())
            ],
        }
        for item in shown
    ]


def _unchecked(run: Run) -> list[dict[str, Any]]:
    """Rules without a check, named together."""
    found = []
    for status in (RuleStatus.NOT_EXERCISED, RuleStatus.NOT_PLAYED, RuleStatus.NOT_IN_FORCE):
        rules = [item.rule for item in run.outcomes if item.status is status]
        if rules:
            shown = label(status)
            heading = f"{shown.symbol} {shown.word}: {counted(len(rules), 'rule')}"
            why = wording.MEANING[status]
            found.append({"heading": heading, "meaning": why, "rules": ", ".join(rules)})
    return found


# ---- what the verdicts rest on -------------------------------------------------------------


def _pairs(entries: dict[str, str]) -> list[list[str]]:
    return [[name, text] for name, text in entries.items()]


def _not_recorded(run: Run) -> dict[str, Any]:
    """What the source does not record, that which opens the most clauses first."""
    shown = run.not_recorded[:MOST_NOT_RECORDED]
    more = len(run.not_recorded) - len(shown)
    return {
        "rows": [[item.record, f"{item.clauses:,}", f"{len(item.rules):,}"] for item in shown],
        "more": f"And {more:,} more, in the JSON result." if more else "",
    }


def _waivers(run: Run) -> list[dict[str, str]]:
    return [
        {
            "covers": (item.rule or f"finding {item.fingerprint[:16]}")
            + (f" at {item.table}" if item.table else ""),
            "authority": item.authority,
            "reason": item.reason,
            "expires": wording.day(item.expires),
            "late": f"{counted(item.expired, 'finding')} after this day, not covered"
            if item.expired
            else "",
            "findings": f"{item.findings:,}",
        }
        for item in run.waivers
    ]


def _proofs(run: Run) -> list[list[str]]:
    return [
        [f"Rules: {run.rulebook.name}", run.rulebook.sha256],
        *([f"Log: {source.name}", source.sha256] for source in run.inputs),
        *([f"{file.role.capitalize()}: {file.name}", file.sha256] for file in run.consulted),
        ["This result", run_hash(run)],
    ]


def _versions(run: Run) -> str:
    named = [f"{name} {text}" for name, text in run.versions.items()]
    return ", ".join([*named, f"result format {run.schema_version}"])
