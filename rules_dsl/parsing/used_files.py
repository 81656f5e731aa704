"""Reads rule files together with all the files that they use."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from rules_dsl import syntax
from rules_dsl.bundled import bundled_names, bundled_rulebook
from rules_dsl.diagnostics import Diagnostic, nearest
from rules_dsl.parsing.parser import Parsed, parse
from rules_dsl.rule_files import SUFFIX, rule_files
from rules_dsl.source import Source


def read_all(paths: Iterable[Path]) -> tuple[list[Parsed], list[Diagnostic]]:
    """Every rule file at some paths, with the files that they use, and what is wrong with them."""
    problems: list[Diagnostic] = []
    parsed: dict[Path, Parsed] = {}
    for path in paths:
        for file in rule_files(path, problems):
            _read_with_uses(file, path if path.is_dir() else path.parent, parsed, problems, [])
    return list(parsed.values()), problems


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
            own = _own_file(node, path)
            if not own.is_file() and node.path in bundled_names():
                home = bundled_rulebook(node.path)
                for file in rule_files(home, problems):
                    _read_with_uses(file, home, parsed, problems, [*chain, path])
                continue
            target = _used_file(node, own, root, result.source, problems)
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


def _own_file(node: syntax.Use, path: Path) -> Path:
    """The file of that name beside the one that uses it."""
    return path.parent / (node.path if node.path.endswith(SUFFIX) else node.path + SUFFIX)


def _used_file(
    node: syntax.Use, target: Path, root: Path, source: Source, problems: list[Diagnostic]
) -> Path | None:
    """The file that a `use` means. It must be a rule file inside the rulebook's own folder."""
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
