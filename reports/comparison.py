"""Compares a saved result with one that was made again, and says in words what differs.

[item.sentence for item in differences(saved, again)]
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from reports.model import ClauseStatement, Consulted, Finding, Input, RuleOutcome, Run
from reports.record import Record
from reports.run_hash import run_hash
from reports.saved_json import altered, render_json
from reports.wording import counted

LONGEST = 120
"""How much of a value is shown."""


@dataclass(frozen=True)
class Difference:
    """One thing that a saved result says otherwise than a new check."""

    part: str
    """What of the result: log, rules, file, rule, finding, clause, seal, layout, ..."""
    sentence: str


def tampered(saved: Run, content: bytes) -> Iterator[Difference]:
    """What the file itself shows: a broken seal, or bytes that no check wrote."""
    if altered(saved):
        yield Difference("seal", "The saved result was altered: its own SHA-256 does not fit it.")
    elif not saved.sha256:
        yield Difference("seal", "The saved result has no SHA-256 of its own.")
    elif content != render_json(saved):
        yield Difference(
            "layout", "The saved result is not laid out as a check writes it: bytes were altered."
        )


def differences(saved: Run, again: Run) -> Iterator[Difference]:
    """All that differs, inputs first, then what was found; how the result was made is left out."""
    found = False
    for item in _differences(saved, again):
        found = True
        yield item
    # Whatever the comparison part by part may overlook, such as another way to write a moment.
    if not found and _said(saved) != _said(again):
        yield Difference("result", "The saved result is written otherwise than a new one.")


def _said(run: Run) -> str:
    return run_hash(run.model_copy(update={"versions": {}, "command": ""}))


def _differences(saved: Run, again: Run) -> Iterator[Difference]:
    yield from _files("log", "The log", _hashes(saved.inputs), _hashes(again.inputs))
    if saved.rulebook.sha256 != again.rulebook.sha256:
        yield Difference(
            "rules",
            f"The rules are not those of the saved result: SHA-256 {saved.rulebook.sha256[:16]}… "
            f"then, {again.rulebook.sha256[:16]}… now.",
        )
    yield from _files("file", "The file", _hashes(saved.consulted), _hashes(again.consulted))
    yield from _fields(saved, again)
    yield from _outcomes(saved.outcomes, again.outcomes)
    yield from _statements(saved.statements, again.statements)


def remarks(saved: Run, again: Run) -> list[str]:
    """How the results were made: another version or command is no difference."""
    said = []
    if saved.command not in ("", again.command):
        said.append(f"The command was `{saved.command}`, now it is `{again.command}`.")
    names = sorted(saved.versions.keys() | again.versions.keys())
    return said + [
        f"{name} was {saved.versions.get(name, 'not named')}, "
        f"now it is {again.versions.get(name, 'not named')}."
        for name in names
        if saved.versions.get(name) != again.versions.get(name)
    ]


# ---- files ---------------------------------------------------------------------------------


def _hashes(files: Iterable[Input | Consulted]) -> list[tuple[str, str]]:
    return [(file.name, file.sha256) for file in files]


def _files(
    part: str, what: str, then: list[tuple[str, str]], now: list[tuple[str, str]]
) -> Iterator[Difference]:
    lost = [file for file in then if file not in now]
    new = [file for file in now if file not in then]
    for name, sha256 in lost:
        same_name = next((file for file in new if file[0] == name), None)
        same_hash = next((file for file in new if file[1] == sha256), None)
        if same_name is not None:
            new.remove(same_name)
            yield Difference(
                part,
                f"{what} {name} was altered: SHA-256 {sha256[:16]}… then, {same_name[1][:16]}… "
                "now.",
            )
        elif same_hash is not None:
            new.remove(same_hash)
            yield Difference(part, f"{what} {name} is now called {same_hash[0]}; it is the same.")
        else:
            yield Difference(part, f"{what} {name} was not given (SHA-256 {sha256[:16]}…).")
    for name, _ in new:
        yield Difference(part, f"{what} {name} was no part of the saved result.")


# ---- the run as a whole --------------------------------------------------------------------

_TOLD_APART = {
    "inputs",
    "rulebook",
    "consulted",
    "outcomes",
    "statements",
    "versions",
    "command",
    "sha256",
}
_NAMES = {
    "summary": "The summary",
    "scope": "What was checked",
    "profile": "The profile",
    "law_of": "The day whose law was applied",
    "interpretations": "The readings of the law",
    "options": "What the licensee elected",
    "notes": "The notes",
    "quarantined": "The number of lines set aside",
    "set_aside": "The reasons for lines set aside",
    "lost_records": "The number of records that are lost",
    "undecided_by_loss": "The number of checks that they leave undecided",
    "time_zone": "The time zone",
    "waivers": "The waivers",
    "not_recorded": "What would have to be recorded",
    "changes": "What changed since the earlier result",
    "answers": "The answers",
}


def _fields(saved: Run, again: Run) -> Iterator[Difference]:
    if saved.rulebook.name != again.rulebook.name:
        names = f"{saved.rulebook.name} then, {again.rulebook.name} now"
        yield Difference("rules", f"The name of the rules: {names}.")
    for then, now in zip(saved.inputs, again.inputs, strict=False):
        if (then.name, then.sha256) == (now.name, now.sha256) and then.events != now.events:
            yield Difference(
                "log", f"Events read from {then.name}: {then.events:,} then, {now.events:,} now."
            )
    for old, new in zip(saved.consulted, again.consulted, strict=False):
        if (old.name, old.sha256) == (new.name, new.sha256) and old.role != new.role:
            yield Difference("file", f"{old.name} was the {old.role}, and is the {new.role} now.")
    for name in Run.model_fields:
        if name not in _TOLD_APART:
            before, after = getattr(saved, name), getattr(again, name)
            if before != after:
                what = _NAMES.get(name, name)
                yield Difference(name, f"{what}: {_what_differs(before, after)}.")


# ---- rules and findings --------------------------------------------------------------------


def _outcomes(then: Sequence[RuleOutcome], now: Sequence[RuleOutcome]) -> Iterator[Difference]:
    before, after = _by_name(then), _by_name(now)
    for name, outcome in before.items():
        if name not in after:
            yield Difference("rule", f"The rule {name} is only in the saved result.")
        elif outcome != after[name]:
            yield from _outcome(outcome, after[name])
    for name in after:
        if name not in before:
            yield Difference("rule", f"The rule {name} is missing in the saved result.")
    shared = [item.rule for item in then if item.rule in after]
    if shared != [item.rule for item in now if item.rule in before] or len(before) != len(then):
        yield Difference("rule", "The rules stand in another order.")


def _by_name(outcomes: Iterable[RuleOutcome]) -> Mapping[str, RuleOutcome]:
    return {item.rule: item for item in outcomes}


def _outcome(then: RuleOutcome, now: RuleOutcome) -> Iterator[Difference]:
    for name in RuleOutcome.model_fields:
        before, after = getattr(then, name), getattr(now, name)
        if name != "findings" and before != after:
            yield Difference("rule", f"{then.rule}, {name}: {_what_differs(before, after)}.")
    yield from _findings(then, now)


def _findings(then: RuleOutcome, now: RuleOutcome) -> Iterator[Difference]:
    before = {found.fingerprint: found for found in then.findings}
    after = {found.fingerprint: found for found in now.findings}
    for print_, found in before.items():
        if print_ not in after:
            yield Difference(
                "finding", f"{_named(found)} is only in the saved result: {_short(found.sentence)}"
            )
    for print_, found in after.items():
        if print_ not in before:
            yield Difference(
                "finding",
                f"{_named(found)} is missing in the saved result: {_short(found.sentence)}",
            )
    for print_, found in before.items():
        if print_ in after and found != after[print_]:
            yield from _finding(found, after[print_])
    if len(before) != len(then.findings):
        yield Difference("finding", f"{then.rule} names a finding twice in the saved result.")


def _finding(then: Finding, now: Finding) -> Iterator[Difference]:
    for name in Finding.model_fields:
        before, after = getattr(then, name), getattr(now, name)
        if before != after:
            yield Difference("finding", f"{_named(then)}, {name}: {_what_differs(before, after)}.")


def _named(found: Finding) -> str:
    return f"{found.rule} {found.fingerprint[:16]}"


# ---- clauses -------------------------------------------------------------------------------


def _statements(
    then: Sequence[ClauseStatement], now: Sequence[ClauseStatement]
) -> Iterator[Difference]:
    if len(then) != len(now):
        numbers = f"{counted(len(then), 'clause')} then, {counted(len(now), 'clause')} now"
        yield Difference("clause", f"The statement of compliance has {numbers}.")
    # In the order of the law: one clause may stand in several texts.
    for before, after in zip(then, now, strict=False):
        for name in ClauseStatement.model_fields:
            left, right = getattr(before, name), getattr(after, name)
            if left != right:
                yield Difference(
                    "clause", f"Clause {before.clause}, {name}: {_what_differs(left, right)}."
                )


# ---- values --------------------------------------------------------------------------------


def _what_differs(then: object, now: object) -> str:
    """The smallest part that differs, as it was and as it is."""
    if isinstance(then, Record) and isinstance(now, Record) and type(then) is type(now):
        for name in type(then).model_fields:
            before, after = getattr(then, name), getattr(now, name)
            if before != after:
                return f"{name} {_what_differs(before, after)}"
    if isinstance(then, tuple) and isinstance(now, tuple):
        for number, (before, after) in enumerate(zip(then, now, strict=False), start=1):
            if before != after:
                return f"no. {number} {_what_differs(before, after)}"
        return f"{len(then):,} then, {len(now):,} now"
    if isinstance(then, str) and isinstance(now, str) and max(len(then), len(now)) > LONGEST:
        same = next(
            (place for place, (a, b) in enumerate(zip(then, now, strict=False)) if a != b),
            min(len(then), len(now)),
        )
        begin = max(0, same - LONGEST // 3)
        return f"…{_short(then[begin:])} then, …{_short(now[begin:])} now"
    return f"{_short(then)} then, {_short(now)} now"


def _short(value: object) -> str:
    text = value if isinstance(value, str) else "none" if value is None else str(value)
    text = text or "nothing"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
