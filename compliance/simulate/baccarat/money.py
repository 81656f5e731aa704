"""Baccarat's wagers: placed, collected, paid from the highest seat down, with the commission."""

from __future__ import annotations

from typing import Any

from compliance.simulate.elections import BaccaratRules
from compliance.simulate.game import Game
from compliance.simulate.guests import Guest

Wager = tuple[int, str, str, int]
"""Seat, player, kind of wager, amount."""


class BaccaratMoney(Game):
    """A baccarat table's money: wagers and what players owe in commission."""

    main_wager = "banker"
    rules: BaccaratRules
    mini: bool
    debts: dict[str, int]
    """The commission that was marked and not yet collected, by player."""

    def take_wagers(self) -> list[Wager]:
        """Every player wagers on one of the hands, some also on a tie."""
        table, random = self.table, self.random.random
        table.wait(2000, 5000)
        table.play("announcement", phrase="place_your_bets", by=table.dealer, by_role="dealer")
        wagers: list[Wager] = []
        for seat in self.guests.seats:
            guest = self.guests.taken[seat]
            hand = "banker" if random() < 0.55 else "player"
            wagers.append((seat, guest.name, hand, self.stake(guest)))
            if random() < guest.boldness * 0.25:
                wagers.append((seat, guest.name, "tie", self.limits.minimum))
        for seat, name, kind, amount in wagers:
            table.wait(800, 2500)
            table.play(
                "wager_placed",
                seat=seat,
                player=name,
                wager=kind,
                amount=amount,
                medium="chip",
            )
        return wagers

    def settle(self, wagers: list[Wager], player: int, banker: int) -> None:
        """Losing wagers are collected first; then winners are paid in the elected order."""
        table = self.table
        winner = "tie" if player == banker else "player" if player > banker else "banker"
        won = [wager for wager in wagers if wager[2] == winner]
        for seat, name, kind, amount in wagers:
            if kind == winner or (winner == "tie" and kind != "tie"):
                continue
            table.wait(800, 2000)
            table.play("wager_collected", seat=seat, player=name, wager=kind, amount=amount)
        self._pay(sorted(won, key=lambda wager: -wager[0]))
        if winner == "tie":
            self._give_back([wager for wager in wagers if wager[2] != "tie"])

    def _give_back(self, wagers: list[Wager]) -> None:
        for seat, name, kind, amount in wagers:
            self.table.wait(800, 2000)
            self.table.play("wager_returned", seat=seat, player=name, wager=kind, amount=amount)
            if kind == "banker" and self.rules.tie_vigorish:
                self._commission("vigorish_collected", seat, name, amount // 4, 25, "tie")

    # ---- paying and commission -----------------------------------------------------------------

    def _pay(self, won: list[Wager]) -> None:
        procedure = self.rules.pay_procedure
        if procedure == 1:
            for wager in won:
                self._pay_one(wager)
            for wager in won:
                self._charge(wager)
        elif procedure == 2:
            for wager in won:
                self._charge(wager)
            for wager in won:
                self._pay_one(wager)
        else:
            for wager in won:
                steps = (self._pay_one, self._charge)
                for step in steps if procedure == 3 else steps[::-1]:
                    step(wager)

    def _pay_one(self, wager: Wager) -> None:
        seat, name, kind, amount = wager
        odds = self.rules.tie_odds if kind == "tie" else 1
        self.table.wait(1000, 2500)
        self.table.play(
            "wager_paid",
            seat=seat,
            player=name,
            wager=kind,
            stake=amount,
            amount=amount * odds,
            odds=f"{odds} to 1",
        )

    def _charge(self, wager: Wager) -> None:
        """Commission on a banker win: marked for later, or taken at once."""
        seat, name, kind, amount = wager
        if kind != "banker" or self.rules.tie_vigorish:
            return
        exact = amount * self.rules.rate // 100
        step = 5 if self.mini else 20 if self.rules.rate == 4 else 25
        rounded = -(-exact // step) * step
        if self.rules.deferred:
            self.debts[name] = self.debts.get(name, 0) + rounded
            self._commission("vigorish_marked", seat, name, rounded, self.rules.rate, "banker_win")
        else:
            self._commission(
                "vigorish_collected", seat, name, rounded, self.rules.rate, "banker_win"
            )

    def _commission(
        self, type: str, seat: int, name: str, amount: int, rate: int, reason: str
    ) -> None:
        table = self.table
        table.wait(500, 1500)
        what = _what(seat, name, amount, rate, reason)
        table.play(type, by=table.dealer, by_role="dealer", **what)

    def collect_debt(self, guest: Guest) -> None:
        """A player pays all commission that was marked."""
        amount = self.debts.pop(guest.name, 0)
        if amount:
            self.table.wait(2000, 5000)
            what = _what(guest.seats[0], guest.name, amount, self.rules.rate, "banker_win")
            self.table.by_dealer("vigorish_collected", **what)

    def collect_debts(self) -> None:
        """Everybody pays before the cards are shuffled."""
        for guest in self.guests.all():
            self.collect_debt(guest)


def _what(seat: int, name: str, amount: int, rate: int, reason: str) -> dict[str, Any]:
    return {
        "seat": seat,
        "player": name,
        "amount": amount,
        "rate": f"{rate}%",
        "reason": reason,
    }
