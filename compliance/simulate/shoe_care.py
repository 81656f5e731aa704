"""How shoes and shuffling machines are kept: checked and fastened before play, then locked away."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Final

from compliance.simulate.table import SECOND, Table

KEPT_SAFE: Final = date(2011, 11, 7)
"""From when on the law on shoes and machines is known."""


def check_and_fasten(table: Table, devices: Sequence[str], day: date, *, fasten: bool) -> None:
    """The floorperson looks for traces of tampering; then the devices are fixed to the table."""
    if day < KEPT_SAFE:
        return
    for device in devices:
        table.now += 20 * SECOND
        table.by_floorperson("shoe_inspected", device=device, gaming_day=day.isoformat())
        # A baccarat shoe goes from player to player.
        if fasten or device != "shoe":
            table.now += 10 * SECOND
            table.by_floorperson("shoe_secured", device=device, place="table")


def lock_away(table: Table, devices: Sequence[str], day: date) -> None:
    """When the table is closed, its devices go into a locked compartment."""
    if day < KEPT_SAFE:
        return
    for device in devices:
        table.now += 30 * SECOND
        table.by_floorperson("shoe_secured", device=device, place="locked_compartment")
