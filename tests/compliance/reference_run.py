"""Applies one rule to a short log by the reference interpreter, for tests of what rules mean.

A log is written as in the examples of a rule: a time, an event and its fields on each line. Its
events have the ids `e1`, `e2`, ... in the order of the lines. A line such as
`20:01 lost_record until=20:02 may_be="card_dealt card_burned" times=2` stands for lost records.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from compliance.judgement.circumstances import Circumstances, circumstances
from compliance.reference import apply_rule
from compliance.reference.scene import Scene
from compliance.values.elected_options import ElectedOptions
from event_schemas import LOST_RECORD, Event, LostRecord, builtin_schema, parse_value
from reports.model import Check
from rules_dsl import core
from rules_dsl.parsing.lines import read_event_line
from rules_dsl.rulebook import load_text

SCHEMA = builtin_schema()
ZONE = ZoneInfo("America/New_York")
DAY = date(2000, 1, 1)
HEAD = '  "A rule under test."\n  cite "Test"\n'


def events(log: str) -> list[Event]:
    """The events of a log."""
    found: list[Event] = []
    day = DAY
    seq = 1
    for number, text in enumerate(filter(None, map(str.strip, log.splitlines())), start=1):
        line = read_event_line(text, 0)
        day += timedelta(days=line.next_day)
        clock, _, fraction = line.time.partition(".")
        moment = datetime.combine(day, time.fromisoformat(clock), ZONE)
        moment += timedelta(microseconds=int(fraction.ljust(6, "0")[:6]) if fraction else 0)
        if line.event == LOST_RECORD:
            texts = {f.name: f.text for f in line.fields}
            lost = _lost(f"e{number}", moment, seq, texts)
            found.append(lost)
            seq += lost.times
            continue
        kinds = SCHEMA.events[line.event].fields
        fields = {f.name: parse_value(kinds[f.name].kind, f.text) for f in line.fields}
        casino, table = str(fields.pop("casino", "C1")), str(fields.pop("table", "T1"))
        found.append(Event(f"e{number}", moment, seq, casino, table, line.event, fields))
        seq += 1
    return found


def _lost(name: str, moment: datetime, seq: int, texts: Mapping[str, str]) -> LostRecord:
    until = texts.get("until")
    return LostRecord(
        name,
        moment,
        seq,
        texts.get("casino", "C1"),
        texts.get("table", "T1"),
        LOST_RECORD,
        until=datetime.combine(moment, time.fromisoformat(until), ZONE) if until else moment,
        may_be=frozenset(texts["may_be"].split()),
        times=int(texts.get("times", "1")),
        not_elected=frozenset(texts.get("not_elected", "").split()),
    )


def rulebook(clauses: str, declarations: str = "") -> core.Rulebook:
    """A rulebook with the declarations and one rule made of the clauses."""
    body = "".join(f"  {line.strip()}\n" for line in clauses.strip().splitlines())
    loaded = load_text(f"{declarations}\nrule tested\n{HEAD}{body}", SCHEMA)
    assert loaded.errors == (), [d.message for d in loaded.errors]
    return loaded.rulebook


def surroundings(
    book: core.Rulebook, log: list[Event], options: Mapping[str, object] | None = None
) -> Circumstances:
    """The defaults of a rulebook, and what the log and the options say was elected."""
    return circumstances(book, SCHEMA, ElectedOptions(SCHEMA, log, options))


def checks(
    clauses: str,
    log: str | list[Event],
    declarations: str = "",
    options: Mapping[str, object] | None = None,
) -> list[Check]:
    """All checks of a rule on a log."""
    book = rulebook(clauses, declarations)
    happened = events(log) if isinstance(log, str) else log
    return list(apply_rule(book.rules[0], surroundings(book, happened, options), happened))


def verdicts(
    clauses: str,
    log: str | list[Event],
    declarations: str = "",
    options: Mapping[str, object] | None = None,
) -> list[str]:
    """The verdicts of a rule on a log, in order."""
    return [check.verdict.value for check in checks(clauses, log, declarations, options)]


def witnesses(check: Check) -> set[tuple[str, str]]:
    """The witness events of a check: id and what each showed."""
    return {(witness.event_id, witness.part) for witness in check.witnesses}


def scene(log: str, declarations: str) -> Scene:
    """A whole log as one scene, for tests of what lies below the rules."""
    happened = events(log)
    book = rulebook("when cards_cut\nrequire position is 1", declarations)
    return Scene(
        happened,
        [True] * len(happened),
        complete=False,
        known_until=max(event.ts for event in happened),
        circumstances=surroundings(book, happened),
    )
