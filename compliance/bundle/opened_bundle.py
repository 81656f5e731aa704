"""Opens a bundle that came from somewhere: nothing in it is believed before it was looked at.

Every file must stand in the list with its size and hash, none may lead outside, come twice, be a
link, or unpack to more than the list says.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import stat
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from compliance.api.refusal import Refused
from compliance.bundle.contents import LIST, RUN, SIGNATURE, VERSION, BundledFile, Contents

MOST_FILES: Final = 20_000
LARGEST_LIST: Final = 20_000_000
LARGEST_SIGNATURE: Final = 1_000_000
_LONGEST_NAME: Final = 300
_PIECE: Final = 1 << 20
_ENCRYPTED: Final = 0x1
_LAST: Final = b"PK\x05\x06"
_AFTER_IT: Final = 18
"""How many bytes of a packed file follow this mark, if nothing was added."""


class NoBundle(Refused):
    """Why a file is no bundle, or one that nothing can be said of."""


@dataclass(frozen=True)
class OpenedBundle:
    """A bundle whose files lie in a folder, each as its list says."""

    folder: Path
    contents: Contents
    told: bytes
    """The list as it stands in the bundle."""
    signature: bytes | None

    def path(self, file: BundledFile) -> Path:
        """Where a file lies."""
        return self.folder / file.path


def open_bundle(path: Path, folder: Path) -> tuple[OpenedBundle | None, list[str]]:
    """Unpack a bundle into an empty folder; and a sentence for everything that is wrong with it."""
    try:
        with path.open("rb") as file, zipfile.ZipFile(file) as archive:
            file.seek(-len(_LAST) - _AFTER_IT, os.SEEK_END)
            if file.read(len(_LAST)) != _LAST:
                return None, [f"Something stands after the bundle in {path.name}."]
            return _opened(archive, path, folder)
    except OSError as problem:
        raise Refused(f"{path} cannot be read: {problem.strerror or problem}.") from None
    except (zipfile.BadZipFile, NotImplementedError, EOFError, zlib.error, ValueError) as problem:
        said = str(problem).rstrip(".")
        return None, [f"{path.name} is damaged: {said}."]


def _opened(
    archive: zipfile.ZipFile, path: Path, folder: Path
) -> tuple[OpenedBundle | None, list[str]]:
    entries = archive.infolist()
    wrong = list(_impossible(entries))
    if entries and all(entry.header_offset for entry in entries):
        wrong.append(f"Something stands before the bundle in {path.name}.")
    if wrong:
        return None, wrong
    names = {entry.filename: entry for entry in entries}
    if LIST not in names:
        return None, [f"{path.name} is no bundle: it has no {LIST}."]
    told = _small(archive, names[LIST], LARGEST_LIST)
    contents = _contents(told)
    wrong = list(_unlisted(contents, names))
    if wrong:
        return None, wrong
    needed = sum(file.size for file in contents.files)
    if needed > shutil.disk_usage(folder).free:
        raise Refused(f"There is no room to unpack {path.name}: it needs {needed:,} bytes.")
    wrong = [said for file in contents.files for said in _unpacked(archive, file, folder)]
    signature = None
    if SIGNATURE in names:
        signature = _small(archive, names[SIGNATURE], LARGEST_SIGNATURE)
    return OpenedBundle(folder, contents, told, signature), wrong


def _impossible(entries: list[zipfile.ZipInfo]) -> Iterator[str]:
    """What no bundle has."""
    if len(entries) > MOST_FILES:
        yield f"It has {len(entries):,} files; a bundle has at most {MOST_FILES:,}."
        return
    seen: set[str] = set()
    for entry in entries:
        name = entry.filename
        shown = name.encode("unicode_escape").decode()[:80]
        if not _leads_inside(name) or name != entry.orig_filename:
            yield f"The file {shown} would lie outside the bundle."
        # Some machines hold names that differ in this only for the same.
        plain = unicodedata.normalize("NFC", name).casefold()
        if plain in seen:
            yield f"The file {shown} is there twice."
        seen.add(plain)
        mode = entry.external_attr >> 16
        if entry.is_dir() or stat.S_IFMT(mode) not in (0, stat.S_IFREG):
            yield f"{shown} is no plain file."
        if entry.flag_bits & _ENCRYPTED:
            yield f"The file {shown} is encrypted."
        if entry.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            yield f"The file {shown} is packed in another way than a bundle packs."


def _leads_inside(name: str) -> bool:
    parts = name.split("/")
    plain = name.isprintable() and "\\" not in name and ":" not in name
    return plain and len(name) <= _LONGEST_NAME and not {"", ".", ".."} & set(parts)


def _contents(told: bytes) -> Contents:
    try:
        contents = msgspec.json.decode(told, type=Contents)
    except msgspec.MsgspecError as problem:
        raise NoBundle(f"{LIST} of the bundle is not sound: {problem}.") from None
    if contents.bundle_version != VERSION:
        raise NoBundle(
            f"The bundle has the form {contents.bundle_version:.20}; this version of the program "
            f"reads form {VERSION}."
        )
    return contents


def _unlisted(contents: Contents, names: dict[str, zipfile.ZipInfo]) -> Iterator[str]:
    """Where the list and the files do not speak of the same."""
    listed = [file.path for file in contents.files]
    for name in sorted(set(names) - {*listed, LIST, SIGNATURE}):
        yield f"The file {name} does not stand in the list of the bundle."
    for file in contents.files:
        if listed.count(file.path) > 1 or file.path in (LIST, SIGNATURE):
            yield f"The list of the bundle names {file.path[:80]} twice."
        elif file.path not in names:
            yield f"The file {file.path[:80]} of the list is not in the bundle."
        elif names[file.path].file_size != file.size:
            yield f"The file {file.path} is not as large as the list says."
    if [file.path for file in contents.of("result")] != [RUN]:
        yield f"The bundle has no result {RUN}."


def _small(archive: zipfile.ZipFile, entry: zipfile.ZipInfo, largest: int) -> bytes:
    with archive.open(entry) as file:
        content = file.read(largest + 1)
    if len(content) > largest:
        raise NoBundle(f"{entry.filename} of the bundle is larger than any that a bundle has.")
    return content


def _unpacked(archive: zipfile.ZipFile, file: BundledFile, folder: Path) -> Iterator[str]:
    """Unpack one file, no further than the list allows."""
    target = folder / file.path
    target.parent.mkdir(parents=True, exist_ok=True)
    digest, size = hashlib.sha256(), 0
    try:
        with archive.open(file.path) as packed, target.open("xb") as out:
            while size <= file.size and (block := packed.read(_PIECE)):
                size += len(block)
                digest.update(block)
                out.write(block)
    except (zipfile.BadZipFile, EOFError, zlib.error) as problem:
        yield f"The file {file.path} is damaged: {str(problem).rstrip('.')}."
        return
    if size != file.size or digest.hexdigest() != file.sha256:
        yield f"The file {file.path} was altered: its SHA-256 is not the one in the list."
