"""Opens the bytes of a log: unpacks gzip and Zstandard, and takes the SHA-256 on the way."""

from __future__ import annotations

import gzip
import hashlib
import io
import sys
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Any, Final

from compliance.log.problems import UnreadableFile
from compliance.log.sources import Format, Source

_GZIP: Final = b"\x1f\x8b"
_ZSTANDARD: Final = b"\x28\xb5\x2f\xfd"
_OTHER_TEXT: Final = (b"\xff\xfe", b"\xfe\xff")
_PEEK: Final = 65_536
_PIECE: Final = 1 << 20


class Hashed(io.RawIOBase):
    """Passes bytes on and keeps their fingerprint: of the file as it lies there, still packed."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._digest = hashlib.sha256()
        self.size = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self._file.read(len(buffer))
        buffer[: len(block)] = block
        self._digest.update(block)
        self.size += len(block)
        return len(block)

    def sha256(self) -> str:
        """The fingerprint of the whole file: what was not read yet is read now."""
        while block := self._file.read(1 << 20):
            self._digest.update(block)
        return self._digest.hexdigest()


class Opened:
    """A file that is being read: its unpacked bytes, and what its first bytes say it is."""

    def __init__(self, hashed: Hashed) -> None:
        self.hashed = hashed
        buffered = io.BufferedReader(hashed, 1 << 20)
        start = buffered.peek(4)[:4]
        stream: IO[bytes] = buffered
        if start[:2] == _GZIP:
            stream = gzip.GzipFile(fileobj=buffered)  # type: ignore[assignment]
        elif start == _ZSTANDARD:
            stream = _zstandard(buffered)
        self._stream = stream
        self._failure: UnreadableFile | None = None
        self._ahead = self._take(_PEEK)

    @property
    def start(self) -> bytes:
        """The first bytes, unpacked."""
        return self._ahead

    def read(self, size: int) -> bytes:
        """The next bytes, fewer only at the end."""
        taken, self._ahead = self._ahead[:size], self._ahead[size:]
        return taken if len(taken) == size else taken + self._take(size - len(taken))

    def _take(self, size: int) -> bytes:
        # In pieces: damage in the middle must not cost the good bytes before it.
        if self._failure is not None:
            raise self._failure
        blocks: list[bytes] = []
        try:
            while size > 0 and (block := self._stream.read(min(size, _PIECE))):
                blocks.append(block)
                size -= len(block)
        except (EOFError, zlib.error, OSError):
            self._failure = UnreadableFile(
                "The packed file is damaged or cut off, so it cannot be unpacked to its end."
            )
            # What came before the damage is given first.
            if not blocks:
                raise self._failure from None
        return b"".join(blocks)


def _zstandard(file: IO[bytes]) -> IO[bytes]:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
    except ImportError:
        raise UnreadableFile("Reading .zst files needs the package pyarrow.") from None
    stream: IO[bytes] = pa.CompressedInputStream(pa.PythonFile(file, mode="r"), "zstd")
    return stream


@contextmanager
def opened(source: Source) -> Iterator[Opened]:
    """Open a file or the standard input; what goes wrong is an `UnreadableFile`."""
    if source.path is None:
        yield Opened(Hashed(sys.stdin.buffer))
        return
    try:
        file = source.path.open("rb")
    except OSError as problem:
        reason = (problem.strerror or "it cannot be opened").lower()
        raise UnreadableFile(f"The file could not be read: {reason}.") from None
    with file:
        yield Opened(Hashed(file))


def sniffed(start: bytes) -> Format:
    """The format that the first bytes of a file tell."""
    if start[:4] == b"PAR1":
        return "parquet"
    refuse_other_text(start)
    text = start.removeprefix(b"\xef\xbb\xbf").lstrip()
    if text[:1] == b"<":
        return "xes"
    if text[:1] in (b"{", b"["):
        return "jsonl"
    first = text.split(b"\n", 1)[0]
    if any(mark in first for mark in (b",", b";", b"\t", b"|")):
        return "csv"
    raise UnreadableFile(
        "It is neither JSON lines, CSV, Parquet nor XES. If it is one of them, say which."
        if text
        else "The file is empty."
    )


def refuse_other_text(start: bytes) -> None:
    """Text in another encoding than UTF-8 would look like nonsense on every line: say it once."""
    if start[:2] in _OTHER_TEXT:
        raise UnreadableFile("The text is UTF-16; save the file as UTF-8.")
