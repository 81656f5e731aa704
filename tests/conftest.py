"""Settings for all tests, and the table of ratios at the end of a run with benchmarks."""

from __future__ import annotations

import os

import pytest
from hypothesis import settings

from tests.benchmarks.measuring import ratio_lines

# Where a change lands, the same cases are drawn each time: a new one is for the long runs to find.
settings.register_profile("landing", derandomize=True)
if os.environ.get("CI"):
    settings.load_profile("landing")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show every ratio that was measured, also those of worker processes."""
    reports = [*terminalreporter.getreports("passed"), *terminalreporter.getreports("failed")]
    lines = ratio_lines([pair for report in reports for pair in report.user_properties])
    if lines:
        terminalreporter.section("ratios measured in this run")
        for line in lines:
            terminalreporter.write_line(line)
