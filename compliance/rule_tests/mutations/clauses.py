"""Changes to the clauses of a rule: dates that are off by a day, and clauses left out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

import msgspec

from compliance.rule_tests.mutations.change import Change, Surroundings, changed, each_left_out
from compliance.rule_tests.mutations.neighbour_values import moved_days
from rules_dsl import core


def _rule(rule: core.Rule, around: Surroundings) -> Iterator[Change]:
    """The days on which editions begin and end; where two meet, both move."""
    editions = rule.editions
    for index, (edition, after) in enumerate(zip_longest(editions, editions[1:])):
        before = editions[index - 1] if index else None
        meets_before = before is not None and before.until == edition.since
        if edition.since is not None and not meets_before:
            for day in moved_days(edition.since):
                new = msgspec.structs.replace(edition, since=day)
                words = f"the first day in force, {edition.since}, becomes {day}"
                yield _one_edition(rule, index, (new,), words)
        if edition.until is None or edition.ended:
            # The end of a chapter is not said in the rule.
            continue
        for day in moved_days(edition.until):
            last: tuple[core.Edition, ...] = (msgspec.structs.replace(edition, until=day),)
            words = f"the end of the edition, {edition.until}, becomes {day}"
            if after is not None and after.since == edition.until:
                last = (*last, msgspec.structs.replace(after, since=day))
                words = f"the change of the law on {edition.until} moves to {day}"
            yield _one_edition(rule, index, last, words)


def _one_edition(rule: core.Rule, index: int, new: tuple[core.Edition, ...], words: str) -> Change:
    editions = (*rule.editions[:index], *new, *rule.editions[index + len(new) :])
    return Change(msgspec.structs.replace(rule, editions=editions), words, new[0].place)


def _edition(edition: core.Edition, around: Surroundings) -> Iterator[Change]:
    for part, rest in each_left_out(edition.only_if):
        if not around.places.is_section_condition(part.place):
            words = f"the condition {around.written(part)} is left out"
            yield Change(msgspec.structs.replace(edition, only_if=rest), words, part.place)
    for part, rest in each_left_out(edition.requirements):
        words = f"{around.written(part)} is left out"
        yield Change(msgspec.structs.replace(edition, requirements=rest), words, part.place)
    for part, rest in each_left_out(edition.exemptions):
        words = f"the exception under {part.authority} is left out"
        yield Change(msgspec.structs.replace(edition, exemptions=rest), words, part.place)


def _exemption(exemption: core.Exemption, around: Surroundings) -> Iterator[Change]:
    for limit, rest in each_left_out(exemption.but_not):
        words = (
            f"the limit under {limit.authority} of the exception "
            f"under {exemption.authority} is left out"
        )
        yield Change(msgspec.structs.replace(exemption, but_not=rest), words, limit.place)


def _trigger(trigger: core.Trigger, around: Surroundings) -> Iterator[Change]:
    if trigger.since is not None:
        words = f"`first` and `since` {around.written(trigger.since)} are left out"
        yield changed(trigger, words, since=None)


def _slice(slice_: core.Slice, around: Surroundings) -> Iterator[Change]:
    for key, rest in each_left_out(slice_.keys):
        yield changed(slice_, f"`{key}` is left out of {around.written(slice_)}", keys=rest)
    if slice_.interval is not None:
        words = f"`{slice_.interval}` is left out of {around.written(slice_)}"
        yield changed(slice_, words, interval=None)


CLAUSES: dict[type, Callable[[Any, Surroundings], Iterator[Change]]] = {
    core.Rule: _rule,
    core.Edition: _edition,
    core.Exemption: _exemption,
    core.Trigger: _trigger,
    core.Slice: _slice,
}
