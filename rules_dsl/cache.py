"""Remembers loaded rulebooks, so that the same files need not be read and checked again.

An entry holds plain data (msgpack), never code. It is used only while every file, the vocabulary
and the rule language itself are what they were; anything else is simply loaded afresh.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec

from event_schemas import Schema
from rules_dsl import core
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.source import Source
from rules_dsl.syntax import Span


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """A loaded rulebook as it is kept: the files it came from, and all that was found."""

    files: tuple[tuple[str, str], ...]
    rulebook: core.Rulebook
    diagnostics: tuple[tuple[str, str, int, Span, str], ...]


_DECODER = msgspec.msgpack.Decoder(_Entry)
_ENCODER = msgspec.msgpack.Encoder()


def default_folder() -> Path:
    """Where entries are kept unless told otherwise."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "table-compliance" / "rulebooks"


class RulebookCache:
    """Entries in a folder, one for each set of paths and vocabulary."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or default_folder()

    def _entry_path(self, paths: Sequence[Path], schema: Schema) -> Path:
        parts = [language_fingerprint(), schema.fingerprint, *(str(p.resolve()) for p in paths)]
        name = hashlib.sha256("\0".join(parts).encode()).hexdigest()
        return self.folder / f"{name}.msgpack"

    def get(
        self, paths: Sequence[Path], found: Sequence[Path], schema: Schema
    ) -> tuple[core.Rulebook, tuple[Source, ...], tuple[Diagnostic, ...]] | None:
        """What was loaded from these paths before, if nothing has changed since.

        `found` are the rule files at the paths now: a new file must not go unnoticed.
        """
        try:
            entry = _DECODER.decode(self._entry_path(paths, schema).read_bytes())
            texts = [_read(Path(name)) for name, _ in entry.files]
        except (OSError, UnicodeDecodeError, msgspec.DecodeError):
            return None
        if [_sha256(text) for text in texts] != [sha for _, sha in entry.files]:
            return None
        if not {str(path) for path in found} <= {name for name, _ in entry.files}:
            return None
        sources = tuple(
            Source(name, text) for (name, _), text in zip(entry.files, texts, strict=True)
        )
        diagnostics = tuple(
            Diagnostic(code, message, sources[file], span, suggestion)
            for code, message, file, span, suggestion in entry.diagnostics
        )
        return entry.rulebook, sources, diagnostics

    def put(
        self,
        paths: Sequence[Path],
        schema: Schema,
        rulebook: core.Rulebook,
        sources: Sequence[Source],
        diagnostics: Sequence[Diagnostic],
    ) -> None:
        """Keep a loaded rulebook. A folder that cannot be written to is no reason to stop."""
        homes = {id(source): index for index, source in enumerate(sources)}
        if any(id(d.source) not in homes for d in diagnostics):
            # Something was wrong outside the files themselves, such as a missing one.
            return
        entry = _Entry(
            tuple((source.name, _sha256(source.text)) for source in sources),
            rulebook,
            tuple(
                (d.code, d.message, homes[id(d.source)], d.span, d.suggestion) for d in diagnostics
            ),
        )
        target = self._entry_path(paths, schema)
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            with tempfile.NamedTemporaryFile(dir=self.folder, delete=False) as file:
                file.write(_ENCODER.encode(entry))
            # Replaced in one step, so that two runs at once never see half an entry.
            os.replace(file.name, target)
        except OSError:
            return


@cache
def language_fingerprint() -> str:
    """A hash of the rule language's own code: another version may understand rules differently."""
    digest = hashlib.sha256()
    root = Path(str(files("rules_dsl")))
    for path in sorted([*root.rglob("*.py"), *root.rglob("*.lark")]):
        digest.update(path.name.encode() + b"\0" + path.read_bytes())
    return digest.hexdigest()


def _read(path: Path) -> str:
    return path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")


def _sha256(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()
