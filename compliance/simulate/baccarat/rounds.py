"""Baccarat and minibaccarat: the shoe, the two hands, and the commission on the banker's wins."""

from __future__ import annotations

from datetime import date
from random import Random

from compliance.simulate.baccarat.money import BaccaratMoney
from compliance.simulate.cutting import cut_by_players
from compliance.simulate.elections import choose_baccarat_rules, yes_no
from compliance.simulate.game import Change
from compliance.simulate.guests import Guest
from compliance.simulate.hands import BACCARAT, PIPS, points
from compliance.simulate.table import Table

BANKER_DRAWS = {
    3: frozenset((0, 1, 2, 3, 4, 5, 6, 7, 9)),
    4: frozenset((2, 3, 4, 5, 6, 7)),
    5: frozenset((4, 5, 6, 7)),
    6: frozenset((6, 7)),
}
"""Against which third card of the player the banker's hand draws; below 3 always, above 6 never."""


class Baccarat(BaccaratMoney):
    """A baccarat table: dealt by a player at baccarat, by the dealer at minibaccarat."""

    def __init__(self, table: Table, day: date, pit: Random) -> None:
        rules = choose_baccarat_rules(table.place.game, day, table.random, pit)
        super().__init__(table, day, rules.boxes, rules.decks, multi_box=False)
        self.rules = rules
        self.mini = table.place.game == "minibaccarat"
        self.debts: dict[str, int] = {}
        self.curator: int | None = None
        """The seat that holds the shoe."""
        self.last_curator = 0
        self.rounds_since_cutting_card = 0

    def elections(self) -> dict[str, str]:
        return self.rules.elected(self.table.place.game) | self.limits.elected()

    def notified_elections(self) -> dict[str, str]:
        found = {"reshuffle": yes_no(self.rules.reshuffle)}
        return found if self.mini else found | {"pay_procedure": str(self.rules.pay_procedure)}

    def cards_are_used_up(self) -> bool:
        return self.shoe.reached and self.rounds_since_cutting_card >= 2

    # ---- the shuffle -----------------------------------------------------------------------

    def prepare_cards(self, reason: str) -> None:
        table, shoe = self.table, self.shoe
        self.collect_debts()
        table.by_dealer("shuffle_started", shoe=shoe.name, method="manual")
        table.wait(60000, 120000)
        self._shuffled(reason)
        table.wait(10000, 20000)
        table.by_dealer(
            "cards_laced", shoe=shoe.name, cards_total=46 + int(self.random.random() * 13)
        )
        if self.rules.reshuffle:
            table.wait(20000, 40000)
            self._shuffled(reason)
        first = self.last_curator or self.guests.seats[-1]
        cut_by_players(table, self.guests, shoe, first, recut=False)
        self._put_cutting_cards()
        self._burn_by_the_first_card()
        self.rounds_since_cutting_card = 0
        if not self.mini and self.curator is None:
            self._offer_shoe(self.last_curator - 1 if self.last_curator else 1)

    def _shuffled(self, reason: str) -> None:
        self.shoe.shuffle()
        self.table.by_dealer(
            "cards_shuffled",
            shoe=self.shoe.name,
            method="manual",
            reason=reason,
            cards_total=self.shoe.size,
        )

    def _put_cutting_cards(self) -> None:
        table, shoe = self.table, self.shoe
        behind = 14 + int(self.random.random() * 8)
        shoe.put_cutting_card(behind)
        for position in (behind, 0):
            table.wait(1500, 4000)
            table.by_dealer(
                "cutting_card_inserted",
                shoe=shoe.name,
                position_from_back=position,
                cards_total=shoe.size,
            )
        table.wait(2000, 5000)
        table.by_dealer(
            "shoe_loaded",
            shoe=shoe.name,
            source="manual_shoe",
            cards_total=shoe.size,
            decks_total=self.decks,
        )

    def _burn_by_the_first_card(self) -> None:
        table, shoe = self.table, self.shoe
        place = "discard_rack" if self.mini else "discard_bucket"
        table.wait(2000, 5000)
        card = shoe.draw()
        what = {"shoe": shoe.name, "face_up": True, "place": place}
        table.by_dealer("card_burned", card=card, reason="count_of_first_card", **what)
        table.wait(3000, 8000)
        count = PIPS[card]
        for _ in range(count):
            shoe.draw()
        table.by_dealer("card_burned", cards_total=count, reason="count_of_first_card", **what)

    # ---- who deals ---------------------------------------------------------------------------

    def _offer_shoe(self, first: int) -> None:
        """The shoe goes counterclockwise until somebody takes it."""
        table = self.table
        order = self.guests.counterclockwise_from(first)
        for seat in order:
            name = self.guests.taken[seat].name
            table.wait(1500, 4000)
            table.emit("shoe_offered", seat=seat, player=name, dealer=table.dealer)
            table.wait(1000, 3000)
            if seat == order[-1] or self.random.random() < 0.7:
                table.emit("shoe_accepted", seat=seat, player=name, dealer=table.dealer)
                self.curator = self.last_curator = seat
                return
            table.emit("shoe_refused", seat=seat, player=name, dealer=table.dealer)

    def _pass_shoe(self) -> None:
        if self.curator is not None:
            name = self.guests.taken[self.curator].name
            self.table.emit("shoe_passed", seat=self.curator, player=name, dealer=self.table.dealer)
            self.curator = None

    def before_leaving(self, guest: Guest) -> None:
        self.collect_debt(guest)
        if self.curator in guest.seats:
            self._pass_shoe()

    # ---- a round -----------------------------------------------------------------------------

    def play_round(self) -> None:
        table = self.table
        if not self.mini and self.curator is None:
            table.begin("between")
            self._offer_shoe(self.last_curator - 1 if self.last_curator > 1 else self.boxes)
        table.begin("round")
        table.round += 1
        table.play("round_started")
        wagers = self.take_wagers()
        table.wait(2000, 5000)
        table.play("announcement", phrase="no_more_bets", by=table.dealer, by_role="dealer")
        if not self.mini:
            table.wait(500, 1500)
            table.play("announcement", phrase="cards", by=table.dealer, by_role="dealer")
        players, bankers = self._deal_hands()
        self._announce_result(points(players), points(bankers))
        self.settle(wagers, points(players), points(bankers))
        table.wait(1000, 3000)
        table.play(
            "cards_collected",
            cards=" ".join(players + bankers),
            cards_total=len(players) + len(bankers),
            place="discard_rack" if self.mini else "discard_bucket",
        )
        table.wait(1000, 3000)
        table.play("round_ended")
        self._after_the_round(banker_lost=points(bankers) < points(players))

    def _after_the_round(self, *, banker_lost: bool) -> None:
        table = self.table
        table.wait(1000, 3000)
        if self.shoe.reached:
            self.rounds_since_cutting_card += 1
            if self.rounds_since_cutting_card == 1:
                table.emit("announcement", phrase="last_hand", by=table.dealer, by_role="dealer")
        if not self.mini and (banker_lost or self.random.random() < 0.1):
            self._pass_shoe()

    def _deal_hands(self) -> tuple[list[str], list[str]]:
        players: list[str] = []
        bankers: list[str] = []
        face_up = not self.mini or self.rules.deal == "all_face_up"
        for _ in range(2):
            self._deal("player", players, face_up=face_up)
            self._deal("banker", bankers, face_up=face_up)
        self._announce_points(players, bankers)
        if points(players) >= 8 or points(bankers) >= 8:
            return players, bankers
        third: int | None = None
        if points(players) <= 5:
            self._deal("player", players)
            third = BACCARAT[players[2]]
        if banker_draws(points(bankers), third):
            self._deal("banker", bankers)
        return players, bankers

    def _deal(self, to: str, hand: list[str], *, face_up: bool = True) -> None:
        table, shoe = self.table, self.shoe
        table.wait(1500, 3000)
        if shoe.cutting_card_comes_out():
            table.play("cutting_card_reached", shoe=shoe.name, to=to)
        card = shoe.draw()
        hand.append(card)
        if self.mini or self.curator is None:
            who = {"by": table.dealer, "by_role": "dealer"}
        else:
            who = {"by": self.guests.taken[self.curator].name, "by_role": "player"}
        which = {"shoe": shoe.name, "source": "manual_shoe"}
        table.play("card_dealt", to=to, card=card, face_up=face_up, **which, **who)

    def _announce_points(self, players: list[str], bankers: list[str]) -> None:
        for to, hand in (("player", players), ("banker", bankers)):
            self.table.wait(1500, 3500)
            self.table.play("point_total_announced", to=to, total=points(hand))

    def _announce_result(self, player: int, banker: int) -> None:
        self.table.wait(1500, 3500)
        for to, total in (("player", player), ("banker", banker)):
            self.table.play("point_total_announced", to=to, total=total)
        phrase = "tie_hand" if player == banker else "result"
        self.table.play("announcement", phrase=phrase, by=self.table.dealer, by_role="dealer")

    # ---- changes of rules --------------------------------------------------------------------

    def possible_change(self) -> Change | None:
        if self.rules.tie_vigorish:
            return None
        new = 9 - self.rules.rate
        return Change("vigorish_rate", f"{self.rules.rate}%", f"{new}%")

    def change(self, change: Change) -> None:
        self.rules.rate = int(change.new.rstrip("%"))

    def may_change_now(self) -> bool:
        return not self.debts


def banker_draws(banker: int, third: int | None) -> bool:
    """Whether the banker's hand draws, by its points and the value of the player's third card."""
    if third is None:
        return banker <= 5
    return banker < 3 or (banker <= 6 and third in BANKER_DRAWS[banker])
