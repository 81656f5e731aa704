"""The beginning of a round of blackjack: wagers, first cards, insurance and the card reader."""

from __future__ import annotations

from compliance.simulate.blackjack.settlement import BlackjackSettlement
from compliance.simulate.hands import Hand

LUCK = 0.05
"""In what share of rounds somebody gets cards that would else hardly ever come."""
FIVE_CARDS = (
    (("2S", "3H", "4D", "5C", "7S"), ("10S", "AD")),
    (("2S", "3H", "4D", "5C", "7S"), ("10S", "4D", "7H")),
    (("2S", "3H", "4D", "5C", "7S"), ("10S", "8D")),
)
"""21 in five cards against a blackjack, against another 21, and against less."""
DEALER = 0
"""The dealer's place among the seats."""


class BlackjackFirstCards(BlackjackSettlement):
    """A blackjack table up to the moment when the players decide."""

    insured: dict[int, int]

    # ---- wagers and first cards ----------------------------------------------------------------

    def _take_wagers(self) -> list[Hand]:
        table, random = self.table, self.random.random
        hands = []
        for seat in self._seats_in_play():
            guest = self.guests.taken[seat]
            table.wait(800, 2600)
            amount = self.stake(guest)
            cash = random() < 0.005
            table.play(
                "wager_placed",
                seat=seat,
                player=guest.name,
                hand=1,
                wager="blackjack",
                amount=amount,
                medium="cash" if cash else "chip",
            )
            if cash:
                self._convert_cash(seat, guest.name, amount)
            hands.append(Hand(seat, guest.name, 1, amount))
        table.wait(1000, 3000)
        return hands

    def _seats_in_play(self) -> list[int]:
        """The boxes whose players wager in this round."""
        return self.guests.seats

    def _take_side_wagers(self) -> None:
        """After the main wagers; then betting is closed where a side wager asks for it."""
        self.wishes = {}
        for side in self.side_wagers:
            side.stakes.clear()
            side.place()
            if side.wishes and side.stakes and self.random.random() < LUCK:
                seat = self.random.choice(sorted(side.stakes))
                players, dealers = self.random.choice(side.wishes)
                self.wishes = {seat: list(players), DEALER: list(dealers)}
        if self.rules.five_card_21 and self.random.random() < LUCK:
            players, dealers = self.random.choice(FIVE_CARDS)
            self.wishes = {self.random.choice(self.hands).seat: list(players), DEALER: [*dealers]}
        if any(side.closes_betting for side in self.side_wagers):
            self.table.wait(500, 1500)
            by = {"by": self.table.dealer, "by_role": "dealer"}
            self.table.play("announcement", phrase="no_more_bets", **by)
        for side in self.side_wagers:
            side.betting_closed()

    def _convert_cash(self, seat: int, player: str, amount: int) -> None:
        table = self.table
        what = {"seat": seat, "player": player, "amount": amount}
        wager = {"hand": 1, "wager": "blackjack"}
        for by, role in ((table.dealer, "dealer"), (table.floorperson, "floorperson")):
            table.wait(800, 2000)
            table.play("wager_confirmed", by=by, by_role=role, **wager, **what)
        table.wait(3000, 9000)
        table.play("cash_converted", by=table.dealer, by_role="dealer", **what)

    def _deal_first_cards(self) -> None:
        face_up = not self.rules.six_to_five
        accident = self.fate.accident
        for hand in accident.order_of_first_cards([*self.hands, None, *self.hands]):
            if hand is None:
                self._deal_to_dealer()
            else:
                self._deal_to(hand, face_up=face_up)
        for side in self.side_wagers:
            side.second_cards_dealt()
        if self.rules.has_hole_card:
            self._deal_to_dealer(face_up=self.rules.hole_card == "face_up")
        accident.first_cards_dealt()
        for side in self.side_wagers:
            side.hole_card_dealt()

    def _deal_to(self, hand: Hand, *, face_up: bool = True) -> None:
        table, shoe = self.table, self.shoe
        self._clear_the_layout()
        table.wait(700, 1300)
        self.fate.before_a_card(hand)
        if shoe.cutting_card_comes_out():
            self.cutting_card_at = (hand.seat, self.guests.taken[hand.seat])
            table.play(
                "cutting_card_reached",
                shoe=shoe.name,
                seat=hand.seat,
                player=hand.guest,
                hand=hand.number,
                to="player",
                **self.pack,
            )
        self._wish(hand.seat)
        card = shoe.draw()
        hand.take(card)
        self.dealt.setdefault(hand.seat, []).append(card)
        table.play(
            "card_dealt",
            to="player",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            card=card,
            face_up=face_up,
            shoe=shoe.name,
            **self.deck,
            **self.mark,
        )

    def _deal_to_dealer(self, *, face_up: bool = True) -> None:
        table, shoe = self.table, self.shoe
        self._clear_the_layout()
        table.wait(700, 1300)
        self.fate.before_a_card(None)
        if shoe.cutting_card_comes_out():
            table.play("cutting_card_reached", shoe=shoe.name, to="dealer", **self.pack)
        self._wish(DEALER)
        card = shoe.draw()
        self.dealers.take(card)
        seen = {"card": card} if face_up or not self.hides_hole_card else {}
        which = {**seen, "face_up": face_up, "shoe": shoe.name, **self.deck, **self.mark}
        table.play("card_dealt", to="dealer", **which)

    def _wish(self, seat: int) -> None:
        if self.wishes.get(seat):
            self.shoe.bring(self.wishes[seat].pop(0))

    def _announce_total(self, hand: Hand) -> None:
        self.table.play(
            "point_total_announced",
            to="player",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            total=hand.total,
            soft=hand.soft,
        )

    # ---- blackjack, insurance and the card reader ----------------------------------------------

    def _dealer_may_have_blackjack(self) -> bool:
        return self.upcard in (1, 10)

    def _pay_early_blackjacks(self) -> None:
        """Against a low card a blackjack is paid at once, and its cards are removed."""
        for hand in self.in_settling_order():
            if not hand.is_blackjack:
                continue
            self.table.wait(1000, 2500)
            self.table.play(
                "announcement", phrase="blackjack", seat=hand.seat, player=hand.guest, hand=1
            )
            if not self._dealer_may_have_blackjack():
                self._show_closed_cards(hand)
                self._pay_blackjack(hand)
                self._take_cards_of_blackjack(hand)

    def _show_closed_cards(self, hand: Hand) -> None:
        if self.rules.six_to_five:
            self.turn_up(hand)

    def _take_cards_of_blackjack(self, hand: Hand) -> None:
        kept = any(
            side.keeps_cards_of_blackjacks and hand.seat in side.stakes for side in self.side_wagers
        )
        if not kept:
            self._done_with(hand)

    def _offer_insurance(self) -> None:
        if self.upcard != 1:
            return
        for hand in self.in_settling_order():
            boldness = self.guests.taken[hand.seat].boldness
            if hand.is_blackjack and self.rules.even_money:
                self._offer_even_money(hand, boldness)
            elif hand.is_blackjack and self.rules.net_payout and boldness > 0.4:
                self._pay_net(hand)
            elif boldness > 0.75 and not (self.rules.late_insurance and boldness > 0.9):
                self._insure(hand)

    def _offer_even_money(self, hand: Hand, boldness: float) -> None:
        table = self.table
        who = {"seat": hand.seat, "player": hand.guest, "hand": 1}
        table.wait(1000, 3000)
        table.play("choice_offered", kind="even_money", **who)
        table.wait(1000, 3000)
        if boldness > 0.5:
            table.play("choice_accepted", kind="even_money", **who)
            self._show_closed_cards(hand)
            self.pay(hand, "blackjack", hand.stake, 1, 1)
            hand.closed = True
            self._take_cards_of_blackjack(hand)
        else:
            table.play("choice_declined", kind="even_money", **who)

    def _pay_net(self, hand: Hand) -> None:
        """One payment at even money settles a blackjack and insurance of just half of it."""
        if hand.stake // 2 % self.limits.chip:
            return
        self._insure(hand, hand.stake // 2)
        self.give_back(hand, "insurance", self.insured.pop(hand.seat))
        self.pay(hand, "blackjack", hand.stake, 1, 1)
        hand.closed = True
        self._take_cards_of_blackjack(hand)

    def _insure(self, hand: Hand, amount: int = 0) -> None:
        chip = self.limits.chip
        half = hand.stake // 2
        amount = amount or (half // chip * chip if self.random.random() < 0.5 else 0)
        amount = amount or -(-half // chip) * chip
        self.table.wait(800, 2000)
        self.table.play(
            "insurance_placed", seat=hand.seat, player=hand.guest, hand=1, amount=amount
        )
        self.insured[hand.seat] = amount

    def _read_hole_card(self) -> bool:
        """With a card reader the dealer learns of a blackjack before anybody draws."""
        reads = self.rules.card_reader and self.fate.devices.reader_works
        if not (reads and self._dealer_may_have_blackjack()):
            return False
        found = self.dealers.is_blackjack
        self.table.wait(2000, 4000)
        self.table.play("hole_card_read", result="blackjack" if found else "no_blackjack")
        if found:
            self._reveal_hole_card()
        self._settle_insurance()
        if not found:
            for side in self.side_wagers:
                side.reader_found_nothing()
        return found

    def _offer_cards_despite_blackjack(self) -> None:
        """A side wager may still want a card: those whom it concerns are asked from the left."""
        table = self.table
        for hand in self.hands:
            if not any(side.waits_for_a_card(hand) for side in self.side_wagers):
                continue
            who = {"seat": hand.seat, "player": hand.guest, "hand": 1}
            table.wait(1000, 3000)
            table.play("choice_offered", kind="additional_card", **who)
            table.wait(1000, 3000)
            if self.guests.taken[hand.seat].boldness > 0.6:
                table.play("choice_accepted", kind="additional_card", **who)
                self._deal_to(hand)
                self._announce_total(hand)
            else:
                table.play("choice_declined", kind="additional_card", **who)

    def _reveal_hole_card(self) -> None:
        self.table.wait(800, 1600)
        self.table.play("hole_card_revealed", card=self.dealers.cards[1])
        self._dealers_hand_grew()

    def _dealers_hand_grew(self) -> None:
        for side in self.side_wagers:
            side.dealers_hand_grew()

    def _settle_insurance(self) -> None:
        won = self.dealers.is_blackjack
        for hand in self.hands:
            amount = self.insured.pop(hand.seat, 0) if hand.number == 1 else 0
            if amount and won:
                self.pay(hand, "insurance", amount, 2, 1)
            elif amount:
                self.collect(hand, "insurance", amount)
