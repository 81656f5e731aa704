"""Baccarat at the invented casino: five percent commission, marked and collected later."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.compliance.demo.table import Table, dollars

CARDS = 416
Wager = tuple[int, str, str, int]
"""Seat, player, the hand that is wagered on, and the amount in cents."""


@dataclass
class BaccaratTable(Table):
    """A table at which players deal in turn from a shoe of eight decks."""

    owed: dict[tuple[int, str], int] = field(default_factory=dict)
    shoe_at: int = 0

    def open(self, dealer: str, players: dict[int, str]) -> None:
        """Open the table, after the notices that its order of payment needs."""
        for event in ("commission_notified", "surveillance_notified"):
            by = {"by": "M-01", "by_role": "casino_manager"}
            self.note(event, **by, subject="pay_procedure", written=True)
        self.at("19:00")
        self.note("table_opened", by="F-04", by_role="floorperson", game="baccarat")
        self.elect(decks="8", minimum_wager="$25", maximum_wager="$2,000")
        self.elect(vigorish_rate="5%", tie_odds="8 to 1", pay_procedure="3")
        self.change_dealer(dealer)
        self.note("decks_received", by="F-04", by_role="floorperson", decks_total=8)
        for seat, player in players.items():
            self.note("player_seated", 30, seat=seat, player=player)

    def shuffle(self, reason: str, cutter: int, player: str, position: int | None) -> None:
        """Shuffle, lace, cut, load and burn; a cut without a position is one nobody noted."""
        who = {"by": self.dealer, "by_role": "dealer"}
        self.note("cards_shuffled", 240, **who, method="manual", reason=reason)
        self.note("cards_laced", 30, **who, cards_total=52)
        self.note("cut_offered", seat=cutter, player=player)
        where = {} if position is None else {"position": position}
        by = {"by": player, "by_role": "player"}
        self.note("cards_cut", **by, seat=cutter, player=player, **where, cards_total=CARDS)
        for behind in (14, 0):
            self.note("cutting_card_inserted", **who, position_from_back=behind)
        self.note("shoe_loaded", **who, source="manual_shoe", cards_total=CARDS)
        self.note("card_burned", **who, card="2H", face_up=True, reason="new_shoe")
        more = {"cards_total": 2, "face_up": True, "reason": "count_of_first_card"}
        self.note("card_burned", **who, **more)

    def offer_shoe(self, *seats: tuple[int, str]) -> None:
        """Offer the shoe, seat by seat; the last one takes it."""
        for seat, player in seats[:-1]:
            self.note("shoe_offered", seat=seat, player=player)
            self.note("shoe_refused", seat=seat, player=player)
        self.shoe_at, player = seats[-1]
        self.note("shoe_offered", seat=self.shoe_at, player=player)
        self.note("shoe_accepted", seat=self.shoe_at, player=player)

    def pass_shoe(self, holder: str) -> None:
        """The banker's hand lost: its holder gives the shoe away."""
        self.note("shoe_passed", seat=self.shoe_at, player=holder)

    def coup(
        self, wagers: Iterable[Wager], player: str, banker: str, *, cutting_card: bool = False
    ) -> None:
        """Play one round with these cards of the two hands."""
        hands = {"player": player.split(), "banker": banker.split()}
        self.begin_round()
        placed = list(wagers)
        for seat, name, hand, stake in placed:
            amount = dollars(stake)
            self.play("wager_placed", seat=seat, player=name, wager=hand, amount=amount)
        self.play("announcement", 15, phrase="no_more_bets")
        for number in (0, 1):
            for to in ("player", "banker"):
                self.play("card_dealt", to=to, card=hands[to][number], face_up=False)
        if cutting_card:
            self.play("cutting_card_reached", to="banker")
        for to in ("player", "banker"):
            self.play("cards_turned", to=to, face_up=True)
        for to in ("player", "banker"):
            for card in hands[to][2:]:
                self.play("card_dealt", to=to, card=card, face_up=True)
        self._settle(placed, points(hands["player"]), points(hands["banker"]))
        self.play("round_ended", 8)

    def _settle(self, wagers: list[Wager], player: int, banker: int) -> None:
        """Losers first; then winners from the highest seat down, each with the commission."""
        won = "tie" if player == banker else "player" if player > banker else "banker"
        for seat, name, hand, stake in wagers:
            who = {"seat": seat, "player": name, "wager": hand, "amount": dollars(stake)}
            if hand != won and (won != "tie" or hand == "tie"):
                self.play("wager_collected", **who)
            elif hand != won:
                self.play("wager_returned", **who)
        for seat, name, hand, stake in sorted(wagers, reverse=True):
            if hand != won:
                continue
            win = dollars(stake * (8 if won == "tie" else 1))
            who = {"seat": seat, "player": name}
            self.play("wager_paid", **who, wager=hand, stake=dollars(stake), amount=win)
            if won == "banker":
                fee = stake * 5 // 100
                self.owed[seat, name] = self.owed.get((seat, name), 0) + fee
                amount = dollars(fee)
                self.play("vigorish_marked", **who, amount=amount, rate="5%", reason="banker_win")

    def collect(self, seat: int, name: str) -> None:
        """Collect all the commission that a player owes."""
        amount = dollars(self.owed.pop((seat, name)))
        self.note("vigorish_collected", seat=seat, player=name, amount=amount, rate="5%")


def points(cards: list[str]) -> int:
    """The count of a hand: tens and court cards count nothing, and so do full tens."""
    ranks = [card[:-1] for card in cards]
    return sum(1 if r == "A" else 0 if r in ("10", "J", "Q", "K") else int(r) for r in ranks) % 10
