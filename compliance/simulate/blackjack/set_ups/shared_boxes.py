"""Shared boxes: up to three players wager on one box, and one of them decides for all."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from random import Random
from typing import Final

from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.blackjack.settlement import ON_A_HAND
from compliance.simulate.elections import BlackjackRules
from compliance.simulate.game import Change
from compliance.simulate.hands import Hand
from compliance.simulate.table import Table

FAR_FROM_THE_CUTTING_CARD: Final = 80
"""Only then a box is played where nobody sits: nobody there could be asked to cut the cards."""
BARRED_CHANGES: Final = ("surrender", "resplit")


class SharedBoxes(Blackjack):
    """A table at which others may wager on a player's box, or together on an empty one."""

    has_side_wagers = False

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        super().__init__(table, day, chance, offers, variant)
        self.friends: dict[str, int] = {}
        """How many people stand behind each player."""
        self.shares: dict[tuple[int, int, str], dict[str, int]] = {}
        """What each player has on a hand: by seat, hand and wager."""

    def set_up(self, rules: BlackjackRules) -> None:
        """What would have to be asked of each player on the box is not offered."""
        if rules.six_to_five or rules.hole_card == "face_up":
            rules.six_to_five = rules.one_round_per_deck = rules.card_reader = False
            rules.double_after_split, rules.hole_card, rules.automated = True, "dealt_last", False
            rules.decks, rules.boxes = 6, 6
        rules.surrender = rules.resplit = rules.resplit_aces = rules.late_insurance = False
        rules.even_money = rules.net_payout = False
        rules.multi_box = True

    def elections(self) -> dict[str, str]:
        return super().elections() | {"box_sharing": "yes"}

    def possible_change(self) -> Change | None:
        change = super().possible_change()
        return None if change is None or change.option in BARRED_CHANGES else change

    # ---- wagers ----------------------------------------------------------------------------------

    def _take_wagers(self) -> list[Hand]:
        self.shares = {}
        hands = []
        for seat in self.guests.seats:
            guest = self.guests.taken[seat]
            hand = Hand(seat, guest.name, 1, self.stake(guest))
            self._wager(hand, guest.name, hand.stake)
            for friend in self._friends_of(guest.name):
                self._consent(seat, guest.name, friend)
                self._wager(hand, friend, self.limits.minimum * self.random.choice((1, 2, 5)))
            hands.append(hand)
        hands += self._empty_box()
        self.table.wait(1000, 3000)
        return sorted(hands, key=lambda hand: hand.seat)

    def _friends_of(self, player: str) -> list[str]:
        """Who wagers this time on the box of a player."""
        number = self.friends.setdefault(player, self.random.choice((0, 0, 1, 1, 2)))
        names = [f"{player}-{letter}" for letter in "ab"[:number]]
        return [name for name in names if self.random.random() < 0.8]

    def _empty_box(self) -> list[Hand]:
        """Now and then two players take a box together at which nobody sits."""
        free = [seat for seat in range(1, self.boxes + 1) if seat not in self.guests.taken]
        guests = self.guests.all()
        near = self.shoe.left_before_cutting_card <= FAR_FROM_THE_CUTTING_CARD
        if near or not free or len(guests) < 2 or self.random.random() < 0.7:
            return []
        seat = self.random.choice(free)
        first, second = self.random.sample(guests, 2)
        stakes = self.stake(first), self.stake(second)
        caller = first if stakes[0] >= stakes[1] else second
        hand = Hand(seat, caller.name, 1, max(stakes))
        self._wager(hand, first.name, stakes[0])
        self._consent(seat, first.name, second.name)
        self._wager(hand, second.name, stakes[1])
        return [hand]

    def _consent(self, seat: int, player: str, guest: str) -> None:
        self.table.wait(500, 1500)
        self.table.play("box_share_consent", seat=seat, player=player, guest=guest)

    def _wager(self, hand: Hand, player: str, amount: int, wager: str = "blackjack") -> None:
        self.table.wait(500, 1500)
        on_hand = {"seat": hand.seat, "player": player, "hand": hand.number, "wager": wager}
        self.table.play("wager_placed", **on_hand, amount=amount, medium="chip")
        self._share(hand, wager)[player] = amount

    def _share(self, hand: Hand, wager: str) -> dict[str, int]:
        return self.shares.setdefault((hand.seat, hand.number, wager), {})

    def _place(self, hand: Hand, wager: str, amount: int) -> None:
        if wager == "split":
            self._answer_the_split(hand)
            return
        for name in ON_A_HAND:
            for player, stake in list(self._share(hand, name).items()):
                if player == hand.guest or self.random.random() < 0.5:
                    self._wager(hand, player, stake, wager)

    def _answer_the_split(self, other: Hand) -> None:
        """Each player adds a wager for the new hand, or names the one that the wager stays with."""
        first = self.shares[other.seat, 1, "blackjack"]
        for player, stake in list(first.items()):
            if player == other.guest or self.random.random() < 0.5:
                self._wager(other, player, stake, "split")
                continue
            number = self.random.choice((1, 2))
            named = {"seat": other.seat, "player": player, "hand": number}
            self.table.play("split_hand_designated", **named)
            if number == 2:
                self._share(other, "blackjack")[player] = first.pop(player)

    def _offer_insurance(self) -> None:
        """Each player on a box insures or not, whatever the others do."""
        chip = self.limits.chip
        for hand in self.hands if self.upcard == 1 else ():
            for player, stake in self._share(hand, "blackjack").items():
                amount = stake // 2 // chip * chip
                if not amount or self.random.random() < 0.7:
                    continue
                self.table.wait(800, 2000)
                on_hand = {"seat": hand.seat, "player": player, "hand": 1}
                self.table.play("insurance_placed", **on_hand, amount=amount)
                self._share(hand, "insurance")[player] = amount
                self.insured[hand.seat] = self.insured.get(hand.seat, 0) + amount

    # ---- settling --------------------------------------------------------------------------------

    def _stakes_on(self, hand: Hand, wager: str) -> Iterator[tuple[str, str, int]]:
        """What lies on a hand: the wager, its player and its amount."""
        for name in ON_A_HAND if wager in ON_A_HAND else (wager,):
            for player, amount in self._share(hand, name).items():
                yield name, player, amount

    def pay(self, hand: Hand, wager: str, stake: int, gain: int, per: int) -> None:
        for name, player, amount in self._stakes_on(hand, wager):
            self.pay_side(_for_player(hand, player), name, amount, gain, per)

    def collect(self, hand: Hand, wager: str, amount: int) -> None:
        for name, player, stake in self._stakes_on(hand, wager):
            self.collect_side(_for_player(hand, player), name, stake)

    def give_back(self, hand: Hand, wager: str, amount: int) -> None:
        for name, player, stake in self._stakes_on(hand, wager):
            super().give_back(_for_player(hand, player), name, stake)

    def _settle_against_blackjack(self, hand: Hand) -> None:
        """Only the first wagers are lost, whichever hand they stayed with."""
        for name in (*ON_A_HAND, "double"):
            for player, stake in self._share(hand, name).items():
                if name == "blackjack" and not hand.is_blackjack:
                    self.collect_side(_for_player(hand, player), name, stake)
                else:
                    super().give_back(_for_player(hand, player), name, stake)


def _for_player(hand: Hand, player: str) -> Hand:
    """The same hand, seen from one of the players on its box."""
    return Hand(hand.seat, player, hand.number, 0)
