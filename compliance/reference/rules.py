"""Applies rules to a log: finds each trigger, cuts out its slice, and reaches a verdict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from zoneinfo import ZoneInfo

from compliance.judgement.build_check import build_check
from compliance.judgement.circumstances import Absent, Circumstances, edition_for
from compliance.reference.answers import (
    Answer,
    Seen,
    Truth,
    all_hold,
    conjunction,
    negation,
    united,
    why_absent,
)
from compliance.reference.evaluate import Evaluator, Watch
from compliance.reference.groups import groups
from compliance.reference.lost_evidence import may_change
from compliance.reference.runs import ends_run, run_for
from compliance.reference.scene import Scene, absolute
from compliance.values.event_texts import message_text, value_text, witness
from event_schemas import Event, LostRecord
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core

_UNSETTLED = {Absent.OPEN: Verdict.OPEN, Absent.MISSING: Verdict.UNDETERMINED}


def apply_rule(
    rule: core.Rule,
    circumstances: Circumstances,
    events: Sequence[Event],
    watch: Watch | None = None,
) -> Iterator[Check]:
    """One rule on a whole log, with the edition in force on the date of each event.

    A violation that rests on the habits of a table is none: it is judged again as if the table had
    none.
    """
    rulebook = circumstances.rulebook
    zone = ZoneInfo(rulebook.time_zone)
    for across in sorted({edition.slice.across for edition in rule.editions}):
        for group in groups(events, across):
            for position, event in enumerate(group):
                edition = edition_for(rule, event.ts.astimezone(zone).date(), rulebook)
                if edition is None or edition.slice.across != across:
                    continue
                if event.type in edition.trigger.pattern.types:
                    found = [*_at(rule, edition, circumstances, group, position, watch)]
                    yield from _sure(found, rule, edition, circumstances, group, position)


def _sure(
    found: list[Check],
    rule: core.Rule,
    edition: core.Edition,
    circumstances: Circumstances,
    group: list[Event],
    position: int,
) -> list[Check]:
    """Checks of which every violation is one whatever the habits of the tables are."""
    lost = any(isinstance(event, LostRecord) for event in group)
    if not lost or all(check.verdict is not Verdict.VIOLATED for check in found):
        return found
    whatever = replace(circumstances, options=circumstances.options.whatever_the_habits())
    events = [
        event.whatever_the_habits() if isinstance(event, LostRecord) else event for event in group
    ]
    again = [*_at(rule, edition, whatever, events, position, None)]
    return [
        next(sure for sure in again if sure.slice == check.slice)
        if check.verdict is Verdict.VIOLATED
        else check
        for check in found
    ]


# ---- slices --------------------------------------------------------------------------------


def _at(
    rule: core.Rule,
    edition: core.Edition,
    circumstances: Circumstances,
    group: list[Event],
    position: int,
    watch: Watch | None,
) -> Iterator[Check]:
    """The checks of one rule at one event: one for each slice that the event belongs to."""
    for values in _key_values(edition.slice, circumstances, group, position):
        kept = [
            (index, belongs)
            for index, event in enumerate(group)
            if (belongs := _belongs(event, edition.slice, values, circumstances)) is not False
        ]
        here = [index for index, _ in kept].index(position)
        scene = Scene(
            [group[index] for index, _ in kept],
            [belongs for _, belongs in kept],
            complete=False,
            known_until=max(
                absolute(event.ts) for event in group if not isinstance(event, LostRecord)
            ),
            circumstances=circumstances,
        )
        place = _Place(scene, here)
        if edition.slice.interval is not None:
            narrowed = _within_interval(scene, edition.slice.interval, here)
            if narrowed is None:
                continue
            place = narrowed
        check = _Judge(rule, edition, place, values, watch).check()
        if check is not None:
            yield check


KeyValues = dict[str, object]


def _key_values(
    slice_: core.Slice, circumstances: Circumstances, group: list[Event], position: int
) -> list[KeyValues]:
    """The values of the `for each` keys at an event; a key that its type lacks takes every value
    seen so far in the rule's events."""
    event = group[position]
    schema = circumstances.schema.events
    own = [key for key in slice_.keys if key in schema[event.type].fields]
    others = [key for key in slice_.keys if key not in own]
    values: KeyValues = {key: event.get(key) for key in own}
    if not others:
        return [values]
    found: dict[tuple[object, ...], None] = {}
    for earlier in group[: position + 1]:
        if earlier.type in slice_.relevant and all(
            key in schema[earlier.type].fields for key in others
        ):
            seen = tuple(earlier.get(key) for key in others)
            agrees = all(earlier.get(key) in (None, values[key]) for key in own)
            if None not in seen and agrees:
                found.setdefault(seen)
    return [values | dict(zip(others, seen, strict=True)) for seen in found]


def _belongs(
    event: Event, slice_: core.Slice, values: KeyValues, circumstances: Circumstances
) -> Truth:
    """Whether an event belongs to a slice. One whose type lacks a key belongs to every slice, and
    so does a lost record, of which nothing is known but its table."""
    answer: Truth = True
    if isinstance(event, LostRecord):
        return answer
    for key in slice_.keys:
        if key not in circumstances.schema.events[event.type].fields:
            continue
        value = event.get(key)
        if value is None or values[key] is None:
            answer = Absent.MISSING
        elif value != values[key]:
            return False
    return answer


@dataclass(frozen=True)
class _Place:
    """Where a rule is applied: a scene and the position of the trigger in it.

    If the scene is a run of an interval, `unclear` are the lost records that may begin or end it.
    """

    scene: Scene
    here: int
    unclear: tuple[int, ...] = ()


def _within_interval(scene: Scene, name: str, here: int) -> _Place | None:
    """The scene cut down to the run of an interval around a position."""
    run = run_for(scene, name, "this", here, Evaluator(scene).matches)
    if run.belongs[here] is False:
        return None
    kept = [position for position, inside in enumerate(run.belongs) if inside is not False]
    cut = Scene(
        [scene.events[position] for position in kept],
        [all_hold(scene.belongs[position], run.belongs[position]) for position in kept],
        complete=not run.growing,
        known_until=scene.known_until,
        circumstances=scene.circumstances,
        run_of=name,
    )
    return _Place(cut, kept.index(here), tuple(kept.index(place) for place in run.unclear))


# ---- verdicts ------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Judge:
    """One edition of a rule at one place."""

    rule: core.Rule
    edition: core.Edition
    place: _Place
    values: KeyValues
    watch: Watch | None

    @property
    def scene(self) -> Scene:
        return self.place.scene

    @property
    def here(self) -> int:
        return self.place.here

    @property
    def evaluator(self) -> Evaluator:
        return Evaluator(self.scene, self.watch)

    def check(self) -> Check | None:
        """The check at this position, or None when the rule does not apply to it."""
        env = {core.TRIGGER: self.here}
        triggered = self._triggered()
        if triggered.value is False:
            return None
        applies = conjunction(
            [triggered, *(self.evaluator.evaluate(part, env) for part in self.edition.only_if)]
        )
        if applies.value is False:
            return None
        if isinstance(applies.value, Absent):
            return self._result(_UNSETTLED[applies.value], applies.witnesses)
        answers = [
            self.evaluator.evaluate(requirement.condition, env)
            for requirement in self.edition.requirements
        ]
        met = conjunction(answers)
        unmet = tuple(
            requirement.text
            for requirement, answer in zip(self.edition.requirements, answers, strict=True)
            if answer.value is not True
        )
        if met.value is True:
            return self._result(Verdict.COMPLIED, met.witnesses)
        if met.value is Absent.OPEN:
            return self._result(Verdict.OPEN, met.witnesses, unmet)
        return self._unmet(met, unmet)

    def _triggered(self) -> Answer:
        trigger = self.edition.trigger
        answer = self.evaluator.matches(trigger.pattern, self.here, {})
        if trigger.ends is not None and answer.value is not False:
            ends = ends_run(self.scene, trigger.ends, self.here, self.evaluator.matches)
            return conjunction([answer, ends])
        if trigger.since is None or answer.value is False:
            return answer
        # The first such event after another: going back, the other one is met before a second one.
        env = {core.TRIGGER: self.here}
        for position in range(self.here - 1, -1, -1):
            since = self.evaluator.matches(trigger.since, position, env).value
            if since is not False:
                return conjunction([answer, Answer(since, frozenset({Seen(position, "since")}))])
            again = self.evaluator.matches(trigger.pattern, position, {}).value
            if again is not False:
                lost = isinstance(self.scene.events[position], LostRecord)
                doubts = frozenset({Seen(position, "unclear")} if lost else ())
                return conjunction([answer, negation(Answer(again, doubts))])
        return Answer(False)

    def _unmet(self, met: Answer, unmet: tuple[str, ...]) -> Check:
        """A requirement fails or cannot be judged: an exception may excuse it."""
        excuses = [(item, self._excuse(item)) for item in self.edition.exemptions]
        for item, answer in excuses:
            if answer.value is True:
                seen = met.witnesses | answer.witnesses
                if met.value is Absent.MISSING and self._lost_may_change_duty():
                    # Perhaps nothing needed to be excused.
                    return self._result(Verdict.UNDETERMINED, seen, unmet)
                return self._result(Verdict.EXCUSED, seen, unmet, item.authority)
        answers = [answer for _, answer in excuses]
        everything = met.witnesses | united(answers)
        if any(answer.value is Absent.OPEN for answer in answers):
            return self._result(Verdict.OPEN, everything, unmet)
        if met.value is Absent.MISSING:
            return self._result(Verdict.UNDETERMINED, met.witnesses, unmet)
        if any(answer.value is Absent.MISSING for answer in answers):
            return self._result(Verdict.UNDETERMINED, everything, unmet)
        return self._result(Verdict.VIOLATED, met.witnesses, unmet)

    def _lost_may_change_duty(self) -> bool:
        conditions = [requirement.condition for requirement in self.edition.requirements]
        return may_change(self.scene, conditions, {core.TRIGGER: self.here})

    def _excuse(self, exemption: core.Exemption) -> Answer:
        """An exception applies when its condition holds and no exception to it does."""
        env = {core.TRIGGER: self.here}
        return conjunction(
            [
                self.evaluator.evaluate(exemption.condition, env),
                *(negation(self._excuse(limit)) for limit in exemption.but_not),
            ]
        )

    # ---- evidence

    def _result(
        self,
        verdict: Verdict,
        seen: Iterable[Seen],
        unmet: tuple[str, ...] = (),
        excused_by: str | None = None,
    ) -> Check:
        schema = self.scene.circumstances.schema
        events = self.scene.events
        shown = {(item.position, item.part) for item in seen}
        if verdict is Verdict.UNDETERMINED:
            shown |= {(position, "unclear") for position in self.place.unclear}
        return build_check(
            self.rule,
            self.edition,
            verdict,
            lambda position, part: witness(events[position], schema, part),
            self.here,
            self.values,
            _each_once(events, shown),
            schema,
            excused_by=excused_by,
            message="" if verdict is Verdict.COMPLIED else self._message(),
            unmet=unmet,
        )

    def _message(self) -> str:
        env = {core.TRIGGER: self.here}
        parts = []
        for part in self.edition.message:
            if part.value is None:
                parts.append((part.text, ""))
                continue
            value = Evaluator(self.scene).evaluate(part.value, env).value
            if isinstance(value, datetime):
                # Times are told in the casino's zone, whatever zone the log writes them in.
                value = value.astimezone(ZoneInfo(self.scene.circumstances.rulebook.time_zone))
            parts.append(
                (f"an unrecorded {part.text}", "")
                if why_absent(value) is not None
                else (value_text(part.kind, value), part.kind)
            )
        return message_text(parts)


def _each_once(events: Sequence[Event], shown: set[tuple[int, str]]) -> list[tuple[int, str]]:
    """What events showed; a lost record that stands at several places is named at the first."""
    named: dict[tuple[object, str], tuple[int, str]] = {}
    for position, part in sorted(shown):
        lost = isinstance(events[position], LostRecord)
        named.setdefault((events[position].id if lost else position, part), (position, part))
    return list(named.values())
