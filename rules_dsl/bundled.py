"""The rulebooks that come with the product, known by name: `--rules nj`, in a file `use "nj"`."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import TypeGuard

DEFAULT = "nj"
"""The law that is applied where nothing else is asked for: that of New Jersey."""
_RULEBOOKS = Path(__file__).parent / "rulebooks"


def bundled_rulebook(name: str = DEFAULT) -> Path:
    """Where a rulebook lies that comes with the product."""
    return _RULEBOOKS / name


@cache
def bundled_names() -> tuple[str, ...]:
    """The names of all of them."""
    return tuple(sorted(path.name for path in _RULEBOOKS.iterdir() if path.is_dir()))


def named_place(path: str | Path) -> Path:
    """The rulebook of a name, or else the path itself: a folder called `nj` is meant by `./nj`."""
    return bundled_rulebook(path) if is_bundled(path) else Path(path)


def is_bundled(path: str | Path) -> TypeGuard[str]:
    """Whether this is the name of a bundled rulebook; a path is none, whatever it is called."""
    return isinstance(path, str) and path in bundled_names()


def home_of(path: str | Path) -> Path | None:
    """The bundled rulebook that a file belongs to, if any."""
    # Asked of each of hundreds of files: to compare paths as such would take ten times as long.
    text, start = str(Path(path)), os.path.join(_RULEBOOKS, "")
    if not os.path.normcase(text).startswith(os.path.normcase(start)):
        return None
    return _RULEBOOKS / text[len(start) :].split(os.sep, 1)[0]
