"""`compliance rules fmt`: rule files in the one layout that everybody reads."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from compliance.api.opening import RulePath, existing
from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from compliance.cli.problems import show_problems
from compliance.cli.screen import Screen, Styled, Words
from reports.verdicts import ExitCode
from reports.wording import counted
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.formatting import format_source
from rules_dsl.rule_files import EXAMPLES, example_files, rule_files
from rules_dsl.source import Source


@dataclass(frozen=True)
class _Formatted:
    """A rule file before and after; `after` is None when its syntax is wrong."""

    path: Path
    before: str
    after: str | None
    problems: tuple[Diagnostic, ...]

    @property
    def changed(self) -> bool:
        return self.after is not None and self.after != self.before

    def diff(self) -> list[str]:
        """The change, as other tools show it."""
        name = str(self.path)
        after = self.after if self.after is not None else self.before
        return list(
            difflib.unified_diff(
                self.before.splitlines(), after.splitlines(), name, name, lineterm=""
            )
        )


def format_rules(paths: Sequence[RulePath], check: bool, diff: bool, form: str) -> int:
    """Lay the files out; with `check` or `diff` nothing is written."""
    files = [_format(path) for path in _files(paths)]
    if not (check or diff):
        for file in files:
            if file.changed and file.after is not None:
                write_whole(file.path.resolve(), file.after, over_input=True)
    changed = [file for file in files if file.changed]
    broken = [file for file in files if file.after is None]
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "files": [
                    {
                        "file": str(file.path),
                        "changed": file.changed,
                        "diff": "\n".join(file.diff()) if diff else "",
                    }
                    for file in files
                ],
                "diagnostics": [p.as_dict() for file in broken for p in file.problems],
            }
        )
    else:
        _show(screen, files, writes=not (check or diff), diff=diff)
    if broken:
        return ExitCode.BAD_RULES
    return ExitCode.VIOLATIONS if check and changed else ExitCode.CLEAN


def _files(paths: Sequence[RulePath]) -> Iterator[Path]:
    seen: set[Path] = set()
    for path in existing(paths):
        for file in _files_at(path):
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _files_at(path: Path) -> list[Path]:
    """A rule file comes with the examples beside it; those can also be named alone."""
    if path.suffix == EXAMPLES:
        return [path]
    rules = rule_files(path, [])
    return sorted([*rules, *example_files([path], rules)])


def _format(path: Path) -> _Formatted:
    try:
        before = path.read_bytes().decode("utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        reason = "it is not text in UTF-8" if isinstance(problem, ValueError) else problem.strerror
        raise Refused(f"{path} cannot be read: {reason}.") from None
    text = before.removeprefix("\ufeff").replace("\r\n", "\n")
    after, problems = format_source(Source(str(path), text))
    return _Formatted(path, before, after, tuple(problems))


# ---- text ----------------------------------------------------------------------------------


def _show(screen: Screen, files: Sequence[_Formatted], *, writes: bool, diff: bool) -> None:
    for file in files:
        if file.after is None:
            show_problems(screen, file.problems)
            screen.line(Styled("✗ ", "bold red"), f"{file.path}: left as it is.")
        elif file.changed and diff:
            for line in file.diff():
                screen.source(_diff_line(line))
        elif file.changed:
            screen.line(f"{'formatted' if writes else 'would format'} {file.path}")
    changed = sum(file.changed for file in files)
    broken = sum(file.after is None for file in files)
    parts = [f"{counted(changed, 'file')} {'changed' if writes else 'would change'}"]
    parts.append(f"{len(files) - changed - broken} already right")
    if broken:
        parts.append(f"{broken} with syntax errors left alone")
    screen.line(", ".join(parts) + ".")


def _diff_line(line: str) -> Words:
    style = {"+": "green", "-": "red", "@": "cyan"}.get(line[:1], "")
    return Styled(line, style)
