"""Tells the invented night, table by table, and writes it as a log.

Nearly everything is done as the law asks. The exceptions are marked with the rule that they break.

    python -m tests.compliance.demo.night        writes night.jsonl anew
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from compliance.demo import NIGHT
from tests.compliance.demo.baccarat import BaccaratTable
from tests.compliance.demo.blackjack import BlackjackTable, Box
from tests.compliance.demo.poker import PokerTable
from tests.compliance.demo.table import Table


def first_blackjack_table() -> Table:
    """BJ-12: a relief dealer forgets to burn, and insurance comes too late."""
    table = BlackjackTable("BJ-12", "2")
    table.at("19:20")
    table.open("D-07", {1: "P-11", 4: "P-12"})
    table.shuffle("opening", cutter=1, shoe="BJ-12/1")
    table.at("20:00")
    table.deal({1: Box("P-11", 2500, "9S 9H"), 4: Box("P-12", 1000, "10D 6C 4S")}, "7D 10C")
    # Excused: even money against an ace, which this licensee offers.
    table.deal(
        {1: Box("P-11", 2500, "AS KD", even_money=True), 4: Box("P-12", 1000, "8S QC")}, "AH 6D"
    )
    table.change_dealer("D-09")
    # Broken: burn-by-each-new-dealer. D-09 deals without burning a card.
    table.at("20:30")
    table.deal({1: Box("P-11", 5000, "10H 9D"), 4: Box("P-12", 1000, "5S 6H 10S")}, "6S 9C 8D")
    # Broken: no-insurance-after-the-third-card. Seat 4 insures when seat 1 has drawn.
    table.deal(
        {1: Box("P-11", 2500, "5D 7C 8H"), 4: Box("P-12", 2000, "KC 9C", insured=1000)}, "AD 8C"
    )
    return table


def second_blackjack_table() -> Table:
    """BJ-14: a dealer orders a recut, a blackjack is paid short, the dealer stops at 16."""
    table = BlackjackTable("BJ-14", "2")
    table.at("19:25")
    table.open("D-11", {2: "P-21", 5: "P-22"})
    # Broken: recut-ordered-by-a-supervisor. The dealer has no say in this.
    table.shuffle("opening", cutter=2, shoe="BJ-14/1", recut_by="D-11")
    table.at("20:10")
    # Broken: blackjack-paid-three-to-two. $37.50 is due, $30 is paid.
    table.deal(
        {2: Box("P-21", 2500, "AC JD", paid=3000), 5: Box("P-22", 1500, "10S 7H")}, "5C 10D 9H"
    )
    # Broken: dealer-draws-to-17. The dealer stops at 16.
    table.deal({2: Box("P-21", 2500, "9C 9D"), 5: Box("P-22", 1500, "KS 3D 8S")}, "10H 6H")
    table.change_dealer("D-12")
    table.burn("new_dealer")
    table.deal(
        {2: Box("P-21", 2500, "4C 5H KH"), 5: Box("P-22", 1500, "JS QH")},
        "9S 2C 7S",
        cutting_card_at=5,
    )
    table.at("22:15")
    table.shuffle("cutting_card_reached", cutter=5, shoe="BJ-14/2")
    # Open: burned-card-shown-on-request. The log ends before the dealer can answer.
    table.play("request_made", 25, seat=2, player="P-21", request="show_burn_card")
    return table


def baccarat_table() -> Table:
    """BAC-3: one player's commission is forgotten at the reshuffle, and a cut is not measured."""
    table = BaccaratTable("BAC-3", "1")
    table.at("18:00")
    table.open("D-31", {1: "P-31", 4: "P-32", 7: "P-33"})
    table.shuffle("opening", cutter=7, player="P-33", position=140)
    table.at("19:30")
    table.offer_shoe((1, "P-31"))
    table.coup([(1, "P-31", "banker", 10000), (4, "P-32", "player", 5000)], "9D 7C", "8S KH")
    table.coup(
        [(1, "P-31", "banker", 10000), (4, "P-32", "banker", 4000), (7, "P-33", "tie", 500)],
        "2S 2C 10H",
        "QD 5H",
    )
    table.coup([(4, "P-32", "player", 5000), (7, "P-33", "banker", 2500)], "KD 9S", "7H JC")
    table.pass_shoe("P-31")
    table.offer_shoe((7, "P-33"), (4, "P-32"))
    table.coup(
        [(4, "P-32", "player", 5000), (7, "P-33", "tie", 500)],
        "10C 6D",
        "3H 3S",
        cutting_card=True,
    )
    table.note("announcement", phrase="last_hand", by="D-31", by_role="dealer")
    table.coup([(1, "P-31", "player", 10000), (7, "P-33", "banker", 2500)], "5C 2D", "AC 4S 3D")
    table.at("21:40")
    # Broken: baccarat-commission-collected-before-the-reshuffle. P-32 still owes $2.
    table.collect(1, "P-31")
    table.collect(7, "P-33")
    # Undetermined: baccarat-cut-ten-cards-from-either-end. Nobody noted where the cut lay.
    table.shuffle("cutting_card_reached", cutter=4, player="P-32", position=None)
    table.coup([(4, "P-32", "player", 5000), (7, "P-33", "banker", 2500)], "6H 10C", "10S 9D")
    return table


def poker_table() -> Table:
    """PK-5: a pot is awarded before everybody in contention has shown a hand."""
    table = PokerTable("PK-5", "4")
    players = {1: "P-41", 2: "P-42", 5: "P-43", 8: "P-44"}
    table.at("20:00")
    table.open("D-41", players)
    table.hand(
        players,
        folds=(2, 8),
        shown={1: "KS KH 9D 4C 3C", 5: "QS QH AD 4H 3H"},
        winner=1,
        pot=12000,
    )
    # Broken: poker-contenders-show-their-hands. Seat 8 called and is not asked to show.
    table.hand(
        players, folds=(1,), shown={2: "10S 10H 7D 7C 2C", 5: "AS JH 9C 4D 3D"}, winner=2, pot=18500
    )
    return table


def night() -> list[str]:
    """The log, line by line, in the order of time; with two lines as damaged logs have them."""
    tables = (first_blackjack_table(), second_blackjack_table(), baccarat_table(), poker_table())
    records = sorted(
        (record for table in tables for record in table.records),
        key=lambda record: (record["ts"], record["table"], record["seq"]),
    )
    lines = [json.dumps(record, ensure_ascii=False) for record in records]
    return list(_damaged(lines))


def _damaged(lines: list[str]) -> Iterator[str]:
    """A shoe sends one record twice, and a connection breaks off in the middle of another."""
    for number, line in enumerate(lines):
        yield line
        if number == 150:
            yield line
        if number == 260:
            yield line[: len(line) // 2]


def main() -> None:
    """Write the log that comes with the product."""
    NIGHT.write_text("".join(line + "\n" for line in night()), encoding="utf-8")


if __name__ == "__main__":
    main()
