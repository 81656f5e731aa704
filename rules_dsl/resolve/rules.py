"""Resolves a rule: its slice, trigger, requirements, exceptions and message, edition by edition."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from rules_dsl import core, syntax
from rules_dsl.diagnostics import listed, nearest
from rules_dsl.parser import parse_expression
from rules_dsl.resolve.editions import ALWAYS, FOREVER, EditionClauses, PlacedClause, split
from rules_dsl.resolve.examples import resolve_examples
from rules_dsl.resolve.expressions import ExpressionResolver
from rules_dsl.resolve.names import Alias, Declared, Desk, Macro, Typed, View
from rules_dsl.source import Source
from rules_dsl.syntax import Span

SEVERITIES = ("minor", "major", "critical")
KINDS = ("violation", "indicator")
_HOLE = re.compile(r"\{([^{}]*)\}")
_SIMPLE_HOLE = re.compile(r"(?:([a-z][a-z0-9_]*)\.)?([a-z][a-z0-9_]*)$")


@dataclass
class RuleResolver:
    """Turns the rules of one section into core rules."""

    desk: Desk
    damaged: frozenset[str]

    def rule(
        self, rule: syntax.Rule, file: int, section: Declared[syntax.Section] | None
    ) -> core.Rule | None:
        """One rule, or None when it cannot be used."""
        before = len(self.desk.diagnostics)
        parameters = self._parameters(rule, file)
        if parameters is None:
            return None
        clauses, names = parameters
        editions = split(self.desk, rule, file, clauses)
        resolved = [self._edition(rule, file, edition, names, section) for edition in editions]
        first = editions[0]
        title = first.last_of(syntax.Title)
        if title is None:
            self._lacks(rule, file, "a title", "write in quotation marks what the rule demands")
        severity = self._word(first, syntax.Severity, "level", SEVERITIES, "major")
        kind: Any = self._word(first, syntax.KindOf, "kind", KINDS, "violation")
        examples = resolve_examples(
            self.desk, rule, file, editions, section, rule.name in self.damaged
        )
        if any(d.level == "error" for d in self.desk.diagnostics[before:]):
            return None
        complete = tuple(edition for edition in resolved if edition is not None)
        if len(complete) != len(resolved) or rule.name in self.damaged:
            return None
        return core.Rule(
            rule.name,
            self._filled(title[0].text, names) if title else rule.name,
            kind,
            severity,
            section.node.title if section else "",
            complete,
            examples,
            place=self.desk.place(file, rule.span),
        )

    # ---- templates

    def _parameters(
        self, rule: syntax.Rule, file: int
    ) -> tuple[list[PlacedClause], dict[str, Macro]] | None:
        own = [PlacedClause(clause, file) for clause in rule.clauses]
        if rule.template is None:
            return own, {}
        declared = self.desk.symbols.templates.get(rule.template)
        if declared is None:
            self.desk.report(
                "unknown-template",
                f"There is no template `{rule.template}`.",
                file,
                Span(rule.span.start, rule.span.start + 4),
                nearest(rule.template, self.desk.symbols.templates),
            )
            return None
        self.desk.symbols.used.add(("template", rule.template))
        given = {argument.name: argument for argument in rule.arguments}
        for name, argument in given.items():
            if name not in declared.node.parameters:
                self.desk.report(
                    "wrong-arguments",
                    f"The template `{rule.template}` has no parameter `{name}`.",
                    file,
                    argument.span,
                    nearest(name, declared.node.parameters)
                    or f"it has {listed(declared.node.parameters)}",
                )
                return None
        missing = [name for name in declared.node.parameters if name not in given]
        if missing:
            self.desk.report(
                "wrong-arguments",
                f"The template `{rule.template}` also needs {listed(missing)}.",
                file,
                Span(rule.span.start, rule.span.start + 4),
                f"write `with {missing[0]} = ...`",
            )
            return None
        names = {name: Macro(argument.value, file) for name, argument in given.items()}
        template = [
            PlacedClause(clause, declared.file, from_template=True)
            for clause in declared.node.clauses
        ]
        return template + own, names

    def _filled(self, text: str, names: dict[str, Macro]) -> str:
        """A text with the template's arguments put in for their names in braces."""
        for name, macro in names.items():
            text = text.replace("{" + name + "}", self.desk.text(macro.file, macro.expr.span))
        return text

    # ---- one edition

    def _edition(
        self,
        rule: syntax.Rule,
        file: int,
        edition: EditionClauses,
        names: dict[str, Macro],
        section: Declared[syntax.Section] | None,
    ) -> core.Edition | None:
        expressions = ExpressionResolver(self.desk)
        citations = edition.last_of(syntax.Cite)
        if citations is None and rule.name not in self.damaged:
            self._lacks(rule, file, "a citation", "add `cite` and the paragraph of the law")
        found = self._trigger(rule, file, edition, names, expressions)
        if found is None:
            return None
        trigger, view = found
        view = self._lets(edition, view, expressions)
        only_if = [
            expressions.condition(clause.condition, replace(view, file=home))
            for clause, home in edition.all_of(syntax.OnlyIf)
        ]
        if section is not None:
            at_trigger = replace(view, file=section.file, names={})
            only_if = [
                expressions.condition(expr, at_trigger) for expr in section.node.applies
            ] + only_if
        requirements = self._requirements(rule, file, edition, view, expressions)
        exemptions = self._exemptions(edition, view, expressions)
        message = self._message(edition, view, names, expressions)
        slice_ = self._slice(edition, trigger, view, [*only_if, *requirements, *exemptions])
        remedy = edition.last_of(syntax.Remedy)
        return core.Edition(
            _day(edition.since, ALWAYS),
            _day(edition.until, FOREVER),
            edition.label,
            citations[0].citations if citations else (),
            slice_,
            trigger,
            tuple(only_if),
            tuple(requirements),
            tuple(exemptions),
            message,
            self._filled(remedy[0].text, names) if remedy else "",
            tuple(self._filled(c.text, names) for c, _ in edition.all_of(syntax.Note)),
            place=self.desk.place(file, edition.span),
        )

    def _trigger(
        self,
        rule: syntax.Rule,
        file: int,
        edition: EditionClauses,
        names: dict[str, Macro],
        expressions: ExpressionResolver,
    ) -> tuple[core.Trigger, View] | None:
        triggers = edition.all_of(syntax.When, syntax.WhenEnds)
        if not triggers:
            if rule.name not in self.damaged:
                self._lacks(rule, file, "`when`", "say at which event the rule is applied")
            return None
        clause, home = triggers[-1]
        outside = View(-1, (), core.TRIGGER, home, dict(names))
        if isinstance(clause, syntax.WhenEnds):
            return self._when_ends(clause, outside, expressions)
        phrase = clause.phrase
        since_scopes = [scope for scope in phrase.scopes if scope.kind == "since"]
        if phrase.head.field is not None or phrase.same or phrase.per:
            self.desk.report(
                "scope-in-trigger",
                "`when` is followed by an event, with a `where` at most.",
                home,
                phrase.span,
            )
            return None
        if clause.first and (len(phrase.scopes) != 1 or not since_scopes):
            self.desk.report(
                "missing-scope",
                "`when first` needs `since` and another event.",
                home,
                phrase.span,
                "write `when first card_dealt since dealer_arrived`",
            )
            return None
        if phrase.scopes and not clause.first:
            self.desk.report(
                "scope-in-trigger",
                f"`{self.desk.text(home, phrase.scopes[0].span)}` cannot follow `when`.",
                home,
                phrase.scopes[0].span,
                "write `when first ... since ...`, or put the condition into `only if`",
            )
            return None
        found = expressions.phrases.pattern(phrase, outside)
        if found is None:
            return None
        pattern, view = found
        since = None
        if since_scopes and since_scopes[0].target is not None:
            inner = expressions.phrases.pattern(since_scopes[0].target, view, anchor=view)
            if inner is None:
                return None
            since = inner[0]
        view = view.binding("trigger", Alias(core.TRIGGER, pattern.types))
        return core.Trigger(pattern, since, place=pattern.place), view

    def _when_ends(
        self, clause: syntax.WhenEnds, outside: View, expressions: ExpressionResolver
    ) -> tuple[core.Trigger, View] | None:
        if not expressions.phrases.check_interval(clause.interval, clause, outside):
            return None
        declared = self.desk.symbols.intervals[clause.interval]
        found = expressions.phrases.pattern(
            declared.node.closes, replace(outside, file=declared.file, names={})
        )
        if found is None:
            return None
        pattern, view = found
        view = replace(view, file=outside.file, names=outside.names)
        view = view.binding("trigger", Alias(core.TRIGGER, pattern.types))
        place = self.desk.place(outside.file, clause.span)
        return core.Trigger(pattern, None, clause.interval, place=place), view

    def _lets(self, edition: EditionClauses, view: View, expressions: ExpressionResolver) -> View:
        fields = self.desk.field_names
        for clause, home in edition.all_of(syntax.Let):
            if clause.name in fields or clause.name in self.desk.symbols.definitions:
                what = "a field" if clause.name in fields else "a definition"
                self.desk.report(
                    "name-taken",
                    f"`{clause.name}` is already the name of {what}.",
                    home,
                    clause.span,
                    "choose another name",
                )
            value = expressions.value(clause.value, replace(view, file=home))
            view = view.binding(clause.name, value)
            rest = [
                p.clause
                for p in edition.clauses
                if not isinstance(p.clause, syntax.Let) or p.clause.name != clause.name
            ]
            if not any(_mentions(c, clause.name) for c in rest):
                self.desk.report(
                    "unused-definition",
                    f"`{clause.name}` is never used in this rule.",
                    home,
                    clause.span,
                    "remove it",
                )
        return view

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
                core.Requirement(condition, self.desk.text(home, clause.span), place=place)
            )
        if not found and rule.name not in self.damaged:
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
                    clause.span,
                    "write the `except` first",
                )
        return [
            core.Exemption(e.authority, e.condition, tuple(limits), place=e.place)
            for e, limits in found
        ]

    # ---- slices

    def _slice(
        self,
        edition: EditionClauses,
        trigger: core.Trigger,
        view: View,
        parts: Sequence[core.Core],
    ) -> core.Slice:
        relevant = tuple(sorted(_types_in([trigger, *parts])))
        clause = edition.last_of(syntax.ForEach)
        if clause is None:
            return core.Slice(relevant=relevant)
        across: Any = None
        interval, keys = None, []
        for key in clause[0].keys:
            bound = view.names.get(key.name)
            macro = bound.expr if isinstance(bound, Macro) else None
            name = macro.name if isinstance(macro, syntax.Name) else key.name
            if name in ("table", "pit", "casino"):
                across = name if across in (None, "casino") or name == "table" else across
            elif name in self.desk.symbols.intervals:
                self.desk.symbols.used.add(("interval", name))
                if interval is not None:
                    self.desk.report(
                        "unknown-key", f"`{interval}` and `{name}` are both intervals.", clause[1],
                        key.span, "name only one of them",
                    )  # fmt: skip
                interval = name
            elif self._key_is_known(name, key, clause[1], relevant, trigger):
                keys.append(name)
        return core.Slice(
            across or "table",
            interval,
            tuple(keys),
            relevant,
            place=self.desk.place(clause[1], clause[0].span),
        )

    def _key_is_known(
        self,
        name: str,
        key: syntax.Key,
        file: int,
        relevant: tuple[str, ...],
        trigger: core.Trigger,
    ) -> bool:
        events = self.desk.schema.events
        carriers = [t for t in relevant if name in events[t].fields]
        if not carriers:
            known = {f for t in relevant for f in events[t].fields}
            self.desk.report(
                "unknown-key",
                f"None of the rule's events has a field `{name}`, and it is not an interval.",
                file,
                key.span,
                nearest(name, [*known, *self.desk.symbols.intervals, "table", "pit", "casino"]),
            )
            return False
        lacking = [t for t in trigger.pattern.types if name not in events[t].fields]
        if lacking and not key.every:
            self.desk.report(
                "key-not-in-trigger",
                f"`{lacking[0]}` has no `{name}`: the rule is applied for every {name} "
                "seen so far.",
                file,
                key.span,
                f"if that is meant, write `every {name}`",
            )
        return True

    # ---- messages

    def _message(
        self,
        edition: EditionClauses,
        view: View,
        names: dict[str, Macro],
        expressions: ExpressionResolver,
    ) -> tuple[core.MessagePart, ...]:
        found = edition.last_of(syntax.Say)
        if found is None:
            return ()
        clause, home = found
        text = self._filled(clause.text, names)
        parts: list[core.MessagePart] = []
        at = 0
        for hole in _HOLE.finditer(text):
            parts.append(core.MessagePart(text[at : hole.start()]))
            typed = self._hole(hole[1], clause, replace(view, file=home), expressions)
            if typed is not None:
                parts.append(core.MessagePart(hole[1], typed.core, typed.kind.name))
            at = hole.end()
        rest = text[at:]
        if "{" in rest or "}" in rest:
            self.desk.report(
                "bad-message",
                "A brace in this message has no partner.",
                home,
                clause.span,
                "write fields as `{seat}`",
            )
        parts.append(core.MessagePart(rest))
        return tuple(part for part in parts if part.text or part.value is not None)

    def _hole(
        self, text: str, clause: syntax.Say, view: View, expressions: ExpressionResolver
    ) -> Typed | None:
        simple = _SIMPLE_HOLE.match(text.strip())
        expr: syntax.Expr
        if simple:
            expr = syntax.Name(simple[2], simple[1], span=clause.span)
        else:
            source = Source(self.desk.sources[view.file].name, text)
            parsed = parse_expression(source, Span(0, len(text)))
            if not isinstance(parsed, syntax.Expr):
                self.desk.report(
                    "bad-message",
                    f"`{{{text}}}` in this message cannot be read: {parsed.message}",
                    view.file,
                    clause.span,
                    parsed.suggestion,
                )
                return None
            expr = _moved(parsed, clause.span)
        return expressions.value(expr, view)

    # ---- small checks

    def _lacks(self, rule: syntax.Rule, file: int, what: str, suggestion: str) -> None:
        if rule.name in self.damaged:
            return
        span = Span(rule.span.start, rule.span.start + len("rule ") + len(rule.name))
        self.desk.report(
            "missing-clause", f"The rule `{rule.name}` has no {what.removeprefix('a ')}.", file,
            span, suggestion,
        )  # fmt: skip

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
                clause.span,
                nearest(word, allowed),
            )
            return default
        return word


def _day(day: date, open_end: date) -> str | None:
    return None if day == open_end else day.isoformat()


def _types_in(parts: Sequence[core.Core]) -> set[str]:
    """Every event type that a rule speaks of."""
    found: set[str] = set()
    waiting: list[Any] = list(parts)
    while waiting:
        part = waiting.pop()
        if isinstance(part, tuple):
            waiting += part
        elif isinstance(part, core.Core):
            if isinstance(part, core.Pattern):
                found.update(part.types)
            waiting += [getattr(part, name) for name in part.__struct_fields__ if name != "place"]
    return found


def _mentions(node: Any, name: str) -> bool:
    """Whether a clause uses a name, in a condition or in the braces of a message."""
    if isinstance(node, tuple):
        return any(_mentions(part, name) for part in node)
    if isinstance(node, syntax.Say):
        return any(re.search(rf"\b{name}\b", hole) for hole in _HOLE.findall(node.text))
    if isinstance(node, syntax.Let):
        return _mentions(node.value, name)
    if isinstance(node, syntax.Name):
        return name in (node.name, node.owner)
    if isinstance(node, syntax.Node):
        return any(
            _mentions(getattr(node, field), name)
            for field in node.__struct_fields__
            if field not in syntax.OUTSIDE_EQUALITY
        )
    return False


def _moved(expr: Any, span: Span) -> Any:
    """The expression with every span set to one place: it came from inside a text."""
    if isinstance(expr, tuple):
        return tuple(_moved(part, span) for part in expr)
    if not isinstance(expr, syntax.Node):
        return expr
    fields = {name: _moved(getattr(expr, name), span) for name in expr.__struct_fields__}
    fields["span"] = span
    return type(expr)(**fields)
