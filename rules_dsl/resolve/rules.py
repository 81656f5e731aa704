"""Resolves a rule, edition by edition: what it demands, what excuses, and what it says."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from event_schemas.limits import DEEPEST_WRITTEN_OUT, LARGEST_RULE
from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.resolve.chapters import end_with_chapters
from rules_dsl.resolve.citations import citation_problem
from rules_dsl.resolve.editions import ALWAYS, FOREVER, EditionClauses, split
from rules_dsl.resolve.examples import resolve_examples
from rules_dsl.resolve.examples_beside import ExamplesBeside, add_examples, is_equivalence
from rules_dsl.resolve.expressions import ExpressionResolver
from rules_dsl.resolve.messages import check_plain_texts, message
from rules_dsl.resolve.names import Declared, Desk, Macro, View
from rules_dsl.resolve.slices import slice_of
from rules_dsl.resolve.templates import clauses_of, filled
from rules_dsl.resolve.triggers import lets, trigger
from rules_dsl.resolve.written_out import size_and_depth

SEVERITIES = ("minor", "major", "critical")
KINDS = ("violation", "indicator")


@dataclass
class RuleResolver:
    """Turns the rules of one section into core rules."""

    desk: Desk
    damaged: frozenset[str]
    beside: ExamplesBeside

    def rule(
        self, rule: syntax.Rule, file: int, section: Declared[syntax.Section] | None
    ) -> core.Rule | None:
        """One rule, or None when it cannot be used."""
        before, excuses = len(self.desk.diagnostics), self.desk.symbols.excuses
        found = clauses_of(self.desk, rule, file)
        if found is None:
            self.desk.symbols.mention(self.desk.text(file, rule.span))
            return None
        clauses, names = found
        editions = split(self.desk, rule, file, clauses)
        end_with_chapters(self.desk, editions)
        add_examples(self.desk, rule, editions, self.beside)
        first = editions[0]
        title = first.last_of(syntax.Title)
        if title is None or not title[0].text.strip():
            self._lacks(rule, file, "title", "write in quotation marks what the rule demands")
        everything = [placed.clause for edition in editions for placed in edition.clauses]
        if rule.template is not None:
            self.desk.filling = (rule.name, file, rule.span)
        resolved = [
            self._edition(rule, file, edition, names, section, everything) for edition in editions
        ]
        self.desk.filling = None
        severity = self._word(first, syntax.Severity, "level", SEVERITIES, "major")
        kind: Any = self._word(first, syntax.KindOf, "kind", KINDS, "violation")
        damaged = self._is_damaged(rule)
        examples = resolve_examples(
            self.desk, rule, file, editions, section, damaged, complete=self.beside.were_read
        )
        if any(d.level == "error" for d in self.desk.diagnostics[before:]):
            return None
        complete = tuple(edition for edition in resolved if edition is not None)
        whole = len(complete) == len(resolved) and self.desk.symbols.excuses == excuses
        if not whole or damaged:
            return None
        return core.Rule(
            rule.name,
            filled(self.desk, title[0].text, names) if title else rule.name,
            kind,
            severity,
            section.node.title if section else "",
            complete,
            examples,
            self._equivalents(editions, names),
            place=self.desk.place(file, rule.span),
        )

    def _is_damaged(self, rule: syntax.Rule) -> bool:
        """Whether a part of the rule, or of its template, could not be read."""
        lost = self.damaged | self.beside.damaged | self.desk.symbols.damaged
        return rule.name in lost or rule.template in lost

    # ---- one edition

    def _edition(
        self,
        rule: syntax.Rule,
        file: int,
        edition: EditionClauses,
        names: dict[str, Macro],
        section: Declared[syntax.Section] | None,
        everything: Sequence[syntax.Clause],
    ) -> core.Edition | None:
        expressions = ExpressionResolver(self.desk)
        citations = edition.last_of(syntax.Cite)
        self._check_citations(rule, file, edition)
        if not edition.all_of(syntax.When, syntax.WhenEnds):
            self._lacks(rule, file, "`when`", "say at which event the rule is applied")
        applied, view = trigger(expressions, edition, names, file)
        view = lets(expressions, edition, everything, view)
        only_if = [
            *self._section_conditions(rule, file, section, view, expressions),
            *(
                expressions.condition(clause.condition, replace(view, file=home))
                for clause, home in edition.all_of(syntax.OnlyIf)
            ),
        ]
        requirements = self._requirements(rule, file, edition, view, expressions)
        exemptions = self._exemptions(edition, view, expressions)
        said = message(expressions, edition, view, names)
        check_plain_texts(self.desk, edition, names)
        if applied is None:
            return None
        parts = [*only_if, *requirements, *exemptions]
        quoted = [part.value for part in said if part.value is not None]
        if self._is_too_large(rule, file, [applied, *parts, *quoted]):
            return None
        remedy = edition.last_of(syntax.Remedy)
        return core.Edition(
            _day(edition.since, ALWAYS),
            _day(edition.until, FOREVER),
            edition.label,
            citations[0].citations if citations else (),
            slice_of(self.desk, edition, applied, view, parts),
            applied,
            tuple(only_if),
            tuple(requirements),
            tuple(exemptions),
            said,
            filled(self.desk, remedy[0].text, names) if remedy else "",
            tuple(
                filled(self.desk, c.text, names)
                for c, _ in edition.all_of(syntax.Note)
                if not is_equivalence(c.text)
            ),
            edition.ended,
            place=self.desk.place(file, edition.span),
        )

    def _equivalents(
        self, editions: Sequence[EditionClauses], names: dict[str, Macro]
    ) -> tuple[str, ...]:
        """The notes on mutants that make no difference, each once."""
        notes = (clause.text for e in editions for clause, _ in e.all_of(syntax.Note))
        found = (filled(self.desk, text, names) for text in notes if is_equivalence(text))
        return tuple(dict.fromkeys(found))

    def _is_too_large(self, rule: syntax.Rule, file: int, parts: Sequence[core.Core]) -> bool:
        """Say so where few lines stand for more than anybody could read or judge by."""
        size, depth = size_and_depth(parts)
        if size <= LARGEST_RULE and depth <= DEEPEST_WRITTEN_OUT:
            return False
        self.desk.report(
            "too-complex",
            f"The rule `{rule.name}` is too large once all its names are written out.",
            file,
            self.desk.spot(file, rule.span, rule.name, after="rule"),
            "split it into several rules, or use fewer names inside names",
        )
        return True

    def _section_conditions(
        self,
        rule: syntax.Rule,
        file: int,
        section: Declared[syntax.Section] | None,
        view: View,
        expressions: ExpressionResolver,
    ) -> list[core.Expr]:
        """What the section says of all its rules, at this rule's trigger."""
        if section is None:
            return []
        outside, self.desk.filling = self.desk.filling, (rule.name, file, rule.span)
        at_trigger = replace(view, file=section.file, names={})
        found = [expressions.condition(expr, at_trigger) for expr in section.node.applies]
        self.desk.filling = outside
        return found

    def _requirements(
        self,
        rule: syntax.Rule,
        file: int,
        edition: EditionClauses,
        view: View,
        expressions: ExpressionResolver,
    ) -> list[core.Requirement]:
        found = []
        for clause, home in edition.all_of(syntax.Require, syntax.Forbid):
            condition = expressions.condition(clause.condition, replace(view, file=home))
            place = self.desk.place(home, clause.span)
            if isinstance(clause, syntax.Forbid):
                condition = core.Not(condition, place=condition.place)
            found.append(
                core.Requirement(condition, self.desk.clause_text(home, clause.span), place=place)
            )
        if not found:
            self._lacks(rule, file, "`require` or `forbid`", "say what the law demands")
        return found

    def _exemptions(
        self, edition: EditionClauses, view: View, expressions: ExpressionResolver
    ) -> list[core.Exemption]:
        found: list[tuple[core.Exemption, list[core.Exemption]]] = []
        for clause, home in edition.all_of(syntax.Except, syntax.ButNot):
            condition = expressions.condition(clause.condition, replace(view, file=home))
            exemption = core.Exemption(
                clause.authority, condition, place=self.desk.place(home, clause.span)
            )
            if isinstance(clause, syntax.Except):
                found.append((exemption, []))
            elif found:
                found[-1][1].append(exemption)
            else:
                self.desk.report(
                    "stray-exception",
                    "`but not` limits an exception, and there is none before it.",
                    home,
                    self.desk.spot(home, clause.span, "but not"),
                    "write the `except` first",
                )
        return [
            core.Exemption(e.authority, e.condition, tuple(limits), place=e.place)
            for e, limits in found
        ]

    # ---- small checks

    def _check_citations(self, rule: syntax.Rule, file: int, edition: EditionClauses) -> None:
        cites = edition.all_of(syntax.Cite)
        if not cites:
            self._lacks(rule, file, "citation", "add `cite` and the paragraph of the law")
        texts: list[tuple[str, syntax.Clause, int]] = [
            (text, clause, home) for clause, home in cites for text in clause.citations
        ]
        texts += [
            (clause.authority, clause, home)
            for clause, home in edition.all_of(syntax.Except, syntax.ButNot)
        ]
        for text, clause, home in texts:
            problem = citation_problem(text)
            if problem is not None:
                quoted = self.desk.spot(home, clause.span, f'"{text}"')
                span = self.desk.spot(home, clause.span, text) if text.strip() else quoted
                self.desk.report("bad-citation", problem[0], home, span, problem[1])

    def _lacks(self, rule: syntax.Rule, file: int, what: str, suggestion: str) -> None:
        if self._is_damaged(rule):
            return
        self.desk.report(
            "missing-clause",
            f"The rule `{rule.name}` has no {what}.",
            file,
            self.desk.spot(file, rule.span, rule.name, after="rule"),
            suggestion,
        )

    def _word(
        self,
        edition: EditionClauses,
        kind: type[Any],
        attribute: str,
        allowed: tuple[str, ...],
        default: str,
    ) -> str:
        found = edition.last_of(kind)
        if found is None:
            return default
        clause, home = found
        word = str(getattr(clause, attribute))
        if word not in allowed:
            self.desk.report(
                "unknown-word",
                f"`{word}` is not one of {listed(allowed)}.",
                home,
                self.desk.spot(home, clause.span, word),
                nearest(word, allowed),
            )
            return default
        return word


def _day(day: date, open_end: date) -> str | None:
    return None if day == open_end else day.isoformat()
