"""Reads rule files together with all the files that they use."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.limits import LONGEST_USE_CHAIN
from rules_dsl import syntax
from rules_dsl.bundled import bundled_names, bundled_rulebook
from rules_dsl.diagnostics import Diagnostic, nearest
from rules_dsl.parsing.parser import Parsed, parse
from rules_dsl.rule_files import (
    RULE_FILE_BYTES,
    SUFFIX,
    example_files,
    home_folder,
    rule_files,
)
from rules_dsl.source import Source


def read_all(paths: Iterable[Path]) -> tuple[list[Parsed], list[Diagnostic]]:
    """Every rule file at some paths, with the files that they use, and what is wrong with them."""
    problems: list[Diagnostic] = []
    parsed: dict[Path, Parsed] = {}
    for path in paths:
        for file in rule_files(path, problems):
            _read_with_uses(file, home_folder(path), parsed, problems, [])
    return list(parsed.values()), problems


def read_examples(
    places: Iterable[Path], rules: Sequence[Parsed], problems: list[Diagnostic]
) -> list[Parsed]:
    """The files of examples beside some rule files that were read."""
    files = example_files(places, [Path(item.source.name) for item in rules])
    found = (_read_one(file, problems) for file in files)
    return [parsed for parsed in found if parsed is not None]


def _read_one(path: Path, problems: list[Diagnostic]) -> Parsed | None:
    try:
        text = file_content(path, RULE_FILE_BYTES).text()
    except UnreadableContent as problem:
        message = f"`{path}` cannot be read: {problem.reason}."
        problems.append(Diagnostic("unreadable-file", message, Source(str(path), "")))
        return None
    return parse(Source(str(path), text))


def _read_with_uses(
    path: Path,
    root: Path,
    parsed: dict[Path, Parsed],
    problems: list[Diagnostic],
    chain: list[Path],
) -> None:
    key = _real(path)
    if key in parsed:
        return
    result = _read_one(path, problems)
    if result is None:
        return
    parsed[key] = result
    for node in result.file.declarations:
        if isinstance(node, syntax.Use):
            own = _own_file(node, path)
            if not os.path.isfile(own) and node.path in bundled_names():
                home = bundled_rulebook(node.path)
                for file in rule_files(home, problems):
                    _read_with_uses(file, home, parsed, problems, [*chain, key])
                continue
            target = _used_file(node, own, root, result.source, problems)
            if target is None:
                continue
            if len(chain) >= LONGEST_USE_CHAIN:
                message = f"More than {LONGEST_USE_CHAIN} files use one another in a row."
                suggestion = "let one file use several others"
                found = Diagnostic("too-complex", message, result.source, node.span, suggestion)
                problems.append(found)
                continue
            if _real(target) in (*chain, key):
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
            _read_with_uses(target, root, parsed, problems, [*chain, key])


def _real(path: Path) -> Path:
    """The file that a name leads to; links that lead nowhere stay as they are."""
    return Path(os.path.realpath(path))


def _own_file(node: syntax.Use, path: Path) -> Path:
    """The file of that name beside the one that uses it."""
    return path.parent / (node.path if node.path.endswith(SUFFIX) else node.path + SUFFIX)


def _used_file(
    node: syntax.Use, target: Path, root: Path, source: Source, problems: list[Diagnostic]
) -> Path | None:
    """The file that a `use` means. It must be a rule file inside the rulebook's own folder."""
    if not _real(target).is_relative_to(_real(root)):
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
    if not os.path.isfile(target):
        problems.append(
            Diagnostic(
                "missing-file",
                f"There is no rule file `{node.path}`.",
                source,
                node.span,
                nearest(node.path, (*bundled_names(), *_names_beside(target))),
            )
        )
        return None
    return target


def _names_beside(file: Path) -> list[str]:
    return [path.stem for path in sorted(file.parent.glob(f"*{SUFFIX}"))]
