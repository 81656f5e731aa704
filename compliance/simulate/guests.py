"""The players at a table: who comes, which boxes they take, how long they stay."""

from __future__ import annotations

from compliance.simulate.table import MINUTE, Table


class Guest:
    """A player: a name, the boxes played, the usual stake and some habits."""

    __slots__ = ("boldness", "leaves_at", "name", "seats", "stake")

    def __init__(self, name: str, seats: list[int], stake: int, leaves_at: int, boldness: float):
        self.name = name
        self.seats = seats
        self.stake = stake
        """In units of the table's smallest wager."""
        self.leaves_at = leaves_at
        self.boldness = boldness
        """From 0 to 1: how readily the player takes side wagers, insurance and other offers."""


class Guests:
    """All players at one table, by their boxes."""

    def __init__(self, table: Table, boxes: int, popularity: float, multi_box: bool) -> None:
        self._table = table
        self._boxes = boxes
        self._popularity = popularity
        self._multi_box = multi_box
        self._number = 0
        self.taken: dict[int, Guest] = {}
        self.seats: list[int] = []
        """The taken boxes from the dealer's left."""

    def come(self) -> Guest | None:
        """Somebody sits down at a free box, if there is one."""
        table, random = self._table, self._table.random
        free = [seat for seat in range(1, self._boxes + 1) if seat not in self.taken]
        if not free:
            return None
        seat = free[int(random.random() * len(free))]
        seats = [seat]
        if self._multi_box and random.random() < 0.12 and seat + 1 in free:
            seats.append(seat + 1)
        self._number += 1
        stay = (15 + random.random() * 75) * MINUTE
        stake = (1, 1, 1, 2, 2, 3, 4, 5)[int(random.random() * 8)]
        name = f"{table.place.table}-P{self._number}"
        guest = Guest(name, seats, stake, table.now + int(stay), random.random())
        for seat in seats:
            self.taken[seat] = guest
            table.emit("player_seated", seat=seat, player=name)
        self.seats = sorted(self.taken)
        return guest

    def go(self, guest: Guest) -> None:
        """A player leaves all boxes."""
        for seat in guest.seats:
            del self.taken[seat]
            self._table.emit("player_left", seat=seat, player=guest.name)
        self.seats = sorted(self.taken)

    def due_to_leave(self) -> list[Guest]:
        """Whose time is up."""
        now = self._table.now
        return [g for s, g in sorted(self.taken.items()) if g.leaves_at <= now and s == g.seats[0]]

    def all(self) -> list[Guest]:
        """Everybody, once each."""
        return [guest for seat, guest in sorted(self.taken.items()) if seat == guest.seats[0]]

    def arrivals(self) -> None:
        """Between two rounds somebody may come; a full table attracts nobody."""
        if self._table.random.random() < self._popularity * (1 - len(self.taken) / self._boxes):
            self.come()

    def clockwise_from(self, seat: int) -> list[int]:
        """The taken boxes in the order of the cut, from this one or the next taken one on."""
        return [s for s in self.seats if s >= seat] + [s for s in self.seats if s < seat]

    def counterclockwise_from(self, seat: int) -> list[int]:
        """The taken boxes in the order of the shoe, from this one or the next taken one on."""
        order = self.seats[::-1]
        return [s for s in order if s <= seat] + [s for s in order if s > seat]
