"""Poker at the invented casino: five cards each, high hand wins."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tests.compliance.demo.table import Table, dollars

DECK = "green"


@dataclass
class PokerTable(Table):
    """A table with one deck in play; the house deals and takes no part."""

    def open(self, dealer: str, players: Mapping[int, str]) -> None:
        """Open the table and seat the players."""
        self.note("table_opened", by="S-01", by_role="poker_shift_supervisor", game="poker")
        self.elect(pot_rule="high", chip_unit="$1", shoe_kind="dealer_hand")
        self.change_dealer(dealer)
        self.note("deck_placed_in_play", by=dealer, by_role="dealer", deck=DECK)
        for seat, player in players.items():
            self.note("player_seated", 20, seat=seat, player=player)

    def hand(
        self,
        players: Mapping[int, str],
        folds: tuple[int, ...],
        shown: Mapping[int, str],
        winner: int,
        pot: int,
    ) -> None:
        """Play one round: deal, bet, show and award."""
        who = {"by": self.dealer, "by_role": "dealer"}
        self.note("cards_shuffled", **who, method="manual", reason="round_finished", deck=DECK)
        self.note("cover_card_placed", **who, deck=DECK)
        self.note("cards_cut", **who, deck=DECK, position=21, cards_total=52)
        self.begin_round()
        for seat, player in players.items():
            self.play("card_dealt", 1, to="player", seat=seat, player=player, deck=DECK)
        for seat, player in players.items():
            kind = "fold" if seat in folds else "call"
            self.play("decision", 7, seat=seat, player=player, kind=kind)
        for seat, cards in shown.items():
            self.play("hand_shown", seat=seat, player=players[seat], cards=cards.split())
        self.play(
            "pot_awarded",
            **who,
            seat=winner,
            player=players[winner],
            pot="main",
            amount=dollars(pot),
        )
        self.play("round_ended")
