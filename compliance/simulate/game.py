"""What every game at a table has: cards, players, dealers, limits, and its own rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from random import Random
from typing import Any

from compliance.simulate.elections import Limits
from compliance.simulate.guests import Guest, Guests
from compliance.simulate.shoe import Shoe
from compliance.simulate.staff import Staff
from compliance.simulate.table import Table


@dataclass(frozen=True)
class Change:
    """A change of the table's rules: an option, what it was, and what it will be."""

    option: str
    old: str
    new: str
    shown: Mapping[str, Any] = field(default_factory=dict)
    """What else the sign shows."""


class Game:
    """A table with a game; each game fills in how its cards are prepared and its rounds played."""

    main_wager = ""
    """The wager that the limits of the table are about."""

    def __init__(self, table: Table, day: date, boxes: int, decks: int, multi_box: bool) -> None:
        random = table.random
        self.table = table
        self.day = day
        self.boxes = boxes
        self.decks = decks
        self.staff = Staff(table)
        busy = 0.15 + 0.35 * random.random()
        # A few tables are so quiet that now and then nobody plays.
        popularity = busy if random.random() < 0.85 else 0.02
        self.guests = Guests(table, boxes, popularity, multi_box)
        self.limits = Limits.choose(random)
        self.shoe = Shoe(f"{table.place.table}-S", decks, random)
        self.first_seat = 0
        """The seat of the player who came first after the opening."""

    @property
    def random(self) -> Random:
        """The table's own stream of chance."""
        return self.table.random

    def elections(self) -> dict[str, str]:
        """The options that the table opens with."""
        raise NotImplementedError

    def notified_elections(self) -> dict[str, str]:
        """Options that need written notice half an hour before the opening."""
        return {}

    @property
    def sets(self) -> tuple[dict[str, str], ...]:
        """The sets of cards of the table, with what tells them apart if there are two."""
        return ({},)

    @property
    def sets_on_show(self) -> tuple[dict[str, str], ...]:
        """The sets that lie spread on the table, each by itself."""
        return ({},)

    @property
    def cutting_cards(self) -> int:
        """How many cutting cards come with each set."""
        return 1

    @property
    def devices(self) -> tuple[str, ...]:
        """The shoe and the shuffling machine, as far as the table has them."""
        return ("shoe",)

    @property
    def approved(self) -> frozenset[str]:
        """The options that the regulator had to approve."""
        return frozenset()

    @property
    def washes(self) -> bool:
        """Spread cards are mixed by hand before they are stacked."""
        return True

    def cards_are_used_up(self) -> bool:
        """The cards have to be shuffled before the next round."""
        raise NotImplementedError

    def prepare_cards(self, reason: str) -> None:
        """Shuffle, cut, load and burn."""
        raise NotImplementedError

    def new_dealer(self) -> None:
        """What a dealer does who comes in the middle of a shoe."""

    def play_round(self) -> None:
        """One round, from the wagers to the settlement."""
        raise NotImplementedError

    def between_rounds(self) -> None:
        """What happens while nobody deals."""

    def before_leaving(self, guest: Guest) -> None:
        """What a player still owes is settled before leaving."""

    def after_leaving(self, guest: Guest) -> None:
        """What a player leaves behind is dealt with."""

    def before_resting(self) -> None:
        """What is done with the cards before they lie spread while nobody plays."""

    def before_closing(self) -> None:
        """What is done with the cards before the table closes."""

    def post_signs(self) -> None:
        """Signs that the table needs besides those of its main wager."""

    def possible_change(self) -> Change | None:
        """A change of rules that the licensee might decide on now."""
        return None

    def change(self, change: Change) -> None:
        """Play by the new rule from now on."""

    def may_change_now(self) -> bool:
        """No wager or debt is left that belongs to the old rules."""
        return True

    def stake(self, guest: Guest) -> int:
        """What a player wagers this time: within the limits of the table."""
        random = self.table.random.random
        units = guest.stake * (2 if random() < guest.boldness * 0.3 else 1)
        return min(units * self.limits.minimum, self.limits.maximum)
