"""The page that is signed: objective, method, evidence and its limits, opinion, counts, sign-off.

It is the same in HTML and in PDF, and everything that follows it is an annex.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from reports.model import ClauseStatement, Run
from reports.shown import natural, rules_by_status, sections
from reports.summing_up import extent_sentence, summary_of, verdict_sentence
from reports.verdicts import ClauseStatus, FindingKind, RuleStatus, Severity
from reports.wording import VERDICTS, Label, counted, day, told_of_loss

_UNDECIDED = (ClauseStatus.UNDETERMINED, ClauseStatus.OPEN)
_HELD = (ClauseStatus.COMPLIED, ClauseStatus.EXCUSED)
_UNSEEN = (ClauseStatus.NOT_OBSERVABLE, ClauseStatus.NOT_COVERED)
_JUDGED = (ClauseStatus.VIOLATED, *_HELD, *_UNDECIDED)
COLUMNS = (
    ("violated", (ClauseStatus.VIOLATED,)),
    ("complied", _HELD),
    ("not decided", _UNDECIDED),
    ("did not occur", (ClauseStatus.NOT_EXERCISED, ClauseStatus.NOT_PLAYED)),
    ("not recorded", (ClauseStatus.NOT_EVALUABLE,)),
    ("not in logs", _UNSEEN),
)
"""The columns of the counts, each with what it sums up."""
SIGNED_BY = ("Prepared by", "Reviewed by", "For the licensee")
_ANY_TABLE = "any_table"
_NAMED_TABLES = 20
_NAMED_SECTIONS = 24


@dataclass(frozen=True)
class Opinion:
    """What the run says, in a line and in a sentence, and why it may not be relied on."""

    label: Label
    words: str
    told: str
    doubts: tuple[str, ...]


@dataclass(frozen=True)
class Subject:
    """The clauses of one part of the law, counted by what the log shows about them."""

    name: str
    law: str
    """The subchapters in which they stand, or the game."""
    counts: tuple[int, ...]
    """One number for each of `COLUMNS`."""


@dataclass(frozen=True)
class FirstPage:
    """Everything that the page says."""

    objective: str
    method: str
    evidence: str
    limits: tuple[str, ...]
    opinion: Opinion
    subjects: tuple[Subject, ...]
    broken: tuple[str, ...]
    """The sections of the law with clauses that were violated, each with how many."""
    answers: str
    """How many findings were answered; empty without answers."""


def first_page(run: Run) -> FirstPage:
    """The page of a run."""
    return FirstPage(
        _objective(run),
        _method(run),
        _evidence(run),
        tuple(_limits(run)),
        opinion(run),
        _subjects(run.statements),
        _broken(run.statements),
        _answers(run),
    )


def opinion(run: Run) -> Opinion:
    """The verdict; it claims no more than was shown."""
    summary = summary_of(run)
    found = run.findings(FindingKind.VIOLATION)
    gravity = Counter(item.severity for item in found)
    status = rules_by_status(run)
    undecided = status[RuleStatus.UNDETERMINED] + status[RuleStatus.OPEN]
    told = [", ".join(f"{gravity[s]:,} {s.value}" for s in Severity if gravity[s])] if found else []
    told.append(extent_sentence(summary))
    for number, one, many in (
        (undecided, "rule not decided", "rules not decided"),
        (summary.indicators, "indicator", "indicators"),
        (summary.defects, "data defect", "data defects"),
    ):
        if number:
            told.append(counted(number, one, many))
    if run.lost_records:
        told.append(told_of_loss(run.lost_records, run.undecided_by_loss))
    return Opinion(
        VERDICTS[summary.verdict],
        verdict_sentence(summary),
        "; ".join(told) + ".",
        summary.doubts,
    )


def _objective(run: Run) -> str:
    tables = counted(len(run.scope.tables), "table")
    in_force = "that was in force on the date of each event"
    if run.law_of is not None:
        in_force = f"that was in force on {day(run.law_of)}, whatever the date of the event,"
    return (
        f"To establish whether play at {tables} kept the law as {run.rulebook.name} states it: "
        f"every clause {in_force} and that a log can show."
    )


def _method(run: Run) -> str:
    summary = summary_of(run)
    applied = f"{summary.rules_applied:,} of {counted(summary.rules, 'rule')}"
    return (
        "Every recorded event was replayed in its order; nothing was sampled. Each rule was "
        "applied wherever it had an occasion, in the edition in force on that date: "
        f"{applied}, in {counted(summary.checks, 'check')}. Each finding names the events that "
        "prove it, and the same rules on the same files give the same findings."
    )


def _evidence(run: Run) -> str:
    events = sum(source.events for source in run.inputs)
    tables = run.scope.tables
    named = ", ".join(tables[:_NAMED_TABLES])
    if len(tables) > _NAMED_TABLES:
        named += f" and {len(tables) - _NAMED_TABLES:,} more"
    told = f"{counted(events, 'event')} in {counted(len(run.inputs), 'file')}"
    told += f", of {counted(len(tables), 'table')}: {named}." if tables else "."
    return told + (f" Profile {run.profile}." if run.profile else "")


def _limits(run: Run) -> Iterable[str]:
    """What a reader must know before trusting the opinion."""
    status = rules_by_status(run)
    if number := status[RuleStatus.NOT_EVALUABLE]:
        need = "it needs" if number == 1 else "they need"
        yield f"For {counted(number, 'rule')} the source does not record what {need}."
    if number := status[RuleStatus.OPEN]:
        yield f"For {counted(number, 'rule')} the log ends too early to decide."
    if unseen := sum(item.status in _UNSEEN for item in run.statements):
        yield f"{counted(unseen, 'clause')} of the law cannot be judged from a log by these rules."
    assumed = sum(note.startswith("Assumed") for note in run.notes)
    if assumed:
        yield f"{counted(assumed, 'assumption')} had to be made where the law gives no measure."


def _subjects(statements: Iterable[ClauseStatement]) -> tuple[Subject, ...]:
    """The games that were played, and all others in one line."""
    by_game: dict[str, list[ClauseStatement]] = {}
    for item in statements:
        if item.status is not ClauseStatus.NOT_IN_FORCE:
            by_game.setdefault(item.game, []).append(item)
    played = {
        game: found
        for game, found in by_game.items()
        if any(item.status in _JUDGED for item in found)
    }
    subjects = [_subject(_named(game), found) for game, found in played.items()]
    subjects.sort(key=lambda subject: natural(subject.law))
    others = [item for game, found in by_game.items() if game not in played for item in found]
    if others:
        subjects.append(_subject("Other games", others, law=""))
    return tuple(subjects)


def section_counts(statements: Iterable[ClauseStatement]) -> tuple[Subject, ...]:
    """The sections of the law of which the log decides something, or should have."""
    in_force = [item for item in statements if item.status is not ClauseStatus.NOT_IN_FORCE]
    found = (
        _subject(section.name or "Other clauses", list(section.statements), _named(section.game))
        for section in sections(in_force)
        if any(item.status in _JUDGED for item in section.statements)
    )
    return tuple(sorted(found, key=lambda subject: natural(subject.name)))


def _broken(statements: Iterable[ClauseStatement]) -> tuple[str, ...]:
    violated = [item for item in statements if item.status is ClauseStatus.VIOLATED]
    numbers = Counter(item.clause.partition("(")[0] for item in violated)
    ordered = sorted(numbers.items(), key=lambda entry: natural(entry[0]))
    named = [f"{name} ({number:,})" for name, number in ordered[:_NAMED_SECTIONS]]
    more = len(numbers) - len(named)
    return (*named, *((f"and {more:,} more",) if more > 0 else ()))


def _subject(name: str, found: list[ClauseStatement], law: str | None = None) -> Subject:
    chapters = dict.fromkeys(item.clause.partition(".")[0] for item in found)
    counts = Counter(item.status for item in found)
    return Subject(
        name,
        ", ".join(chapters) if law is None else law,
        tuple(sum(counts[status] for status in summed) for _, summed in COLUMNS),
    )


def _named(game: str) -> str:
    words = "All tables" if game in ("", _ANY_TABLE) else game.replace("_", " ")
    return words[:1].upper() + words[1:]


def _answers(run: Run) -> str:
    if not run.answers:
        return ""
    found = {item.fingerprint for outcome in run.outcomes for item in outcome.findings}
    given = [answer for answer in run.answers if answer.fingerprint in found]
    wrong = sum(answer.incorrect for answer in given)
    done = sum(answer.status == "done" for answer in given)
    elsewhere = len(run.answers) - len(given)
    told = f"{len(given):,} of {counted(len(found), 'finding')} answered by their owners"
    parts = [f"{done:,} done"] if done else []
    parts += [f"{wrong:,} marked as incorrect"] if wrong else []
    parts += [f"{elsewhere:,} about findings that are not in this result"] if elsewhere else []
    return told + (f": {', '.join(parts)}" if parts else "") + "."
