"""Holds many findings in little memory: packed, and unpacked one after the other when looked at."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby, islice
from typing import Generic, TypeVar, overload

from reports.record import Record

R = TypeVar("R", bound=Record)

_TOGETHER = 64
"""How many are packed together: more of them take less room, and longer to get at one of them."""
_QUICK = 1
_BREAK = b"\n"
"""Parts them. It never stands inside one, because JSON writes it as two letters."""


class Packed(Sequence[R], Generic[R]):
    """Records in their order. Each one is made anew whenever it is asked for."""

    def __init__(self, form: type[R], written: Iterable[bytes]) -> None:
        """`written` are the records as `record.model_dump_json()` writes them."""
        self._form = form
        self._packs: list[bytes] = []
        self._size = 0
        waiting = iter(written)
        while pack := list(islice(waiting, _TOGETHER)):
            self._packs.append(zlib.compress(_BREAK.join(pack), _QUICK))
            self._size += len(pack)

    @classmethod
    def of(cls, form: type[R], records: Iterable[R]) -> Packed[R]:
        """Pack records."""
        return cls(form, (record.model_dump_json().encode() for record in records))

    def written(self) -> Iterator[bytes]:
        """Every record as JSON."""
        for pack in self._packs:
            yield from zlib.decompress(pack).split(_BREAK)

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator[R]:
        return map(self._form.model_validate_json, self.written())

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[R, ...]: ...
    def __getitem__(self, place: int | slice) -> R | tuple[R, ...]:
        if isinstance(place, slice):
            return tuple(self._at(range(self._size)[place]))
        return next(self._at([range(self._size)[place]]))

    def _at(self, places: Iterable[int]) -> Iterator[R]:
        for pack, numbers in groupby(places, lambda place: place // _TOGETHER):
            written = zlib.decompress(self._packs[pack]).split(_BREAK)
            for number in numbers:
                yield self._form.model_validate_json(written[number % _TOGETHER])

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        pairs = zip(self, other, strict=False)
        return len(self) == len(other) and all(one == another for one, another in pairs)

    def __repr__(self) -> str:
        return f"{self._size:,} times {self._form.__name__}"


class Chained(Sequence[R], Generic[R]):
    """Several rows of records as one, none of which is unpacked before it is looked at."""

    def __init__(self, parts: Iterable[Sequence[R]]) -> None:
        self._parts = tuple(parts)

    def __len__(self) -> int:
        return sum(map(len, self._parts))

    def __iter__(self) -> Iterator[R]:
        return chain.from_iterable(self._parts)

    @overload
    def __getitem__(self, place: int) -> R: ...
    @overload
    def __getitem__(self, place: slice) -> tuple[R, ...]: ...
    def __getitem__(self, place: int | slice) -> R | tuple[R, ...]:
        if isinstance(place, slice):
            return tuple(self)[place]
        return next(islice(self, range(len(self))[place], None))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)
