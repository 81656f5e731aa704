"""Ways to spoil a round with a side wager that several breaches share."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity
from compliance.simulate.table import MINUTE, Chapter, Record


def side(op: Opportunity, type: str, wager: str) -> list[Record]:
    """All events of a type that concern the wager, in this round."""
    return op.chapter.all(type, wager=wager)


def settled(op: Opportunity, wager: str) -> list[Record]:
    """Where the wager was paid or taken, in this round."""
    return [
        record
        for record in op.chapter.records
        if record["type"] in ("wager_paid", "wager_collected") and record["wager"] == wager
    ]


def wager_of(chapter: Chapter, record: Record) -> Record | None:
    """Where the wager that is settled here was made."""
    return chapter.first("wager_placed", wager=record["wager"], seat=record["seat"])


def before_the_main_wager(op: Opportunity, wager: str) -> Record | None:
    """A player makes the side wager before the main wager."""
    for made in side(op, "wager_placed", wager):
        main = op.chapter.first("wager_placed", wager="blackjack", seat=made["seat"])
        if main is not None:
            op.chapter.move(made, op.chapter.place(main))
            return made
    return None


def made_with(op: Opportunity, wager: str, medium: str) -> Record | None:
    """The side wager is made with something else than chips."""
    for made in side(op, "wager_placed", wager):
        made["medium"] = medium
        return made
    return None


def pay(record: Record, odds: int, per: int = 1) -> Record:
    """A wager that was taken is paid instead."""
    stake = record["amount"]
    record["type"] = "wager_paid"
    record.update(stake=stake, amount=stake * odds // per, odds=f"{odds} to {per}")
    return record


def take(record: Record) -> Record:
    """A wager that was paid is taken instead."""
    record["type"] = "wager_collected"
    record["amount"] = record.pop("stake")
    record.pop("odds", None)
    record.pop("from_tray", None)
    return record


def pay_only(record: Record, amount: int) -> Record:
    """A wager is paid another amount."""
    record["amount"] = amount
    return record


def move_behind(chapter: Chapter, record: Record, other: Record) -> None:
    """Let an event happen right after a later one."""
    chapter.move(record, chapter.place(other))


def move_before(chapter: Chapter, record: Record, other: Record) -> None:
    """Let an event happen right before an earlier one."""
    chapter.move(record, chapter.place(other))


def last_second_card(chapter: Chapter) -> Record:
    """The card that completes the players' first two."""
    cards = chapter.all("card_dealt", to="player")
    return cards[2 * len({card["seat"] for card in cards}) - 1]


def third_card_after(chapter: Chapter, record: Record) -> Record | None:
    """The first card beyond a player's first two that comes after an event."""
    second = chapter.place(last_second_card(chapter))
    start = max(second, chapter.place(record)) + 1
    later = chapter.records[start:]
    return next((r for r in later if r["type"] == "card_dealt" and r["to"] == "player"), None)


def out_of_turn(op: Opportunity, wager: str) -> Record | None:
    """The last two seats are settled in the wrong order."""
    both = settled(op, wager)[-2:]
    if len(both) < 2 or both[0]["seat"] <= both[1]["seat"]:
        return None
    move_before(op.chapter, both[1], both[0])
    return both[0]


def call_too_early(op: Opportunity, wager: str) -> Record | None:
    """After the call that no more bets are taken another one is."""
    call = op.chapter.first("announcement", phrase="no_more_bets")
    made = side(op, "wager_placed", wager)
    if call is None or not made:
        return None
    op.chapter.move(call, op.chapter.place(made[-1]))
    return op.chapter.first("card_dealt")


def elected_for_a_round(op: Opportunity, **options: str) -> None:
    """The table offers something else for this round only."""
    records = op.chapter.records
    by = {"by": "F1", "by_role": "floorperson"}
    for name, value in options.items():
        before = {"no": "yes", "yes": "no"}.get(value) or op.options[name]
        begin = {"option_name": name, "value": value, **by}
        op.chapter.insert(0, "option_elected", **begin)
        op.chapter.insert(len(records), "option_elected", **begin | {"value": before})


def warned_of(op: Opportunity, option: str, value: str) -> bool:
    """More than half an hour before, all were told of a change; says whether there was a time."""
    begin = op.chapter.records[0]["ts"] - 32 * MINUTE
    for chapter in reversed(op.chapters[: op.at]):
        if chapter.kind == "between" and chapter.records and chapter.records[-1]["ts"] < begin:
            by = {"by": "F1", "by_role": "floorperson", "subject": option}
            last = len(chapter.records)
            chapter.insert(last, "commission_notified", written=True, **by)
            chapter.insert(last, "patrons_told", **by)
            chapter.insert(last, "notice_posted", value=value, **by)
            return True
    return False


def beside_another_offer(op: Opportunity, other: str) -> Record | None:
    """For one round the table offers what the law keeps apart."""
    started = op.chapter.first("round_started")
    elected_for_a_round(op, **{other: "yes"})
    return started


def first_wager_of_the_night(op: Opportunity, wager: str) -> Record | None:
    """The first time that anybody makes the wager."""
    for chapter in op.chapters[op.at :]:
        found = chapter.first("wager_placed", wager=wager)
        if found is not None:
            return found
    return None


def cents(amount: str) -> int:
    """An amount as an election records it, in cents."""
    return round(float(amount.strip("$")) * 100)
