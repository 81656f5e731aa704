"""How a table opens, rests and closes: elections, cards received, inspected, spread and mixed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date

from compliance.simulate.guests import Guests
from compliance.simulate.staff import Staff
from compliance.simulate.table import MINUTE, Table

ARRANGEMENT = {"blackjack": "fan", "baccarat": "rows", "minibaccarat": "rows", "red_dog": "fan"}


def elect(table: Table, options: Mapping[str, str], approved: frozenset[str] = frozenset()) -> None:
    """The licensee elects the rules of the table, some of which the regulator has approved."""
    for name, value in options.items():
        consent = {"approved": True} if name in approved else {}
        table.emit(
            "option_elected",
            option_name=name,
            value=value,
            by=table.floorperson,
            by_role="floorperson",
            **consent,
        )


def written_notices(table: Table, options: Mapping[str, str]) -> None:
    """Options that need it are made known to the Commission and to surveillance, then wait."""
    for name in options:
        table.by_floorperson("commission_notified", subject=name, written=True)
        table.by_floorperson("surveillance_notified", subject=name, written=True)
    table.wait(31 * MINUTE, 36 * MINUTE)
    elect(table, options)


def receive_cards(
    table: Table, decks: int, sets: Sequence[Mapping[str, str]], cutting_cards: int, day: date
) -> None:
    """The decks come to the table, the dealer inspects them, the floorperson verifies that."""
    cards = decks * 52
    for which in sets:
        table.wait(10000, 30000)
        table.by_floorperson(
            "decks_received",
            decks_total=decks,
            cards_total=cards,
            package_decks=decks,
            cutting_cards=cutting_cards,
            preshuffled=False,
            gaming_day=day.isoformat(),
            back_color=next(iter(which.values()), "red"),
            **which,
        )
        table.wait(60000 * min(decks, 3), 70000 * min(decks, 3))
        table.by_dealer("cards_inspected", cards_total=cards, **which)
        table.wait(5000, 15000)
        table.by_floorperson("inspection_verified", **which)


def spread_cards(
    table: Table, decks: int, sets: Sequence[Mapping[str, str]], *, face_up: bool = True
) -> None:
    """The cards lie open until somebody comes, each set by itself."""
    for which in sets:
        table.wait(20000, 60000)
        table.by_dealer(
            "cards_spread",
            face_up=face_up,
            arrangement=ARRANGEMENT[table.place.game],
            decks_total=decks,
            **which,
        )


def show_and_stack(
    table: Table,
    guests: Guests,
    cards: int,
    sets: Sequence[Mapping[str, str]],
    *,
    face_up: bool,
    wash: bool,
) -> None:
    """The first player looks at the spread cards; then they are turned, mixed and stacked."""
    seat = guests.seats[0]
    for which in sets:
        if not face_up:
            table.wait(3000, 8000)
            table.by_dealer("spread_turned", face_up=True, **which)
        table.wait(5000, 20000)
        name = guests.taken[seat].name
        table.emit("player_inspection_offered", seat=seat, player=name, **which)
        table.wait(5000, 20000)
        table.by_dealer("spread_turned", face_up=False, **which)
        if wash:
            table.wait(20000, 60000)
            table.by_dealer("cards_washed", **which)
        table.wait(10000, 20000)
        table.by_dealer("cards_stacked", cards_total=cards, stacks=1, **which)


def open_for_gaming(table: Table, boxes: int, day: date) -> None:
    """The table is open."""
    table.by_floorperson(
        "table_opened", game=table.place.game, gaming_day=day.isoformat(), boxes=boxes
    )


def rest(
    table: Table,
    staff: Staff,
    guests: Guests,
    decks: int,
    sets: Sequence[Mapping[str, str]],
    end: int,
) -> bool | None:
    """Nobody plays: the cards lie spread until somebody comes.

    Says whether they lie face up, or None when nobody came before the end of the night.
    """
    table.begin("rest")
    table.emit("table_idle_started")
    face_up = table.random.random() < 0.5
    spread_cards(table, decks, sets, face_up=face_up)
    until = table.now + int((5 + 25 * table.random.random()) * MINUTE)
    while table.now < min(until, end):
        table.now = min(until, end, table.now + 10 * MINUTE)
        if staff.relief_is_due():
            staff.relieve()
    if table.now >= end:
        return None
    guests.come()
    return face_up


def close(table: Table, staff: Staff, day: date) -> None:
    """The dealer goes and the table closes."""
    table.wait(10000, 30000)
    staff.leave()
    table.by_floorperson("table_closed", gaming_day=day.isoformat())
