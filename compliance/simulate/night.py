"""One table's night from the opening to the closing: rounds, and what lies between them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from random import Random

from compliance.simulate.baccarat.rounds import Baccarat
from compliance.simulate.blackjack.accidents.fate import Fate, choose_rate
from compliance.simulate.blackjack.tables import blackjack_table
from compliance.simulate.changes import Changes
from compliance.simulate.game import Game
from compliance.simulate.opening import (
    close,
    elect,
    open_for_gaming,
    receive_cards,
    rest,
    show_and_stack,
    spread_cards,
    written_notices,
)
from compliance.simulate.red_dog.rounds import RedDog
from compliance.simulate.shoe_care import check_and_fasten, lock_away
from compliance.simulate.table import HOUR, MINUTE, Chapter, Place, Table
from compliance.simulate.times import moment_of
from compliance.simulate.variants import USUAL, choose_variant

OPENING_HOUR = 18
_SET_UP = (("variant",), ("offers",))
"""What chance decides once for all nights of a table."""


@dataclass(frozen=True)
class TablePlan:
    """What is to be played at one table, and for how long."""

    place: Place
    day: date
    seed: int
    hours: float | None
    rounds: int | None
    offers: tuple[str, ...] | None = None
    """The side wagers of a blackjack table; drawn by lot if None."""
    variant: str | None = None
    """The way in which a blackjack table is set up; drawn by lot if None."""
    accidents: float | None = None
    """In what share of a blackjack table's rounds something goes wrong; drawn by lot if None."""
    night: int = 0
    """Which of several nights it is: the table stays as it is set up, the play is another."""

    def chance(self, *about: str) -> Random:
        """The table's stream of chance, or one of its own for something about it."""
        words = (str(self.seed), self.place.casino, self.place.table, *about)
        if self.night and about not in _SET_UP:
            words = (*words, f"night {self.night}")
        return Random("/".join(words))  # noqa: S311 - play, no secrets


def play_night(plan: TablePlan) -> list[Chapter]:
    """The whole night of one table. The same plan always gives the same night."""
    place = plan.place
    random = plan.chance()
    start = moment_of(plan.day, OPENING_HOUR) + int(random.random() * 20 * MINUTE)
    table = Table(place, start, random)
    game = GAMES[place.game](table, plan)
    _open(game)
    changes = Changes(game)
    end = table.now + int(plan.hours * HOUR) if plan.hours is not None else 2**62
    last_round = plan.rounds if plan.rounds is not None else 2**62
    decided = False
    while table.now < end and table.round < last_round:
        if not game.guests.seats:
            game.before_resting()
            sets = game.sets_on_show
            face_up = rest(table, game.staff, game.guests, game.decks, sets, end)
            if face_up is None:
                break
            _show_and_stack(game, face_up=face_up)
            _prepare(game, "opening")
        elif game.cards_are_used_up():
            _prepare(game, "cutting_card_reached" if game.shoe.reached else "round_finished")
        elif decided:
            table.begin("shuffle")
            table.by_floorperson("shuffle_decided")
            _prepare(game, "licensee_decision", begin=False)
        game.play_round()
        decided = _between_rounds(game, changes)
    table.begin("between")
    for guest in game.guests.all():
        game.before_leaving(guest)
    game.before_closing()
    table.begin("closing")
    for guest in game.guests.all():
        table.wait(2000, 8000)
        game.guests.go(guest)
        game.after_leaving(guest)
    close(table, game.staff, plan.day)
    lock_away(table, game.devices, plan.day)
    return table.chapters


def _open(game: Game) -> None:
    table, place = game.table, game.table.place
    table.begin("opening")
    elect(table, {"game": place.game})
    notified = game.notified_elections()
    if notified:
        written_notices(table, notified)
    elect(table, game.elections(), game.approved)
    game.post_signs()
    game.staff.begin()
    check_and_fasten(table, game.devices, game.day, fasten=place.game != "baccarat")
    receive_cards(table, game.decks, game.sets, game.cutting_cards, game.day)
    spread_cards(table, game.decks, game.sets_on_show)
    table.wait(60000, 120000)
    open_for_gaming(table, game.boxes, game.day)
    table.wait(10000, 60000)
    first = game.guests.come()
    game.first_seat = first.seats[0] if first else 0
    _show_and_stack(game, face_up=True)
    for _ in range(int(table.random.random() * 4)):
        table.wait(2000, 10000)
        game.guests.come()
    _prepare(game, "opening")


def _show_and_stack(game: Game, *, face_up: bool) -> None:
    show_and_stack(
        game.table,
        game.guests,
        game.shoe.size,
        game.sets_on_show,
        face_up=face_up,
        wash=game.washes,
    )


def _prepare(game: Game, reason: str, *, begin: bool = True) -> None:
    if begin:
        game.table.begin("shuffle")
    game.table.wait(3000, 8000)
    game.prepare_cards(reason)


def _between_rounds(game: Game, changes: Changes) -> bool:
    """Players come and go and dealers change; says whether the cards are to be shuffled."""
    table = game.table
    table.begin("between")
    for guest in game.guests.due_to_leave():
        game.before_leaving(guest)
        game.guests.go(guest)
        game.after_leaving(guest)
    game.guests.arrivals()
    game.between_rounds()
    changes.look_at_the_clock()
    if not game.guests.seats or game.cards_are_used_up():
        if game.staff.relief_is_due():
            game.staff.relieve()
        return False
    decided = table.random.random() < 0.004
    if game.staff.relief_is_due():
        game.staff.relieve()
        # The cutting card must not come out with a burned card: then the cards are shuffled.
        if game.shoe.left_before_cutting_card < 2:
            return True
        if not decided:
            game.new_dealer()
    return decided


def _pit(plan: TablePlan) -> Random:
    """A stream of chance for what all tables of a pit have in common."""
    return Random(f"{plan.seed}/{plan.place.casino}/{plan.place.pit}")  # noqa: S311


def variant_of(plan: TablePlan) -> str:
    """The way in which a table is set up, by its own stream of chance."""
    if plan.place.game != "blackjack":
        return USUAL
    if plan.variant is not None:
        return plan.variant
    return choose_variant(plan.day, plan.chance("variant"))


def _blackjack(table: Table, plan: TablePlan) -> Game:
    variant = variant_of(plan)
    kind = blackjack_table(variant)
    game = kind(table, plan.day, plan.chance("offers"), plan.offers, variant)
    random = plan.chance("accidents")
    drawn = choose_rate(random)
    rate = drawn if plan.accidents is None else plan.accidents
    game.fate = Fate(game, rate, random)
    return game


GAMES: dict[str, Callable[[Table, TablePlan], Game]] = {
    "blackjack": _blackjack,
    "baccarat": lambda table, plan: Baccarat(table, plan.day, _pit(plan)),
    "minibaccarat": lambda table, plan: Baccarat(table, plan.day, _pit(plan)),
    "red_dog": lambda table, plan: RedDog(table, plan.day),
}
