"""Printed tables of the law are read once, and serve the logs of all tables."""

from __future__ import annotations

from compliance.columnar.evaluate import Evaluator
from compliance.columnar.plan import Plan
from compliance.columnar.scene import Table
from compliance.columns import from_events
from compliance.first_look.printed import printed
from compliance.first_look.program import Program
from compliance.options import ElectedOptions
from compliance.reference.scene import circumstances
from tests.compliance.simulate.checking import SCHEMA, bundled_rulebook


def _log_with_words(*words: str) -> Evaluator:
    """A log that knows some words already, each under its number."""
    around = circumstances(bundled_rulebook(), SCHEMA, ElectedOptions(SCHEMA))
    table = Table(from_events(SCHEMA, []), around, Plan())
    for word in words:
        table.log.words.number(word)
    return Evaluator(table.whole)


def test_a_printed_table_has_the_numbers_of_each_log_for_its_texts() -> None:
    program = Program(bundled_rulebook(), SCHEMA)
    for rule in bundled_rulebook().rules:
        for edition in rule.editions:
            program.edition(edition)
    one, other = _log_with_words(), _log_with_words("a word", "and two", "before all others")
    for expr in program.lookups:
        kept, anew = printed(one, expr), printed(other, expr)
        assert kept.numbered_by(other.scene.log.words).tolist() == anew.numbers.tolist()
    assert any(printed(one, expr).texts for expr in program.lookups)
