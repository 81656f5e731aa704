"""Blackjack between the rounds: the shuffle, the cut, the shoe and the burned card."""

from __future__ import annotations

from datetime import date
from random import Random
from typing import Any

from compliance.simulate.cutting import cut_by_players
from compliance.simulate.elections import (
    FIVE_CARD_21,
    RECUT,
    BlackjackRules,
    choose_blackjack_rules,
)
from compliance.simulate.game import Change, Game
from compliance.simulate.guests import Guest
from compliance.simulate.table import MINUTE, Table

BATCHES = ("red", "blue")
SIGNED = (
    *("surrender", "late_insurance", "resplit", "resplit_aces", "even_money", "net_payout"),
    *("hole_card", "pays_five_card_21", "double_card"),
)
"""Options of which a sign at the table tells."""
PLAIN = (("double_card", "face_up"), ("hole_card", "dealt_last"))
"""What a table does without a sign."""


class BlackjackCards(Game):
    """A blackjack table, its cards ready for play or not."""

    main_wager = "blackjack"
    has_side_wagers = True
    """Whether side wagers may be offered at a table that is set up in this way."""
    source = "manual_shoe"
    """What cards are dealt from, unless the dealer holds them."""
    burns = True
    """A card is burned from each new shoe, and by each new dealer."""
    puts_cutting_card_back = True
    """After the cut the cutting card goes into the stack again."""

    def __init__(
        self,
        table: Table,
        day: date,
        chance: Random,
        offers: tuple[str, ...] | None,
        variant: str,
    ) -> None:
        self.variant = variant
        """The way in which the table is set up, of those in `variants`."""
        self.rules: BlackjackRules = choose_blackjack_rules(day, table.random)
        rules = self.rules
        if not rules.six_to_five and rules.hole_card != "face_up":
            rules.five_card_21 = chance.random() < 0.3 and day >= FIVE_CARD_21
        drawn = self.choose_offers(rules, day, chance) if offers is None else offers
        self.offers = drawn if self.has_side_wagers else ()
        """The side wagers that the table offers."""
        self.fit_rules(rules)
        self.set_up(rules)
        super().__init__(table, day, rules.boxes, self.decks_of_a_set(rules), rules.multi_box)
        self.chance = chance
        """A stream of chance that the course of the night does not hang on."""
        self.limits.chip = table.random.choice((100, 100, 250, 500))
        self.cutting_card_at: tuple[int, Guest] | None = None
        """The box on which the cutting card came out in the last round, and its player."""
        self.batch: str | None = "red" if rules.automated else None
        self.in_machine = ""
        """Why the cards in the shuffling machine went there, until they are shuffled."""
        self.hides_hole_card = rules.hole_card == "face_down" and table.random.random() < 0.5
        """The log learns the hole card only when it is turned."""
        self.marked = False
        """The log tells every card from its doubles."""
        self.deals_deep = False
        """The cutting card lies so far back that the cards may not last for the last round."""

    def choose_offers(self, rules: BlackjackRules, day: date, chance: Random) -> tuple[str, ...]:
        """The side wagers of a table of which nobody says what it offers."""
        return ()

    def fit_rules(self, rules: BlackjackRules) -> None:
        """Change the rules so that the table can offer what it is to offer."""

    def set_up(self, rules: BlackjackRules) -> None:
        """Change the rules so that the table can be played in its own way."""

    def decks_of_a_set(self, rules: BlackjackRules) -> int:
        """How many decks are shuffled together."""
        return rules.decks

    def elections(self) -> dict[str, str]:
        return self.rules.elected(self.day) | self.limits.elected()

    def post_signs(self) -> None:
        for name, value in self.rules.elected(self.day).items():
            if name in SIGNED and value != "no" and (name, value) not in PLAIN:
                self.table.by_floorperson("notice_posted", subject=name, value=value)

    @property
    def sets(self) -> tuple[dict[str, str], ...]:
        return tuple({"batch": name} for name in BATCHES) if self.rules.automated else ({},)

    @property
    def cutting_cards(self) -> int:
        # In the dealer's hand one of them covers the bottom of the deck.
        return 2 if self.rules.six_to_five else 1

    @property
    def devices(self) -> tuple[str, ...]:
        shoe = () if self.rules.six_to_five else ("shoe",)
        return (*shoe, "shuffler") if self.rules.automated else shoe

    @property
    def washes(self) -> bool:
        return not self.rules.automated

    @property
    def pack(self) -> dict[str, Any]:
        """Which cards are meant, where there are two sets."""
        return {"batch": self.batch} if self.batch else {}

    @property
    def deck(self) -> dict[str, Any]:
        """What a card comes from; also which deck, where two take turns in the dealer's hand."""
        if self.rules.six_to_five:
            return {"source": "dealer_hand", "deck": self.batch}
        return {"source": self.source}

    @property
    def mark(self) -> dict[str, Any]:
        """Which of all cards with its face the last drawn card is, where the log tells it."""
        return {"card_id": str(self.shoe.place)} if self.marked else {}

    def cards_are_used_up(self) -> bool:
        return self.shoe.reached or (self.rules.one_round_per_deck and self.shoe.place > 0)

    # ---- the shuffle -----------------------------------------------------------------------

    def prepare_cards(self, reason: str) -> None:
        if reason in ("cutting_card_reached", "licensee_decision"):
            self._take_cards_out_of_the_shoe()
        if self.rules.automated:
            self._change_batches(reason)
        else:
            self._shuffle_by_hand(reason)
        cut_by_players(
            self.table,
            self.guests,
            self.shoe,
            self._seat_to_cut(),
            # A machine's set may lie shuffled while the other is dealt; it is never cut again.
            recut=self.day >= RECUT and not self.rules.automated,
            **self.pack,
        )
        self._put_cutting_card()
        self.cutting_card_at = None

    def _take_cards_out_of_the_shoe(self) -> None:
        self.table.by_dealer(
            "cards_removed",
            origin="shoe",
            place="discard_rack",
            cards_total=self.shoe.left,
            shoe=self.shoe.name,
            **self.pack,
        )

    def _shuffle_by_hand(self, reason: str) -> None:
        table, shoe = self.table, self.shoe
        table.by_dealer("shuffle_started", shoe=shoe.name, method="manual", **self.pack)
        table.wait(15000 + 8000 * self.decks, 25000 + 12000 * self.decks)
        shoe.shuffle()
        table.by_dealer(
            "cards_shuffled",
            shoe=shoe.name,
            method="manual",
            reason=reason,
            cards_total=shoe.size,
            **self.pack,
        )

    def _change_batches(self, reason: str) -> None:
        """The used cards go into the machine and the others, shuffled meanwhile, come out."""
        table = self.table
        if reason == "opening" and table.round == 0:
            table.by_dealer("shuffler_loaded", **self.pack)
            table.wait(20000, 40000)
            self._machine_is_done(reason)
            self.in_machine = reason
        else:
            if self.in_machine:
                table.wait(10000, 60000)
                self._machine_is_done(self.in_machine)
            table.wait(5000, 10000)
            table.by_dealer("shuffler_loaded", **self.pack)
            self.batch = self._other_batch()
            table.by_dealer("shuffler_emptied", **self.pack)
            if reason == "opening" and self.chance.random() < 0.3:
                self._show_stored_cards()
            self.in_machine = reason
        self.shoe.shuffle()

    def _show_stored_cards(self) -> None:
        """After a rest a player asks to see the cards that were stored in the machine."""
        table, seat = self.table, self.guests.seats[0]
        who = {"seat": seat, "player": self.guests.taken[seat].name}
        table.emit("request_made", request="spread_cards", **who)
        table.now += MINUTE
        table.by_dealer("cards_spread", face_up=True, decks_total=self.decks, **self.pack)
        table.emit("player_inspection_offered", **who, **self.pack)
        table.now += MINUTE
        table.by_dealer("spread_turned", face_up=False, **self.pack)
        table.now += MINUTE
        stack = {"cards_total": self.shoe.size, "stacks": 1}
        table.by_dealer("cards_stacked", **stack, **self.pack)
        table.now += MINUTE
        table.by_dealer(
            "cards_shuffled",
            method="manual",
            reason="player_request",
            cards_total=self.shoe.size,
            **self.pack,
        )

    def _other_batch(self) -> str:
        return BATCHES[1 - BATCHES.index(self.batch or "red")]

    def _machine_is_done(self, reason: str) -> None:
        batch = self.batch if self.table.round == 0 else self._other_batch()
        self.table.emit(
            "cards_shuffled",
            by="shuffler",
            by_role="system",
            batch=batch,
            method="automated",
            reason=reason,
            cards_total=self.shoe.size,
        )
        self.in_machine = ""

    def between_rounds(self) -> None:
        if self.in_machine and self.random.random() < 0.4:
            self._machine_is_done(self.in_machine)

    def before_resting(self) -> None:
        if self.shoe.reached:
            self._take_cards_out_of_the_shoe()

    def before_closing(self) -> None:
        if self.rules.six_to_five and self.shoe.reached:
            self.table.by_dealer("shuffler_loaded", **self.pack)

    # ---- cut, cutting card and burned card -----------------------------------------------------

    def _seat_to_cut(self) -> int:
        if self.table.round == 0:
            return self.first_seat
        if self.cutting_card_at is not None:
            seat, guest = self.cutting_card_at
            if self.guests.taken.get(seat) is guest:
                return seat
        return self.guests.seats[-1]

    def _put_cutting_card(self) -> None:
        table, shoe, rules = self.table, self.shoe, self.rules
        table.wait(2000, 5000)
        if rules.six_to_five:
            table.by_dealer("cover_card_placed", place="stack_bottom", **self.pack)
        if not rules.one_round_per_deck and self.puts_cutting_card_back:
            few = self.decks <= 2 and not self.deals_deep
            least, most = (0.45, 0.5) if few else (0.26, 0.4)
            share = least + (most - least) * self.random.random()
            from_back = int(shoe.size * share) + 1
            shoe.put_cutting_card(from_back)
            table.by_dealer(
                "cutting_card_inserted",
                shoe=shoe.name,
                dealer=table.dealer,
                position_from_back=from_back,
                cards_total=shoe.size,
                **self.pack,
            )
        table.wait(1000, 4000)
        if rules.six_to_five:
            table.by_dealer("deck_placed_in_play", **self.pack)
            table.by_dealer("deck_placed_in_hand", held_in="left", **self.pack)
            return
        table.by_dealer(
            "shoe_loaded",
            shoe=shoe.name,
            source=self.source,
            cards_total=shoe.size,
            decks_total=self.decks,
            gaming_day=self.day.isoformat(),
            **self.pack,
        )
        if self.burns:
            self._burn("new_shoe")

    def new_dealer(self) -> None:
        if self.burns and not self.rules.six_to_five:
            self._burn("new_dealer")

    def _burn(self, reason: str) -> None:
        table = self.table
        table.wait(2000, 4000)
        card = self.shoe.draw()
        table.by_dealer(
            "card_burned",
            shoe=self.shoe.name,
            dealer=table.dealer,
            card=card,
            face_up=False,
            place="discard_rack",
            reason=reason,
            **self.pack,
        )
        self._burned_card_may_be_seen(card)

    def _burned_card_may_be_seen(self, card: str) -> None:
        table = self.table
        if self.guests.seats and self.random.random() < 0.05:
            seat = self.random.choice(self.guests.seats)
            name = self.guests.taken[seat].name
            table.wait(1000, 3000)
            table.emit("request_made", request="show_burn_card", seat=seat, player=name)
            table.wait(1000, 3000)
            table.by_dealer("burn_card_disclosed", seat=seat, player=name, card=card)

    # ---- changes of rules ------------------------------------------------------------------------

    def possible_change(self) -> Change | None:
        rules = self.rules
        if rules.six_to_five or rules.hole_card == "face_up":
            return None
        options = self.rules.elected(self.day)
        known = ("soft_17", "soft_17", "surrender", "resplit", "pays_five_card_21")
        barred = {"surrender"} if "progressive" in self.offers else set()
        names = [name for name in known if name in options and name not in barred]
        if not names:
            return None
        name = self.random.choice(names)
        old = options[name]
        new = {"yes": "no", "no": "yes", "hit": "stand", "stand": "hit"}[old]
        return Change(name, old, new)

    def change(self, change: Change) -> None:
        if change.option == "soft_17":
            self.rules.soft_17 = change.new
        elif change.option == "pays_five_card_21":
            self.rules.five_card_21 = change.new == "yes"
        elif change.option == "surrender":
            self.rules.surrender = change.new == "yes"
        else:
            self.rules.resplit = change.new == "yes"
            self.rules.resplit_aces = self.rules.resplit_aces and self.rules.resplit
