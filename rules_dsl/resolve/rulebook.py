"""Puts a rulebook together from parsed files: every name bound, every rule checked."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from zoneinfo import ZoneInfo

from event_schemas import Schema
from event_schemas.limits import MOST_MISTAKES
from rules_dsl import core, syntax
from rules_dsl.clauses.reading import read_clauses
from rules_dsl.diagnostics import Diagnostic, in_order
from rules_dsl.parsing.parser import Parsed
from rules_dsl.resolve.declarations import check_groups, collect, profile
from rules_dsl.resolve.examples_beside import collect_examples
from rules_dsl.resolve.expressions import ExpressionResolver
from rules_dsl.resolve.lints import lint
from rules_dsl.resolve.names import Declared, Desk, Symbols, TooManyMistakes, View
from rules_dsl.resolve.own_words import in_own_words
from rules_dsl.resolve.rules import RuleResolver
from rules_dsl.resolve.templates import check_unused_templates
from rules_dsl.source import Source

DEFAULT_ZONE = "America/New_York"
Resolved = tuple[core.Rulebook, tuple[Source, ...], tuple[Diagnostic, ...]]
"""A rulebook, the files that it came from, and what is wrong with them."""


def resolve(
    parsed: list[Parsed],
    problems: list[Diagnostic],
    schema: Schema,
    mapped: Sequence[Path] = (),
    beside: Sequence[Parsed] | None = (),
) -> Resolved:
    """Bind every name in parsed files; `mapped` are the files of the clause map.

    `beside` are the files of examples, or None where they are not looked at.
    """
    desk = Desk(schema, [p.source for p in (*parsed, *(beside or ()))], Symbols())
    desk.diagnostics += problems
    for item in (*parsed, *(beside or ())):
        desk.diagnostics += item.diagnostics
    try:
        rulebook = _resolved(desk, parsed, mapped, beside)
    except TooManyMistakes:
        rulebook = core.Rulebook("", DEFAULT_ZONE, schema.fingerprint, (), {}, {}, {}, {}, {}, ())
        desk.diagnostics.append(_too_many(desk.diagnostics[-1]))
    return rulebook, tuple(desk.sources), tuple(in_own_words(in_order(desk.diagnostics), schema))


def _too_many(last: Diagnostic) -> Diagnostic:
    return Diagnostic(
        "too-large",
        f"More than {MOST_MISTAKES} mistakes were found, so the rest was not looked at.",
        last.source,
        last.span,
        "mend those above first",
    )


def _resolved(
    desk: Desk, parsed: list[Parsed], mapped: Sequence[Path], beside: Sequence[Parsed] | None
) -> core.Rulebook:
    schema = desk.schema
    files = [(index, item.file) for index, item in enumerate(parsed)]
    collect(desk, files)
    examples = collect_examples(desk, parsed, beside)
    check_groups(desk)
    intervals = _intervals(desk)
    rules: list[core.Rule] = []
    profiles: dict[str, core.Profile] = {}
    title, zone = "", DEFAULT_ZONE
    for index, item in enumerate(parsed):
        section: Declared[syntax.Section] | None = None
        resolver = RuleResolver(desk, item.damaged, examples)
        for node in item.file.declarations:
            if isinstance(node, syntax.Section):
                section = Declared(node, index)
            elif isinstance(node, syntax.Rule):
                rule = resolver.rule(node, index, section)
                if rule is not None:
                    rules.append(rule)
            elif isinstance(node, syntax.Profile):
                profiles[node.name] = profile(desk, node, index)
            elif isinstance(node, syntax.Rulebook):
                title = title or node.title
                zone = _zone(desk, node, index) or zone
    clause_map = read_clauses(mapped, _kinds(parsed, rules), _games(schema))
    desk.sources += clause_map.sources
    desk.diagnostics += clause_map.diagnostics
    rulebook = core.Rulebook(
        title,
        zone,
        schema.fingerprint,
        tuple(core.FileRecord(s.name, _sha256(s.text)) for s in desk.sources),
        intervals,
        desk.symbols.tables,
        desk.symbols.settings,
        desk.symbols.interpretations,
        profiles,
        tuple(rules),
        tuple(clause_map.texts),
        tuple(clause_map.clauses),
        tuple(desk.symbols.chapters),
    )
    check_unused_templates(desk)
    lint(desk, rulebook, files)
    return rulebook


def _kinds(parsed: Iterable[Parsed], rules: Iterable[core.Rule]) -> dict[str, str]:
    """The kind of every rule by its name; of a rule with a mistake only the name is known."""
    names = (n.name for p in parsed for n in p.file.declarations if isinstance(n, syntax.Rule))
    return dict.fromkeys(names, "") | {rule.name: rule.kind for rule in rules}


def _games(schema: Schema) -> tuple[str, ...]:
    game = schema.enums.get("game")
    return game.values if game else ()


def _intervals(desk: Desk) -> dict[str, core.Interval]:
    found: dict[str, core.Interval] = {}
    for name, declared in list(desk.symbols.intervals.items()):
        resolver = ExpressionResolver(desk)
        outside = View(-1, (), core.TRIGGER, declared.file, {})
        opens = resolver.phrases.pattern(declared.node.opens, outside)
        closes = resolver.phrases.pattern(declared.node.closes, outside)
        if opens is not None and closes is not None:
            place = desk.place(declared.file, declared.node.span)
            found[name] = core.Interval(name, opens[0], closes[0], place=place)
        else:
            # Rules that look into it cannot be used; what is wrong has been said here.
            del desk.symbols.intervals[name]
            desk.symbols.give_up(name)
    return found


def _zone(desk: Desk, node: syntax.Rulebook, file: int) -> str | None:
    if node.time_zone is None:
        return None
    try:
        ZoneInfo(node.time_zone)
    except (KeyError, ValueError, OSError):
        # A folder of zones is none, and a name may be too long for a file.
        desk.report(
            "unknown-word",
            f"There is no time zone `{node.time_zone}`.",
            file,
            desk.spot(file, node.span, f'"{node.time_zone}"', after="zone"),
            'write it like `time zone "America/New_York"`',
        )
        return None
    return node.time_zone


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
