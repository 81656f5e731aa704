"""The twenty point bonus wager: twenty in the first two cards, best with two queens of hearts."""

from __future__ import annotations

from datetime import date
from functools import partial
from math import gcd
from typing import Any, Final

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.elections import dollars
from compliance.simulate.game import Change
from compliance.simulate.hands import Hand

PAYS: Final = {"a": (4, 9, 19, 125), "b": (4, 10, 25, 200)}
"""What twenty pays to one: any, of one suit, two equal cards, two queens of hearts."""
TOP_LINE: Final = 1000
QUEENS: Final = ("QH", "QH")
LARGEST: Final = 2500
CAPS: Final = (25_000_00, 50_000_00, 100_000_00)


class TwentyPoint(SideWager):
    """Settled after the second cards; the queens wait while the dealer may have blackjack."""

    name = "twenty_point"
    wager = "twenty_point"
    since = date(2006, 6, 5)
    decks = (4, 6, 8)
    excludes = ("streak", "progressive", "blackjack_bonus", "optional_bonus")
    closes_betting = True
    wishes = (
        (QUEENS, ("KS", "7D")),
        (QUEENS, ("AS", "KD")),
        (QUEENS, ("5S",)),
        (("JC", "JC"), ()),
        (("KS", "10S"), ()),
    )

    def __init__(self, game: BlackjackPlay) -> None:
        super().__init__(game)
        self._pays = self.random.choice(("a", "b"))
        self._cap = self.random.choice((0, *CAPS))
        self._on_layout = self.random.random() < 0.4

    def elections(self) -> dict[str, str]:
        found = {"twenty_point": "yes", "twenty_point_pay_table": self._pays}
        if self._cap:
            found["twenty_point_cap"] = dollars(self._cap)
            found["twenty_point_cap_on_layout"] = "yes" if self._on_layout else "no"
        return found

    def post(self) -> None:
        post = partial(self.table.by_floorperson, "notice_posted", **self._limits())
        post(subject="twenty_point")
        post(subject="twenty_point_pay_table", value=self._pays)
        if self._cap and not self._on_layout:
            post(subject="twenty_point_cap", value=dollars(self._cap))

    def _limits(self) -> dict[str, Any]:
        return {"wager": self.wager, "minimum": self.game.limits.chip, "maximum": LARGEST}

    def possible_change(self) -> Change | None:
        lower = [cap for cap in CAPS if cap < self._cap]
        if not lower:
            return None
        new = dollars(lower[-1])
        return Change("twenty_point_cap", dollars(self._cap), new, self._limits())

    def change(self, change: Change) -> None:
        self._cap = next(cap for cap in CAPS if dollars(cap) == change.new)

    def place(self) -> None:
        for hand in self.boldest(0.5):
            self.make(hand, self.small_stake(LARGEST))

    def second_cards_dealt(self) -> None:
        for hand in self.counterclockwise():
            if not self._waits(hand):
                self._settle(hand)

    def reader_found_nothing(self) -> None:
        self._pay_queens(top_line=False)

    def play_is_over(self) -> None:
        self._pay_queens(top_line=self.game.dealers.is_blackjack)

    def _waits(self, hand: Hand) -> bool:
        return tuple(hand.cards[:2]) == QUEENS and self.game.upcard in (1, 10)

    def _settle(self, hand: Hand) -> None:
        if hand.total != 20:
            self.lose(hand)
            return
        one, other = hand.cards[:2]
        line = 0
        if (one, other) == QUEENS:
            line = 3
        elif one == other:
            line = 2
        elif one[-1] == other[-1]:
            line = 1
        self.win(hand, PAYS[self._pays][line])

    def _pay_queens(self, *, top_line: bool) -> None:
        waiting = self.counterclockwise()
        staked = sum(self.stakes.values())
        for hand in waiting:
            self.table.wait(2000, 6000)
            who = {"seat": hand.seat, "player": hand.guest}
            self.table.play("supervisor_called", called_role="floorperson", **who)
            self.table.wait(10000, 40000)
            by = {"by": self.table.floorperson, "by_role": "floorperson"}
            self.table.play("supervisor_confirmed", subject="cards", hand=1, **who, **by)
            if top_line and self._cap and staked * TOP_LINE > self._cap:
                stake = self.stakes[hand.seat]
                share = self._cap * stake // staked // 100 * 100
                self.win(hand, share // gcd(share, stake), stake // gcd(share, stake))
            else:
                self.win(hand, TOP_LINE if top_line else PAYS[self._pays][3])
