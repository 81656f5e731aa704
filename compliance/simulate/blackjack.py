"""A round of blackjack, as the law has it dealt, drawn and settled."""

from __future__ import annotations

from compliance.simulate.blackjack_settlement import BlackjackSettlement, main_wager_of
from compliance.simulate.hands import PIPS, Hand
from compliance.simulate.strategy import decide


class Blackjack(BlackjackSettlement):
    """A blackjack table in play."""

    def play_round(self) -> None:
        table = self.table
        table.begin("round")
        table.round += 1
        self.cutting_card_at = None
        self.dealers = Hand(0, "", 0, 0)
        self.insured: dict[int, int] = {}
        table.play("round_started")
        self.hands = self._take_wagers()
        self._deal_first_cards()
        self._pay_early_blackjacks()
        if self._dealer_may_have_blackjack() and self.rules.hole_card != "face_up":
            self._offer_insurance()
        if self._read_hole_card() or (
            self.rules.hole_card == "face_up" and self.dealers.is_blackjack
        ):
            self._settle(dealer_has_blackjack=True)
        else:
            self._players_turns()
            self._dealers_turn()
            self._settle(dealer_has_blackjack=self.dealers.is_blackjack)
        self._collect_cards()
        table.wait(1500, 4000)
        table.play("round_ended")
        table.wait(2000, 6000)

    # ---- wagers and first cards ----------------------------------------------------------------

    def _take_wagers(self) -> list[Hand]:
        table, random = self.table, self.random.random
        hands = []
        for seat in self.guests.seats:
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
        for hand in self.hands:
            self._deal_to(hand, face_up=face_up)
        self._deal_to_dealer()
        for hand in self.hands:
            self._deal_to(hand, face_up=face_up)
        if self.rules.has_hole_card:
            self._deal_to_dealer(face_up=self.rules.hole_card == "face_up")

    def _deal_to(self, hand: Hand, *, face_up: bool = True) -> None:
        table, shoe = self.table, self.shoe
        table.wait(700, 1300)
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
        card = shoe.draw()
        hand.take(card)
        table.play(
            "card_dealt",
            to="player",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            card=card,
            face_up=face_up,
            shoe=shoe.name,
        )

    def _deal_to_dealer(self, *, face_up: bool = True) -> None:
        table, shoe = self.table, self.shoe
        table.wait(700, 1300)
        if shoe.cutting_card_comes_out():
            table.play("cutting_card_reached", shoe=shoe.name, to="dealer", **self.pack)
        card = shoe.draw()
        self.dealers.take(card)
        if face_up or not self.hides_hole_card:
            table.play("card_dealt", to="dealer", card=card, face_up=face_up, shoe=shoe.name)
        else:
            table.play("card_dealt", to="dealer", face_up=False, shoe=shoe.name)

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

    @property
    def _upcard(self) -> int:
        return PIPS[self.dealers.cards[0]]

    def _dealer_may_have_blackjack(self) -> bool:
        return self._upcard in (1, 10)

    def _pay_early_blackjacks(self) -> None:
        """Against a low card a blackjack is paid at once, and its cards are removed."""
        for hand in self.hands:
            if not hand.is_blackjack:
                continue
            self.table.wait(1000, 2500)
            self.table.play(
                "announcement", phrase="blackjack", seat=hand.seat, player=hand.guest, hand=1
            )
            if not self._dealer_may_have_blackjack():
                self._pay_blackjack(hand)
                self._take_cards(hand)

    def _offer_insurance(self) -> None:
        if self._upcard != 1:
            return
        for hand in self.hands:
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
            self._pay(hand, "blackjack", hand.stake, 1, 1)
            hand.closed = True
            self._take_cards(hand)
        else:
            table.play("choice_declined", kind="even_money", **who)

    def _pay_net(self, hand: Hand) -> None:
        """One payment at even money settles a blackjack and insurance of just half of it."""
        if hand.stake // 2 % self.limits.chip:
            return
        self._insure(hand, hand.stake // 2)
        self._return(hand, "insurance", self.insured.pop(hand.seat))
        self._pay(hand, "blackjack", hand.stake, 1, 1)
        hand.closed = True
        self._take_cards(hand)

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
        if not (self.rules.card_reader and self._dealer_may_have_blackjack()):
            return False
        found = self.dealers.is_blackjack
        self.table.wait(2000, 4000)
        self.table.play("hole_card_read", result="blackjack" if found else "no_blackjack")
        if found:
            self._reveal_hole_card()
        self._settle_insurance()
        return found

    def _reveal_hole_card(self) -> None:
        self.table.wait(800, 1600)
        self.table.play("hole_card_revealed", card=self.dealers.cards[1])

    def _settle_insurance(self) -> None:
        won = self.dealers.is_blackjack
        for hand in self.hands:
            amount = self.insured.pop(hand.seat, 0) if hand.number == 1 else 0
            if amount and won:
                self._pay(hand, "insurance", amount, 2, 1)
            elif amount:
                self._collect(hand, "insurance", amount)

    # ---- the players' turns ----------------------------------------------------------------------

    def _players_turns(self) -> None:
        for hand in list(self.hands):
            if hand.closed:
                continue
            if not self.rules.six_to_five:
                self.table.wait(500, 1500)
                self._announce_total(hand)
            if self._insures_late(hand):
                self._insure(hand)
            if not hand.is_blackjack:
                self._turn(hand)

    def _insures_late(self, hand: Hand) -> bool:
        late = self.rules.late_insurance and self._upcard == 1 and hand.seat not in self.insured
        return late and self.guests.taken[hand.seat].boldness > 0.9

    def _turn(self, hand: Hand) -> None:
        """A player decides on one hand, and after a split on each of them from the left."""
        table, random = self.table, self.random
        while hand.total < 21:
            table.wait(1200, 4500)
            splits = sum(other.seat == hand.seat for other in self.hands) - 1
            kind = decide(hand, self._upcard, self.rules, splits, self.shoe.left, random)
            table.play("decision", seat=hand.seat, player=hand.guest, hand=hand.number, kind=kind)
            if kind == "hit":
                self._deal_to(hand)
                self._announce_total(hand)
            elif kind == "double":
                self._double(hand)
                return
            elif kind == "split":
                self._split(hand)
                return
            elif kind == "surrender":
                self._surrender(hand)
                return
            else:
                return
            if hand.total > 21:
                self._bust(hand)
                return

    def _double(self, hand: Hand) -> None:
        hand.doubled = hand.stake
        self.table.wait(800, 2000)
        self._place(hand, "double", hand.doubled)
        face_up = self.rules.double_card == "face_up"
        self._deal_to(hand, face_up=face_up)
        if face_up:
            self._announce_total(hand)
        if hand.total > 21:
            self._bust(hand)

    def _split(self, hand: Hand) -> None:
        aces = hand.aces == 2
        number = 1 + sum(other.seat == hand.seat for other in self.hands)
        other = Hand(hand.seat, hand.guest, number, hand.stake)
        self.hands.insert(self.hands.index(hand) + 1, other)
        other.take(hand.give_up_one())
        hand.split = other.split = True
        self.table.wait(800, 2000)
        self._place(other, "split", other.stake)
        for part in (hand, other):
            self._deal_to(part)
            self._announce_total(part)
            if not aces:
                self._turn(part)
            elif self._splits_aces_again(part):
                self.table.wait(1200, 4500)
                self.table.play(
                    "decision", seat=part.seat, player=part.guest, hand=part.number, kind="split"
                )
                self._split(part)

    def _splits_aces_again(self, hand: Hand) -> bool:
        splits = sum(other.seat == hand.seat for other in self.hands) - 1
        again = self.rules.resplit_aces and splits < self.rules.splits and hand.aces == 2
        return again and self.shoe.left > 20

    def _place(self, hand: Hand, wager: str, amount: int) -> None:
        self.table.play(
            "wager_placed",
            seat=hand.seat,
            player=hand.guest,
            hand=hand.number,
            wager=wager,
            amount=amount,
            medium="chip",
        )

    def _surrender(self, hand: Hand) -> None:
        hand.surrendered = True
        if not self._dealer_may_have_blackjack():
            self._halve(hand)

    def _bust(self, hand: Hand) -> None:
        self._collect(hand, main_wager_of(hand), hand.stake)
        if hand.doubled:
            self._collect(hand, "double", hand.doubled)
        hand.closed = True
        self._take_cards(hand)

    # ---- the dealer's turn -----------------------------------------------------------------------

    def _dealers_turn(self) -> None:
        table, dealers = self.table, self.dealers
        undecided = [hand for hand in self.hands if not hand.closed]
        if self.rules.hole_card == "face_down":
            self._reveal_hole_card()
        elif self.rules.hole_card == "dealt_last":
            if not undecided and not self.insured:
                return
            table.wait(800, 1800)
            table.play("announcement", phrase="dealers_card")
            self._deal_to_dealer()
        self._settle_insurance()
        if any(not hand.surrendered and not hand.is_blackjack for hand in undecided):
            while self._dealer_must_draw():
                self._deal_to_dealer()
        table.play("point_total_announced", to="dealer", total=dealers.total, soft=dealers.soft)

    def _dealer_must_draw(self) -> bool:
        total = self.dealers.total
        return total < 17 or (total == 17 and self.dealers.soft and self.rules.hits_soft_17)
