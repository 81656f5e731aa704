"""The checks that a person has to look at, with witnesses, message and what was not met."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, timedelta
from functools import partial
from zoneinfo import ZoneInfo

import numpy as np

from compliance.checks import FoundCheck
from compliance.columnar.codes import value_of
from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.judge import STILL_OPEN, VERDICTS, Judge, Judged
from compliance.columnar.parts import Parts
from compliance.columnar.scene import Scene, Table
from compliance.columnar.vectors import OPEN, VALUE, Vector
from compliance.columns import Flags
from compliance.evidence import value_text
from compliance.moments import EPOCH
from reports.verdicts import Verdict
from rules_dsl import core

Shown = tuple[int, int, FoundCheck, bool]
"""The place of the trigger, the number of the slice, the check, and whether it may still change."""


def shown_checks(judge: Judge, contexts: Contexts, *, certain: bool = False) -> Iterator[Shown]:
    """The checks to be shown, with witnesses, message and what was not met.

    `certain` says that the edition is known to apply to all of them.
    """
    if not contexts.size:
        return
    parts = Parts()
    scene = judge.part.scene
    witnessing = Evaluator(scene, witnessing=True, parts=parts)
    witness = replace(judge, evaluator=witnessing)
    contexts = replace(contexts, root=np.arange(contexts.size))
    witnessing.unsettled = np.zeros(contexts.size, dtype=np.bool_)
    # What shows that the rule applies is evidence only where that is in doubt.
    applies = None if certain else witness.applies(contexts)
    doubt = np.zeros(contexts.size, dtype=np.bool_) if applies is None else ~applies.vector.true
    # Where it is in doubt that the rule applies, what it requires does not matter.
    unsettled = doubt & witnessing.unsettled
    judged = witness.judged(contexts, applies)
    verdicts, seen = judged.verdicts, judged.seen
    unsettled |= (verdicts == STILL_OPEN) | (~doubt & witnessing.unsettled)
    order = np.argsort(seen.context, kind="stable")
    borders = seen.context[order].searchsorted(np.arange(contexts.size + 1))
    unmet = _unmet(judge, judged, contexts.size)
    # What the message quotes does not decide the check: only its value has to be settled.
    witnessing.unsettled = None
    messages = _messages(witness, contexts, unsettled)
    rows = contexts.rows[core.TRIGGER]
    places = scene.place(rows)
    witnessed = scene.place(seen.row[order])
    shown = witnessed.tolist()
    names = [parts.names[part] for part in seen.part[order].tolist()]
    for i in range(contexts.size):
        mine = slice(int(borders[i]), int(borders[i + 1]))
        witnesses = set(zip(shown[mine], names[mine], strict=True))
        verdict = VERDICTS[int(verdicts[i])]
        segment = int(scene.segment[rows[i]])
        number = int(judge.part.owner[segment])
        check = FoundCheck(
            judge.rule,
            judge.edition,
            verdict,
            scene.log,
            int(places[i]),
            judge.part.keys[number],
            witnesses,
            partial(str, "" if verdict is Verdict.COMPLIED else messages[i]),
            _authority(judge, judged, i) if verdict is Verdict.EXCUSED else None,
            unmet[i],
        )
        yield int(places[i]), number, check, bool(unsettled[i])


def _unmet(judge: Judge, judged: Judged, size: int) -> list[tuple[str, ...]]:
    texts = [requirement.text for requirement in judge.edition.requirements]
    columns = [unmet.tolist() for unmet in judged.unmet]
    return [
        tuple(text for text, unmet in zip(texts, row, strict=True) if unmet)
        for row in zip(*columns, strict=True)
    ] or [()] * size


def _authority(judge: Judge, judged: Judged, i: int) -> str:
    assert judged.excuse is not None
    return judge.edition.exemptions[int(judged.excuse[i])].authority


def _messages(judge: Judge, contexts: Contexts, unsettled: Flags) -> list[str]:
    """The sentence of each check; one that quotes what is still open is not settled."""
    columns: list[Sequence[str]] = []
    scene = judge.part.scene
    for part in judge.edition.message:
        if part.value is None:
            columns.append([part.text] * contexts.size)
            continue
        vector = judge.evaluator.answer(part.value, contexts).vector.spread(contexts.size)
        unsettled |= vector.state == OPEN
        columns.append([_quoted(scene, part, vector, i) for i in range(contexts.size)])
    return ["".join(words) for words in zip(*columns, strict=True)] or [""] * contexts.size


def _quoted(scene: Scene, part: core.MessagePart, vector: Vector, i: int) -> str:
    if vector.state[i] != VALUE:
        return unrecorded(part)
    below = 1 if vector.below is None else int(vector.below[i])
    return quoted(scene.table, part, int(vector.above[i]), below)


def unrecorded(part: core.MessagePart) -> str:
    """What a message says in the place of a value that the log does not tell."""
    return f"an unrecorded {part.text}"


def quoted(table: Table, part: core.MessagePart, above: int, below: int) -> str:
    """A value as a message says it."""
    rulebook = table.circumstances.rulebook
    if part.kind == "time":
        moment = EPOCH + timedelta(microseconds=above)
        return value_text("time", moment.astimezone(ZoneInfo(rulebook.time_zone)))
    if part.kind == "date":
        return (date(1970, 1, 1) + timedelta(days=above)).isoformat()
    return value_text(part.kind, value_of(table.log, rulebook, part.kind, above, below))
