"""`compliance rules test`: whether the examples of the rules come out as their authors expect."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from compliance.api.opening import RulePath, chosen_rules, open_rules, open_schema
from compliance.api.refusal import Refused
from compliance.cli.screen import Screen, Styled
from compliance.cli.written_examples import refuse_bundled, write_examples
from compliance.rule_tests.example_runs import ExampleResult, run_example
from compliance.rule_tests.mutants import MutantReport, surviving_mutants
from compliance.rule_tests.rule_coverage import Unexercised, condition_coverage
from compliance.rule_tests.suggested_examples import SuggestedExample, suggested_examples
from event_schemas import Schema
from reports.model import Check, Witness
from reports.verdicts import ExitCode, Verdict
from reports.wording import counted
from rules_dsl import core
from rules_dsl.bundled import home_of
from rules_dsl.rulebook import Loaded

_PASSED, _FAILED = Styled("✓ ", "bold green"), Styled("✗ ", "bold red")
_LINES_SHOWN = 4
_OF_A_MUTANT = ("rule", "file", "line", "column", "description")
_TONES = {
    Verdict.COMPLIED: "green",
    Verdict.VIOLATED: "red",
    Verdict.EXCUSED: "green",
    Verdict.OPEN: "yellow",
    Verdict.UNDETERMINED: "yellow",
}


@dataclass(frozen=True)
class TestRequest:
    """What is done beside running the examples."""

    mutants: bool = False
    suggest: bool = False
    write: bool = False


@dataclass(frozen=True)
class _Tested:
    """Everything that the examples of some rules show."""

    loaded: Loaded
    rules: tuple[core.Rule, ...]
    results: tuple[ExampleResult, ...]
    unexercised: tuple[Unexercised, ...]
    mutants: tuple[MutantReport, ...] | None
    suggested: tuple[SuggestedExample, ...] | None = None
    written: Mapping[str, int] | None = None
    """How many of them went into each file."""

    @property
    def failed(self) -> tuple[ExampleResult, ...]:
        return tuple(result for result in self.results if not result.passed)

    @property
    def surviving(self) -> int:
        """How many mutants no example notices, those that were written just now among them."""
        found = sum(len(report.survivors) for report in self.mutants or ())
        return found - (self.noticed_by_suggested if self.written else 0)

    @property
    def noticed_by_suggested(self) -> int:
        return sum(len(item.notices) for item in self.suggested or ())

    def place(self, result: ExampleResult) -> tuple[str, int]:
        """The file and line in which an example begins."""
        return self.position(result.example.place)

    def problem(self, result: ExampleResult) -> str:
        """What is not as expected, with the events named by their lines of the rule file."""
        return re.sub(r"\bline \d+", lambda m: self._in_file(result, m.group()), result.problem)

    def line_of(self, result: ExampleResult, witness: Witness) -> str:
        """The line of the rule file that holds an event of an example."""
        return self._in_file(result, witness.event_id)

    def _in_file(self, result: ExampleResult, event_id: str) -> str:
        # The events of an example are called `line 1`, `line 2`, ... in their own order.
        number = int(event_id.removeprefix("line "))
        return f"line {self.position(result.example.events[number - 1].place)[1]}"

    def position(self, place: core.Place) -> tuple[str, int]:
        """The file and line of something in the rule files."""
        source = self.loaded.sources[place.file]
        return source.name, source.position(place.start)[0]


def test_rules(
    paths: Sequence[RulePath],
    names: Sequence[str],
    schema_file: Path | None,
    asked: TestRequest,
    form: str,
) -> int:
    """Run the examples; failed ones, and mutants that no example notices, count as violations."""
    if asked.write:
        refuse_bundled(paths)
    schema = open_schema(schema_file)
    loaded = open_rules(paths, schema)
    rules = chosen_rules(loaded.rulebook, names)
    if not names:
        rules = _own(rules, loaded)
    tested = _test(loaded, rules, schema, asked.mutants)
    if asked.suggest:
        tested = replace(tested, suggested=_suggested(tested, schema))
    if asked.write and tested.failed:
        raise Refused("Examples fail; nothing was written.", code=ExitCode.VIOLATIONS)
    if asked.write and tested.suggested:
        written = write_examples(paths, loaded, tested.suggested, schema)
        tested = replace(tested, written=written)
    screen = Screen()
    if form == "json":
        screen.json(_data(tested))
    else:
        _show(screen, tested, each=bool(names))
    return ExitCode.VIOLATIONS if tested.failed or tested.surviving else ExitCode.CLEAN


def _own(rules: tuple[core.Rule, ...], loaded: Loaded) -> tuple[core.Rule, ...]:
    """Without the rules of the bundled law that others only use: its authors have tested them."""
    own = tuple(
        rule
        for rule in rules
        if rule.place is None or home_of(loaded.sources[rule.place.file].name) is None
    )
    return own or rules


def _test(loaded: Loaded, rules: tuple[core.Rule, ...], schema: Schema, mutants: bool) -> _Tested:
    rulebook = loaded.rulebook
    results = tuple(
        run_example(rule, example, rulebook, schema) for rule in rules for example in rule.examples
    )
    return _Tested(
        loaded,
        rules,
        results,
        tuple(condition_coverage(rulebook, schema, loaded.sources, [rule.name for rule in rules])),
        tuple(surviving_mutants(rule, rulebook, schema, loaded.sources) for rule in rules)
        if mutants
        else None,
    )


def _suggested(tested: _Tested, schema: Schema) -> tuple[SuggestedExample, ...]:
    rulebook = tested.loaded.rulebook
    return tuple(
        suggestion
        for rule, report in zip(tested.rules, tested.mutants or (), strict=True)
        for suggestion in suggested_examples(rule, report.survivors, rulebook, schema)
    )


# ---- text ----------------------------------------------------------------------------------


def _show(screen: Screen, tested: _Tested, *, each: bool) -> None:
    for rule in tested.rules:
        results = [result for result in tested.results if result.rule.name == rule.name]
        _show_rule(screen, tested, rule, results, each)
    if tested.unexercised:
        screen.line()
        screen.line(Styled("Conditions that no example exercises", "bold"))
        for gap in tested.unexercised:
            where = f"{gap.file}:{gap.line}:{gap.column}: "
            screen.line(Styled(where, "bold"), Styled(gap.rule, "cyan"), f": {gap.missing}")
            screen.line(gap.text, indent=4)
    if tested.mutants is not None:
        _show_mutants(screen, tested.mutants)
    if tested.suggested is not None:
        _show_suggested(screen, tested, tested.suggested)
    screen.line()
    screen.line(_FAILED if tested.failed or tested.surviving else _PASSED, _summary(tested))


def _show_rule(
    screen: Screen,
    tested: _Tested,
    rule: core.Rule,
    results: Sequence[ExampleResult],
    each: bool,
) -> None:
    failed = [result for result in results if not result.passed]
    if not results:
        screen.line(Styled("— ", "dim"), Styled(rule.name, "cyan"), "  no example")
        return
    what = f"{counted(len(results), 'example')} ({_where(tested, rule, results)})"
    if failed:
        what = f"{len(failed)} of {counted(len(results), 'example')} failed"
    screen.line(_FAILED if failed else _PASSED, Styled(rule.name, "cyan"), "  ", what)
    for result in results if each else failed:
        _show_example(screen, tested, result)


def _where(tested: _Tested, rule: core.Rule, results: Sequence[ExampleResult]) -> str:
    """The lines of the examples in the rule, and how many stand in the file beside it."""
    home = rule.place.file if rule.place else 0
    numbers = [str(tested.place(r)[1]) for r in results if r.example.place.file == home]
    # All the lines of a well-tested rule would hide the names of the rules around it.
    shown = numbers if len(numbers) <= _LINES_SHOWN else [*numbers[: _LINES_SHOWN - 1], "…"]
    parts = [f"line {', '.join(shown)}"] if shown else []
    if elsewhere := [r for r in results if r.example.place.file != home]:
        files = dict.fromkeys(Path(tested.place(result)[0]).name for result in elsewhere)
        parts.append(f"{len(elsewhere)} in {', '.join(files)}")
    return "; ".join(parts)


def _show_example(screen: Screen, tested: _Tested, result: ExampleResult) -> None:
    file, line = tested.place(result)
    title = f' "{result.example.title}"' if result.example.title else ""
    screen.line(
        _PASSED if result.passed else _FAILED,
        Styled(f"{file}:{line}: ", "bold"),
        f"example {result.example.expected}{title}",
        indent=2,
    )
    if result.passed:
        return
    marked = [
        f"line {tested.position(event.place)[1]}" for event in result.example.events if event.here
    ]
    at = f" at {', '.join(marked)}" if marked else ""
    screen.line(Styled("expected  ", "dim"), f"{result.example.expected}{at}", indent=6)
    screen.line(Styled("happened  ", "dim"), tested.problem(result), indent=6)
    for check in result.checks:
        _show_check(screen, tested, result, check)


def _show_check(screen: Screen, tested: _Tested, result: ExampleResult, check: Check) -> None:
    slices = "".join(f", {key} {value}" for key, value in check.slice.items())
    excuse = f" under {check.excused_by}" if check.excused_by else ""
    screen.line(
        Styled("check     ", "dim"),
        Styled(check.verdict.value, _TONES[check.verdict]),
        f"{excuse} at {tested.line_of(result, check.trigger)}{slices}",
        indent=6,
    )
    for text in check.unmet:
        screen.line(Styled("not met: ", "dim"), text, indent=16)
    witnesses = (check.trigger, *check.witnesses)
    width = max(len(witness.part) for witness in witnesses)
    for witness in witnesses:
        screen.line(
            Styled(f"{witness.part:<{width}}  ", "dim"),
            f"{tested.line_of(result, witness)}  {witness.ts:%H:%M:%S}  {witness.line_text}",
            indent=16,
        )


def _show_mutants(screen: Screen, reports: Sequence[MutantReport]) -> None:
    survivors = [mutant for report in reports for mutant in report.survivors]
    if survivors:
        screen.line()
        screen.line(Styled("Changes of the rules that no example notices", "bold"))
    for mutant in survivors:
        where = f"{mutant.file}:{mutant.line}:{mutant.column}: "
        screen.line(Styled(where, "bold"), Styled(mutant.rule, "cyan"), f": {mutant.description}")
    stale = [(report.rule, note) for report in reports for note in report.stale_notes]
    if stale:
        screen.line()
        screen.line(Styled("Notes on equivalent mutants that fit none", "bold"))
    for rule, note in stale:
        screen.line(Styled(rule, "cyan"), f": {note}")


def _show_suggested(screen: Screen, tested: _Tested, suggested: Sequence[SuggestedExample]) -> None:
    for suggestion in suggested:
        screen.line()
        screen.line(
            Styled("An example that would notice ", "bold"),
            Styled(suggestion.notices[0].rule, "cyan"),
            ": " + "; ".join(mutant.description for mutant in suggestion.notices),
        )
        for line in suggestion.lines:
            screen.line(line.lstrip(), indent=len(line) - len(line.lstrip()))
    if tested.written:
        screen.line()
        into = (
            f"{counted(number, 'example')} into {file}" for file, number in tested.written.items()
        )
        screen.line(
            f"Wrote {', '.join(into)}. Each says what the rule says today: read it against the "
            "law, and mend the rule where it is wrong."
        )
    elif suggested:
        screen.line()
        screen.line(
            "Each says what the rule says today. Read it against the law, then put it below the "
            "rule, or mend the rule; --write puts all of them there."
        )
    left = tested.surviving - (0 if tested.written else tested.noticed_by_suggested)
    if left and not tested.results:
        screen.line("Examples are made of examples: write one that complies and one that violates.")
    elif left:
        screen.line(
            f"For {counted(left, 'change')} no example was found that tells the difference. If "
            'there is none, a note says so: note "equivalent mutant: ..."'
        )


def _summary(tested: _Tested) -> str:
    passed = len(tested.results) - len(tested.failed)
    parts = [f"{counted(passed, 'example')} passed, {len(tested.failed)} failed"]
    if tested.unexercised:
        parts.append(f"{counted(len(tested.unexercised), 'condition')} not exercised")
    if tested.mutants is not None:
        total = sum(report.total for report in tested.mutants)
        killed = sum(report.killed for report in tested.mutants)
        killed += tested.noticed_by_suggested if tested.written else 0
        parts.append(f"{killed:,} of {counted(total, 'mutant')} noticed")
        equivalent = sum(len(report.equivalent) for report in tested.mutants)
        if equivalent:
            parts.append(f"{equivalent:,} can make no difference")
    return "; ".join(parts) + f" ({counted(len(tested.rules), 'rule')})."


# ---- data ----------------------------------------------------------------------------------


def _data(tested: _Tested) -> dict[str, Any]:
    return {
        "schema_version": "1",
        "passed": len(tested.results) - len(tested.failed),
        "failed": len(tested.failed),
        "examples": [_example_data(tested, result) for result in tested.results],
        "unexercised": [asdict(gap) for gap in tested.unexercised],
        "mutants": None
        if tested.mutants is None
        else {
            "total": sum(report.total for report in tested.mutants),
            "killed": sum(report.killed for report in tested.mutants),
            "survivors": [
                {name: getattr(mutant, name) for name in _OF_A_MUTANT}
                for report in tested.mutants
                for mutant in report.survivors
            ],
            "suggested": [
                {
                    "rule": suggestion.notices[0].rule,
                    "example": "\n".join(suggestion.lines),
                    "notices": [mutant.description for mutant in suggestion.notices],
                }
                for suggestion in tested.suggested or ()
            ],
            "written": [
                {"file": file, "examples": number}
                for file, number in (tested.written or {}).items()
            ],
            "equivalent": sum(len(report.equivalent) for report in tested.mutants),
            "stale_notes": [
                {"rule": report.rule, "note": note}
                for report in tested.mutants
                for note in report.stale_notes
            ],
        },
    }


def _example_data(tested: _Tested, result: ExampleResult) -> dict[str, Any]:
    file, line = tested.place(result)
    return {
        "rule": result.rule.name,
        "expected": result.example.expected,
        "title": result.example.title,
        "file": file,
        "line": line,
        "passed": result.passed,
        "problem": tested.problem(result),
        "checks": [check.model_dump(mode="json") for check in result.checks],
    }
