"""The dealers of a table: who deals when, and who relieves whom."""

from __future__ import annotations

from compliance.simulate.table import MINUTE, Table


class Staff:
    """A small team of dealers that takes turns of about twenty minutes."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._team = [f"D-{table.place.table}-{letter}" for letter in "ABCD"]
        self._turn = 0
        self._relief_at = 0

    def begin(self) -> None:
        """The first dealer and the floorperson come to the table."""
        table = self._table
        table.by_floorperson(
            "personnel_assigned", staff=table.floorperson, staff_role="floorperson"
        )
        self._arrive()

    def relief_is_due(self) -> bool:
        """The turn of the dealer at the table is over."""
        return self._table.now >= self._relief_at

    def relieve(self) -> None:
        """The dealer goes and the next one comes."""
        self.leave()
        self._table.wait(5000, 15000)
        self._turn = (self._turn + 1) % len(self._team)
        self._arrive()

    def leave(self) -> None:
        """The dealer goes."""
        self._table.emit("dealer_departed", dealer=self._table.dealer)

    def _arrive(self) -> None:
        table = self._table
        table.dealer = self._team[self._turn]
        table.emit("dealer_arrived", dealer=table.dealer)
        self._relief_at = table.now + int((18 + 4 * table.random.random()) * MINUTE)
