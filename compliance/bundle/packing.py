"""Packs files into a bundle: in a fixed order and without times, so that the same files give the
same bytes."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import IO, Final, cast

from compliance.api.refusal import Refused
from compliance.bundle.contents import (
    LIST,
    SIGNATURE,
    BundledFile,
    Contents,
    Role,
    contents_bytes,
)
from compliance.log.whole_file import CannotWrite, WholeFile
from reports.model import Run
from reports.run_hash import run_hash

_BEGINNING: Final = (1980, 1, 1, 0, 0, 0)
_MODE: Final = 0o100644 << 16
_UNIX: Final = 3
_PIECE: Final = 1 << 20


@dataclass(frozen=True)
class ToPack:
    """A file on its way into a bundle."""

    path: str
    """Its name in the bundle."""
    role: Role
    source: Path

    def listed(self) -> BundledFile:
        """What the list says of it."""
        digest, size = hashlib.sha256(), 0
        with self.source.open("rb") as file:
            while block := file.read(_PIECE):
                digest.update(block)
                size += len(block)
        return BundledFile(self.path, self.role, digest.hexdigest(), size)


def pack_bundle(
    run: Run,
    files: Sequence[ToPack],
    target: Path,
    sign: Callable[[bytes], bytes] | None = None,
) -> Contents:
    """Write a bundle, whole or not at all. `sign` gives a detached signature of the list."""
    try:
        listed = tuple(item.listed() for item in files)
        contents = Contents(
            made_by=f"table-compliance {version('table-compliance')}",
            result=run_hash(run),
            files=listed,
            logs=tuple((item.name, item.sha256) for item in run.inputs),
        )
        told = contents_bytes(contents)
        signature = None if sign is None else sign(told)
        whole = WholeFile(target)
        try:
            with zipfile.ZipFile(cast("IO[bytes]", _Stream(whole)), "w") as archive:
                _add(archive, LIST, told)
                for item, known in zip(files, listed, strict=True):
                    _add_file(archive, item, known)
                if signature is not None:
                    _add(archive, SIGNATURE, signature)
        except BaseException:
            whole.abandon()
            raise
        whole.finish()
    except CannotWrite as problem:
        raise Refused(str(problem)) from None
    except OSError as problem:
        raise Refused(f"{problem.filename} cannot be read: {problem.strerror}.") from None
    return contents


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, _BEGINNING)
    entry.compress_type = zipfile.ZIP_DEFLATED
    entry.create_system = _UNIX
    entry.external_attr = _MODE
    return entry


def _add(archive: zipfile.ZipFile, name: str, content: bytes) -> None:
    archive.writestr(_entry(name), content)


def _add_file(archive: zipfile.ZipFile, item: ToPack, known: BundledFile) -> None:
    entry, digest = _entry(item.path), hashlib.sha256()
    # Known beforehand, so that the form of the entry does not depend on how it is written.
    entry.file_size = known.size
    with item.source.open("rb") as source, archive.open(entry, "w") as packed:
        while block := source.read(_PIECE):
            digest.update(block)
            packed.write(block)
    if digest.hexdigest() != known.sha256:
        raise Refused(f"{item.source} was changed while it was packed; begin again.")


class _Stream:
    """A file that is written from its beginning to its end."""

    def __init__(self, whole: WholeFile) -> None:
        self._whole = whole

    def write(self, data: bytes) -> int:
        self._whole.write(bytes(data))
        return len(data)

    def flush(self) -> None:
        """It is flushed when it is whole."""
