"""The stories of docs/scenarios, told card by card, and written as the example logs.

python -m tests.compliance.scenario_stories        writes the logs anew
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, datetime, time
from pathlib import Path
from random import Random
from typing import Any
from zoneinfo import ZoneInfo

from tests.compliance.demo.blackjack import CARDS, BlackjackTable, Box, total
from tests.compliance.demo.table import EVENING

SCENARIOS = Path(__file__).parents[2] / "docs" / "scenarios"
NEW_YORK = ZoneInfo("America/New_York")
SUPERVISOR = {"by": "F-02", "by_role": "floorperson"}
SEATS = {1: "P-11", 2: "P-12", 4: "P-13", 5: "P-14", 6: "P-15"}
DECK = [rank + suit for suit in "SHDC" for rank in [*map(str, range(2, 11)), "J", "Q", "K", "A"]]
CUTTING_CARD = CARDS - 112
"""So many cards come before the cutting card."""

Records = list[dict[str, Any]]


@dataclass
class StoryTable(BlackjackTable):
    """A table whose rounds are either told card by card or dealt from a shoe in order."""

    stack: list[str] = field(default_factory=list)
    dealt: int = 0

    @classmethod
    def opened(cls, players: dict[int, str]) -> StoryTable:
        """A table that opened at eight and whose cards were shuffled and cut."""
        table = cls("BJ-7", "2")
        table.at("20:00")
        table.open("D-07", players)
        table.shuffle("opening", cutter=next(iter(players)), shoe="BJ-7/1")
        return table

    def elect(self, **options: str) -> None:
        """As at any table of these stories: even money is not offered, so that no sign is due."""
        if "even_money" in options:
            options["even_money"] = "no"
        super().elect(**options)

    def fill(self, cards: list[str]) -> None:
        """The order in which the next cards come."""
        self.stack, self.dealt = cards, 0

    def round_from_the_shoe(self, stake: int = 1000) -> bool:
        """Everybody stands on 12; says whether the cutting card came out."""
        hands: dict[int, list[str]] = {seat: [] for seat in self.seated}
        for hand in hands.values():
            hand.append(self._next())
        dealers = [self._next()]
        for hand in hands.values():
            self._no_blackjack(hand)
            hand.append(self._next())
        for hand in hands.values():
            while total(hand) < 12:
                hand.append(self._next())
        self._no_blackjack(dealers)
        while total(dealers) < 17:
            dealers.append(self._next())
        out = self.dealt > CUTTING_CARD
        boxes = {s: Box(self.seated[s], stake, " ".join(hand)) for s, hand in hands.items()}
        self.deal(boxes, " ".join(dealers), cutting_card_at=max(hands) if out else 0)
        return out

    def _no_blackjack(self, hand: list[str]) -> None:
        """Let another card come: when blackjacks are paid belongs to other stories."""
        while total([*hand, self.stack[self.dealt]]) == 21:
            self.stack.append(self.stack.pop(self.dealt))

    def _next(self) -> str:
        self.dealt += 1
        return self.stack[self.dealt - 1]


def on(day: date, records: Records) -> Records:
    """The same records on another day, at the same hours by the clocks of Atlantic City."""
    moved = []
    for record in records:
        told = datetime.fromisoformat(record["ts"]).replace(tzinfo=None)
        moment = datetime.combine(day, time()) + (told - EVENING.replace(tzinfo=None))
        moved.append({**record, "ts": moment.replace(tzinfo=NEW_YORK).isoformat()})
    return moved


# ---- the stories ---------------------------------------------------------------------------

TWO = {2: "P-21", 5: "P-22"}


def cards_never_shuffled() -> Records:
    """The machine is filled with both sets in turn, and for 132 rounds nobody starts it."""
    table = StoryTable("BJ-7", "2")
    table.at("20:00")
    table.note("table_opened", **SUPERVISOR, game="blackjack", boxes=7)
    table.elect(decks="8", boxes="7", chip_unit="$1", minimum_wager="$10", maximum_wager="$500")
    table.elect(soft_17="stand", shuffler="automated")
    table.change_dealer("D-07")
    who = {"by": "D-07", "by_role": "dealer"}
    for batch in ("red", "blue"):
        kind: dict[str, Any] = {"batch": batch, "back_color": batch, "preshuffled": False}
        table.note("decks_received", **SUPERVISOR, decks_total=8, cards_total=CARDS, **kind)
        table.note("cards_inspected", 60, **who, batch=batch, cards_total=CARDS)
        table.note("inspection_verified", 10, **SUPERVISOR, batch=batch)
    table.note("cards_spread", 30, **who, face_up=True, arrangement="fan", decks_total=8)
    for seat in (1, 4, 6):
        table.note("player_seated", 40, seat=seat, player=SEATS[seat])
        table.seated[seat] = SEATS[seat]
    table.note("player_inspection_offered", seat=1, player=SEATS[1])
    table.note("spread_turned", **who, face_up=False)
    table.note("cards_stacked", 20, **who, cards_total=CARDS, stacks=1)
    for number in range(5):
        batch = ("red", "blue")[number % 2]
        table.note("shuffler_loaded", 20, **who, batch=batch)
        if number == 4:
            # Noticed at last.
            table.note("supervisor_called", **who)
            table.note(
                "cards_shuffled",
                120,
                by="shuffler",
                by_role="system",
                method="automated",
                batch=batch,
            )
        _into_the_shoe(table, batch, cutter=1 if number == 0 else 6)
        table.fill(DECK * 8)
        while not table.round_from_the_shoe() and number < 4:
            pass
    return table.records


def _into_the_shoe(table: StoryTable, batch: str, cutter: int) -> None:
    who = {"by": table.dealer, "by_role": "dealer", "batch": batch}
    player = table.seated[cutter]
    table.note("cut_offered", seat=cutter, player=player, batch=batch)
    table.note(
        "cards_cut",
        5,
        by=player,
        by_role="player",
        seat=cutter,
        player=player,
        position=208,
        cards_total=CARDS,
        batch=batch,
    )
    table.note("cutting_card_inserted", **who, position_from_back=112, cards_total=CARDS)
    table.note("shoe_loaded", **who, source="manual_shoe", decks_total=8, cards_total=CARDS)
    table.burn("new_shoe")


def shuffle_at_will() -> Records:
    """A guest bets more when the cards are good; the house shuffles after each such round."""
    table = StoryTable.opened(TWO)
    for number in range(4):
        stake = 20000 if number % 2 else 1000
        table.deal({2: Box("P-21", stake, "10S 9S"), 5: Box("P-22", 1000, "KD 8H")}, "7C 10H")
        table.note("shuffle_decided", 5, **SUPERVISOR)
        table.shuffle("licensee_decision", cutter=5, shoe=f"BJ-7/{number + 2}")
    table.deal({2: Box("P-21", 1000, "9H QS"), 5: Box("P-22", 1000, "KD 9D")}, "8C JH")
    return table.records


def maximum_lowered_for_one_player() -> Records:
    """A guest who wins is told that 100 dollars is now the most; no sign, no word to the others."""
    table = StoryTable.opened(TWO)
    table.deal({2: Box("P-21", 50000, "10S 10C"), 5: Box("P-22", 1000, "KD 8H")}, "7C 10H")
    table.note("limits_changed", 20, **SUPERVISOR, wager="blackjack", minimum="$10", maximum="$100")
    table.deal({2: Box("P-21", 10000, "9H 9D"), 5: Box("P-22", 20000, "QD 9S")}, "8C JH")
    return table.records


def card_missing() -> Records:
    """Eight decks come with 415 cards, which is noted and overlooked for 400 hands."""
    return _many_hands(missing="7C", hands=400)


def extra_card() -> Records:
    """A ninth queen of hearts lies in a shoe of eight decks."""
    return _many_hands(extra="QH", hands=110)


def _many_hands(hands: int, missing: str = "", extra: str = "") -> Records:
    pack = DECK * 8
    if missing:
        pack.remove(missing)
    if extra:
        pack.append(extra)
    random = Random(8)
    table = StoryTable("BJ-7", "2")
    table.at("14:00")
    table.open("D-07", SEATS)
    number = 0
    out = True
    while table.round * len(SEATS) < hands:
        if out:
            number += 1
            table.shuffle(
                "opening" if number == 1 else "cutting_card_reached",
                cutter=1 if number == 1 else 6,
                shoe=f"BJ-7/{number}",
            )
            random.shuffle(pack)
            # The odd card shows: all cards of its kind come before the cutting card.
            cards = sorted(pack, key=lambda card: card != extra) if extra else list(pack)
            front = cards[:CUTTING_CARD]
            random.shuffle(front)
            table.fill(front + cards[CUTTING_CARD:])
        out = table.round_from_the_shoe()
    for record in table.records:
        if missing and record["type"] in ("decks_received", "cards_inspected"):
            record["cards_total"] = len(pack)
    return table.records


def recut_ordered_by_a_dealer() -> Records:
    """The dealer does not like the cut and orders another."""
    return _recut("D-07")


def _recut(by: str) -> Records:
    table = StoryTable("BJ-7", "2")
    table.at("20:00")
    table.open("D-07", TWO)
    table.shuffle("opening", cutter=2, shoe="BJ-7/1", recut_by=by)
    table.deal({2: Box("P-21", 1000, "10S 9S"), 5: Box("P-22", 1000, "KD 8H")}, "7C 10H")
    return table.records


def insurance_after_the_third_card() -> Records:
    """The dealer shows an ace; a guest insures when the neighbour has drawn."""
    table = StoryTable.opened(TWO)
    table.deal(
        {2: Box("P-21", 2500, "5D 7C 8H"), 5: Box("P-22", 2000, "KC 9C", insured=1000)}, "AD 8C"
    )
    return table.records


def six_to_five_at_a_three_to_two_table() -> Records:
    """A blackjack for 25 dollars is paid 30."""
    table = StoryTable.opened(TWO)
    table.deal(
        {2: Box("P-21", 2500, "AC JD", paid=3000), 5: Box("P-22", 1500, "10S 7H")}, "10C 6D 5H"
    )
    table.deal({2: Box("P-21", 2500, "AS KD"), 5: Box("P-22", 1500, "10S 7H")}, "10H 9D")
    return table.records


def recut_ordered_by_a_floorperson() -> Records:
    """A floorperson orders a second cut: allowed only since 20 May 1996."""
    return _recut("F-02")


def draw_on_soft_17() -> Records:
    """The dealer draws to an ace and a six, at a table that has chosen to."""
    table = StoryTable.opened(TWO)
    for record in table.records:
        if record.get("option_name") == "soft_17":
            record["value"] = "hit"
    table.deal({2: Box("P-21", 1000, "10S 9S"), 5: Box("P-22", 1000, "KD 8H")}, "6C AH 2D")
    return table.records


STORIES: dict[str, tuple[Callable[[], Records], date]] = {
    "cards-never-shuffled": (cards_never_shuffled, date(2009, 5, 5)),
    "shuffle-at-will": (shuffle_at_will, date(2009, 5, 5)),
    "maximum-lowered-for-one-player": (maximum_lowered_for_one_player, date(2009, 5, 5)),
    "card-missing-for-400-hands": (card_missing, date(2012, 5, 5)),
    "extra-card": (extra_card, date(2009, 5, 5)),
    "recut-ordered-by-a-dealer": (recut_ordered_by_a_dealer, date(2009, 5, 5)),
    "insurance-after-the-third-card": (insurance_after_the_third_card, date(2009, 5, 5)),
    "six-to-five-at-a-three-to-two-table": (six_to_five_at_a_three_to_two_table, date(2009, 5, 5)),
}


LONG = {"cards-never-shuffled", "card-missing-for-400-hands", "extra-card"}


def lines(records: Records) -> list[str]:
    """A log as JSON lines."""
    return [json.dumps(record) for record in records]


def log_of(name: str) -> Path:
    """Where a scenario's log lies; a long one is packed."""
    packed = SCENARIOS / name / "log.jsonl.gz"
    return packed if name in LONG else packed.with_suffix("")


def main() -> None:
    """Write the logs beside their pages."""
    for name, (story, day) in STORIES.items():
        text = "".join(line + "\n" for line in lines(on(day, story()))).encode()
        # Without a time of its own the packed file is the same each time.
        log_of(name).write_bytes(gzip.compress(text, mtime=0) if name in LONG else text)


if __name__ == "__main__":
    main()
