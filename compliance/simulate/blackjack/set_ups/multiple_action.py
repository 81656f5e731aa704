"""Multiple action: the players' hands play against two or three hands of the dealer's, all of them
formed with the same upcard."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any, Final

from compliance.simulate.blackjack.rounds import Blackjack
from compliance.simulate.blackjack.settlement import main_wager_of
from compliance.simulate.elections import BlackjackRules
from compliance.simulate.game import Change
from compliance.simulate.hands import Hand
from compliance.simulate.table import Table

DEALERS_HANDS: Final = (1, 2, 3)


class MultipleAction(Blackjack):
    """A table with multiple action, until the licensee withdraws it."""

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
        self.offered = True
        self.fewest_wagers = self.random.choice((2, 2, 3))
        """How many wagers every player must make."""
        self.spots: dict[int, dict[int, int]] = {}
        """The wagers of each seat, by the dealer's hand that they are made against."""
        self.insured_spots: dict[int, dict[int, int]] = {}
        """The insurance of each seat, by the dealer's hand that decides it."""

    def set_up(self, rules: BlackjackRules) -> None:
        """Three hands of the dealer's need many cards; what the law bars is not offered."""
        rules.six_to_five = rules.one_round_per_deck = rules.card_reader = False
        rules.double_after_split, rules.hole_card = True, "dealt_last"
        rules.surrender = rules.resplit = rules.resplit_aces = rules.late_insurance = False
        rules.even_money = rules.net_payout = rules.five_card_21 = False
        if rules.decks < 6:
            rules.decks, rules.boxes = 6, 6

    # ---- the offer -------------------------------------------------------------------------------

    def elections(self) -> dict[str, str]:
        fewest = {"multiple_action_minimum_wagers": str(self.fewest_wagers)}
        return super().elections() | {"multiple_action": "yes"} | fewest

    def post_signs(self) -> None:
        super().post_signs()
        sign = self.table.by_floorperson
        limits = {"minimum": self.limits.minimum, "maximum": self.limits.maximum}
        fewest = str(self.fewest_wagers)
        sign("notice_posted", subject="multiple_action_minimum_wagers", value=fewest)
        sign("notice_posted", subject="limits", wager="blackjack", **limits)

    def possible_change(self) -> Change | None:
        return Change("multiple_action", "yes", "no") if self.offered else None

    def change(self, change: Change) -> None:
        self.offered = False

    # ---- a round ---------------------------------------------------------------------------------

    def play_round(self) -> None:
        self.spots, self.insured_spots = {}, {}
        if not self.offered:
            super().play_round()
            return
        self._begin_round()
        self._offer_to_everybody()
        self.hands = self._take_wagers_on_spots()
        self.fate.round_begins()
        self._take_side_wagers()
        self._deal_first_cards()
        self._call_blackjacks()
        if self.upcard == 1:
            self._insure_spots()
        self._players_turns()
        self._dealers_hands()
        self._collect_cards()
        self._end_round()

    def _offer_to_everybody(self) -> None:
        """Now and then the dealer asks who wants to play: all at once, or one after the other."""
        chance = self.random.random()
        if chance < 0.2:
            self.table.play("wager_offered", wager="blackjack")
        elif chance < 0.4:
            for seat in self.guests.seats:
                name = self.guests.taken[seat].name
                self.table.play("wager_offered", wager="blackjack", seat=seat, player=name)

    def _take_wagers_on_spots(self) -> list[Hand]:
        table = self.table
        hands = []
        for seat in self.guests.seats:
            guest = self.guests.taken[seat]
            number = 3 if guest.boldness > 0.4 else self.fewest_wagers
            self.spots[seat] = {}
            hand = Hand(seat, guest.name, 1, 0)
            for spot in DEALERS_HANDS[:number]:
                table.wait(500, 1500)
                hand.stake = self.spots[seat][spot] = self.stake(guest)
                self._place_on(hand, "blackjack", spot)
            hands.append(hand)
        table.wait(1000, 3000)
        return hands

    def _place_on(self, hand: Hand, wager: str, spot: int) -> None:
        amount = self.spots[hand.seat][spot]
        stake = {"wager": wager, "area": spot, "amount": amount, "medium": "chip"}
        self.table.play("wager_placed", **_who(hand), **stake)

    def _place(self, hand: Hand, wager: str, amount: int) -> None:
        """Who doubles or splits adds to every one of the wagers."""
        if not self.spots:
            super()._place(hand, wager, amount)
        for spot in self.spots.get(hand.seat, ()):
            self._place_on(hand, wager, spot)

    # ---- blackjack and insurance -----------------------------------------------------------------

    def _call_blackjacks(self) -> None:
        """Against a low card a blackjack wins every wager at once."""
        for hand in self.hands:
            if not hand.is_blackjack:
                continue
            self.table.wait(1000, 2500)
            self.table.play("announcement", phrase="blackjack", **_who(hand))
            if not self._dealer_may_have_blackjack():
                for spot in self.spots[hand.seat]:
                    self._pay_on(hand, "blackjack", spot, 3, 2)
                hand.closed = True
                self._take_cards(hand)

    def _insure_spots(self) -> None:
        """A player may insure any of the wagers, or all of them."""
        for hand in self.hands:
            if self.guests.taken[hand.seat].boldness <= 0.7:
                continue
            for spot, stake in self.spots[hand.seat].items():
                amount = stake // 2 // self.limits.chip * self.limits.chip
                if amount and self.random.random() < 0.7:
                    self.table.wait(800, 2000)
                    insured = {"area": spot, "amount": amount}
                    self.table.play("insurance_placed", **_who(hand), **insured)
                    self.insured_spots.setdefault(hand.seat, {})[spot] = amount

    # ---- the players' turns ----------------------------------------------------------------------

    def _decide(self, hand: Hand) -> str:
        kind = super()._decide(hand)
        if not self.spots:
            return kind
        risky = kind == "hit" and hand.hard >= 12
        if (risky and not self._insurance_will_be_decided(hand)) or self.shoe.left < 40:
            return "stand"
        # Here some double even against an ace.
        bold = kind == "hit" and hand.hard == 11 and len(hand.cards) == 2
        return "double" if bold and self.random.random() < 0.5 else kind

    def _insurance_will_be_decided(self, hand: Hand) -> bool:
        """Whoever goes over 21 needs others for whom the dealer still deals those hands."""
        insured = self.insured_spots.get(hand.seat, {})
        others = self.hands[: self.hands.index(hand)]
        left = {spot for o in others if not o.closed for spot in self.spots[o.seat]}
        return left.issuperset(insured)

    def _bust(self, hand: Hand) -> None:
        if not self.spots:
            super()._bust(hand)
            return
        for spot in self.spots[hand.seat]:
            self._collect_on(hand, main_wager_of(hand), spot)
            if hand.doubled:
                self._collect_on(hand, "double", spot)
        hand.closed = True
        self._take_cards(hand)

    # ---- the dealer's hands ----------------------------------------------------------------------

    def _dealers_hands(self) -> None:
        for number in DEALERS_HANDS:
            if not any(number in self.spots[hand.seat] for hand in self._open_hands()):
                break
            if number > 1:
                self._move_upcard(number)
            self.table.wait(800, 1800)
            self.table.play("announcement", phrase="dealers_card")
            self._deal_to_dealer()
            self._settle_insurance_on(number)
            against = [h for h in self._open_hands() if number in self.spots[h.seat]]
            needed = any(not hand.is_blackjack for hand in against)
            while needed and self._dealer_must_draw():
                self._deal_to_dealer()
            self._announce_dealers_total()
            for hand in against:
                self._settle_on(hand, number)
        for hand in self._open_hands():
            hand.closed = True

    def _open_hands(self) -> list[Hand]:
        return [hand for hand in self.hands if not hand.closed]

    def _move_upcard(self, number: int) -> None:
        """All of the dealer's cards but the upcard go; it begins the next hand."""
        upcard = self.dealers.cards[0]
        self.fate.accident.dealers_hand_is_picked_up(upcard)
        self._put_away(self.dealers.cards[1:])
        self.dealers = Hand(0, "", 0, 0)
        self.dealers.take(upcard)
        self.fate.accident.upcard_is_to_move()
        self.table.wait(500, 1200)
        by = {"by": self.table.dealer, "by_role": "dealer"}
        self.table.play("upcard_moved", area=number, **by)

    def _put_away(self, cards: list[str]) -> None:
        self.table.wait(300, 800)
        self.table.play(
            "cards_collected",
            to="dealer",
            cards=" ".join(cards),
            cards_total=len(cards),
            face_up=False,
            place=self.rack,
        )

    def _collect_dealers_cards(self) -> None:
        if self.spots:
            self._put_away(self.dealers.cards)
        else:
            super()._collect_dealers_cards()

    # ---- settling --------------------------------------------------------------------------------

    def _settle_insurance_on(self, spot: int) -> None:
        won = self.dealers.is_blackjack
        for hand in self.hands:
            insured = self.insured_spots.get(hand.seat, {})
            if hand.number != 1 or spot not in insured:
                continue
            amount = insured.pop(spot)
            self.table.wait(500, 1500)
            lost = {"wager": "insurance", "area": spot, "amount": amount}
            if won:
                gain = {"stake": amount, "amount": amount * 2, "odds": "2 to 1"}
                self.table.play("wager_paid", **_who(hand), **lost | gain)
            else:
                self.table.play("wager_collected", **_who(hand), **lost)

    def _settle_on(self, hand: Hand, spot: int) -> None:
        if spot == 1 and hand.doubled and self._closes_double_card(hand):
            self.turn_up(hand)
        if hand.is_blackjack and not self.dealers.is_blackjack:
            self._pay_on(hand, "blackjack", spot, 3, 2)
            return
        won = self.dealers.total > 21 or hand.total > self.dealers.total
        tied = hand.total == self.dealers.total and not self.dealers.is_blackjack
        main = main_wager_of(hand)
        for wager in (main, "double") if hand.doubled else (main,):
            # What was added to double or to split is not lost to a blackjack.
            spared = self.dealers.is_blackjack and (hand.is_blackjack or wager != "blackjack")
            if won:
                self._pay_on(hand, wager, spot, 1, 1)
            elif tied or spared:
                self._give_back_on(hand, wager, spot)
            else:
                self._collect_on(hand, wager, spot)

    def _pay_on(self, hand: Hand, wager: str, spot: int, gain: int, per: int) -> None:
        stake = self.spots[hand.seat][spot]
        paid = {"stake": stake, "amount": stake * gain // per, "odds": f"{gain} to {per}"}
        self.table.wait(700, 1800)
        self.table.play("wager_paid", **_who(hand), wager=wager, area=spot, **paid)

    def _collect_on(self, hand: Hand, wager: str, spot: int) -> None:
        lost = {"wager": wager, "area": spot, "amount": self.spots[hand.seat][spot]}
        self.table.wait(500, 1200)
        self.table.play("wager_collected", **_who(hand), **lost)

    def _give_back_on(self, hand: Hand, wager: str, spot: int) -> None:
        back = {"wager": wager, "area": spot, "amount": self.spots[hand.seat][spot]}
        self.table.wait(500, 1200)
        self.table.play("wager_returned", **_who(hand), **back)


def _who(hand: Hand) -> dict[str, Any]:
    return {"seat": hand.seat, "player": hand.guest, "hand": hand.number}
