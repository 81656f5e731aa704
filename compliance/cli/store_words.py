"""The words of the commands that look into the store: findings, waivers, and the audit trail.

What the commands need is imported when they run, so that help comes at once.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from cyclopts import App, Parameter

findings_app = App(name="findings", help="What was found in all nights, and what became of it.")
waivers_app = App(name="waivers", help="Findings that an authority has accepted for a time.")
audit_app = App(name="audit", help="Who did what, in a chain that shows any later change.")

StorePlace = Annotated[
    str,
    Parameter(
        name="--store",
        env_var="COMPLIANCE_STORE",
        help="The store, or the settings of the batch that writes it.",
    ),
]
Format = Annotated[
    Literal["text", "json"],
    Parameter(help="text to read, or json with the keys listed in docs/command-line.md."),
]
SETTINGS = "batch.toml"
CasinoName = Annotated[str | None, Parameter(help="Only this casino.")]
RuleName = Annotated[
    str | None, Parameter(help="Only this rule, also by a name that it had before.")
]
SeverityName = Annotated[
    Literal["critical", "major", "minor"] | None, Parameter(help="Only this severity.")
]
KindName = Annotated[
    Literal["violation", "indicator", "data_defect"] | None, Parameter(help="Only this kind.")
]
Since = Annotated[str | None, Parameter(help="From this gaming day on, as 2026-11-18.")]
Until = Annotated[str | None, Parameter(help="Up to this gaming day.")]
Actor = Annotated[
    str | None, Parameter(name="--as", help="Who does it, for the audit trail; you if left out.")
]


@findings_app.command(name="list")
def findings_list(
    *,
    store: StorePlace = SETTINGS,
    casino: CasinoName = None,
    rule: RuleName = None,
    table: Annotated[str | None, Parameter(help="Only this table.")] = None,
    kind: KindName = None,
    severity: SeverityName = None,
    status: Annotated[
        Literal["new", "recurring", "resolved", "reopened"] | None,
        Parameter(help="Only what became so."),
    ] = None,
    since: Since = None,
    until: Until = None,
    waived: Annotated[
        bool | None, Parameter(help="Only waived findings, or only others.", negative="--unwaived")
    ] = None,
    most: Annotated[int, Parameter(help="How many.")] = 50,
    after: Annotated[
        str | None, Parameter(help="Go on after the finding with this fingerprint.")
    ] = None,
    format: Format = "text",
) -> int:
    """List findings, the newest first."""
    from compliance.cli.findings_command import list_findings

    wanted = {
        "casino": casino,
        "rule": rule,
        "table": table,
        "kind": kind,
        "severity": severity,
        "status": status,
        "since": since,
        "until": until,
        "waived": waived,
    }
    return list_findings(store, wanted, most, after, format)


@findings_app.command(name="show")
def findings_show(
    fingerprint: Annotated[
        str, Parameter(name="FINGERPRINT", help="The first digits of a fingerprint.")
    ],
    /,
    *,
    store: StorePlace = SETTINGS,
    format: Format = "text",
) -> int:
    """Show a finding: what happened, which runs found it, and what people said of it."""
    from compliance.cli.findings_command import show_finding

    return show_finding(store, fingerprint, format)


@findings_app.command(name="runs")
def findings_runs(
    *,
    store: StorePlace = SETTINGS,
    casino: CasinoName = None,
    since: Since = None,
    until: Until = None,
    format: Format = "text",
) -> int:
    """List the runs of the nights, with the version of the rules that each applied."""
    from compliance.cli.findings_command import list_runs

    return list_runs(store, casino, since, until, format)


@findings_app.command(name="diff")
def findings_diff(
    old: Annotated[str, Parameter(name="OLD", help="A run, as 12; a gaming day; or rules:3.")],
    new: Annotated[str, Parameter(name="NEW", help="What it is compared with, of the same kind.")],
    /,
    *,
    store: StorePlace = SETTINGS,
    casino: CasinoName = None,
    format: Format = "text",
) -> int:
    """Say what is new, gone and unchanged between two runs, days or versions of the rules."""
    from compliance.cli.findings_command import diff_findings

    return diff_findings(store, old, new, casino, format)


@findings_app.command(name="trend")
def findings_trend(
    *,
    store: StorePlace = SETTINGS,
    by: Annotated[Literal["day", "week", "month"], Parameter(help="What is added up.")] = "day",
    casino: CasinoName = None,
    rule: RuleName = None,
    kind: KindName = None,
    severity: SeverityName = None,
    since: Since = None,
    until: Until = None,
    format: Format = "text",
) -> int:
    """Count findings by day, week or month; a month back if nothing is said."""
    from compliance.cli.findings_command import show_trend

    wanted = {"casino": casino, "rule": rule, "kind": kind, "severity": severity}
    return show_trend(store, by, wanted, since, until, format)


@waivers_app.command(name="list")
def waivers_list(
    *,
    store: StorePlace = SETTINGS,
    all: Annotated[
        bool, Parameter(help="Also those that ended or were withdrawn.", negative=())
    ] = False,
    format: Format = "text",
) -> int:
    """List the waivers, with what each covers and when it ends."""
    from compliance.cli.waivers_command import list_waivers

    return list_waivers(store, all, format)


@waivers_app.command(name="add")
def waivers_add(
    *,
    rule: Annotated[str, Parameter(help="The rule whose findings are meant.")] = "",
    fingerprint: Annotated[str, Parameter(help="Or one finding, by its fingerprint.")] = "",
    table: Annotated[str, Parameter(help="Only at this table, or a pattern such as BJ-*.")] = "",
    casino: Annotated[str, Parameter(help="Only in this casino.")] = "",
    authority: Annotated[str, Parameter(help="Who granted it.")],
    reason: Annotated[str, Parameter(help="Why.")],
    expires: Annotated[str, Parameter(help="The last day that it covers, as 2026-12-31.")],
    store: StorePlace = SETTINGS,
    actor: Actor = None,
) -> int:
    """Accept findings on the word of an authority. They stay visible, and fail no night."""
    from compliance.cli.waivers_command import WaiverWords, add

    words = WaiverWords(rule, fingerprint, table, casino, authority, reason, expires)
    return add(store, words, actor)


@waivers_app.command(name="withdraw")
def waivers_withdraw(
    number: Annotated[int, Parameter(name="NUMBER", help="As `compliance waivers list` shows it.")],
    /,
    *,
    reason: Annotated[str, Parameter(help="Why it ends before its time.")],
    store: StorePlace = SETTINGS,
    actor: Actor = None,
) -> int:
    """End a waiver: what it covered counts again."""
    from compliance.cli.waivers_command import withdraw

    return withdraw(store, number, reason, actor)


@audit_app.command(name="verify")
def audit_verify(
    *,
    store: StorePlace = SETTINGS,
    head: Annotated[
        str | None,
        Parameter(help="A head that was kept elsewhere, as 1204:5f3c..., or the file it is in."),
    ] = None,
    format: Format = "text",
) -> int:
    """Check every entry of the audit trail against the one before it; 1 if one was changed."""
    from compliance.cli.audit_command import verify_trail

    return verify_trail(store, head, format)


@audit_app.command(name="head")
def audit_head(
    *,
    store: StorePlace = SETTINGS,
    output: Annotated[
        Path | None,
        Parameter(name=("--output", "-o"), help="A file to write it to, best on another machine."),
    ] = None,
    format: Format = "text",
) -> int:
    """Say the newest entry and its hash, to be kept where nobody of this machine can change it."""
    from compliance.cli.audit_command import show_head

    return show_head(store, output, format)
