"""Events are grouped by the keys of their slices, however far apart the values lie."""

from __future__ import annotations

import numpy as np
import pytest

from compliance.columnar.keyed_slices import grouped

NEAR = [3, 1, 3, 2, 1, 3]
FAR = [2**61, -(2**61), 2**61, 0, -(2**61), 2**61]
TWICE = [0, 1, 1, 0, 1, 0]


@pytest.mark.parametrize("columns", [[NEAR], [TWICE, NEAR], [FAR], [TWICE, FAR], [FAR, FAR]])
def test_equal_values_stand_together_in_the_order_of_the_log(columns: list[list[int]]) -> None:
    order, starts = grouped([np.array(column, dtype=np.int64) for column in columns])
    # The last value counts most; of equal ones the first comes first.
    rows = sorted(range(6), key=lambda row: [column[row] for column in reversed(columns)])
    assert order.tolist() == rows
    ordered = [[column[row] for column in columns] for row in rows]
    new = [n for n in range(6) if n == 0 or ordered[n] != ordered[n - 1]]
    assert starts.tolist() == new
