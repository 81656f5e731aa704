"""Loads rule files into a rulebook: read, resolve, check, and remember the result.

loaded = load(["rules_dsl/rulebooks/nj"], builtin_schema())
loaded.rulebook.rules, loaded.diagnostics
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from event_schemas import Schema
from rules_dsl import core, syntax
from rules_dsl.cache import RulebookCache
from rules_dsl.clauses.reading import clause_files, read_clauses
from rules_dsl.diagnostics import Diagnostic, in_order
from rules_dsl.garbage import no_collection
from rules_dsl.lints import lint
from rules_dsl.parsing.parser import Parsed, parse
from rules_dsl.resolve.declarations import check_groups, collect, profile
from rules_dsl.resolve.expressions import ExpressionResolver
from rules_dsl.resolve.names import Declared, Desk, Symbols, View
from rules_dsl.resolve.rules import RuleResolver
from rules_dsl.source import Source

DEFAULT_ZONE = "America/New_York"
SUFFIX = ".rules"


@dataclass(frozen=True)
class Loaded:
    """A rulebook with everything that was found wrong with it."""

    rulebook: core.Rulebook
    sources: tuple[Source, ...]
    diagnostics: tuple[Diagnostic, ...]

    @property
    def rule_files(self) -> tuple[Source, ...]:
        """The files that hold rules; the others belong to the clause map."""
        return tuple(source for source in self.sources if not source.name.endswith(".toml"))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.level == "error")


def load(paths: Sequence[str | Path], schema: Schema, cache: RulebookCache | None = None) -> Loaded:
    """Load rule files and folders of them, with all the files that they use."""
    places = [Path(path) for path in paths]
    mapped = [file for place in places for file in clause_files(place)]
    if cache is not None:
        found = [file for place in places for file in rule_files(place, [])]
        remembered = cache.get(places, [*found, *mapped], schema)
        if remembered is not None:
            return Loaded(*remembered)
    with no_collection():
        loaded = _resolve(*_read_all(places), schema, mapped)
    if cache is not None:
        cache.put(places, schema, loaded.rulebook, loaded.sources, loaded.diagnostics)
    return loaded


def load_text(text: str, schema: Schema, name: str = "rules") -> Loaded:
    """Load one text, such as the content of an editor. It can use no other files."""
    return _resolve([parse(Source(name, text))], [], schema)


# ---- reading files -------------------------------------------------------------------------


def _read_all(paths: Iterable[Path]) -> tuple[list[Parsed], list[Diagnostic]]:
    problems: list[Diagnostic] = []
    parsed: dict[Path, Parsed] = {}
    for path in paths:
        for file in rule_files(path, problems):
            _read_with_uses(file, path if path.is_dir() else path.parent, parsed, problems, [])
    return list(parsed.values()), problems


def rule_files(path: Path, problems: list[Diagnostic]) -> list[Path]:
    """The rule files at a path, in the order of their names."""
    if path.is_dir():
        found = sorted(path.rglob(f"*{SUFFIX}"))
        if not found:
            problems.append(
                Diagnostic(
                    "missing-file",
                    f"There is no rule file (*{SUFFIX}) in `{path}`.",
                    Source(str(path), ""),
                )
            )
        return found
    if not path.is_file():
        problems.append(
            Diagnostic("missing-file", f"There is no rule file `{path}`.", Source(str(path), ""))
        )
        return []
    return [path]


def _read_with_uses(
    path: Path,
    root: Path,
    parsed: dict[Path, Parsed],
    problems: list[Diagnostic],
    chain: list[Path],
) -> None:
    key = path.resolve()
    if key in parsed:
        return
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = (
            "it is not text in UTF-8"
            if isinstance(error, UnicodeDecodeError)
            else "it cannot be opened"
        )
        problems.append(
            Diagnostic(
                "unreadable-file", f"`{path}` cannot be read: {reason}.", Source(str(path), "")
            )
        )
        return
    result = parse(Source(str(path), text.replace("\r\n", "\n")))
    parsed[key] = result
    for node in result.file.declarations:
        if isinstance(node, syntax.Use):
            target = _used_file(node, path, root, result.source, problems)
            if target is None:
                continue
            if target.resolve() in [p.resolve() for p in [*chain, path]]:
                problems.append(
                    Diagnostic(
                        "circular-use",
                        f"`{node.path}` leads back to this file.",
                        result.source,
                        node.span,
                        "move what both need into a third file",
                    )
                )
                continue
            _read_with_uses(target, root, parsed, problems, [*chain, path])


def _used_file(
    node: syntax.Use, path: Path, root: Path, source: Source, problems: list[Diagnostic]
) -> Path | None:
    """The file that a `use` means. It must be a rule file inside the rulebook's own folder."""
    target = path.parent / (node.path if node.path.endswith(SUFFIX) else node.path + SUFFIX)
    if not target.resolve().is_relative_to(root.resolve()):
        problems.append(
            Diagnostic(
                "forbidden-path",
                f"`{node.path}` lies outside the rulebook's folder.",
                source,
                node.span,
                "use only files in the same folder or below it",
            )
        )
        return None
    if not target.is_file():
        problems.append(
            Diagnostic("missing-file", f"There is no rule file `{node.path}`.", source, node.span)
        )
        return None
    return target


# ---- resolving -----------------------------------------------------------------------------


def _resolve(
    parsed: list[Parsed],
    problems: list[Diagnostic],
    schema: Schema,
    mapped: Sequence[Path] = (),
) -> Loaded:
    desk = Desk(schema, [p.source for p in parsed], Symbols())
    desk.diagnostics += problems
    for item in parsed:
        desk.diagnostics += item.diagnostics
    files = [(index, item.file) for index, item in enumerate(parsed)]
    collect(desk, files)
    check_groups(desk)
    intervals = _intervals(desk)
    rules: list[core.Rule] = []
    profiles: dict[str, core.Profile] = {}
    title, zone = "", DEFAULT_ZONE
    for index, item in enumerate(parsed):
        section: Declared[syntax.Section] | None = None
        resolver = RuleResolver(desk, item.damaged)
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
    )
    lint(desk, rulebook, files)
    return Loaded(rulebook, tuple(desk.sources), tuple(in_order(desk.diagnostics)))


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
    except (ZoneInfoNotFoundError, ValueError):
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
