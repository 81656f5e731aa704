"""Which rows of a table are events of which types, a bit for each row.

Whether all events of some types have a field, or any of other types has it, is then one question to
whole words of bits, however many rows there are.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from compliance.log.compiled_pages import bits_of_types, types_with
from compliance.table_log.arrow_numbers import Bits
from compliance.table_log.columns import Flags


class RowsOfTypes:
    """The rows of a table by the types of their events."""

    def __init__(self, types: npt.NDArray[np.int16]) -> None:
        """`types` has the place of each event's type in the schema."""
        self.all = np.packbits(np.ones(len(types), dtype=np.bool_), bitorder="little")
        self.occurring = np.flatnonzero(np.bincount(types))
        self._rows = bits_of_types(types, self.occurring)
        self._known: dict[bytes, Bits] = {}

    def of(self, wanted: Flags) -> Bits:
        """The rows of all types that are wanted, by the places of the types."""
        here = wanted[self.occurring]
        key = here.tobytes()
        if key not in self._known:
            self._known[key] = np.bitwise_or.reduce(self._rows[here], axis=0)
        return self._known[key]

    def with_any(self, rows: Bits, wanted: Flags) -> list[int]:
        """The places of the types, among those that are wanted, that have any of some rows."""
        found = types_with(rows, self._rows, wanted[self.occurring])
        return self.occurring[found].tolist() if found else []
