"""Many answers at once: for each context a value, or the reason why there is none.

A vector of length one stands for the same answer in every context; numpy spreads it out by itself.
States are ordered so that the graver one of two is the larger number. Most logs record what rules
ask for: where every place has a value, `SURE` says so in one place, and nothing else is looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

from compliance.columns import Flags, Integers

States = npt.NDArray[np.uint8]
Number = TypeVar("Number", bound=np.generic)

VALUE, NOTHING, MISSING, OPEN = 0, 1, 2, 3
SURE: States = np.zeros(1, dtype=np.uint8)
SURE.flags.writeable = False
_ALL_SURE: States = np.zeros(1 << 20, dtype=np.uint8)
_ALL_SURE.flags.writeable = False
_SAFE = 2.0**62


@dataclass(frozen=True)
class Vector:
    """Values above and below the line (below is None for whole numbers), and their states."""

    above: Integers
    state: States
    below: Integers | None = None

    def __len__(self) -> int:
        return size_of(self.above, self.state)

    def spread(self, size: int) -> Vector:
        """The same answers, written out for every context."""
        written = self.below is None or len(self.below) == size
        if len(self.above) == size == len(self.state) and written:
            return self
        return Vector(
            _spread(self.above, size),
            _ALL_SURE[:size] if self.sure and size <= len(_ALL_SURE) else _spread(self.state, size),
            None if self.below is None else _spread(self.below, size),
        )

    def take(self, chosen: Integers) -> Vector:
        """The answers of some contexts, where they are written out."""
        below = None if self.below is None else self.below[chosen]
        return Vector(self.above[chosen], self.state[chosen], below)

    @property
    def sure(self) -> bool:
        """Whether there is a value in every context."""
        return is_sure(self.state)

    @property
    def true(self) -> Flags:
        holds: Flags = self.above != 0
        return holds if self.sure else holds & (self.state == VALUE)

    @property
    def false(self) -> Flags:
        fails: Flags = self.above == 0
        return fails if self.sure else fails & (self.state == VALUE)


def _spread(array: npt.NDArray[Number], size: int) -> npt.NDArray[Number]:
    return array if len(array) == size else np.broadcast_to(array, size)


def is_sure(state: States) -> bool:
    """Whether it is known at once that there is a value in every place."""
    return state is SURE or state.base is _ALL_SURE


def size_of(*arrays: npt.NDArray[np.generic] | Vector) -> int:
    """The number of contexts that arrays speak of together; one place stands for all."""
    sizes = [len(array) for array in arrays]
    return 0 if 0 in sizes else max(sizes)


def state_array(size: int, state: int) -> States:
    return np.full(size, state, dtype=np.uint8)


def constant(value: int, below: int = 1) -> Vector:
    """One value in every context."""
    return Vector(
        np.array([value], dtype=np.int64),
        SURE,
        None if below == 1 else np.array([below], dtype=np.int64),
    )


def absent(state: int) -> Vector:
    """No value in any context, for one reason."""
    return Vector(np.zeros(1, dtype=np.int64), state_array(1, state))


def joined(parts: Sequence[Vector]) -> Vector:
    """Single values one after the other."""
    return Vector(
        np.concatenate([part.above for part in parts]),
        np.concatenate([part.state for part in parts]),
        np.concatenate([_one(part) for part in parts])
        if any(part.below is not None for part in parts)
        else None,
    )


def flags(values: Flags, state: States = SURE) -> Vector:
    """Conditions that hold or do not."""
    return Vector(values.astype(np.int64), state)


def graver(*states: States) -> States:
    """The graver state of several, place by place."""
    worst = SURE
    for state in states:
        if not is_sure(state):
            worst = state if worst is SURE else np.maximum(worst, state)
    return worst


def as_truth(vector: Vector) -> Vector:
    """Values used as conditions: where there is nothing to judge, nothing can be said."""
    if vector.sure or not (vector.state == NOTHING).any():
        return vector
    state = np.where(vector.state == NOTHING, MISSING, vector.state).astype(np.uint8)
    return Vector(vector.above, state)


def conjunction(parts: Sequence[Vector]) -> Vector:
    """All hold: one that fails decides, then the log's end, then what is missing."""
    known = [as_truth(part) for part in parts]
    fails = known[0].false
    for part in known[1:]:
        fails = fails | part.false
    state = graver(*(part.state for part in known))
    if state is SURE:
        return flags(~fails)
    state = np.where(fails, VALUE, state).astype(np.uint8)
    return flags(~fails & (state == VALUE), state)


def negation(vector: Vector) -> Vector:
    known = as_truth(vector)
    return flags(known.false, known.state)


def disjunction(parts: Sequence[Vector]) -> Vector:
    return negation(conjunction([negation(part) for part in parts]))


# ---- arithmetic ----------------------------------------------------------------------------


def _overflows(*products: tuple[Integers, Integers]) -> bool:
    """Whether a product may leave the range of the machine's whole numbers."""
    return any(
        bool((np.abs(a.astype(np.float64)) * np.abs(b.astype(np.float64)) > _SAFE).any())
        for a, b in products
        if a.size and b.size
    )


def _one(vector: Vector) -> Integers:
    return vector.below if vector.below is not None else np.ones(1, dtype=np.int64)


def arithmetic(sign: str, left: Vector, right: Vector) -> Vector:
    """Exact sums and products; a division by zero has no value."""
    state = graver(left.state, right.state)
    if sign == "/":
        zero = (right.above == 0) & (state == VALUE)
        if zero.any():
            state = np.where(zero, MISSING, state).astype(np.uint8)
        safe = np.where(right.above == 0, 1, right.above)
        turned = np.sign(safe)
        right = Vector(_one(right) * turned, right.state, np.abs(safe))
        sign = "*"
    a, b, c, d = left.above, _one(left), right.above, _one(right)
    whole = left.below is None and right.below is None
    if sign == "*":
        if _overflows((a, c), (b, d)):
            return _slowly(sign, left, right, state)
        return _reduced(a * c, b * d, state, whole)
    if whole:
        total = a + c if sign == "+" else a - c
        return Vector(total, state)
    if _overflows((a, d), (c, b), (b, d)):
        return _slowly(sign, left, right, state)
    total = a * d + c * b if sign == "+" else a * d - c * b
    return _reduced(total, b * d, state, False)


def _reduced(above: Integers, below: Integers, state: States, whole: bool) -> Vector:
    if whole or bool((below == 1).all()):
        return Vector(above, state)
    common = np.gcd(above, below)
    common = np.where(common == 0, 1, common)
    return Vector(above // common, state, below // common)


def _slowly(sign: str, left: Vector, right: Vector, state: States) -> Vector:
    """Numbers too large for the machine, one by one. What still does not fit is missing."""
    size = size_of(left, right)
    first, second = left.spread(size), right.spread(size)
    above, below = np.zeros(size, dtype=np.int64), np.ones(size, dtype=np.int64)
    result = np.broadcast_to(state, size).copy()
    limit = 2**62
    for i in range(size):
        if result[i] != VALUE:
            continue
        x = Fraction(
            int(first.above[i]), int(_one(first)[i] if len(_one(first)) > 1 else _one(first)[0])
        )
        y = Fraction(
            int(second.above[i]), int(_one(second)[i] if len(_one(second)) > 1 else _one(second)[0])
        )
        total = x * y if sign == "*" else x + y if sign == "+" else x - y
        if abs(total.numerator) > limit or total.denominator > limit:
            result[i] = MISSING
        else:
            above[i], below[i] = total.numerator, total.denominator
    return Vector(above, result, below)


def ordering(left: Vector, right: Vector) -> Integers:
    """-1, 0 or 1 for less, equal, more; only meaningful where both have a value."""
    if left.below is None and right.below is None:
        plain: Integers = np.sign(left.above - right.above)
        return plain
    if not _overflows((left.above, _one(right)), (right.above, _one(left))):
        crosswise: Integers = np.sign(left.above * _one(right) - right.above * _one(left))
        return crosswise
    difference = _slowly("-", left, right, np.maximum(left.state, right.state))
    result: Integers = np.sign(difference.above)
    return result


_SIGNS: dict[str, Callable[[Any, Any], Any]] = {
    "=": np.equal,
    "!=": np.not_equal,
    "<": np.less,
    "<=": np.less_equal,
    ">": np.greater,
    ">=": np.greater_equal,
}


def compare(sign: str, left: Vector, right: Vector) -> Vector:
    """Two values held against each other, with the rules for what is absent."""
    if left.below is None and right.below is None:
        holds = _SIGNS[sign](left.above, right.above)
    else:
        holds = _SIGNS[sign](ordering(left, right), 0)
    worst = graver(left.state, right.state)
    if worst is SURE:
        return flags(holds)
    if sign in ("=", "!="):
        nothing = (left.state == NOTHING) | (right.state == NOTHING)
        same = left.state == right.state
        holds = np.where(nothing, same if sign == "=" else ~same, holds)
        return flags(holds, np.where(worst >= MISSING, worst, VALUE).astype(np.uint8))
    return flags(holds, np.where(worst == NOTHING, MISSING, worst).astype(np.uint8))


def rounded(value: Vector, way: str, unit: Vector) -> Vector:
    """The value brought to a whole multiple of the unit."""
    steps = arithmetic("/", value, unit)
    above, below = steps.above, _one(steps)
    if way == "up":
        whole = -((-above) // below)
    elif way == "down":
        whole = above // below
    else:
        whole = (2 * above + below) // (2 * below)
    return arithmetic("*", Vector(whole, steps.state), unit)


def choose(condition: Vector, then: Vector, otherwise: Vector) -> Vector:
    """One value or another; where the condition is not known, only if both are the same."""
    known = as_truth(condition)
    below = None
    if then.below is not None or otherwise.below is not None:
        below = np.where(known.true, _one(then), _one(otherwise))
    above = np.where(known.true, then.above, otherwise.above)
    if known.sure:
        if then.sure and otherwise.sure:
            return Vector(above, SURE, below)
        state = np.where(known.true, then.state, otherwise.state).astype(np.uint8)
        return Vector(above, state, below)
    same = then.state == otherwise.state
    same = same & ((then.state != VALUE) | (ordering(then, otherwise) == 0))
    # The rest of the log may still bring both to the same.
    late = (then.state == OPEN) | (otherwise.state == OPEN)
    unknown = np.where(late, OPEN, known.state)
    rest = np.where(known.false | same, otherwise.state, unknown)
    return Vector(above, np.where(known.true, then.state, rest).astype(np.uint8), below)
