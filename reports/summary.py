"""A whole result in a few numbers and one word, the same for every format that tells them."""

from __future__ import annotations

from enum import StrEnum

from pydantic import NonNegativeInt

from reports.record import Record


class RunVerdict(StrEnum):
    """A whole result in one word."""

    VIOLATIONS = "violations"  # the law was broken
    NOT_SUPPORTED = "not_supported"  # nothing was found, but the evidence does not carry a verdict
    CLEAN = "clean"  # nothing was found, and the evidence carries that


class Summary(Record):
    """What a result comes to. Indicators count among the rules, but break no law."""

    verdict: RunVerdict
    """The result in one word."""
    violations: NonNegativeInt
    """How many checks of law were violated."""
    violations_waived: NonNegativeInt
    """How many of them a waiver covers."""
    rules_violated: NonNegativeInt
    """How many rules of law were violated."""
    checks: NonNegativeInt
    """How many checks were made."""
    checks_undetermined: NonNegativeInt
    """How many of them lack evidence."""
    rules: NonNegativeInt
    """How many rules there are."""
    rules_applied: NonNegativeInt
    """How many of them were applied at least once; the others were not in force, not evaluable, or
    are about something that never happened."""
    rules_undetermined: NonNegativeInt
    """How many of them have a check that lacks evidence."""
    indicators: NonNegativeInt
    """Patterns worth a look."""
    defects: NonNegativeInt
    """Defects of the evidence."""
    defects_that_matter: NonNegativeInt
    """Those that take something from the evidence; a record that was only sent twice does not."""
    doubts: tuple[str, ...] = ()
    """Why the evidence does not support a clean verdict, where that is so."""
