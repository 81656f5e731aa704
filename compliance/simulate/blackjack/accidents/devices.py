"""Devices that fail for a while: the card reader, the lights of a progressive wager, the bonus."""

from __future__ import annotations

from random import Random
from typing import Final

from compliance.simulate.blackjack.accidents.accident import Accident
from compliance.simulate.blackjack.play import BlackjackPlay

RARER_THAN_OTHER_ACCIDENTS: Final = 5
ROUNDS_UNTIL_REPAIRED: Final = 8
BROKEN_READER: Final = "broken-card-reader"
"""The name of the accident, in every round until the reader is repaired."""


class SilentBonusDevice(Accident):
    """After the bonus button was pressed no amount is shown, and nobody can tell it."""

    name = "silent-bonus-device"

    @classmethod
    def possible(cls, game: BlackjackPlay) -> bool:
        return game.variant == cls.variant and "blackjack_bonus" in game.offers

    def hides_the_bonus(self) -> bool:
        self.happens()
        self.table.emit("device_malfunction", device="bonus_device")
        self.game.bonus_works = False
        return True


class Devices:
    """The devices of a table: between two rounds one of them fails, or is repaired."""

    def __init__(self, game: BlackjackPlay, random: Random, rate: float) -> None:
        self._game = game
        self._random = random
        self._rate = rate / RARER_THAN_OTHER_ACCIDENTS
        self.reader_works = True

    def between_rounds(self) -> None:
        """See to what has failed, and let something fail."""
        game = self._game
        if not game.bonus_works:
            game.bonus_works = self._works("bonus_device", now=True)
        if game.rules.card_reader and self._changes(now=self.reader_works):
            self.reader_works = self._works("card_reader", now=not self.reader_works)
        if "progressive" not in game.offers:
            return
        for seat in game.guests.seats:
            dark = seat in game.dark_lights
            if self._changes(now=not dark):
                self._works("progressive_light", now=dark, seat=seat)
                game.dark_lights ^= {seat}

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
