"""Breaches with baccarat's money: wagers, payouts, and the commission on the banker's wins."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.table import Chapter, Record

ORDER = "1995-06-19"
COMMISSION = ("vigorish_marked", "vigorish_collected")


def _both(rule: str) -> dict[str, str]:
    return {"baccarat": rule, "minibaccarat": rule}


def _commission(chapter: Chapter, *types: str) -> list[Record]:
    return [record for record in chapter.records if record["type"] in (types or COMMISSION)]


# ---- making a wager ------------------------------------------------------------------------------


@breach(
    "unknown-wager",
    "round",
    also="baccarat-nothing-settled-without-a-wager",
    **_both("baccarat-only-three-wagers"),
)
def unknown_wager(op: Opportunity) -> Record | None:
    """A wager that the game does not know is taken, and given back with the others."""
    wager = op.chapter.all("wager_placed")[-1]
    fields = copied(wager, wager="same_suit")
    back = {name: value for name, value in fields.items() if name != "medium"}
    op.chapter.insert(len(op.chapter.records) - 1, "wager_returned", **back)
    return op.chapter.insert(op.chapter.place(wager) + 1, "wager_placed", **fields)


@breach("wager-after-no-more-bets", "round", **_both("baccarat-no-wager-after-no-more-bets"))
def wager_after_no_more_bets(op: Opportunity) -> Record | None:
    wager = op.chapter.all("wager_placed")[-1]
    said = op.chapter.first("announcement", phrase="no_more_bets")
    if said is None:
        return None
    # Counted without the wager itself, the place after the words is the words' own.
    op.chapter.move(wager, op.chapter.place(said))
    return wager


@breach("no-more-bets-forgotten", "round", **_both("baccarat-no-more-bets-before-the-first-card"))
def no_more_bets_forgotten(op: Opportunity) -> Record | None:
    said = op.chapter.first("announcement", phrase="no_more_bets")
    if said is None:
        return None
    op.chapter.drop(said)
    return op.chapter.first("card_dealt")


# ---- settling ------------------------------------------------------------------------------------


@breach(
    "loser-paid",
    "round",
    also="baccarat-every-loser-is-taken",
    **_both("baccarat-only-winners-are-paid"),
)
def loser_paid(op: Opportunity) -> Record | None:
    taken = op.chapter.all("wager_collected")
    # Where winners are paid too, the order of payments would be another matter.
    if not taken or taken[-1]["wager"] == "tie" or op.chapter.first("wager_paid"):
        return None
    taken[-1].update(type="wager_paid", stake=taken[-1]["amount"], odds="1 to 1")
    return taken[-1]


@breach("tie-takes-the-wager", "round", **_both("baccarat-only-losers-are-collected"))
def tie_takes_the_wager(op: Opportunity) -> Record | None:
    back = op.chapter.first("wager_returned", wager="player")
    if back is None or op.chapter.first("wager_paid"):
        return None
    back["type"] = "wager_collected"
    return back


@breach("winner-unpaid", "round", **_both("baccarat-every-winner-is-paid"))
def winner_unpaid(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="player")
    if paid is None:
        return None
    op.chapter.drop(paid)
    return op.chapter.first("round_ended")


@breach("less-than-even-money", "round", **_both("baccarat-even-money"))
def less_than_even_money(op: Opportunity) -> Record | None:
    """Five percent are held back from a wager on the player's hand."""
    paid = op.chapter.first("wager_paid", wager="player")
    if paid is not None:
        paid["amount"] = paid["stake"] * 19 // 20
    return paid


@breach("tie-paid-seven-to-one", "round", **_both("baccarat-tie-pays-at-least-eight-to-one"))
def tie_paid_seven_to_one(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="tie")
    if paid is not None:
        paid.update(amount=paid["stake"] * 7, odds="7 to 1")
    return paid


@breach(
    "loser-collected-late",
    "round",
    since=ORDER,
    baccarat="baccarat-losers-are-collected-before-winners-are-paid",
)
def loser_collected_late(op: Opportunity) -> Record | None:
    taken, paid = op.chapter.all("wager_collected"), op.chapter.all("wager_paid")
    if not taken or not paid:
        return None
    op.chapter.move(taken[-1], op.chapter.place(paid[-1]))
    return taken[-1]


@breach(
    "paid-in-the-wrong-order",
    "round",
    since=ORDER,
    baccarat="baccarat-winners-are-paid-from-the-highest-seat-down",
)
def paid_in_the_wrong_order(op: Opportunity) -> Record | None:
    paid = op.chapter.all("wager_paid", wager="player")
    if len(paid) < 2:
        return None
    op.chapter.move(paid[0], op.chapter.place(paid[1]))
    return paid[0]


@breach(
    "commission-out-of-order",
    "round",
    since=ORDER,
    baccarat="baccarat-pay-and-commission-follow-the-elected-order",
)
def commission_out_of_order(op: Opportunity) -> Record | None:
    chapter, procedure = op.chapter, op.options["pay_procedure"]
    taken, paid = _commission(chapter), chapter.all("wager_paid")
    if not taken or not paid:
        return None
    late = taken[-1]
    own = next(record for record in paid if record["seat"] == late["seat"])
    if procedure == "1":
        chapter.move(late, chapter.place(paid[0]))
    elif procedure == "2":
        chapter.move(late, chapter.place(paid[-1]))
    else:
        # Procedure 3 pays a player first, procedure 4 takes the commission first: the reverse.
        chapter.move(late, chapter.place(own))
    return late


@breach(
    "pay-procedure-unannounced",
    "opening",
    since=ORDER,
    baccarat="baccarat-notice-of-the-pay-procedure",
)
def pay_procedure_unannounced(op: Opportunity) -> Record | None:
    notice = op.chapter.first("commission_notified", subject="pay_procedure")
    if notice is None:
        return None
    op.chapter.drop(notice)
    return op.chapter.first("option_elected", option_name="pay_procedure")


# ---- commission ----------------------------------------------------------------------------------


@breach("too-little-commission-marked", "round", **_both("baccarat-marked-commission-is-right"))
def too_little_commission_marked(op: Opportunity) -> Record | None:
    marked = op.chapter.first("vigorish_marked")
    if marked is not None:
        marked["amount"] //= 2
    return marked


@breach(
    "too-little-commission-taken",
    "round",
    **_both("baccarat-commission-taken-at-once-is-right"),
)
def too_little_commission_taken(op: Opportunity) -> Record | None:
    taken = op.chapter.first("vigorish_collected", reason="banker_win")
    if taken is not None:
        taken["amount"] //= 2
    return taken


@breach(
    "vigorish-forgotten",
    "shuffle",
    **_both("baccarat-commission-collected-before-the-reshuffle"),
)
def vigorish_forgotten(op: Opportunity) -> Record | None:
    """A player's commission is remembered only when the cards are shuffled."""
    owed = op.chapter.first("vigorish_collected")
    shuffled = op.chapter.first("cards_shuffled")
    if owed is None or shuffled is None:
        return None
    op.chapter.move(owed, op.chapter.place(shuffled))
    return shuffled


@breach("wrong-rate", "round", **_both("baccarat-one-rate-of-commission"))
def wrong_rate(op: Opportunity) -> Record | None:
    taken = _commission(op.chapter)
    if not taken or op.has("tie_vigorish"):
        return None
    taken[0]["rate"] = "3%"
    return taken[0]


@breach(
    "tie-commission-forgotten",
    "round",
    since="1993-12-20",
    minibaccarat="minibaccarat-commission-on-ties",
)
def tie_commission_forgotten(op: Opportunity) -> Record | None:
    taken = op.chapter.first("vigorish_collected", reason="tie")
    if taken is None:
        return None
    op.chapter.drop(taken)
    return op.chapter.first("wager_returned", wager="banker", player=taken["player"])


@breach(
    "commission-on-a-win",
    "round",
    since="1993-12-20",
    minibaccarat="minibaccarat-tie-commission-replaces-the-other",
)
def commission_on_a_win(op: Opportunity) -> Record | None:
    paid = op.chapter.first("wager_paid", wager="banker")
    if paid is None or not op.has("tie_vigorish"):
        return None
    fields = {name: paid[name] for name in ("round", "dealer", "seat", "player")}
    return op.chapter.insert(
        op.chapter.place(paid) + 1,
        "vigorish_collected",
        amount=paid["amount"] // 20,
        rate="5%",
        reason="banker_win",
        **fields,
    )
