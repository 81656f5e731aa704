"""What people often write wrong is explained in one sentence, with what to write instead.

The folder `mistakes` holds what was written, with the explanation below each wrong line, so that
the wording is read and reviewed like any other text.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rules_dsl.diagnostics import Diagnostic
from rules_dsl.parsing.parser import parse, parse_expression
from rules_dsl.source import Source
from rules_dsl.syntax import Span

FOLDER = Path(__file__).parent / "mistakes"
EXPLANATION = re.compile(r" *(\^+ \[|=> )")

# Each document is about one part of a file; what stands around it has no mistakes.
AROUND = {
    "in_conditions": ("rule a\n", '  remedy "The clause after a mistake is read all the same."\n'),
    "in_clauses": ("rule a\n", '  remedy "The clause after a mistake is read all the same."\n'),
    "in_examples": ("rule a\n  example complies\n", '  remedy "The clause after it is read."\n'),
    "in_declarations": ("", 'use "the declaration after a mistake"\n'),
}


def cases(document: str) -> list[str]:
    text = (FOLDER / f"{document}.txt").read_text(encoding="utf-8")
    return [block for block in text.rstrip("\n").split("\n\n") if not block.startswith("--")]


def explained(written: str, before: str, after: str) -> str:
    """What was written, with the explanations below the lines that they are about."""
    source = Source("test", before + written + "\n" + after)
    first = before.count("\n") + 1
    lines = written.split("\n")
    for diagnostic in reversed(parse(source).diagnostics):
        lines[diagnostic.line - first + 1 : diagnostic.line - first + 1] = explanation(diagnostic)
    return "\n".join(lines)


def explanation(diagnostic: Diagnostic) -> list[str]:
    margin = " " * (diagnostic.column - 1)
    marks = "^" * (diagnostic.span.end - diagnostic.span.start)
    lines = [f"{margin}{marks} [{diagnostic.code}] {diagnostic.message}"]
    return [*lines, f"{margin}=> {diagnostic.suggestion}"] if diagnostic.suggestion else lines


@pytest.mark.parametrize(
    ("document", "case"), [(document, case) for document in AROUND for case in cases(document)]
)
def test_a_common_mistake_is_explained(document: str, case: str) -> None:
    written = "\n".join(line for line in case.split("\n") if not EXPLANATION.match(line))
    assert explained(written, *AROUND[document]) == case


def test_there_are_many_common_mistakes() -> None:
    assert sum(len(cases(document)) for document in AROUND) > 150


def test_all_mistakes_of_a_file_are_found_in_one_run() -> None:
    text = "rule A\n  require a ==b\n  note x\nrule b\n  when\n  require c &&d\n\nfoo\n"
    found = [(d.line, d.message) for d in parse(Source("test", text)).diagnostics]
    assert found == [
        (1, "A rule's name is made of small letters, digits and hyphens."),
        (2, "`==` is not a sign of the rule language."),
        (3, "The text after `note` stands in quotation marks."),
        (5, "`when` is followed by an event."),
        (6, "`&&` is not a sign of the rule language."),
        (8, "`foo` does not begin a declaration."),
    ]


def test_a_mistake_in_the_expression_of_a_message_is_explained() -> None:
    problem = parse_expression(Source("test", "{a == b}"), Span(1, 7))
    assert isinstance(problem, Diagnostic)
    assert problem.message == "`==` is not a sign of the rule language."
    assert problem.span == Span(3, 5)


def test_nothing_at_all_is_no_expression() -> None:
    problem = parse_expression(Source("test", ""), Span(0, 0))
    assert isinstance(problem, Diagnostic)
    assert problem.span == Span(0, 0)
