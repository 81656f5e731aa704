"""What of a table's log the next night still needs.

A check in the next log may look back: to the last shuffle, to the start of the round, or to the
very beginning. And a check of this log that is not settled will be judged again. The events that
they can look at are kept; nothing else of the old log can change a verdict or a word of a result.
That holds as long as the next log begins no earlier than this one ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from compliance.columnar.contexts import Contexts
from compliance.columnar.evaluate import Evaluator
from compliance.columnar.intervals_used import intervals_of
from compliance.columnar.keyed_slices import every_slice
from compliance.columnar.looked_at import LookedAt, TooFar, speaks_of_events
from compliance.columnar.looking_back import LookingBack
from compliance.columnar.rules import RuleResult
from compliance.columnar.scene import Scene, Table
from compliance.columnar.skipping import in_force
from compliance.columnar.slices import sliced
from compliance.columns import Flags, Integers
from compliance.options import ELECTIONS
from rules_dsl import core
from rules_dsl.traverse import all_parts

_MOST_SLICES = 5_000


@dataclass(frozen=True)
class Tail:
    """What is handed on to the next log: the places of the events that it needs, in order, and by
    rule the fingerprints of the checks that it is to judge again."""

    places: Integers
    pending: Mapping[str, frozenset[str]]


def hand_on(table: Table, rules: Sequence[core.Rule], results: Mapping[str, RuleResult]) -> Tail:
    """What the next log needs of this one, after the rules have been applied to it."""
    waiting = {name: result.pending for name, result in results.items() if result.pending}
    triggers = {
        name: sorted({item.place for item in pending.values()}) for name, pending in waiting.items()
    }
    return Tail(
        needed(table, rules, triggers),
        {name: frozenset(pending) for name, pending in waiting.items()},
    )


def needed(
    table: Table, rules: Sequence[core.Rule], pending: Mapping[str, Sequence[int]]
) -> Integers:
    """The places of the events to keep. `pending` are the triggers of checks not settled."""
    kept = np.zeros(len(table.log), dtype=np.bool_)
    if not len(kept):
        return np.zeros(0, dtype=np.int64)
    kept[table.whole.rows_of(ELECTIONS)] = True
    # The latest moment tells which limits of time have passed.
    kept[int(table.log.ts.argmax())] = True
    for rule in rules:
        waiting = np.array(pending.get(rule.name, ()), dtype=np.int64)
        for edition in rule.editions:
            _keep_for(table, edition, waiting, kept)
    return np.flatnonzero(kept)


def _keep_for(table: Table, edition: core.Edition, waiting: Integers, kept: Flags) -> None:
    """Mark what one edition of a rule needs."""
    _, until = in_force(edition, table.circumstances.rulebook.time_zone)
    if table.moments[1] >= until and not len(waiting):
        # It is no longer law for what is to come.
        return
    _keep_one_of_each_key(table, edition, kept)
    names = table.plan.once(intervals_of, edition)
    intervals = [table.circumstances.rulebook.intervals[name] for name in names]
    if len(table.log.table_names) > 1 or not _are_plain(table, edition, intervals):
        _keep_everything(table, edition, intervals, kept)
        return
    marked = kept.copy()
    try:
        for scene, told in _scenes(table, edition):
            later = LookingBack(table, edition, marked, scene)
            later.trigger()
            # Where the trigger does not say its key, what is required is never asked.
            for part in _looking(edition) if told else _applying(edition):
                later.at(part)
    except TooFar:
        _keep_everything(table, edition, intervals, kept)
        return
    kept |= marked
    if len(waiting):
        _keep_for_waiting(table, edition, waiting, kept)


def _keep_for_waiting(table: Table, edition: core.Edition, waiting: Integers, kept: Flags) -> None:
    """Mark what the checks at some triggers look at."""
    for part in sliced(table, edition):
        rows = part.triggers[np.isin(part.scene.place(part.triggers), waiting)]
        if not len(rows):
            continue
        contexts = Contexts({core.TRIGGER: rows}, len(rows))
        looked_at = LookedAt(Evaluator(part.scene), kept)
        looked_at.trigger(edition.trigger, contexts)
        for node in _looking(edition):
            looked_at.at(node, contexts)
        if edition.slice.interval is not None:
            places = np.unique(part.scene.place(rows))
            LookedAt(Evaluator(table.whole), kept).run(edition.slice.interval, "this", places)


def _scenes(table: Table, edition: core.Edition) -> list[tuple[Scene, bool]]:
    """What later triggers can see: the table, or their own slice of it."""
    if not edition.slice.keys:
        return [(table.whole, True)]
    found = every_slice(table, edition, _MOST_SLICES)
    if found is None:
        raise TooFar
    return found


def _applying(edition: core.Edition) -> list[core.Core]:
    """The parts of an edition that tell whether it applies, and what its message quotes."""
    values = [part.value for part in edition.message if part.value is not None]
    return [*edition.only_if, *values]


def _looking(edition: core.Edition) -> list[core.Core]:
    """The parts of an edition that may look at other events, but for its trigger."""
    nodes: list[core.Core] = [*edition.only_if, *edition.requirements, *edition.exemptions]
    return nodes + [part.value for part in edition.message if part.value is not None]


def _are_plain(table: Table, edition: core.Edition, intervals: Iterable[core.Interval]) -> bool:
    """Whether each event by itself tells if it begins or ends a run, and for every slice alike."""
    schema = table.log.schema
    for interval in intervals:
        for pattern in (interval.opens, interval.closes):
            keyed = any(
                key in schema.events[name].fields
                for key in edition.slice.keys
                for name in pattern.types
            )
            if keyed or table.plan.once(speaks_of_events, pattern.where):
                return False
    return True


def _keep_everything(
    table: Table, edition: core.Edition, intervals: Iterable[core.Interval], kept: Flags
) -> None:
    """Mark all events that an edition and its intervals speak of."""
    types = set(edition.slice.relevant)
    for interval in intervals:
        types |= {
            name
            for part in all_parts(interval)
            if isinstance(part, core.Pattern)
            for name in part.types
        }
    kept[table.whole.rows_of(tuple(sorted(types)))] = True


def _keep_one_of_each_key(table: Table, edition: core.Edition, kept: Flags) -> None:
    """A player once seen counts as seen in every later log: one event of each is kept."""
    names = edition.slice.keys
    if not names:
        return
    log = table.log
    rows = table.whole.rows_of(edition.slice.relevant)
    columns = []
    for name in names:
        value = np.full(len(rows), -1, dtype=np.int64)
        for (field, _), column in log.columns.items():
            if field == name:
                value = np.where(column.valid[rows], column.values[rows], value)
        columns.append(value)
    # The type belongs to the key: whether an event has a key depends on its type.
    columns.append(log.types[rows].astype(np.int64))
    _, first = np.unique(np.stack(columns), axis=1, return_index=True)
    kept[rows[first]] = True
