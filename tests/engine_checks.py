"""Applies rules to events with the engine: whole logs, and logs cut into nights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec
import numpy as np

from compliance.engine.bindings import PlanBindings
from compliance.engine.judging import JudgedLog, Question
from compliance.engine.shown_checks import VERDICTS, ShownChecks
from compliance.judgement.circumstances import Circumstances
from compliance.plan.builder import build_plan
from compliance.reference.groups import groups
from compliance.values.elected_options import ELECTIONS, ElectedOptions
from event_schemas import Event
from reports.model import Check
from reports.verdicts import Verdict
from rules_dsl import core
from tests.columns_of_events import from_events


class EngineChecks:
    """One rule, ready to be applied to rows of events in their order."""

    def __init__(self, rule: core.Rule, surroundings: Circumstances) -> None:
        book = msgspec.structs.replace(surroundings.rulebook, rules=(rule,))
        self.surroundings = with_rulebook(surroundings, book)
        self.plan = build_plan(book, surroundings.schema)
        self.bindings = PlanBindings(self.plan, self.surroundings)

    def editions(self, across: str) -> list[int]:
        """The editions that look at a table, a pit or a casino."""
        return [n for n, edition in enumerate(self.plan.editions) if edition.across == across]

    def checks(
        self, row: Sequence[Event], across: str, options: ElectedOptions | None = None
    ) -> list[Check]:
        """Every check on the events of one table, pit or casino."""
        surroundings = self._with(options)
        log = from_events(surroundings.schema, row)
        editions = self.editions(across)
        judged = JudgedLog(self.bindings, log, surroundings, editions)
        shown = ShownChecks(self.plan, log, surroundings)
        found = judged.judge(Question(everything=True)).checks
        return [shown.check(self.plan.editions[editions[c.edition]], c).written() for c in found]

    def all_checks(
        self, rule: core.Rule, events: Sequence[Event], surroundings: Circumstances | None = None
    ) -> list[Check]:
        """Every check of the rule on a log, perhaps in other circumstances."""
        if surroundings is not None:
            self.surroundings = with_rulebook(surroundings, self.surroundings.rulebook)
            self.bindings = PlanBindings(self.plan, self.surroundings)
        return [c for across, row in groups_of(rule, events) for c in self.checks(row, across)]

    def counts(self, row: Sequence[Event], across: str) -> dict[Verdict, int]:
        """How often each verdict is reached, where only a few checks are written down."""
        log = from_events(self.surroundings.schema, row)
        judged = JudgedLog(self.bindings, log, self.surroundings, self.editions(across))
        numbers = judged.judge(Question()).counts.sum(axis=0)
        return dict(zip(VERDICTS, numbers[: len(VERDICTS)].tolist(), strict=True))

    def in_nights(self, row: Sequence[Event], across: str, cuts: Sequence[int]) -> list[Check]:
        """Every check as it stands after the last night, with only what is kept handed on."""
        kept: list[Event] = []
        said: dict[str, Check] = {}
        pending: frozenset[str] = frozenset()
        editions = self.editions(across)
        for begin, end in zip([0, *cuts], [*cuts, len(row)], strict=True):
            night = [*kept, *row[begin:end]]
            if not night:
                continue
            schema = self.surroundings.schema
            # What a table elected in another pit is not among the events of this one.
            own = None if across == "pit" else ElectedOptions(schema, night)
            surroundings = self._with(own)
            log = from_events(schema, night)
            judged = JudgedLog(self.bindings, log, surroundings, editions)
            shown = ShownChecks(self.plan, log, surroundings)
            again = np.zeros(len(night), dtype=np.bool_)
            again[: len(kept)] = True
            found = judged.judge(
                Question(len(kept), again, None, everything=True, all_undecided=True)
            )
            # What is said later takes the place of what was said before.
            said = {name: check for name, check in said.items() if name not in pending}
            waiting: dict[int, list[int]] = {}
            still: set[str] = set()
            for written in found.checks:
                check = shown.check(
                    self.plan.editions[editions[written.edition]], written
                ).written()
                if written.again and check.fingerprint not in pending:
                    continue
                said[check.fingerprint] = check
                if written.unsettled:
                    waiting.setdefault(written.edition, []).append(written.row)
                    still.add(check.fingerprint)
            rows = set(judged.rows_for_next_log(waiting).tolist())
            rows |= {n for n, event in enumerate(night) if event.type in ELECTIONS}
            rows.add(int(log.ts.argmax()))
            pending = frozenset(still)
            kept = [night[n] for n in sorted(rows)]
        return list(said.values())

    def _with(self, options: ElectedOptions | None) -> Circumstances:
        old = self.surroundings
        chosen = old.options if options is None else options
        return Circumstances(old.rulebook, old.schema, chosen, old.readings, old.settings)


def with_rulebook(old: Circumstances, book: core.Rulebook) -> Circumstances:
    """The same circumstances with another rulebook."""
    return Circumstances(book, old.schema, old.options, old.readings, old.settings)


def groups_of(rule: core.Rule, events: Sequence[Event]) -> Iterator[tuple[str, list[Event]]]:
    """What a rule is applied to in one go: a table, or the tables of a pit or casino."""
    for across in sorted({edition.slice.across for edition in rule.editions}):
        for group in groups(events, across):
            yield across, group


def apply_to_events(
    rule: core.Rule, surroundings: Circumstances, events: Sequence[Event]
) -> list[Check]:
    """Every check of one rule on a log, for comparison with the reference interpreter."""
    return EngineChecks(rule, surroundings).all_checks(rule, events)
