"""The additional wagers: more or less than thirteen, two cards of one suit, and sevens."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from compliance.simulate.blackjack.play import BlackjackPlay
from compliance.simulate.blackjack.side_wagers.side_wager import SideWager
from compliance.simulate.elections import dollars
from compliance.simulate.game import Change
from compliance.simulate.hands import PIPS, Hand

LARGEST: Final = 2500
PAY_OPTION: Final = {1: 1, 2: 3, 4: 2, 6: 4, 8: 3}
"""The pay option that all tables of the casino use for same suit, by decks."""
KING_AND_QUEEN: Final = {1: (50, 1), 2: (25, 1), 4: (25, 1), 6: (15, 1), 8: (50, 1)}
OTHER_SUITED: Final = {1: (5, 2), 2: (5, 2), 4: (5, 2), 6: (5, 2), 8: (2, 1)}
"""What same suit pays by that option, by decks."""
SEVENS: Final = {1: (3, 3), 2: (50, 100), 3: (500, 5000)}
"""What sevens pay to one, by their number, in several suits and in one."""


class AdditionalWager(SideWager):
    """One of the three; a table offers no more than one of them, and none beside a progressive."""

    excludes = ("progressive", "over_under_thirteen", "same_suit", "sevens")

    signs: tuple[str, ...] = ()
    """The wagers that have signs, where there are several."""

    def __init__(self, game: BlackjackPlay) -> None:
        super().__init__(game)
        self._offered = True

    def elections(self) -> dict[str, str]:
        return {"additional_wager": self.name, "maximum_bonus_wager": dollars(LARGEST)}

    def _shown(self) -> dict[str, Any]:
        return {"wager": self.wager, "maximum": LARGEST}

    def post(self) -> None:
        for wager in self.signs or (self.wager,):
            shown = {"subject": self.name, "wager": wager, "maximum": LARGEST}
            self.table.by_floorperson("notice_posted", **shown)

    def possible_change(self) -> Change | None:
        values = [self.name, "not_offered"]
        old, new = values if self._offered else values[::-1]
        return Change("additional_wager", old, new, self._shown())

    def change(self, change: Change) -> None:
        self._offered = change.new == self.name

    def place(self) -> None:
        if self._offered:
            self._tell_all()
            self.wagers_made()

    def wagers_made(self) -> None:
        """Who wants to makes the wager."""
        raise NotImplementedError

    def _tell_all(self) -> None:
        for hand in self.game.hands:
            who = {"seat": hand.seat, "player": hand.guest}
            self.table.play("wager_offered", wager=self.wager, **who)


class OverUnderThirteen(AdditionalWager):
    """The first two cards count more, or less, than thirteen; an ace counts one."""

    name = "over_under_thirteen"
    wager = "over_thirteen"
    signs = ("over_thirteen", "under_thirteen")
    since = date(1992, 4, 20)

    def wagers_made(self) -> None:
        self._side: dict[int, str] = {}
        for hand in self.boldest(0.5):
            side = "over_thirteen" if self.random.random() < 0.5 else "under_thirteen"
            self._side[hand.seat] = side
            self.make(hand, self.small_stake(min(LARGEST, hand.stake)), side)

    def hole_card_dealt(self) -> None:
        for hand in self.counterclockwise():
            side = self._side[hand.seat]
            count = sum(PIPS[card] for card in hand.cards)
            if count > 13 if side == "over_thirteen" else count < 13:
                self.win(hand, 1, wager=side)
            else:
                self.lose(hand, side)


class SameSuit(AdditionalWager):
    """The first two cards are of one suit; a king and a queen pay most."""

    name = "same_suit"
    wager = "same_suit"
    since = date(1994, 2, 22)
    wishes = ((("KS", "QS"), ()), (("QD", "KD"), ()))

    def elections(self) -> dict[str, str]:
        option = {"same_suit_pay_option": str(PAY_OPTION[self.game.decks])}
        return super().elections() | option

    def wagers_made(self) -> None:
        for hand in self.boldest(0.5):
            self.make(hand, self.small_stake(min(LARGEST, hand.stake)))

    def hole_card_dealt(self) -> None:
        for hand in self.counterclockwise():
            one, other = hand.cards
            if one[-1] != other[-1]:
                self.lose(hand)
            elif {one[:-1], other[:-1]} == {"K", "Q"}:
                self.win(hand, *KING_AND_QUEEN[self.game.decks])
            else:
                self.win(hand, *OTHER_SUITED[self.game.decks])


class Sevens(AdditionalWager):
    """A seven as the first card, two sevens, or three; two wait for the player's decision."""

    name = "sevens"
    wager = "sevens"
    since = date(1996, 7, 15)
    decks = (4, 6, 8)
    wishes = (
        (("7S", "7H"), ()),
        (("7D", "7D", "7D"), ("10S",)),
        (("7S", "7H", "7D"), ("10S",)),
        (("7C", "2H"), ()),
    )

    def wagers_made(self) -> None:
        for hand in self.boldest(0.6):
            self.make(hand, 100)

    def hole_card_dealt(self) -> None:
        for hand in self.counterclockwise():
            sevens = [card[0] == "7" for card in hand.cards]
            if all(sevens):
                continue
            if sevens[0]:
                self.win(hand, SEVENS[1][0])
            else:
                self.lose(hand)

    def waits_for_a_card(self, hand: Hand) -> bool:
        return hand.seat in self.stakes

    def decided(self, hand: Hand, kind: str) -> None:
        if hand.seat in self.stakes:
            self._pay_several(hand, kind)

    def play_is_over(self) -> None:
        # Nobody decides anything when the card reader has shown a blackjack.
        for hand in self.counterclockwise():
            self._pay_several(hand, "")

    def _pay_several(self, hand: Hand, kind: str) -> None:
        cards = self.game.dealt[hand.seat]
        number = 3 if kind != "split" and len(cards) > 2 and cards[2][0] == "7" else 2
        if kind == "split":
            by = {"by": self.table.dealer, "by_role": "dealer"}
            who = {"seat": hand.seat, "player": hand.guest}
            self.table.play("announcement", phrase="splitting_sevens", **who, **by)
        of_one_suit = len({card[-1] for card in cards[:number]}) == 1
        self.win(hand, SEVENS[number][of_one_suit])
