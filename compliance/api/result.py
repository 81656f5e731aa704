"""What came of a check, for Python code: the verdict, the findings, and reports of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from compliance.api.concerns import concerns
from compliance.api.refusal import Refused
from compliance.api.report_files import form_of, refuse_what_cannot_be_written, write_report
from compliance.api.saved_run import read_sound_run
from reports.change_record import Changes
from reports.changes import changes_between
from reports.formats import FORMATS
from reports.model import Finding, Run
from reports.packed import Chained
from reports.summary import RunVerdict, Summary
from reports.summing_up import exit_code, extent_sentence, summary_of, verdict_sentence
from reports.verdicts import FindingKind

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, repr=False)
class Result:
    """The result of a check; `run` is all of it, as docs/run.schema.json describes it."""

    run: Run

    @property
    def verdict(self) -> RunVerdict:
        """`violations`, `clean`, or `not_supported` where the evidence does not carry a verdict."""
        return self.summary.verdict

    @property
    def summary(self) -> Summary:
        """The verdict with the numbers behind it, and why the evidence may be in doubt."""
        return self.run.summary or summary_of(self.run)

    @property
    def exit_code(self) -> int:
        """What the command tells the shell."""
        return int(exit_code(self.run))

    def exit_code_on(self, fail_on: str | Iterable[str]) -> int:
        """The same under `--fail-on`: `"violation,defect"`, or a list of such words."""
        text = fail_on if isinstance(fail_on, str) else ",".join(fail_on)
        asked = concerns(text, baseline=self.run.changes is not None)
        return int(exit_code(self.run, asked))

    @property
    def violations(self) -> Sequence[Finding]:
        """Breaches of the law, rule by rule and in order of time."""
        return self.run.findings(FindingKind.VIOLATION)

    @property
    def indicators(self) -> Sequence[Finding]:
        """Patterns worth a look."""
        return self.run.findings(FindingKind.INDICATOR)

    @property
    def defects(self) -> Sequence[Finding]:
        """Defects of the evidence."""
        return self.run.findings(FindingKind.DATA_DEFECT)

    @property
    def findings(self) -> Sequence[Finding]:
        """All of them, the rules in the order of the rulebook."""
        return Chained(outcome.findings for outcome in self.run.outcomes)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self.findings)

    def frame(self) -> pl.DataFrame:
        """Every finding as a row, with the columns of the format `parquet`."""
        from reports.parquet_table import findings_frame

        return findings_frame(self.run)

    def report(self, path: str | Path, format: str | None = None) -> Path:
        """Write a report in the format of the file's ending, or in the one that is named."""
        if format is not None and format not in FORMATS:
            known = f"The formats are {', '.join(FORMATS)}."
            raise Refused(f'There is no format "{format}".', hint=known)
        form = form_of(Path(path), format)
        if format not in (None, form):
            raise Refused(f"{path} is written as {form}, not as {format}.")
        refuse_what_cannot_be_written(form)
        write_report(self.run, form, Path(path))
        return Path(path)

    def changes_since(self, earlier: Result | str | Path) -> Changes:
        """What is new and what is gone since an earlier result, or since one that was saved."""
        if isinstance(earlier, Result):
            return changes_between(earlier.run, "the earlier result", self.run)
        return changes_between(read_sound_run(Path(earlier)), Path(earlier).name, self.run)

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {verdict_sentence(self.summary)}>"

    def __str__(self) -> str:
        said = f"{verdict_sentence(self.summary)}: {extent_sentence(self.summary)}."
        return "\n".join([said, *self.summary.doubts])


def load(path: str | Path) -> Result:
    """A result that was saved as JSON."""
    return Result(read_sound_run(Path(path)))
