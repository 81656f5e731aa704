"""The nodes of a program, each written once, and which of them have their answers kept.

What a node that looks at other events says at one event is the same whoever asks. As soon as two
ask, the compiled code keeps its answers.
"""

from __future__ import annotations

from array import array
from collections.abc import Mapping, Sequence

from compliance.first_look.operations import Operation

Hand = Mapping[int, int]
"""The numbers of the events in hand, by the variables of the rule."""
NONE = -1
_Mark = tuple[int, int]


class Nodes:
    """Nodes as numbers one after the other."""

    def __init__(self) -> None:
        self.code = array("q")
        self._places: dict[tuple[int, ...], int] = {}
        self._kept: dict[int, int] = {}
        """Where the answers of nodes may be kept, by where these stand."""
        self._asking: list[int] = []
        """Of the rule that is being written, the places for the number of kept answers."""
        self._asked: set[int] = set()
        """The same of all rules before."""
        self._counted: dict[tuple[int, ...], int] = {}
        self._counting: dict[tuple[int, ...], int] = {}
        """By what is asked apart from a number: the place of the first node that asks it."""
        self._answers = 0
        self._beginnings: dict[tuple[object, ...], int] = {}
        """By trigger and conditions: where the number of the triggers stands that fulfil them."""
        self._unconditional: set[tuple[object, ...]] = set()
        """The triggers of rules without conditions."""
        self._lists = 0

    def _write(self, *numbers: int) -> int:
        place = self._places.get(numbers)
        if place is None:
            place = self._places[numbers] = len(self.code)
            self.code.extend(numbers)
        return place

    def _write_kept(self, node: int) -> int:
        """A node that looks at other events from one alone, with a place to keep its answers."""
        place = self._kept.get(node)
        if place is None:
            place = self._kept[node] = len(self.code)
            self.code.extend((Operation.KEPT, node, NONE))
        self._asking.append(place + 2)
        return place

    def _write_counting(self, hand: Hand, what: tuple[int, ...], *numbers: int) -> int:
        """One that asks how many events a phrase finds, or in which order: they are looked at once
        for all who ask the same with another number."""
        place = self._counted.get(numbers)
        if place is not None:
            return place
        # Not among the others: something else of the same numbers has no room for a count.
        place = self._counted[numbers] = len(self.code)
        self.code.extend((*numbers, NONE))
        if len(hand) == 1:
            mine = len(self.code) - 1
            first = self._counting.setdefault(what, mine)
            if first != mine:
                self.code[mine] = self._number_of_answers(first)
        return place

    def _number_of_answers(self, place: int) -> int:
        """The number of the answers that are kept for a node, from now on if not yet."""
        if self.code[place] == NONE:
            self.code[place] = self._answers
            self._answers += 1
        return self.code[place]

    def _shared_triggers(
        self, trigger: tuple[object, ...], conditions: Sequence[int]
    ) -> tuple[int, list[int]]:
        """With how many of its conditions a rule begins like one before it, and for no condition,
        the first one, the first two and so on, where the number of their triggers stands.

        Those who begin alike find these triggers once. All triggers without any condition are
        shared only by rules that have none: to the others they would be a list too many.
        """
        alike, places = 0, []
        for end in range(len(conditions) + 1):
            beginning = (*trigger, *conditions[:end])
            if beginning in self._beginnings:
                alike = end
            else:
                self._beginnings[beginning] = len(self.code)
                self.code.append(NONE)
            places.append(self._beginnings[beginning])
        alone = not conditions and trigger in self._unconditional
        if (alike or alone) and self.code[places[alike]] == NONE:
            self.code[places[alike]] = self._lists
            self._lists += 1
        if not conditions:
            self._unconditional.add(trigger)
        return alike, places

    def _mark(self) -> _Mark:
        """How far has been written, before a node is."""
        return len(self.code), len(self._asking)

    def _asked_once_inside(self, place: int, mark: _Mark) -> None:
        """What stood there already asks no second time for what is inside it."""
        written, asking = mark
        if place < written:
            del self._asking[asking:]

    def _keep_answers(self) -> None:
        """Have answers kept that are asked for in several places, once a rule is written."""
        for place in self._asking:
            if place in self._asked:
                self._number_of_answers(place)
            self._asked.add(place)
        self._asking.clear()
