"""By what a report tells one set of rules from another: their name, and one proof of all files."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator
from pathlib import Path, PurePath

from rules_dsl import core
from rules_dsl.bundled import home_of


def rulebook_name(rulebook: core.Rulebook) -> str:
    """What the rules are called; own rules beside a bundled rulebook are named with it."""
    title = rulebook.title or "rules"
    own = [Path(file.name) for file in rulebook.files if _home(file) is None]
    if not own or len(own) == len(rulebook.files):
        return title
    names = [path.name for path in own if path.suffix != ".toml"]
    more = f" and {len(names) - 3:,} more" if len(names) > 3 else ""
    return f"{title}, with {', '.join(names[:3])}{more}"


def rulebook_hash(rulebook: core.Rulebook) -> str:
    """One proof of all rule files: their names inside the rulebook's folder, and their hashes."""
    parts = sorted(
        zip(names_in_rulebook(rulebook), (file.sha256 for file in rulebook.files), strict=True)
    )
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()


def names_in_rulebook(rulebook: core.Rulebook) -> Iterator[str]:
    """The name of each file inside the folder of the rulebook: where that lies differs from machine
    to machine, what is in it does not."""
    paths = [os.path.abspath(file.name) for file in rulebook.files]
    homes = [_home(file) for file in rulebook.files]
    own = [os.path.dirname(path) for path, home in zip(paths, homes, strict=True) if not home]
    root = os.path.commonpath(own) if own else ""
    for path, home in zip(paths, homes, strict=True):
        # Beside other rules, those of a bundled rulebook stand under its name.
        start = root if home is None else home.parent if own else home
        yield PurePath(os.path.relpath(path, start)).as_posix()


def _home(file: core.FileRecord) -> Path | None:
    return home_of(os.path.abspath(file.name))
