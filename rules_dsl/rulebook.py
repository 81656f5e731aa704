"""Loads rule files into a rulebook: read, resolve, check, and remember the result.

loaded = load(["nj", "my.rules"], builtin_schema())
loaded.rulebook.rules, loaded.diagnostics
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from event_schemas import Schema
from rules_dsl import core
from rules_dsl.bundled import home_of, named_place
from rules_dsl.cache import RulebookCache
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.file_texts import FileTexts
from rules_dsl.garbage import no_collection
from rules_dsl.rule_files import EXAMPLES, clause_files, rule_files
from rules_dsl.source import Source


@dataclass(frozen=True)
class Loaded:
    """A rulebook with everything that was found wrong with it."""

    rulebook: core.Rulebook
    sources: tuple[Source, ...]
    diagnostics: tuple[Diagnostic, ...]
    key: str = ""
    """Under which a cache knows it, and whatever else is worked out from it."""

    @property
    def rule_files(self) -> tuple[Source, ...]:
        """The files that hold rules; the others hold more examples, or the clause map."""
        others = (EXAMPLES, ".toml")
        return tuple(source for source in self.sources if not source.name.endswith(others))

    @property
    def errors(self) -> tuple[Diagnostic, ...]:
        return tuple(d for d in self.diagnostics if d.level == "error")


def load(
    paths: Sequence[str | Path],
    schema: Schema,
    cache: RulebookCache | None = None,
    *,
    examples: bool = True,
) -> Loaded:
    """Load rule files, folders of them and bundled rulebooks, with all the files that they use.

    Without `examples` the files of examples are not read, and a remembered rulebook comes without
    any, which are two thirds of it: to judge a log they are not needed.
    """
    places = [named_place(path) for path in paths]
    if cache is None:
        return _read(places, schema, examples)
    files = [file for place in places for file in (*rule_files(place, []), *clause_files(place))]
    texts = FileTexts(places, files)
    key = cache.key(texts, schema)
    with no_collection():
        remembered = cache.get(key, texts, examples=examples)
        if remembered is not None:
            return Loaded(*remembered, key)
        loaded = _read(places, schema, examples)
        kept = cache.put(
            key, texts, loaded.rulebook, loaded.sources, loaded.diagnostics, examples=examples
        )
    return Loaded(loaded.rulebook, loaded.sources, loaded.diagnostics, key if kept else "")


def load_text(text: str, schema: Schema, name: str = "rules") -> Loaded:
    """Load one text, such as the content of an editor. It can use no other files."""
    from rules_dsl.parsing.parser import parse
    from rules_dsl.resolve.rulebook import resolve

    return Loaded(*resolve([parse(Source(name, text))], [], schema))


def _read(places: Sequence[Path], schema: Schema, examples: bool) -> Loaded:
    """Read all files anew, those of examples where they are asked for."""
    # Imported late: what is remembered needs neither grammar nor resolver.
    from rules_dsl.parsing.used_files import read_all, read_examples
    from rules_dsl.resolve.rulebook import resolve

    with no_collection():
        parsed, problems = read_all(places)
        beside = read_examples(places, parsed, problems) if examples else None
        used = {home_of(item.source.name) for item in parsed} - {None, *places}
        homes = [*places, *sorted(home for home in used if home is not None)]
        mapped = [file for home in homes for file in clause_files(home)]
        return Loaded(*resolve(parsed, problems, schema, mapped, beside))
