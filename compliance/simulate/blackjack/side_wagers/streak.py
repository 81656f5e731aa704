"""The streak wager: two to five rounds won in a row, with a marker that shows how far it went."""

from __future__ import annotations

from collections import Counter
from datetime import date
from typing import Any, Final

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.guests import Guest
from compliance.simulate.hands import Hand

ODDS: Final = {2: 3, 3: 7, 4: 17, 5: 37}
"""What a streak pays to one, by the wins that it needs."""
LARGEST: Final = 2500


class Streak(SideWager):
    """Runs from round to round until it is won or lost; a tie leaves it as it is."""

    name = "streak"
    wager = "streak"
    since = date(2001, 1, 16)
    excludes = ("progressive", "blackjack_bonus", "twenty_point", "optional_bonus")
    settles_counterclockwise = True

    def __init__(self, game: BlackjackPlay) -> None:
        super().__init__(game)
        self._running: dict[int, dict[int, int]] = {}
        """The stakes that still lie there, by seat and by the wins that they need."""
        self._wins: Counter[int] = Counter()
        self._won: Counter[int] = Counter()
        """Hands won less hands lost in this round, by seat."""
        self._done: set[int] = set()

    def place(self) -> None:
        self._won.clear()
        self._done.clear()
        for hand in self.boldest(0.5):
            if self._running.get(hand.seat):
                continue
            spots = sorted(self.random.sample((2, 3, 4, 5), self.random.choice((1, 1, 2))))
            self._wins[hand.seat] = 0
            for spot in spots:
                amount = self.small_stake(LARGEST)
                self._running.setdefault(hand.seat, {})[spot] = amount
                self.make(hand, amount, area=spot)

    def main_wager_settled(self, hand: Hand, result: str) -> None:
        self._won[hand.seat] += {"paid": 1, "collected": -1}.get(result, 0)

    def seat_settled(self, seat: int) -> None:
        """After a win the marker moves on; a player with several streaks sees that before pay."""
        running = self._running.get(seat)
        if not running or seat in self._done or not self._won[seat]:
            return
        self._done.add(seat)
        who = {"seat": seat, "player": self.game.guests.taken[seat].name}
        if self._won[seat] < 0:
            self._lose_all(seat, who)
            return
        self._wins[seat] += 1
        wins = self._wins[seat]
        stake = running.get(wins)
        if stake is None:
            self._mark(wins + 1, who)
            return
        if len(running) > 1:
            self._mark(wins + 1, who)
        del running[wins]
        self.table.wait(700, 1800)
        self.table.play(
            "wager_paid",
            hand=1,
            wager="streak",
            area=wins,
            stake=stake,
            amount=stake * ODDS[wins],
            odds=f"{ODDS[wins]} to 1",
            **who,
        )

    def _mark(self, spot: int, who: dict[str, Any]) -> None:
        self.table.wait(500, 1200)
        by = {"by": self.table.dealer, "by_role": "dealer"}
        self.table.play("lammer_placed", area=spot, **who, **by)

    def _lose_all(self, seat: int, who: dict[str, Any]) -> None:
        for spot, amount in self._running.pop(seat).items():
            self.table.wait(500, 1200)
            lost = {"wager": "streak", "area": spot, "amount": amount}
            self.table.play("wager_collected", hand=1, **lost, **who)

    def sat_out(self, seat: int) -> None:
        if self._running.get(seat):
            self._lose_all(seat, {"seat": seat, "player": self.game.guests.taken[seat].name})

    def left(self, guest: Guest) -> None:
        for seat in guest.seats:
            if self._running.get(seat):
                for spot, amount in self._running.pop(seat).items():
                    lost = {"wager": "streak", "area": spot, "amount": amount, "hand": 1}
                    self.table.emit("wager_collected", seat=seat, player=guest.name, **lost)
