"""The words in which the checker answers, for one check and for one rule over a whole log.

A *check* is one rule applied at one trigger. What is missing in the evidence is never read as zero
or as false: such a check is undetermined, and its rule is not reported as complied.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum, StrEnum


class Verdict(StrEnum):
    """How one check ended."""

    COMPLIED = "complied"
    VIOLATED = "violated"
    EXCUSED = "excused"  # an exception of the law applied
    OPEN = "open"  # the log ends before it can be decided
    UNDETERMINED = "undetermined"  # the evidence lacks a field or a record that the rule needs


class RuleStatus(StrEnum):
    """What a log shows about one rule."""

    VIOLATED = "violated"
    UNDETERMINED = "undetermined"
    OPEN = "open"
    COMPLIED = "complied"
    EXCUSED = "excused"  # every check was excused
    NOT_EXERCISED = "not_exercised"  # the rule's trigger never occurred
    NOT_EVALUABLE = "not_evaluable"  # the source does not record what the rule needs
    NOT_IN_FORCE = "not_in_force"  # no edition of the law was in force on the log's dates


class ClauseStatus(StrEnum):
    """What a run says about one clause of the law, the gravest first."""

    VIOLATED = "violated"
    UNDETERMINED = "undetermined"
    OPEN = "open"
    COMPLIED = "complied"
    EXCUSED = "excused"
    NOT_EXERCISED = "not_exercised"
    NOT_EVALUABLE = "not_evaluable"
    NOT_COVERED = "not_covered"  # a log could show it, but no rule looks at it
    NOT_OBSERVABLE = "not_observable"  # no log can show it: a definition, a permission, a thing
    NOT_IN_FORCE = "not_in_force"


class FindingKind(StrEnum):
    """What a finding is; the three are never mixed."""

    VIOLATION = "violation"  # the law is broken
    INDICATOR = "indicator"  # a pattern worth a look, no breach in itself
    DATA_DEFECT = "data_defect"  # the evidence itself is damaged


class Severity(StrEnum):
    """How grave a finding is, as its rule states."""

    CRITICAL = "critical"
    MAJOR = "major"
    MINOR = "minor"


class ExitCode(IntEnum):
    """What the `compliance` command tells the shell."""

    CLEAN = 0
    VIOLATIONS = 1
    BAD_INPUT = 2
    BAD_RULES = 3
    INTERNAL_ERROR = 4
    NOT_SUPPORTED = 5  # nothing was violated, but the evidence does not support a clean verdict


class Concern(StrEnum):
    """What may keep a result from being clean for the shell (`--fail-on`)."""

    VIOLATION = "violation"
    DEFECT = "defect"
    UNDETERMINED = "undetermined"
    QUARANTINE = "quarantine"
    NEW = "new"  # a violation that the baseline does not have


_GRAVEST_FIRST = (
    # Final gaps in the evidence come before those that the next log may close; a rule counts as
    # complied only when no check of it is left in doubt.
    Verdict.VIOLATED,
    Verdict.UNDETERMINED,
    Verdict.OPEN,
    Verdict.COMPLIED,
    Verdict.EXCUSED,
)


def status_of(counts: Mapping[Verdict, int]) -> RuleStatus:
    """Sum the checks of one rule up in one word: the gravest verdict that occurred."""
    for verdict in _GRAVEST_FIRST:
        if counts.get(verdict, 0) > 0:
            return RuleStatus(verdict.value)
    return RuleStatus.NOT_EXERCISED
