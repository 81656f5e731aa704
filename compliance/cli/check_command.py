"""`compliance check`: reads logs, applies the rules to every table, and says what they show."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from compliance.api.concerns import concerns
from compliance.api.output_guard import keep_for_next_night, outputs_guarded
from compliance.api.run_check import run_check
from compliance.cli.check_words import CheckWords
from compliance.cli.chosen_outputs import chosen_outputs
from compliance.cli.progress import progress_shown
from compliance.cli.report_output import write_run
from reports.summing_up import exit_code


def check_logs(logs: Sequence[str], words: CheckWords) -> int:
    """Run the check that was asked for; its exit code tells what was found."""
    # What cannot be done is said before the work, not after it.
    outputs = chosen_outputs(words.format, words.output or ())
    fail_on = concerns(words.fail_on, baseline=words.baseline is not None)
    with outputs_guarded(logs, words, [("-o", output.path) for output in outputs]):
        with progress_shown(quiet=words.quiet) as bar:
            run, kept = run_check(logs, words, bar)
        write_run(run, outputs, quiet=words.quiet)
        sys.stdout.flush()
        keep_for_next_night(words, kept)
    return int(exit_code(run, fail_on))
