"""Blackjack at the invented casino: dealt from a shoe, the dealer's second card last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tests.compliance.demo.table import Table, dollars

CARDS = 416


@dataclass
class Box:
    """A box in one round: who plays it, for how much, with which cards, and what is special."""

    player: str
    stake: int
    cards: str
    insured: int = 0
    even_money: bool = False
    paid: int | None = None
    """What a winning wager is paid; what the law says if it is left out."""

    @property
    def hand(self) -> list[str]:
        return self.cards.split()


@dataclass
class BlackjackTable(Table):
    """A table with a shoe of eight decks, seven boxes, and no hole card."""

    seated: dict[int, str] = field(default_factory=dict)

    def open(self, dealer: str, players: Mapping[int, str]) -> None:
        """Open the table, show the cards, and seat the players."""
        self.note("table_opened", by="F-02", by_role="floorperson", game="blackjack", boxes=7)
        self.elect(decks="8", boxes="7", chip_unit="$1", minimum_wager="$10", maximum_wager="$500")
        self.elect(soft_17="stand", even_money="yes")
        self.change_dealer(dealer)
        who = {"by": dealer, "by_role": "dealer"}
        self.note("decks_received", by="F-02", by_role="floorperson", decks_total=8)
        self.note("cards_inspected", 60, **who, cards_total=CARDS)
        self.note("cards_spread", 30, **who, face_up=True, arrangement="fan")
        for seat, player in players.items():
            self.note("player_seated", 40, seat=seat, player=player)
            self.seated[seat] = player
        first = next(iter(players))
        self.note("player_inspection_offered", seat=first, player=players[first])
        self.note("spread_turned", **who, face_up=False)
        self.note("cards_washed", 20, **who)
        self.note("cards_stacked", 20, **who, cards_total=CARDS)

    def shuffle(self, reason: str, cutter: int, shoe: str, *, recut_by: str = "") -> None:
        """Shuffle, cut, load the shoe and burn its first card."""
        who = {"by": self.dealer, "by_role": "dealer"}
        self.note("cards_shuffled", 180, **who, method="manual", reason=reason)
        self.note("cut_offered", seat=cutter, player=self.seated[cutter])
        self._cut(cutter, position=170)
        if recut_by:
            role = {"D": "dealer", "F": "floorperson"}[recut_by[0]]
            self.note("recut_ordered", 6, by=recut_by, by_role=role)
            self._cut(cutter, position=205)
        self.note("cutting_card_inserted", **who, position_from_back=112, cards_total=CARDS)
        self.note("shoe_loaded", **who, shoe=shoe, source="manual_shoe", cards_total=CARDS)
        self.burn("new_shoe")

    def _cut(self, seat: int, position: int) -> None:
        player = self.seated[seat]
        self.note(
            "cards_cut",
            5,
            by=player,
            by_role="player",
            seat=seat,
            player=player,
            position=position,
            cards_total=CARDS,
        )

    def burn(self, reason: str) -> None:
        """Burn a card as the law asks: face down, into the discard rack."""
        self.note(
            "card_burned",
            by=self.dealer,
            by_role="dealer",
            face_up=False,
            place="discard_rack",
            reason=reason,
        )

    # ---- a round ---------------------------------------------------------------------------

    def deal(self, boxes: Mapping[int, Box], dealer: str, *, cutting_card_at: int = 0) -> None:
        """Play one round with the cards that fall; `cutting_card_at` is the box it comes out on."""
        cards = dealer.split()
        self.begin_round()
        for seat, box in boxes.items():
            wager = {"wager": "blackjack", "amount": dollars(box.stake), "medium": "chip"}
            self._at(seat, box, "wager_placed", **wager)
        for seat, box in boxes.items():
            self._card(seat, box, 0)
        self._dealers(cards[0])
        for seat, box in boxes.items():
            self._card(seat, box, 1)
            if total(box.hand[:2]) == 21:
                self._at(seat, box, "announcement", phrase="blackjack")
        for seat, box in boxes.items():
            self._turn(
                seat, box, latecomers=[b for b in boxes.items() if b[1].insured and b[0] > seat]
            )
            if seat == cutting_card_at:
                self.play("cutting_card_reached", to="player", seat=seat, player=box.player)
        self.play("announcement", phrase="dealers_card")
        for card in cards[1:]:
            self._dealers(card)
        for seat, box in boxes.items():
            self._settle(seat, box, total(cards))
        self.play("round_ended", 8)

    def _at(self, seat: int, box: Box, event: str, **fields: object) -> None:
        self.play(event, seat=seat, player=box.player, **fields)

    def _card(self, seat: int, box: Box, number: int) -> None:
        card = box.hand[number]
        self._at(seat, box, "card_dealt", hand=1, to="player", card=card, face_up=True)

    def _dealers(self, card: str) -> None:
        self.play("card_dealt", to="dealer", card=card, face_up=True)

    def _turn(self, seat: int, box: Box, latecomers: list[tuple[int, Box]]) -> None:
        """One player's decisions; after the first hit, the latecomers insure, which is too late."""
        if box.even_money:
            self._at(seat, box, "choice_offered", hand=1, kind="even_money")
            self._at(seat, box, "choice_accepted", hand=1, kind="even_money")
            self._pay(seat, box, box.stake, "1 to 1")
            return
        for number in range(2, len(box.hand)):
            self._at(seat, box, "decision", hand=1, kind="hit")
            self._card(seat, box, number)
            for later_seat, later in latecomers if number == 2 else ():
                amount = dollars(later.insured)
                self._at(later_seat, later, "insurance_placed", hand=1, amount=amount)
        if total(box.hand) > 21:
            self._at(seat, box, "wager_collected", wager="blackjack", amount=dollars(box.stake))
        elif total(box.hand) < 21:
            self._at(seat, box, "decision", hand=1, kind="stand")

    def _settle(self, seat: int, box: Box, dealers: int) -> None:
        if box.insured:
            amount = dollars(box.insured)
            self._at(seat, box, "wager_collected", wager="insurance", amount=amount)
        mine = total(box.hand)
        if mine > 21 or box.even_money:
            return
        if mine == 21 and len(box.hand) == 2:
            due = box.stake * 3 // 2
            odds = "3 to 2" if box.paid in (None, due) else "6 to 5"
            self._pay(seat, box, due if box.paid is None else box.paid, odds)
        elif dealers > 21 or mine > dealers:
            self._pay(seat, box, box.stake, "1 to 1")
        elif mine < dealers:
            self._at(seat, box, "wager_collected", wager="blackjack", amount=dollars(box.stake))
        else:
            self._at(seat, box, "wager_returned", wager="blackjack", amount=dollars(box.stake))

    def _pay(self, seat: int, box: Box, amount: int, odds: str) -> None:
        self._at(
            seat,
            box,
            "wager_paid",
            hand=1,
            wager="blackjack",
            stake=dollars(box.stake),
            amount=dollars(amount),
            odds=odds,
        )


def total(cards: list[str]) -> int:
    """The best count of a hand: an ace is 11 where that does not go over 21."""
    ranks = [card[:-1] for card in cards]
    hard = sum(1 if r == "A" else 10 if r in ("10", "J", "Q", "K") else int(r) for r in ranks)
    return hard + 10 if "A" in ranks and hard <= 11 else hard
