"""The cut: who is offered it, who refuses, and what a casino supervisor may order."""

from __future__ import annotations

from typing import Any

from compliance.simulate.guests import Guests
from compliance.simulate.shoe import Shoe
from compliance.simulate.table import Table


def cut_by_players(
    table: Table, guests: Guests, shoe: Shoe, first: int, *, recut: bool, **pack: Any
) -> None:
    """Offer the cut from a seat on clockwise; the dealer cuts only if every player refuses."""
    order = guests.clockwise_from(first)
    cutter = _offer(table, guests, order, pack)
    _cut(table, guests, shoe, cutter, pack)
    if recut and cutter is not None and table.random.random() < 0.05:
        table.wait(3000, 9000)
        table.by_floorperson("recut_ordered", reason="improper_cut", shoe=shoe.name, **pack)
        next_one = order[(order.index(cutter) + 1) % len(order)]
        again = cutter if table.random.random() < 0.7 else next_one
        _cut(table, guests, shoe, again, pack)
    table.wait(1000, 3000)
    table.by_dealer("stack_transposed", shoe=shoe.name, cards_total=shoe.size, **pack)


def _offer(table: Table, guests: Guests, order: list[int], pack: dict[str, Any]) -> int | None:
    for seat in order:
        name = guests.taken[seat].name
        table.wait(1500, 4000)
        table.emit("cut_offered", seat=seat, player=name, dealer=table.dealer, **pack)
        if table.random.random() < 0.75:
            return seat
        table.wait(800, 2500)
        table.emit("cut_refused", seat=seat, player=name, dealer=table.dealer, **pack)
    return None


def _cut(table: Table, guests: Guests, shoe: Shoe, seat: int | None, pack: dict[str, Any]) -> None:
    table.wait(2000, 6000)
    position = 10 + int(table.random.random() * (shoe.size - 19))
    shoe.cut(position)
    if seat is None:
        who: dict[str, Any] = {"by": table.dealer, "by_role": "dealer"}
    else:
        name = guests.taken[seat].name
        who = {"by": name, "by_role": "player", "seat": seat, "player": name}
    table.emit(
        "cards_cut",
        shoe=shoe.name,
        dealer=table.dealer,
        position=position,
        cards_total=shoe.size,
        **who,
        **pack,
    )
