"""Remembers loaded rulebooks, so that the same files need not be read and checked again.

An entry holds plain data (msgpack), never code. It is known by what it was made from: every file,
the vocabulary and the rule language itself. What has changed has another name, so that an entry can
never be out of date. Entries are the user's own: one that somebody else could have written is not
used. The bundled rulebook comes with its entry (`precompiled`), which belongs to the installation.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import msgspec

from event_schemas import Schema
from rules_dsl import core
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.file_texts import FileName, FileTexts
from rules_dsl.source import Source
from rules_dsl.syntax import Span

PRECOMPILED = Path(__file__).parent / "precompiled"
"""Where an installation keeps what was worked out when it was built."""
_LANGUAGE = ("rules_dsl", "event_schemas")
_KEPT = 16
_DIGEST = 32
_LENGTH = 8


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """A loaded rulebook as it is kept: the files it came from, and all that was found."""

    places: tuple[str, ...]
    """Where it was read, if something was said of it, which may name the place."""
    files: tuple[tuple[FileName, str], ...]
    rulebook: core.Rulebook
    """Without the examples of its rules, which come after it."""
    diagnostics: tuple[tuple[str, str, int, Span, str], ...]


_Examples = tuple[tuple[core.Example, ...], ...]
"""The examples of each rule, in the order of the rules."""
Remembered = tuple[core.Rulebook, tuple[Source, ...], tuple[Diagnostic, ...]]


def default_folder() -> Path:
    """Where entries are kept unless told otherwise."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "table-compliance" / "rulebooks"


class RulebookCache:
    """Entries in a folder of the user's, and those that came with the installation."""

    def __init__(self, folder: Path | None = None, precompiled: Path | None = PRECOMPILED) -> None:
        self.folder = folder or default_folder()
        self.precompiled = precompiled

    def key(self, texts: FileTexts, schema: Schema) -> str:
        """The name of the entry for some files as they are now; empty if one cannot be read."""
        parts = [language_fingerprint(), schema.fingerprint]
        for name in texts.files:
            sha256 = texts.sha256(name)
            if sha256 is None:
                return ""
            parts += [str(texts.below(name)), sha256]
        return hashlib.sha256("\0".join(parts).encode()).hexdigest()

    def get(self, key: str, texts: FileTexts, *, examples: bool = True) -> Remembered | None:
        """What was loaded from these files before, with or without the examples of its rules."""
        content = self.part(key, "rulebook")
        if content is None:
            return None
        end = _LENGTH + int.from_bytes(content[:_LENGTH])
        try:
            entry = msgspec.msgpack.decode(content[_LENGTH:end], type=_Entry)
            rulebook = entry.rulebook
            if examples:
                rulebook = _with_examples(rulebook, content[end:])
        except msgspec.DecodeError:
            return None
        return _remembered(entry, rulebook, texts)

    def put(
        self,
        key: str,
        texts: FileTexts,
        rulebook: core.Rulebook,
        sources: Sequence[Source],
        diagnostics: Sequence[Diagnostic],
    ) -> bool:
        """Keep a loaded rulebook, and say whether it can be found again."""
        homes = {id(source): index for index, source in enumerate(sources)}
        # A mistake may lie outside the files, as when one is missing, and be mended there.
        if any(d.level == "error" or id(d.source) not in homes for d in diagnostics):
            return False
        files = [(texts.below(source.name), texts.sha256(source.name)) for source in sources]
        entry = _Entry(
            texts.places if diagnostics else (),
            tuple((name, sha256) for name, sha256 in files if name and sha256),
            msgspec.structs.replace(
                rulebook,
                files=(),
                rules=tuple(msgspec.structs.replace(rule, examples=()) for rule in rulebook.rules),
            ),
            tuple(
                (d.code, d.message, homes[id(d.source)], d.span, d.suggestion) for d in diagnostics
            ),
        )
        if not key or len(entry.files) < len(sources):
            return False
        lean = msgspec.msgpack.encode(entry)
        examples = msgspec.msgpack.encode([rule.examples for rule in rulebook.rules])
        self.keep(key, "rulebook", len(lean).to_bytes(_LENGTH) + lean + examples)
        return True

    def part(self, key: str, name: str) -> bytes | None:
        """What was kept under a name beside the entry of a rulebook, if it is sound."""
        if not key:
            return None
        file = f"{key}.{name}"
        content = _own_bytes(self.folder / file)
        if content is None and self.precompiled is not None:
            content = _bytes(self.precompiled / file)
        if content is None or hashlib.sha256(content[_DIGEST:]).digest() != content[:_DIGEST]:
            return None
        return content[_DIGEST:]

    def keep(self, key: str, name: str, content: bytes) -> None:
        """Keep something worked out. A folder that cannot be written to is no reason to stop."""
        if not key:
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            # For the user alone, as temporary files are.
            handle, unfinished = tempfile.mkstemp(dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(hashlib.sha256(content).digest() + content)
                # Replaced in one step, so that two runs at once never see half an entry.
                os.replace(unfinished, self.folder / f"{key}.{name}")
            except OSError:
                os.unlink(unfinished)
                return
            _forget_old(self.folder)
        except OSError:
            return


def _remembered(entry: _Entry, rulebook: core.Rulebook, texts: FileTexts) -> Remembered | None:
    """An entry under the names that its files have now, unless one of them is another now."""
    if entry.diagnostics and entry.places != texts.places:
        return None
    names = [texts.named(file) for file, _ in entry.files]
    if [texts.sha256(name) for name in names] != [sha256 for _, sha256 in entry.files]:
        return None
    sources = tuple(Source(name, texts.text(name) or "") for name in names)
    records = (
        core.FileRecord(name, sha256) for name, (_, sha256) in zip(names, entry.files, strict=True)
    )
    diagnostics = tuple(
        Diagnostic(code, message, sources[file], span, suggestion)
        for code, message, file, span, suggestion in entry.diagnostics
    )
    return msgspec.structs.replace(rulebook, files=tuple(records)), sources, diagnostics


def _with_examples(rulebook: core.Rulebook, content: bytes) -> core.Rulebook:
    examples = msgspec.msgpack.decode(content, type=_Examples)
    rules = zip(rulebook.rules, examples, strict=True)
    return msgspec.structs.replace(
        rulebook, rules=tuple(msgspec.structs.replace(rule, examples=own) for rule, own in rules)
    )


@cache
def language_fingerprint() -> str:
    """A hash of the rule language's own code: another version may understand rules differently."""
    digest = hashlib.sha256()
    root = Path(__file__).parents[1]
    for package in _LANGUAGE:
        folder = root / package
        for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.lark")]):
            name = path.relative_to(root).as_posix()
            digest.update(name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def _bytes(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


def _forget_old(folder: Path) -> None:
    """Rules that are being written leave an entry at every step: only the last ones are kept."""
    ages: dict[str, float] = {}
    for file in folder.iterdir():
        key = file.name.partition(".")[0]
        ages[key] = max(ages.get(key, 0), file.stat().st_mtime)
    old = set(sorted(ages, key=lambda key: ages[key])[:-_KEPT])
    for file in folder.iterdir():
        if file.name.partition(".")[0] in old:
            file.unlink(missing_ok=True)


def _own_bytes(path: Path) -> bytes | None:
    """What a file holds that nobody but the user can have written."""
    try:
        with path.open("rb") as file:
            state = os.fstat(file.fileno())
            own = state.st_uid == os.geteuid() and not state.st_mode & 0o022
            return file.read() if own else None
    except OSError:
        return None
