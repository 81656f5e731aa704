"""`compliance findings`: lists, one finding, differences and trends, from the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

from sqlalchemy import select
from sqlalchemy.orm import Session

from compliance.api.refusal import Refused
from compliance.cli.opened_store import day, opened_store
from compliance.cli.screen import Column, Screen, Styled
from compliance.store.finding_changes import (
    FindingChanges,
    changes_between_days,
    changes_between_runs,
    changes_between_versions,
    trend_question,
)
from compliance.store.finding_documents import document
from compliance.store.finding_queries import (
    FindingFilter,
    finding_named,
    history,
    newest_findings,
    shown_finding,
)
from compliance.store.people import words_about
from compliance.store.rulebook_history import name_today
from compliance.store.tables import Night, NightRun, RulebookVersion, StoredFinding
from reports.verdicts import ExitCode
from reports.wording import counted

_DIGITS = 12
_COUNTED = ("new", "recurring", "resolved", "reopened", "waived")
_BROKEN = {"new": "bold red", "reopened": "bold red", "resolved": "green"}


def list_findings(
    place: str, wanted: Mapping[str, Any], most: int, after: str | None, form: str
) -> int:
    """The newest findings that fit."""
    if most < 1:
        raise Refused("--most must be more than 0.")
    days = {name: day(wanted[name], f"--{name}") for name in ("since", "until")}
    asked = FindingFilter(**{**wanted, **days})
    with opened_store(place).reading() as session:
        # One more tells whether there are more.
        rows = newest_findings(session, asked, most + 1, after)
        shown, more = rows[:most], len(rows) > most
        if form == "json":
            last = shown[-1].fingerprint if more else None
            data = [shown_finding(row) for row in shown]
            Screen().json({"schema_version": "1", "findings": data, "after": last})
        else:
            _table(Screen(), shown)
            if more:
                Screen().line(f"More: --after {shown[-1].fingerprint[:_DIGITS]}")
    return int(ExitCode.CLEAN)


def show_finding(place: str, begin: str, form: str) -> int:
    """One finding with its history and all that was said of it."""
    with opened_store(place).reading() as session:
        row = finding_named(session, begin)
        whole = document(row)
        sights = list(history(session, row))
        words = words_about(session, row.id)
        if form == "json":
            Screen().json(
                {
                    "schema_version": "1",
                    **shown_finding(row),
                    "first_fingerprint": row.id,
                    "finding": whole.model_dump(mode="json"),
                    "runs": [{**_run(item.run), "found": item.found} for item in sights],
                    "reviews": [
                        {
                            "by": said.account,
                            "decision": said.decision,
                            "reason": said.reason,
                            "at": said.at.isoformat(),
                        }
                        for said in words.reviews
                    ],
                    "comments": [
                        {"by": said.account, "text": said.text, "at": said.at.isoformat()}
                        for said in words.comments
                    ],
                    "assignments": [
                        {
                            "by": said.account,
                            "owner": said.owner,
                            "due": None if said.due is None else said.due.isoformat(),
                            "at": said.at.isoformat(),
                        }
                        for said in words.assignments
                    ],
                }
            )
            return int(ExitCode.CLEAN)
        screen = Screen()
        screen.line(Styled(whole.sentence, "bold"))
        screen.line(f"{row.severity} {row.kind} of {row.rule} ({'; '.join(whole.citations)})")
        screen.line(", ".join(f"{name} {value}" for name, value in whole.where.items()))
        screen.line(f"fingerprint {row.fingerprint}")
        if row.waiver is not None:
            screen.line(Styled(f"waived: waiver {row.waiver}", "green"))
        screen.line()
        for item in sights:
            said = "found" if item.found else "not found any more"
            screen.line(f"{item.run.day}, run {item.run.number} ({item.run.cause}): {said}")
        for review in words.reviews:
            screen.line(
                f"{review.at:%Y-%m-%d} {review.account}: {review.decision}, {review.reason}"
            )
        for comment in words.comments:
            screen.line(f"{comment.at:%Y-%m-%d} {comment.account}: {comment.text}")
        if words.owner is not None:
            due = f" until {words.owner.due}" if words.owner.due else ""
            screen.line(f"seen to by {words.owner.owner}{due}")
    return int(ExitCode.CLEAN)


def list_runs(
    place: str, casino: str | None, since: str | None, until: str | None, form: str
) -> int:
    """The runs of the nights."""
    asked = (
        select(NightRun, RulebookVersion.number, Night.run)
        .join(RulebookVersion, RulebookVersion.sha256 == NightRun.rulebook)
        .outerjoin(Night, Night.run == NightRun.number)
        .order_by(NightRun.number)
    )
    if casino is not None:
        asked = asked.where(NightRun.casino == casino)
    if since is not None:
        asked = asked.where(NightRun.day >= day(since, "--since"))
    if until is not None:
        asked = asked.where(NightRun.day <= day(until, "--until"))
    with opened_store(place).reading() as session:
        runs = [
            {**_run(run), "rules": version, "holds": holds is not None}
            for run, version, holds in session.execute(asked)
        ]
    if form == "json":
        Screen().json({"schema_version": "1", "runs": runs})
        return int(ExitCode.CLEAN)
    columns = [Column(name) for name in ("run", "casino", "day", "rules", "verdict", "cause")]
    rows = [
        [
            str(run["run"]) + ("" if run["holds"] else " (replaced)"),
            run["casino"],
            run["day"],
            str(run["rules"]),
            run["verdict"],
            run["cause"],
        ]
        for run in runs
    ]
    Screen().table(columns, rows)
    return int(ExitCode.CLEAN)


def diff_findings(place: str, old: str, new: str, casino: str | None, form: str) -> int:
    """What differs between two runs, days or versions of the rules; 1 if something is new."""
    kinds = [_kind(word) for word in (old, new)]
    if kinds[0] != kinds[1]:
        raise Refused("Compare two runs, two days, or two versions of the rules.")
    with opened_store(place).reading() as session:
        if kinds[0] == "day":
            return _diff_days(
                session, date.fromisoformat(old), date.fromisoformat(new), casino, form
            )
        if kinds[0] == "run":
            changes = changes_between_runs(session, int(old), int(new))
        else:
            numbers = [int(word.removeprefix("rules:")) for word in (old, new)]
            changes = changes_between_versions(session, *numbers)
        _show_changes(changes, form)
    return int(ExitCode.VIOLATIONS if changes.new else ExitCode.CLEAN)


def show_trend(
    place: str,
    by: str,
    wanted: Mapping[str, Any],
    since: str | None,
    until: str | None,
    form: str,
) -> int:
    """Findings counted by day, week or month."""
    last = day(until, "--until") or datetime.now(UTC).date()
    first = day(since, "--since") or last - timedelta(days=30)
    with opened_store(place).reading() as session:
        rule = wanted["rule"] and name_today(session, wanted["rule"])
        counts: Counter[date] = Counter()
        for found, number in session.execute(
            trend_question(first, last, **{**wanted, "rule": rule})
        ):
            counts[_beginning(found, by)] += number
    points = sorted(counts.items())
    if form == "json":
        data = [{"first": point.isoformat(), "findings": number} for point, number in points]
        Screen().json({"schema_version": "1", "by": by, "points": data})
        return int(ExitCode.CLEAN)
    most = max(counts.values(), default=1)
    screen = Screen()
    for point, number in points:
        bar = "█" * max(1, round(number / most * 40))
        screen.line(f"{point}  {number:>7,}  ", Styled(bar, "red"))
    if not points:
        screen.line("Nothing was found.")
    return int(ExitCode.CLEAN)


def _kind(word: str) -> str:
    if word.isdecimal():
        return "run"
    if word.startswith("rules:") and word.removeprefix("rules:").isdecimal():
        return "rules"
    try:
        date.fromisoformat(word)
    except ValueError:
        raise Refused(
            f"{word} is no run, day or version of the rules; write 12, 2026-11-18 or rules:3."
        ) from None
    return "day"


def _diff_days(session: Session, old: date, new: date, casino: str | None, form: str) -> int:
    changes = changes_between_days(session, old, new, casino)
    worse = any(item.now > item.before for item in changes)
    if form == "json":
        Screen().json({"schema_version": "1", "by_rule": [vars(item) for item in changes]})
    else:
        columns = [Column("rule"), Column("table"), Column(f"{old}", right=True)]
        columns.append(Column(f"{new}", right=True))
        rows = [[item.rule, item.table, f"{item.before:,}", f"{item.now:,}"] for item in changes]
        Screen().table(columns, rows)
    return int(ExitCode.VIOLATIONS if worse else ExitCode.CLEAN)


def _show_changes(changes: FindingChanges, form: str) -> None:
    if form == "json":
        Screen().json(
            {
                "schema_version": "1",
                "new": [shown_finding(row) for row in changes.new],
                "gone": [shown_finding(row) for row in changes.gone],
                "unchanged": changes.unchanged,
            }
        )
        return
    screen = Screen()
    for word, rows in (("new", changes.new), ("gone", changes.gone)):
        screen.line(Styled(f"{counted(len(rows), 'finding')} {word}", "bold"))
        _table(screen, rows)
    screen.line(f"{counted(changes.unchanged, 'finding')} unchanged")


def _table(screen: Screen, rows: Sequence[StoredFinding]) -> None:
    for row in rows:
        waived = f", waiver {row.waiver}" if row.waiver is not None else ""
        screen.line(
            Styled(row.fingerprint[:_DIGITS], "dim"),
            f"  {row.day}  ",
            Styled(f"{row.status}{waived}", _BROKEN.get(row.status, "")),
            Styled(f"  {row.severity} {row.rule}", "cyan"),
            f"  {row.table_name}: {row.sentence}",
        )


def _run(run: NightRun) -> dict[str, Any]:
    return {
        "run": run.number,
        "casino": run.casino,
        "day": run.day.isoformat(),
        "revision": run.revision,
        "cause": run.cause,
        "verdict": run.verdict,
        "exit_code": run.exit_code,
        "result": run.result,
        **{word: run.told[word] for word in _COUNTED},
        "at": run.at.isoformat(),
    }


def _beginning(found: date, by: str) -> date:
    if by == "week":
        return found - timedelta(days=found.weekday())
    return found.replace(day=1) if by == "month" else found
