"""Remembers loaded rulebooks, so that the same files need not be read and checked again.

An entry holds plain data (msgpack), never code. It is known by what it was made from: every file,
the vocabulary and the rule language itself. What has changed has another name, so that an entry can
never be out of date. Entries are the user's own: one that somebody else could have written is not
used. The bundled rulebook comes with its entry (`precompiled`), which belongs to the installation.

What judges a log and what tests the rules are kept apart: the entry itself is made from the rules
and the clause map alone, and the examples lie beside it under a name of their own, made from the
files that hold them. Whoever judges a log opens neither those files nor that part.
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
from rules_dsl.diagnostics import OF_EXAMPLES, Diagnostic
from rules_dsl.file_texts import FileName, FileTexts
from rules_dsl.rule_files import EXAMPLES, SUFFIX, example_files
from rules_dsl.source import Source
from rules_dsl.syntax import Span

PRECOMPILED = Path(__file__).parent / "precompiled"
"""Where an installation keeps what was worked out when it was built."""
_LANGUAGE = ("rules_dsl", "event_schemas")
_KEPT = 16
_DIGEST = 32


class _Account(msgspec.Struct, frozen=True, array_like=True):
    """Which files something was made from, and what was said of them."""

    places: tuple[str, ...]
    """Where it was read, if something was said of it, which may name the place."""
    files: tuple[tuple[FileName, str], ...]
    diagnostics: tuple[tuple[str, str, int, Span, str], ...]


class _Entry(msgspec.Struct, frozen=True, array_like=True):
    """A loaded rulebook as it is kept, to judge logs by."""

    account: _Account
    rulebook: core.Rulebook
    """Without the examples of its rules."""


class _Tests(msgspec.Struct, frozen=True, array_like=True):
    """What tests the rules: the whole account with the files of examples, and what they hold."""

    account: _Account
    rules: tuple[tuple[tuple[core.Example, ...], tuple[str, ...]], ...]
    """The examples and the equivalent mutants of each rule, in the order of the rules."""


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
        try:
            entry = msgspec.msgpack.decode(content or b"", type=_Entry)
            if not examples:
                return _remembered(entry.account, entry.rulebook, texts)
            names = [texts.named(file) for file, _ in entry.account.files]
            content = self.part(key, _tests_name(texts, names))
            tests = msgspec.msgpack.decode(content or b"", type=_Tests)
        except msgspec.DecodeError:
            return None
        return _remembered(tests.account, _with_tests(entry.rulebook, tests), texts)

    def put(
        self,
        key: str,
        texts: FileTexts,
        rulebook: core.Rulebook,
        sources: Sequence[Source],
        diagnostics: Sequence[Diagnostic],
        *,
        examples: bool = True,
    ) -> bool:
        """Keep a loaded rulebook, with its examples if they were read.

        Says whether it can be found again.
        """
        needed = [source for source in sources if not source.name.endswith(EXAMPLES)]
        homes = {id(source) for source in needed}
        # Whether an example is missing depends on the files that nobody needs to judge a log.
        said = [d for d in diagnostics if id(d.source) in homes and d.code not in OF_EXAMPLES]
        lean, whole = _account(texts, needed, said), _account(texts, sources, diagnostics)
        if not key or lean is None or whole is None:
            return False
        rules = tuple(
            msgspec.structs.replace(rule, examples=(), equivalents=()) for rule in rulebook.rules
        )
        entry = _Entry(lean, msgspec.structs.replace(rulebook, files=(), rules=rules))
        self.keep(key, "rulebook", msgspec.msgpack.encode(entry))
        if examples:
            held = tuple((rule.examples, rule.equivalents) for rule in rulebook.rules)
            names = [source.name for source in needed]
            content = msgspec.msgpack.encode(_Tests(whole, held))
            _forget_examples(self.folder, key)
            self.keep(key, _tests_name(texts, names), content)
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


def _account(
    texts: FileTexts, sources: Sequence[Source], diagnostics: Sequence[Diagnostic]
) -> _Account | None:
    """What can be told again of some files, unless something is wrong with them."""
    homes = {id(source): index for index, source in enumerate(sources)}
    # A mistake may lie outside the files, as when one is missing, and be mended there.
    if any(d.level == "error" or id(d.source) not in homes for d in diagnostics):
        return None
    named = [(texts.below(source.name), texts.sha256(source.name)) for source in sources]
    files = tuple((name, sha256) for name, sha256 in named if name and sha256)
    said = tuple(
        (d.code, d.message, homes[id(d.source)], d.span, d.suggestion) for d in diagnostics
    )
    found = _Account(texts.places if diagnostics else (), files, said)
    return found if len(files) == len(sources) else None


def _tests_name(texts: FileTexts, rules: Sequence[str]) -> str:
    """The name of what the files of examples hold as they are now."""
    files = example_files(
        [Path(place) for place in texts.places],
        [Path(name) for name in rules if name.endswith(SUFFIX)],
    )
    digest = hashlib.sha256()
    for file in map(str, files):
        digest.update(f"{texts.below(file)}\0{texts.sha256(file)}\0".encode())
    return f"examples-{digest.hexdigest()}"


def _remembered(account: _Account, rulebook: core.Rulebook, texts: FileTexts) -> Remembered | None:
    """A rulebook under the names that its files have now, unless one of them is another now."""
    if account.diagnostics and account.places != texts.places:
        return None
    names = [texts.named(file) for file, _ in account.files]
    if [texts.sha256(name) for name in names] != [sha256 for _, sha256 in account.files]:
        return None
    sources = tuple(Source(name, texts.text(name) or "") for name in names)
    records = (
        core.FileRecord(name, sha256)
        for name, (_, sha256) in zip(names, account.files, strict=True)
    )
    diagnostics = tuple(
        Diagnostic(code, message, sources[file], span, suggestion)
        for code, message, file, span, suggestion in account.diagnostics
    )
    return msgspec.structs.replace(rulebook, files=tuple(records)), sources, diagnostics


def _with_tests(rulebook: core.Rulebook, tests: _Tests) -> core.Rulebook:
    rules = tuple(
        msgspec.structs.replace(rule, examples=examples, equivalents=equivalents)
        for rule, (examples, equivalents) in zip(rulebook.rules, tests.rules, strict=True)
    )
    return msgspec.structs.replace(rulebook, rules=rules)


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


def _forget_examples(folder: Path, key: str) -> None:
    """Examples that are being written would leave one part after another beside the same rules."""
    try:
        for file in folder.glob(f"{key}.examples-*"):
            file.unlink(missing_ok=True)
    except OSError:
        return


def _own_bytes(path: Path) -> bytes | None:
    """What a file holds that nobody but the user can have written."""
    try:
        with path.open("rb") as file:
            state = os.fstat(file.fileno())
            own = state.st_uid == os.geteuid() and not state.st_mode & 0o022
            return file.read() if own else None
    except OSError:
        return None
