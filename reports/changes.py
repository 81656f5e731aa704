"""What changed between two results: findings that are new, gone or unchanged, by fingerprint.

changes = changes_between(old, "monday.json", new)
changes.of(FindingKind.VIOLATION).new
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from reports.change_record import ChangeCounts, ChangedFinding, Changes
from reports.model import Finding, Run
from reports.run_hash import run_hash
from reports.verdicts import FindingKind
from reports.wording import counted

NAMES = {
    FindingKind.VIOLATION: "violations",
    FindingKind.INDICATOR: "indicators",
    FindingKind.DATA_DEFECT: "data defects",
}


def changes_between(old: Run, name: str, new: Run) -> Changes:
    """How a result differs in its findings from an older one, which is known by a name."""
    before, after = _by_name(old), _by_name(new)
    came = tuple(_brief(found) for key, found in after.items() if key not in before)
    went = tuple(_brief(found) for key, found in before.items() if key not in after)
    stayed = {key: found.kind for key, found in after.items() if key in before}
    return Changes(
        since=name,
        since_sha256=old.sha256 or run_hash(old),
        counts=tuple(
            ChangeCounts(
                kind=kind,
                new=_number(kind, (item.kind for item in came)),
                gone=_number(kind, (item.kind for item in went)),
                unchanged=_number(kind, stayed.values()),
            )
            for kind in FindingKind
        ),
        new=came,
        gone=went,
        unchanged=tuple(stayed),
        remarks=tuple(_remarks(old, new)),
    )


def with_baseline(run: Run, old: Run, name: str) -> Run:
    """The run with what changed since an older one."""
    return run.model_copy(update={"changes": changes_between(old, name, run)})


def change_sentences(changes: Changes) -> list[str]:
    """What changed, kind by kind; of violations also if there are none."""
    return [
        f"{item.new:,} new, {item.gone:,} gone, {item.unchanged:,} unchanged {NAMES[item.kind]}"
        for item in changes.counts
        if item.new or item.gone or item.unchanged or item.kind is FindingKind.VIOLATION
    ]


def _by_name(run: Run) -> dict[str, Finding]:
    return {found.fingerprint: found for item in run.outcomes for found in item.findings}


def _brief(found: Finding) -> ChangedFinding:
    return ChangedFinding(
        fingerprint=found.fingerprint,
        kind=found.kind,
        severity=found.severity,
        rule=found.rule,
        sentence=found.sentence,
        table=found.where.get("table", ""),
        ts=found.trigger.ts if found.trigger else None,
    )


def _number(kind: FindingKind, kinds: Iterable[FindingKind]) -> int:
    return sum(item is kind for item in kinds)


def _remarks(old: Run, new: Run) -> Iterator[str]:
    """What else is not the same, and may be why findings came or went."""
    if old.rulebook.sha256 != new.rulebook.sha256:
        rules = [_rules(run) for run in (old, new)]
        came, went = len(rules[1] - rules[0]), len(rules[0] - rules[1])
        names = (
            f"{counted(came, 'rule')} came, {went:,} went" if came or went else "of the same names"
        )
        yield f"Other rules were applied ({names})."
    logs = [{item.sha256 for item in run.inputs} for run in (old, new)]
    if logs[0] != logs[1]:
        yield f"The logs are not the same: {'some' if logs[0] & logs[1] else 'all'} files differ."
    if old.scope != new.scope:
        yield "Other tables or another time were checked."
    if _files(old) != _files(new):
        yield "Options, manifests, mappings, waivers or the night before are not the same."
    if old.law_of != new.law_of:
        yield "The results apply the law of different days."
    if old.profile != new.profile:
        yield f"The profile was {old.profile or 'none'} and is {new.profile or 'none'}."
    if old.versions != new.versions:
        yield "Another version of the program, or of Python, made it."


def _rules(run: Run) -> set[str]:
    """The rules of the law, without the checks of the evidence."""
    return {item.rule for item in run.outcomes if item.kind is not FindingKind.DATA_DEFECT}


def _files(run: Run) -> set[tuple[str, str]]:
    return {(item.role, item.sha256) for item in run.consulted if item.role != "baseline"}
