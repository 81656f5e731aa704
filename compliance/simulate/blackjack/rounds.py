"""A round of blackjack, as the law has it dealt, drawn and settled."""

from __future__ import annotations

from compliance.simulate.blackjack.first_cards import BlackjackFirstCards
from compliance.simulate.blackjack.settlement import main_wager_of
from compliance.simulate.blackjack.strategy import decide
from compliance.simulate.hands import Hand


class Blackjack(BlackjackFirstCards):
    """A blackjack table in play."""

    def play_round(self) -> None:
        self._begin_round()
        self.hands = self._take_wagers()
        self.fate.round_begins()
        self._take_side_wagers()
        self._deal_first_cards()
        self._pay_early_blackjacks()
        if self._dealer_may_have_blackjack() and self.rules.hole_card != "face_up":
            self._offer_insurance()
        if self._read_hole_card() or (
            self.rules.hole_card == "face_up" and self.dealers.is_blackjack
        ):
            self._announce_dealers_total()
            self._offer_cards_despite_blackjack()
            self._settle(dealer_has_blackjack=True)
        else:
            self._players_turns()
            self._dealers_turn()
            self._settle(dealer_has_blackjack=self.dealers.is_blackjack)
        self._collect_cards()
        self._end_round()

    def _begin_round(self) -> None:
        table = self.table
        table.begin("round")
        table.round += 1
        self.cutting_card_at = None
        self.dealers = Hand(0, "", 0, 0)
        self.insured = {}
        self.done_with.clear()
        self.dealt = {}
        table.play("round_started")

    def _end_round(self) -> None:
        table = self.table
        table.wait(1500, 4000)
        table.play("round_ended")
        table.wait(2000, 6000)

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
        for hand in self.fate.accident.late_cards():
            self._deal_to(hand)
            self._announce_total(hand)
            if hand.total > 21:
                self._bust(hand)

    def _insures_late(self, hand: Hand) -> bool:
        late = self.rules.late_insurance and self.upcard == 1 and hand.seat not in self.insured
        return late and self.guests.taken[hand.seat].boldness > 0.9

    def _turn(self, hand: Hand) -> None:
        """A player decides on one hand, and after a split on each of them from the left."""
        table, accident = self.table, self.fate.accident
        accident.turn_begins(hand)
        while hand.total < 21:
            table.wait(1200, 4500)
            kind = self._decide(hand)
            table.play("decision", seat=hand.seat, player=hand.guest, hand=hand.number, kind=kind)
            if kind == "hit":
                if accident.withholds_card(hand):
                    if hand.closed:
                        self._done_with(hand)
                    return
                self._deal_to(hand)
                self._announce_total(hand)
                self._decided(hand, kind)
            elif kind == "double":
                self._double(hand)
                return
            elif kind == "split":
                self._decided(hand, kind)
                self._split(hand)
                return
            elif kind == "surrender":
                self._decided(hand, kind)
                self._surrender(hand)
                return
            else:
                self._decided(hand, kind)
                return
            if hand.total > 21:
                self._bust(hand)
                return

    def _decide(self, hand: Hand) -> str:
        splits = sum(other.seat == hand.seat for other in self.hands) - 1
        left = self.shoe.size if self.deals_deep else self.shoe.left
        return decide(hand, self.upcard, self.rules, splits, left, self.random)

    def _decided(self, hand: Hand, kind: str) -> None:
        for side in self.side_wagers:
            side.decided(hand, kind)

    def _double(self, hand: Hand) -> None:
        hand.doubled = hand.stake
        self.table.wait(800, 2000)
        self._place(hand, "double", hand.doubled)
        face_up = not self._closes_double_card(hand)
        if not face_up and self.fate.accident.deals_double_card_up(hand):
            face_up = True
        self._deal_to(hand, face_up=face_up)
        if face_up:
            self._announce_total(hand)
        self._decided(hand, "double")
        if face_up and hand.total > 21:
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
        if number == 2:
            self._show_closed_cards(hand)
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
        thrown_in = self.rules.six_to_five and not hand.split
        if thrown_in:
            who = {"seat": hand.seat, "player": hand.guest, "hand": 1}
            self.table.play("cards_discarded", to="player", face_up=False, **who)
        self.collect(hand, main_wager_of(hand), hand.stake)
        if hand.doubled:
            self.collect(hand, "double", hand.doubled)
        hand.closed = True
        if thrown_in:
            self._take_cards(hand, "discard_rack")
        else:
            self._done_with(hand)

    # ---- the dealer's turn -----------------------------------------------------------------------

    def _dealers_turn(self) -> None:
        table, dealers = self.table, self.dealers
        undecided = [hand for hand in self.hands if not hand.closed]
        if self.rules.hole_card == "face_down":
            self._reveal_hole_card()
        elif self.rules.hole_card == "dealt_last":
            if not undecided and not self.insured and not self._third_card_is_wagered_on():
                return
            table.wait(800, 1800)
            table.play("announcement", phrase="dealers_card")
            self._deal_to_dealer()
            self._dealers_hand_grew()
        self._settle_insurance()
        against = any(not hand.surrendered and not hand.is_blackjack for hand in undecided)
        if self._dealer_must_draw() and (against or self._third_card_is_wagered_on()):
            # Who surrendered does not wait for a third card.
            for hand in self.in_settling_order():
                if hand.surrendered and not hand.closed:
                    self._halve(hand)
            while self._dealer_must_draw() and (against or len(dealers.cards) == 2):
                self._deal_to_dealer()
                self._dealers_hand_grew()
        if against and not self._dealer_must_draw() and dealers.total <= 21:
            self.fate.accident.dealer_stands()
        self._announce_dealers_total()

    def _announce_dealers_total(self) -> None:
        total, soft = self.dealers.total, self.dealers.soft
        self.table.play("point_total_announced", to="dealer", total=total, soft=soft)

    def _third_card_is_wagered_on(self) -> bool:
        return any(side.needs_third_card and side.stakes for side in self.side_wagers)

    def _dealer_must_draw(self) -> bool:
        total = self.dealers.total
        return total < 17 or (total == 17 and self.dealers.soft and self.rules.hits_soft_17)
