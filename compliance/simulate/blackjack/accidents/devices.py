"""Devices that fail for a while: the card reader, the lights of a progressive wager, the bonus."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING, Final

from compliance.simulate.blackjack.accidents.accident import Accident

if TYPE_CHECKING:
    from compliance.simulate.blackjack.settlement import BlackjackSettlement

RARER_THAN_OTHER_ACCIDENTS: Final = 5
ROUNDS_UNTIL_REPAIRED: Final = 8
BROKEN_READER: Final = "broken-card-reader"
"""The name of the accident, in every round until the reader is repaired."""


class SilentBonusDevice(Accident):
    """After the bonus button was pressed no amount is shown, and nobody can tell it."""

    name = "silent-bonus-device"

    @classmethod
    def possible(cls, game: BlackjackSettlement) -> bool:
        return game.variant == cls.variant and "blackjack_bonus" in game.offers

    def hides_the_bonus(self) -> bool:
        self.happens()
        self.table.emit("device_malfunction", device="bonus_device")
        self.game.fate.devices.bonus_works = False
        return True


class Devices:
    """The devices of a table: between two rounds one of them fails, or is repaired."""

    def __init__(self, game: BlackjackSettlement, random: Random, rate: float) -> None:
        self._game = game
        self._random = random
        self._rate = rate / RARER_THAN_OTHER_ACCIDENTS
        self.reader_works = True
        self.bonus_works = True
        self.dark_lights: set[int] = set()
        """Seats whose light for the progressive wager has failed."""

    def between_rounds(self) -> None:
        """See to what has failed, and let something fail."""
        game = self._game
        if not self.bonus_works:
            self.bonus_works = self._works("bonus_device", now=True)
        if game.rules.card_reader and self._changes(now=self.reader_works):
            self.reader_works = self._works("card_reader", now=not self.reader_works)
        if "progressive" not in game.offers:
            return
        for seat in game.guests.seats:
            dark = seat in self.dark_lights
            if self._changes(now=not dark):
                self._works("progressive_light", now=dark, seat=seat)
                self.dark_lights ^= {seat}

    def _changes(self, *, now: bool) -> bool:
        """Whether a device that works fails now, or one that has failed is repaired."""
        return self._random.random() < (self._rate if now else 1 / ROUNDS_UNTIL_REPAIRED)

    def _works(self, device: str, *, now: bool, **seat: int) -> bool:
        table = self._game.table
        table.wait(1000, 5000)
        if now:
            table.by_floorperson("device_repaired", device=device, **seat)
        else:
            table.emit("device_malfunction", device=device, **seat)
        return now
