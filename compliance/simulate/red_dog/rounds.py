"""Red dog: two cards, the spread between them, raises, and the third card."""

from __future__ import annotations

from datetime import date

from compliance.simulate.cutting import cut_by_players
from compliance.simulate.elections import RECUT, choose_red_dog_rules
from compliance.simulate.game import Change, Game
from compliance.simulate.hands import RED_DOG, falls_between, spread
from compliance.simulate.table import Table

SPOTS = ("left", "right", "middle")


class RedDog(Game):
    """A red dog table."""

    main_wager = "original"

    def __init__(self, table: Table, day: date) -> None:
        self.rules = choose_red_dog_rules(table.random)
        super().__init__(table, day, self.rules.boxes, self.rules.decks, multi_box=False)

    def elections(self) -> dict[str, str]:
        return self.rules.elected() | self.limits.elected()

    def cards_are_used_up(self) -> bool:
        return self.shoe.reached

    # ---- the cards ---------------------------------------------------------------------------

    def prepare_cards(self, reason: str) -> None:
        table, shoe = self.table, self.shoe
        table.by_dealer("shuffle_started", shoe=shoe.name, method="manual")
        table.wait(15000 + 8000 * self.decks, 25000 + 12000 * self.decks)
        shoe.shuffle()
        table.by_dealer(
            "cards_shuffled",
            shoe=shoe.name,
            method="manual",
            reason=reason,
            cards_total=shoe.size,
        )
        first = self.guests.seats[-1] if table.round else self.first_seat
        cut_by_players(table, self.guests, shoe, first, recut=self.day >= RECUT)
        behind = int(shoe.size * (0.22 + 0.06 * self.random.random()))
        shoe.put_cutting_card(behind)
        table.wait(2000, 5000)
        table.by_dealer(
            "cutting_card_inserted",
            shoe=shoe.name,
            position_from_back=behind,
            cards_total=shoe.size,
        )
        table.wait(1000, 4000)
        table.by_dealer(
            "shoe_loaded",
            shoe=shoe.name,
            source="manual_shoe",
            cards_total=shoe.size,
            decks_total=self.decks,
        )
        self._burn("new_shoe")

    def new_dealer(self) -> None:
        self._burn("new_dealer")

    def _burn(self, reason: str) -> None:
        self.table.wait(2000, 4000)
        self.table.by_dealer(
            "card_burned",
            shoe=self.shoe.name,
            card=self.shoe.draw(),
            face_up=False,
            place="discard_rack",
            reason=reason,
        )

    # ---- a round -----------------------------------------------------------------------------

    def play_round(self) -> None:
        table = self.table
        table.begin("round")
        table.round += 1
        table.play("round_started")
        wagers: list[tuple[int, str, str, int]] = []
        for seat in self.guests.seats:
            guest = self.guests.taken[seat]
            table.wait(800, 2600)
            wagers.append((seat, guest.name, "original", self.stake(guest)))
            self._place(wagers[-1])
        cards = [self._deal(spot) for spot in SPOTS[:2]]
        between = spread(*cards)
        if between < 0:
            self._pair(cards, wagers)
        elif between == 0:
            self._say("consecutive")
            self._say("tie_hand")
            self._settle(wagers, "returned")
        else:
            self._spread(cards, between, wagers)
        table.wait(800, 2000)
        table.play(
            "cards_collected",
            cards=" ".join(cards),
            cards_total=len(cards),
            place="discard_rack",
        )
        table.wait(1500, 4000)
        table.play("round_ended")
        table.wait(2000, 6000)

    def _pair(self, cards: list[str], wagers: list[tuple[int, str, str, int]]) -> None:
        self._say("pair")
        cards.append(self._deal(SPOTS[2]))
        if RED_DOG[cards[2]] == RED_DOG[cards[0]]:
            self._say("three_of_a_kind")
            self._settle(wagers, "paid", 11)
        else:
            self._say("no_three_of_a_kind")
            self._settle(wagers, "returned")

    def _spread(
        self, cards: list[str], between: int, wagers: list[tuple[int, str, str, int]]
    ) -> None:
        table = self.table
        self._say("spread", between)
        table.wait(500, 1500)
        table.play("spread_marker_placed", value=between, by=table.dealer, by_role="dealer")
        for seat, name, _, amount in list(wagers):
            if self.random.random() < (0.7 if between >= 7 else 0.1):
                table.wait(800, 2500)
                part = amount if self.random.random() < 0.7 else self.limits.minimum
                wagers.append((seat, name, "raise", part))
                self._place(wagers[-1])
        self._say("raises_closed")
        cards.append(self._deal(SPOTS[2]))
        self._say("value", RED_DOG[cards[2]])
        if falls_between(*cards):
            self._settle(wagers, "paid", self.rules.odds[min(between, 4)])
        else:
            self._settle(wagers, "collected")

    def _place(self, wager: tuple[int, str, str, int]) -> None:
        seat, name, kind, amount = wager
        self.table.play(
            "wager_placed", seat=seat, player=name, wager=kind, amount=amount, medium="chip"
        )

    def _deal(self, spot: str) -> str:
        table, shoe = self.table, self.shoe
        table.wait(1000, 2500)
        if shoe.cutting_card_comes_out():
            table.play("cutting_card_reached", shoe=shoe.name, to="community")
        card = shoe.draw()
        which = {"shoe": shoe.name, "source": "manual_shoe"}
        table.play("card_dealt", to="community", card=card, face_up=True, spot=spot, **which)
        return card

    def _say(self, phrase: str, value: int | None = None) -> None:
        self.table.wait(800, 2000)
        extra = {} if value is None else {"value": value}
        who = {"by": self.table.dealer, "by_role": "dealer"}
        self.table.play("announcement", phrase=phrase, **who, **extra)

    def _settle(self, wagers: list[tuple[int, str, str, int]], how: str, odds: int = 0) -> None:
        for seat, name, kind, amount in wagers:
            self.table.wait(700, 1800)
            what = {"seat": seat, "player": name, "wager": kind}
            if how == "paid":
                self.table.play(
                    "wager_paid", stake=amount, amount=amount * odds, odds=f"{odds} to 1", **what
                )
            else:
                self.table.play(f"wager_{how}", amount=amount, **what)

    # ---- changes of rules --------------------------------------------------------------------

    def possible_change(self) -> Change | None:
        old = self.rules.odds[1]
        return Change("red_dog_odds_one", f"{old} to 1", f"{11 - old} to 1")

    def change(self, change: Change) -> None:
        self.rules.odds[1] = int(change.new.split()[0])
