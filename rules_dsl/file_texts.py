"""The files of a rulebook as they are now: each is read and hashed once.

Files are named by their place below the paths that were asked for, so that the same rulebook is
known again wherever it lies.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from pathlib import Path

from event_schemas.file_content import UnreadableContent, file_content
from rules_dsl.bundled import bundled_names, bundled_rulebook
from rules_dsl.rule_files import RULE_FILE_BYTES, home_folder

FileName = tuple[int, str]
"""Below which of the paths a file lies, and where."""


def _folders_of(place: Path) -> tuple[Path, Path]:
    """The folder that was asked for, and that of the whole rulebook, which may lie above it."""
    return place if place.is_dir() else place.parent, home_folder(place)


class FileTexts:
    """The texts of some files, and of any other below the same paths or in a bundled rulebook."""

    def __init__(self, places: Sequence[Path], files: Sequence[Path]) -> None:
        self.places = tuple(str(place) for place in places)
        folders = [folder for place in places for folder in _folders_of(place)]
        # Any file may use a rulebook that comes with the product.
        self._folders = [*folders, *map(bundled_rulebook, bundled_names())]
        # Of hundreds of files, their names tell at once.
        self._starts = [os.path.normcase(os.path.join(folder, "")) for folder in self._folders]
        self._known: dict[str, tuple[str, str] | None] = {}
        self.files = tuple(str(file) for file in files)

    def text(self, name: str) -> str | None:
        """What a file says, or None where it cannot be read."""
        found = self._read(name)
        return None if found is None else found[0]

    def sha256(self, name: str) -> str | None:
        """The hash of a file's text, or None where it cannot be read."""
        found = self._read(name)
        return None if found is None else found[1]

    def below(self, name: str) -> FileName | None:
        """Where a file lies below the paths, if it does."""
        path = Path(name)
        text = os.path.normcase(path)
        for number, (folder, start) in enumerate(zip(self._folders, self._starts, strict=True)):
            if text.startswith(start):
                return number, path.as_posix()[len(start) :]
            if path.is_relative_to(folder):
                return number, path.relative_to(folder).as_posix()
        return None

    def named(self, file: FileName) -> str:
        """The name of a file that lies below one of the paths."""
        number, rest = file
        return str(self._folders[number] / rest)

    def _read(self, name: str) -> tuple[str, str] | None:
        if name not in self._known:
            try:
                text = file_content(name, RULE_FILE_BYTES).text()
                self._known[name] = text, hashlib.sha256(text.encode()).hexdigest()
            except UnreadableContent:
                self._known[name] = None
        return self._known[name]
