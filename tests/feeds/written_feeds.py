"""What four systems write down of a game of blackjack, each in its own shape.

The shapes are those of systems that are in use; the data is our own.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Any

from tests.feeds.blackjack_game import Round, Step

START = datetime.fromisoformat("2010-03-20T20:00:00-04:00")
_WAGERS = {"pay": "wager_paid", "take": "wager_collected", "push": "wager_returned"}


def _timed(rounds: Iterable[Round]) -> Iterator[tuple[datetime, Round, Step]]:
    moment = START
    for played in rounds:
        for step in played.steps:
            moment += timedelta(seconds=2)
            yield moment, played, step


def engine_events(rounds: Iterable[Round]) -> str:
    """An engine that writes events in the words of the vocabulary, and only what it knows."""
    records: list[dict[str, Any]] = []
    for moment, played, step in _timed(rounds):
        for fields in _events(step):
            number = len(records) + 1
            base = {"id": f"e{number}", "ts": moment.isoformat(), "seq": number}
            record = {**base, "casino": "BAY", "table": "T1", **fields}
            if record["type"] != "cards_shuffled":
                record["round"] = str(played.number)
            records.append(record)
    return _lines(records)


def _events(step: Step) -> Iterator[dict[str, Any]]:
    seat = {"seat": step.seat} if step.seat else {}
    if step.what == "shuffle":
        yield {"type": "cards_shuffled"}
    elif step.what in ("start", "end"):
        yield {"type": f"round_{step.what}ed"}
    elif step.what == "bet":
        yield {"type": "wager_placed", "wager": "blackjack", "amount": step.cents, **seat}
    elif step.what == "card":
        to = "player" if step.seat else "dealer"
        yield {"type": "card_dealt", "to": to, "card": step.card, **seat}
    elif step.what in ("hit", "stand", "double"):
        yield {"type": "decision", "kind": step.what, **seat}
        if step.what == "double":
            yield {"type": "wager_placed", "wager": "double", "amount": step.cents, **seat}
    else:
        made = {"type": _WAGERS[step.what], "wager": "blackjack", "amount": step.cents, **seat}
        yield made | ({"stake": step.stake} if step.what == "pay" else {})


def shoe_frames(rounds: Iterable[Round]) -> str:
    """A smart shoe: a frame of CSV for each card, with its time in milliseconds, and a line for
    each button that the dealer presses."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["MSG", "AT", "N", "TBL", "EVT", "DEST", "CARD", "GAME", "FW"])
    number = 0
    for moment, played, step in _timed(rounds):
        event = {"card": "CARD", "start": "GAME_ON", "end": "GAME_OFF", "shuffle": "NEW_SHOE"}
        if step.what not in event:
            continue
        number += 1
        where = ("D" if not step.seat else f"P{step.seat}") if step.what == "card" else ""
        at = int(moment.timestamp() * 1000)
        game = "" if step.what == "shuffle" else played.number
        kind = event[step.what]
        rows.writerow([f"m{number}", at, number, 4, kind, where, step.card, game, "2.1"])
    return out.getvalue()


def live_rounds(rounds: Iterable[Round]) -> str:
    """A live-dealer studio: one nested record for each round, sent when it is over."""
    records = []
    for number, played in enumerate(rounds):
        moment = START + timedelta(minutes=number)
        seats = []
        for seat in sorted({step.seat for step in played.steps if step.what == "bet"}):
            own = [step for step in played.steps if step.seat == seat]
            staked = sum(step.cents for step in own if step.what in ("bet", "double"))
            paid = sum(step.cents for step in own if step.what == "pay")
            back = staked if any(step.what in ("pay", "push") for step in own) else 0
            seats.append(
                {
                    "pos": seat,
                    "stake": f"{staked / 100:.2f}",
                    "returned": f"{(back + paid) / 100:.2f}",
                    "cards": played.cards(seat),
                }
            )
        records.append(
            {
                "gameId": played.number,
                "table": {"id": "LB-3", "studio": "NJ"},
                "startedAt": moment.replace(tzinfo=None).isoformat(sep=" "),
                "seats": seats,
                "dealer": {"cards": played.cards(0)},
                "video": f"cam1/{played.number}.ts",
            }
        )
    return _lines(records)


def round_rows(rounds: Iterable[Round]) -> str:
    """A report of a back office: a row for each round of one player, cards without suits."""
    out = io.StringIO()
    rows = csv.writer(out, lineterminator="\n")
    rows.writerow(["HandNo", "Day", "Clock", "Tbl", "Bet", "Player", "Dealer", "Paid"])
    for number, played in enumerate(rounds):
        moment = START + timedelta(minutes=number)
        paid = sum(step.cents + step.stake for step in played.steps if step.what == "pay")
        paid += sum(step.cents for step in played.steps if step.what == "push")
        staked = sum(step.cents for step in played.steps if step.what in ("bet", "double"))
        seat = next(step.seat for step in played.steps if step.what == "bet")
        hands = (" ".join(c[:-1] for c in played.cards(who)) for who in (seat, 0))
        day, clock = moment.strftime("%m/%d/%Y"), moment.strftime("%I:%M:%S %p")
        bet, back = f"${staked / 100:,.2f}", f"${paid / 100:,.2f}"
        rows.writerow([played.number, day, clock, "BJ7", bet, *hands, back])
    return out.getvalue()


def _lines(records: Iterable[dict[str, Any]]) -> str:
    return "".join(json.dumps(record) + "\n" for record in records)
