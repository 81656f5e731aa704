"""The eight rules as Polars expressions, as lazy queries that are collected together.

For each rule there are two questions, with what they share written once: a quick one for the ids of
the events at which the rule is violated, and one for all that the engine tells: the number of
checks, and every violation with its witnesses. Witnesses are looked up only where a rule is
violated.

Rounds and options are what the rule file says that they are: each event comes with its `round`, and
an option is what was elected for the table by the time of the event.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import polars as pl
from polars import col

SUPERVISORS = (
    "floorperson",
    "pit_boss",
    "poker_shift_supervisor",
    "casino_shift_manager",
    "casino_manager",
)
NOTHING = pl.lit([], pl.List(pl.String))
"""What is missing has no witness."""


@dataclass(frozen=True)
class Query:
    """One rule: only what is collected is worked out."""

    ids: pl.LazyFrame
    """The events at which the rule is violated, and nothing else."""
    checks: pl.LazyFrame
    """One row for each check."""
    violations: pl.LazyFrame
    """The trigger, its witnesses, and the player where a rule looks at every player."""


def _of(events: pl.LazyFrame, *types: str) -> pl.LazyFrame:
    return events.filter(col("type").is_in(types) if len(types) > 1 else col("type") == types[0])


def _played(events: pl.LazyFrame, *types: str) -> pl.LazyFrame:
    """Only events that lie in a round."""
    return _of(events, *types).filter(col("round") >= 0)


def _with_option(asked: pl.LazyFrame, events: pl.LazyFrame, option: str) -> pl.LazyFrame:
    """Each event that is asked about, by its `seq` and `ts`, with what was elected by then."""
    elected = _of(events, "option_elected").filter(col("option_name") == option)
    held = elected.select(
        "table", elected="seq", since=pl.max_horizontal("ts", "effective_at"), held="value"
    )
    if option == "game":
        opened = _of(events, "table_opened")
        held = pl.concat([held, opened.select("table", elected="seq", since="ts", held="game")])
    return (
        asked.join(held, on="table")
        .filter(col("elected") < col("seq"), col("since") <= col("ts"))
        .sort("since", "elected")
        .unique(["table", "seq"], keep="last")
        .drop("elected", "since")
        .rename({"held": option})
    )


def _pips() -> pl.Expr:
    rank = col("card").str.slice(0, 1)
    worth = {"A": 1, "J": 10, "Q": 10, "K": 10, "1": 10} | {str(n): n for n in range(2, 10)}
    return rank.replace_strict(worth, default=None, return_dtype=pl.Int64)


def _nth(*keys: str) -> pl.Expr:
    """The how-many-eth of its kind a row is, where rows are in order."""
    return pl.int_range(1, pl.len() + 1).over(*keys)


def _so_far(number: pl.Expr) -> pl.Expr:
    """The sum of a round's rows up to each row, where rows are in order."""
    total = number.cum_sum()
    begins = col("round").ne_missing(col("round").shift())
    return total - pl.when(begins).then(total - number).forward_fill()


def burned_by_new_dealer(events: pl.LazyFrame) -> Query:
    """Of arrivals and dealt cards, a dealer's first card follows an arrival directly."""
    dealt = (
        _of(events, "dealer_arrived", "card_dealt")
        .select(
            *("id", "type", "table", "seq", "ts"),
            arrived=col("id").shift(),
            arrived_seq=col("seq").shift(),
        )
        .filter(
            col("type") == "card_dealt",
            col("type").shift() == "dealer_arrived",
            col("table").shift() == col("table"),
        )
    )
    with_game = _with_option(dealt, events, "game").filter(col("game") == "blackjack")
    first = _with_option(with_game, events, "shoe_kind").filter(col("shoe_kind") != "dealer_hand")
    burned = (
        _of(events, "card_burned")
        .select("table", burned="seq")
        .join(first, on="table")
        .filter(col("burned").is_between("arrived_seq", "seq"))
    )
    unburned = first.join(burned, on="id", how="anti")
    return Query(
        ids=unburned.select("id"),
        checks=first,
        violations=unburned.select(trigger="id", witnesses=pl.concat_list("arrived")),
    )


def insured_in_time(events: pl.LazyFrame) -> Query:
    insured = _played(events, "insurance_placed").select("id", "round", "seq")
    cards = (
        _played(events, "card_dealt")
        .filter(col("to") == "player")
        .join(insured, on="round", how="semi", maintain_order="left")
    )
    third = (
        cards.group_by("round", "seat")
        .agg(col("seq").sort().get(2, null_on_oob=True))
        .group_by("round")
        .agg(col("seq").min().alias("third"))
    )
    additional = cards.filter(_nth("round", "seat") >= 3).select("round", card="id", dealt="seq")
    return Query(
        ids=insured.join(third, on="round").filter(col("third") < col("seq")).select("id"),
        checks=insured,
        violations=insured.join(additional, on="round")
        .filter(col("dealt") < col("seq"))
        .group_by(trigger="id")
        .agg(witnesses=col("card").sort_by("dealt").tail(1)),
    )


def recut_in_time(events: pl.LazyFrame) -> Query:
    """Of shuffles, cuts and dealt cards, the latest before the order is a cut."""
    orders = _of(events, "recut_ordered").select("id", "table", "seq", "by_role")
    by_other = ~col("by_role").cast(pl.String).is_in(SUPERVISORS)
    latest = pl.when(col("type") != "recut_ordered").then(col("type")).forward_fill().over("table")
    ids = (
        _of(events, "recut_ordered", "cards_shuffled", "cards_cut", "card_dealt")
        .join(orders, on="table", how="semi", maintain_order="left")
        .with_columns(latest=latest)
        .filter(col("type") == "recut_ordered", col("latest").ne_missing("cards_cut") | by_other)
        .select("id")
    )
    seen = orders.sort("seq")
    for name in ("cards_shuffled", "cards_cut", "card_dealt"):
        earlier = (
            _of(events, name)
            .select("table", "seq", col("seq").alias(f"{name}_seq"), col("id").alias(name))
            .join(orders, on="table", how="semi")
            .sort("seq")
        )
        seen = seen.join_asof(earlier, on="seq", by="table", check_sortedness=False)
    after_cut = (col("cards_cut_seq") > col("cards_shuffled_seq")).fill_null(value=False)
    after_card = (col("card_dealt_seq") > col("cards_cut_seq")).fill_null(value=False)
    witnesses = pl.concat_list(
        pl.when(~after_cut).then("cards_shuffled"),
        pl.when(after_card).then("cards_cut"),
        pl.when(after_card).then("card_dealt"),
    )
    return Query(
        ids=ids,
        checks=orders,
        violations=seen.filter(by_other | ~after_cut | after_card).select(
            trigger="id", witnesses=witnesses.list.drop_nulls()
        ),
    )


def vigorish_settled(events: pl.LazyFrame) -> Query:
    """No balance above zero lasts until a shuffle."""
    own = ("table", "player")
    change = pl.when(col("type") == "vigorish_marked").then("amount").otherwise(-col("amount"))
    balances = _of(events, "vigorish_marked", "vigorish_collected").select(
        *own,
        witness="id",
        since="seq",
        owed=change.cum_sum().over(own),
        until=col("seq").shift(-1, fill_value=2**62).over(own),
    )
    shuffles = _of(events, "cards_shuffled").select("id", "table", "seq")
    violated = (
        shuffles.join(balances.filter(col("owed") > 0), on="table")
        .filter(col("seq").is_between("since", "until"))
        .select("id", "seq", *own)
    )
    return Query(
        ids=violated.select(col("id").unique()),
        checks=shuffles.join(balances.group_by(own).agg(col("since").min()), on="table").filter(
            col("since") < col("seq")
        ),
        violations=violated.join(balances, on=own)
        .filter(col("since") < col("seq"))
        .group_by("player", trigger="id")
        .agg(witnesses="witness"),
    )


def dealer_draws_to_17(events: pl.LazyFrame) -> Query:
    """Before every further card the dealer is not done yet, and after the last one is.

    Whether soft 17 is drawn on is asked where a card follows, and at the end of the round.
    """
    hard = _so_far(col("pips").fill_null(0))
    ace = _so_far((col("pips") == 1).fill_null(value=False).cast(pl.Int64)) > 0
    soft = col("ace") & (col("hard") <= 11)
    total = col("hard") + pl.when("soft").then(10).otherwise(0)
    cards = _played(events, "card_dealt").filter(col("to") == "dealer")
    stood = _played(events, "decision").filter(col("kind") == "stand")
    hidden = cards.filter(col("card").is_null())
    ended = _played(events, "round_ended").select("id", "round", ended="seq", ended_ts="ts")
    totals = (
        cards.select("round", "table", "seq", "ts", pips=_pips())
        .with_columns(hard=hard, ace=ace, drew=col("round") == col("round").shift(-1))
        .with_columns(soft=soft, drew=col("drew").fill_null(value=False))
        .with_columns(total=total)
    )
    soft_17s = (
        totals.filter(col("total") == 17, "soft")
        .join(ended, on="round")
        .select(
            "table",
            card="seq",
            seq=pl.when("drew").then("seq").otherwise("ended"),
            ts=pl.when("drew").then("ts").otherwise("ended_ts"),
        )
    )
    drawn_on = (
        _with_option(soft_17s, events, "soft_17")
        .filter(col("soft_17") == "hit")
        .select("table", seq="card", drawn_on=True)
    )
    wrong = totals.join(drawn_on, on=["table", "seq"], how="left").filter(
        col("drew") == ((col("total") >= 17) & col("drawn_on").is_null())
    )
    mistakes = wrong.group_by("round").agg(
        too_early=(~col("drew")).any(), too_late=col("seq").filter("drew").max()
    )
    judged = ended.join(stood, on="round", how="semi").join(hidden, on="round", how="anti")
    without_cards = judged.join(cards, on="round", how="anti")
    shown = (
        judged.join(mistakes, on="round")
        .join(cards.select("round", "seq", card="id"), on="round")
        .filter(col("too_early") | (col("seq") == col("too_late")))
        .group_by(trigger="id")
        .agg(witnesses="card")
    )
    return Query(
        ids=pl.concat(
            [judged.join(wrong, on="round", how="semi").select("id"), without_cards.select("id")]
        ),
        checks=judged,
        violations=pl.concat([shown, without_cards.select(trigger="id", witnesses=NOTHING)]),
    )


def baccarat_third_card(events: pl.LazyFrame) -> Query:
    bankers = _of(events, "card_dealt").filter(col("to") == "banker")
    player, banker = (col("points").filter(col("to") == to) for to in ("player", "banker"))
    cards = (
        _played(events, "card_dealt")
        .select("id", "table", "round", "to", "card")
        .filter(col("to") != "dealer")
        .join(bankers, on="table", how="semi", maintain_order="left")
    )
    third = col("third")
    draws = (
        pl.when(third.is_null())
        .then(col("banker") <= 5)
        .when(col("banker") <= 2)
        .then(statement=True)
        .when(col("banker") == 3)
        .then(third != 8)
        .when(col("banker") == 4)
        .then(third.is_between(2, 7))
        .when(col("banker") == 5)
        .then(third.is_between(4, 7))
        .when(col("banker") == 6)
        .then(third.is_between(6, 7))
        .otherwise(statement=False)
    )
    moves = (
        cards.select("round", "to", points=_pips() % 10)
        .group_by("round")
        .agg(
            player=player.head(2).sum() % 10,
            banker=banker.head(2).sum() % 10,
            third=player.get(2, null_on_oob=True),
            player_cards=player.len(),
            banker_cards=banker.len(),
        )
        .filter((col("player_cards") >= 2) & (col("banker_cards") >= 2))
        .filter((col("player") <= 7) & (col("banker") <= 7))
        .select(
            "round",
            player_wrong=(col("player_cards") >= 3) != (col("player") <= 5),
            banker_wrong=(col("banker_cards") >= 3) != draws,
        )
    )
    wrong = col("player_wrong") | col("banker_wrong")
    ended = _played(events, "round_ended").select("round", trigger="id")
    judged = ended.join(moves, on="round")
    nth = _nth("trigger", "to")
    counted = (nth <= 2) | (nth > pl.len().over("trigger", "to") - 3)
    shown = (
        pl.when(col("to") == "banker")
        .then(col("banker_wrong") & counted)
        .otherwise((col("player_wrong") & counted) | (col("banker_wrong") & (nth == 3)))
    )
    return Query(
        ids=judged.filter(wrong).select(id="trigger"),
        checks=judged,
        violations=cards.join(judged.filter(wrong), on="round", maintain_order="left")
        .filter(shown)
        .group_by("trigger")
        .agg(witnesses="id"),
    )


def rule_change_with_notice(events: pl.LazyFrame) -> Query:
    changed = _of(events, "rule_changed").select("id", "table", "subject", "seq", "ts")
    warned = (
        _of(events, "notice_posted", "patrons_told", "commission_notified")
        .select("table", "subject", "seq", "ts", warning="type")
        .join(changed, on=["table", "subject"], suffix="_changed")
        .filter(
            col("seq") < col("seq_changed"),
            col("ts") <= col("ts_changed") - pl.duration(minutes=30),
        )
        .group_by("id")
        .agg(col("warning").n_unique())
        .filter(col("warning") == 3)
    )
    violated = changed.join(warned, on="id", how="anti")
    return Query(
        ids=violated.select("id"),
        checks=changed,
        violations=violated.select(trigger="id", witnesses=NOTHING),
    )


def first_cards_clockwise(events: pl.LazyFrame) -> Query:
    """Before the dealer's first card seats grow from card to card, and no wager lacks a card."""
    dealers = (
        _played(events, "card_dealt")
        .filter(col("to") == "dealer")
        .group_by("round")
        .agg(first_id=col("id").first(), first_seq=col("seq").min())
    )
    cards = (
        _played(events, "card_dealt")
        .filter(col("to") == "player")
        .join(dealers, on="round", maintain_order="left")
        .filter(col("seq") < col("first_seq"))
        .select("round", "seat", "first_id", "id")
    )
    backwards = cards.filter(
        col("first_id") == col("first_id").shift(), col("seat") <= col("seat").shift()
    )
    lacking = (
        _played(events, "wager_placed")
        .filter(col("wager") == "blackjack")
        .join(dealers, on="round")
        .filter(col("seq") < col("first_seq"))
        .join(cards, on=["round", "seat"], how="anti")
    )
    out_of_order = cards.join(backwards, on="first_id", how="semi")
    return Query(
        ids=pl.concat([backwards.select(id="first_id"), lacking.select(id="first_id")]).unique(),
        checks=dealers,
        violations=pl.concat([each.select("first_id", "id") for each in (out_of_order, lacking)])
        .group_by(trigger="first_id")
        .agg(witnesses="id"),
    )


QUERIES: dict[str, Callable[[pl.LazyFrame], Query]] = {
    "burn-by-each-new-dealer": burned_by_new_dealer,
    "no-insurance-after-the-third-card": insured_in_time,
    "recut-by-a-supervisor-in-time": recut_in_time,
    "vigorish-settled-at-the-shuffle": vigorish_settled,
    "dealer-draws-to-17": dealer_draws_to_17,
    "baccarat-third-card": baccarat_third_card,
    "rule-change-with-notice": rule_change_with_notice,
    "first-cards-clockwise-to-every-box": first_cards_clockwise,
}
"""By the names of the rules."""
