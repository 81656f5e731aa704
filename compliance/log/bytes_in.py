"""Opens the bytes of a log: unpacks gzip and Zstandard, and takes the SHA-256 on the way."""

from __future__ import annotations

import gzip
import hashlib
import io
import os
import sys
import zlib
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import IO, Any, Final

from compliance.log.problems import UnreadableFile
from compliance.log.sources import Format, Source
from compliance.log.zstandard_frames import ZstandardFrames
from event_schemas.file_content import UnreadableContent, open_stored
from event_schemas.limits import MOST_TIMES_UNPACKED, UNPACKED_ANYHOW

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
        # Beside the reading: a fingerprint costs as much time as finding the columns.
        self._thread = ThreadPoolExecutor(1)
        self._running: Future[None] | None = None
        self.taken = 0
        """How many bytes were read so far."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        block = self.read(len(buffer))
        buffer[: len(block)] = block
        return len(block)

    def read(self, size: int = -1) -> bytes:
        """The next bytes, fewer only at the end."""
        try:
            block = self._file.read(size) or b""
        except OSError as problem:
            reason = (problem.strerror or "it broke off").lower()
            raise UnreadableFile(f"The file could not be read: {reason}.") from None
        self.taken += len(block)
        self._wait()
        self._running = self._thread.submit(self._digest.update, block)
        return block

    def sha256(self) -> str:
        """The fingerprint of the whole file: what was not read yet is read now."""
        while self.read(_PIECE):
            pass
        self._wait()
        return self._digest.hexdigest()

    def finish(self) -> None:
        """Nothing more will be read."""
        self._thread.shutdown()

    def _wait(self) -> None:
        if self._running is not None:
            self._running.result()


class Opened:
    """A file that is being read: its unpacked bytes, and what its first bytes say it is."""

    def __init__(self, hashed: Hashed) -> None:
        self.hashed = hashed
        self.reached = 0
        """How far a reader has come that finds its own way through the file."""
        self._failure: UnreadableFile | None = None
        self._ahead = b""
        self._packed = False
        self._unpacked = 0
        self.frames: ZstandardFrames | None = None
        """Those of a Zstandard file."""
        self._stream: Any = hashed
        start = hashed.read(_PEEK)
        if start[:2] == _GZIP or start[:4] == _ZSTANDARD:
            self._packed = True
            again = _Again(start, hashed)
            whole = io.BufferedReader(again, _PIECE)
            if start[:2] == _GZIP:
                self._stream = gzip.GzipFile(fileobj=whole)
            else:
                self.frames = again.frames = ZstandardFrames()
                self._stream = _zstandard(whole)
            start = self._take(_PEEK)
        self._ahead = start

    @property
    def start(self) -> bytes:
        """The first bytes, unpacked."""
        return self._ahead

    @property
    def position(self) -> int:
        """How much of the file, as it lies there, was read so far."""
        return max(self.hashed.taken, self.reached)

    def read(self, size: int) -> bytes:
        """The next bytes, fewer only at the end."""
        if not self._ahead and not self._packed:
            return self._take(size)
        taken, self._ahead = self._ahead[:size], self._ahead[size:]
        return taken if len(taken) == size else taken + self._take(size - len(taken))

    def _take(self, size: int) -> bytes:
        # In pieces: damage in the middle must not cost the good bytes before it.
        if self._failure is not None:
            raise self._failure
        blocks: list[bytes] = []
        try:
            most = _PIECE if self._packed else size
            while size > 0 and (block := self._stream.read(min(size, most))):
                blocks.append(block)
                size -= len(block)
                self._unpacked += len(block)
                if self._packed:
                    self._refuse_swelling()
            if size > 0 and self.frames is not None:
                _demand_all(self.frames, self._unpacked)
        except (EOFError, zlib.error, OSError, ValueError):
            self._failure = UnreadableFile(
                "The packed file is damaged or cut off, so it cannot be unpacked to its end."
            )
            # What came before the damage is given first.
            if not blocks:
                raise self._failure from None
        return blocks[0] if len(blocks) == 1 else b"".join(blocks)

    def _refuse_swelling(self) -> None:
        """A few bytes that unpack without end are no log."""
        if self._unpacked > max(UNPACKED_ANYHOW, MOST_TIMES_UNPACKED * self.hashed.taken):
            raise UnreadableFile(
                f"The packed file unpacks to more than {MOST_TIMES_UNPACKED} times its size, "
                "which no log does."
            )


class _Again(io.RawIOBase):
    """A file whose beginning was looked at and is given once more."""

    def __init__(self, start: bytes, file: Hashed) -> None:
        self._start = start
        self._file = file
        self.frames: ZstandardFrames | None = None
        """Told of all bytes that go by, if anything is."""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        if self._start:
            block, self._start = self._start[: len(buffer)], self._start[len(buffer) :]
        else:
            block = self._file.read(len(buffer))
        buffer[: len(block)] = block
        if self.frames is not None:
            self.frames.see(block)
        return len(block)


def _demand_all(frames: ZstandardFrames, unpacked: int) -> None:
    """The end of a file is only the end of the log if its frames are whole and all there."""
    if not frames.whole or frames.size not in (None, unpacked):
        raise EOFError


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
    with _file(source) as file:
        hashed = Hashed(file)
        try:
            yield Opened(hashed)
        finally:
            hashed.finish()


def _file(source: Source) -> AbstractContextManager[IO[bytes]]:
    if source.path is None:
        # Python has no stream for what was closed before it began.
        if sys.stdin is None or sys.stdin.closed:
            raise UnreadableFile("Standard input is closed.")
        return nullcontext(sys.stdin.buffer)
    try:
        return os.fdopen(open_stored(source.path), "rb", buffering=0)
    except UnreadableContent as problem:
        raise UnreadableFile(f"The file could not be read: {problem.reason}.") from None


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
