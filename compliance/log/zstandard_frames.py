"""Watches the frames of a Zstandard file go by: whether they are whole, and can prove themselves.

A frame ends with a checksum only if its writer wanted one, and a reader that meets the end of a
file in the middle of a frame may take it for the end of the log. So the frames are counted here.
"""

from __future__ import annotations

from typing import Final

_MAGIC: Final = 0xFD2FB528
_SKIPPED: Final = range(0x184D2A50, 0x184D2A60)
_DICTIONARY: Final = (0, 1, 2, 4)
_RUN: Final = 1


class ZstandardFrames:
    """The frames of a file, as far as it was read."""

    def __init__(self) -> None:
        self.frames = 0
        self.without_checksum = 0
        self.size: int | None = 0
        """How many bytes all frames hold, if each tells it."""
        self._waiting = bytearray()
        self._pass = 0
        self._needed, self._next = 4, self._magic
        self._checksum = 0

    @property
    def whole(self) -> bool:
        """Whether the last frame is at its end."""
        return self._next == self._magic and not self._waiting and not self._pass

    def see(self, data: bytes) -> None:
        """The next bytes of the file."""
        place = 0
        while place < len(data):
            if self._pass:
                passed = min(self._pass, len(data) - place)
                self._pass -= passed
                place += passed
                continue
            taken = data[place : place + self._needed - len(self._waiting)]
            self._waiting += taken
            place += len(taken)
            if len(self._waiting) == self._needed:
                head, self._waiting = bytes(self._waiting), bytearray()
                self._next(head)

    def _expect(self, needed: int, then: object) -> None:
        self._needed, self._next = needed, then  # type: ignore[assignment]

    def _magic(self, head: bytes) -> None:
        number = int.from_bytes(head, "little")
        if number == _MAGIC:
            self.frames += 1
            self._expect(1, self._descriptor)
        elif number in _SKIPPED:
            self._expect(4, self._skipped)
        else:
            # No frame: who unpacks it will say so.
            self._pass = 1 << 62

    def _skipped(self, head: bytes) -> None:
        self._pass = int.from_bytes(head, "little")
        self._expect(4, self._magic)

    def _descriptor(self, head: bytes) -> None:
        (bits,) = head
        single = bits >> 5 & 1
        self._checksum = 4 * (bits >> 2 & 1)
        self.without_checksum += not self._checksum
        self._told = (single, 2, 4, 8)[bits >> 6]
        before = (not single) + _DICTIONARY[bits & 3]
        if before + self._told:
            self._expect(before + self._told, self._sizes)
        else:
            self._sizes(b"")

    def _sizes(self, head: bytes) -> None:
        size = int.from_bytes(head[len(head) - self._told :], "little") + 256 * (self._told == 2)
        self.size = self.size + size if self._told and self.size is not None else None
        self._expect(3, self._block)

    def _block(self, head: bytes) -> None:
        bits = int.from_bytes(head, "little")
        self._pass = 1 if bits >> 1 & 3 == _RUN else bits >> 3
        if bits & 1:
            self._pass += self._checksum
            self._expect(4, self._magic)
