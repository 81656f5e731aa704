"""The eight rules as Polars expressions, all collected together as lazy queries.

Each query gives the ids of the events at which its rule is violated. A round is told by its number,
which is easier for Polars than the interval of the rule file, and the same on a simulated night.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import polars as pl
from polars import col

WORDS = ("type", "table", "to", "kind", "wager", "option_name", "subject", "by_role", "player")
"""Texts with few different values, which Polars compares faster as enumerations."""

COLUMNS = ("id", "ts", "seq", "round", "seat", "card", "amount", "value", *WORDS)
"""What the rules look at; the other columns stay in the file."""

ROUND = ("table", "round")
SUPERVISORS = (
    "floorperson",
    "pit_boss",
    "poker_shift_supervisor",
    "casino_shift_manager",
    "casino_manager",
)

Query = Callable[[pl.LazyFrame], pl.LazyFrame]


def read(log: Path) -> pl.DataFrame:
    """The log in memory, each table in its order; the rules are measured from here."""
    frame = pl.read_parquet(log, columns=list(COLUMNS))
    words = [col(name).cast(pl.Enum(frame[name].drop_nulls().unique().sort())) for name in WORDS]
    return frame.with_columns(words).sort("table", "seq")


def findings(events: pl.DataFrame) -> set[tuple[str, str]]:
    """Every violation: the rule, and the event at which it is violated."""
    found = pl.collect_all([query(events.lazy()) for query in QUERIES.values()])
    return {
        (rule, trigger)
        for rule, frame in zip(QUERIES, found, strict=True)
        for trigger in frame["id"]
    }


def _of(events: pl.LazyFrame, *types: str) -> pl.LazyFrame:
    return events.filter(col("type").is_in(types) if len(types) > 1 else col("type") == types[0])


def _elected(events: pl.LazyFrame, option: str) -> pl.LazyFrame:
    return _of(events, "option_elected").filter(col("option_name") == option)


def _pips() -> pl.Expr:
    rank = col("card").str.slice(0, 1)
    worth = {"A": 1, "J": 10, "Q": 10, "K": 10, "1": 10} | {str(n): n for n in range(2, 10)}
    return rank.replace_strict(worth, default=None, return_dtype=pl.Int64)


def burned_by_new_dealer(events: pl.LazyFrame) -> pl.LazyFrame:
    """Of arrivals, burned and dealt cards, a dealt card follows an arrival directly."""
    blackjack = _elected(events, "game").filter(col("value") == "blackjack")
    from_hand = _elected(events, "shoe_kind").filter(col("value") == "dealer_hand")
    return (
        _of(events, "dealer_arrived", "card_burned", "card_dealt")
        .join(blackjack, on="table", how="semi", maintain_order="left")
        .join(from_hand, on="table", how="anti", maintain_order="left")
        .filter(
            col("type") == "card_dealt",
            col("type").shift() == "dealer_arrived",
            col("table").shift() == col("table"),
        )
        .select("id")
    )


def insured_in_time(events: pl.LazyFrame) -> pl.LazyFrame:
    insured = _of(events, "insurance_placed").select("id", *ROUND, "seq")
    third = (
        _of(events, "card_dealt")
        .filter(col("to") == "player")
        .join(insured, on=ROUND, how="semi")
        .group_by(*ROUND, "seat")
        .agg(col("seq").sort().get(2, null_on_oob=True))
        .group_by(ROUND)
        .agg(col("seq").min().alias("third"))
    )
    return insured.join(third, on=ROUND).filter(col("third") < col("seq")).select("id")


def recut_in_time(events: pl.LazyFrame) -> pl.LazyFrame:
    """Of shuffles, cuts and dealt cards, the latest before the order is a cut."""
    orders = _of(events, "recut_ordered")
    latest = pl.when(col("type") != "recut_ordered").then(col("type")).forward_fill().over("table")
    return (
        _of(events, "recut_ordered", "cards_shuffled", "cards_cut", "card_dealt")
        .join(orders, on="table", how="semi", maintain_order="left")
        .with_columns(latest=latest)
        .filter(
            col("type") == "recut_ordered",
            col("latest").ne_missing("cards_cut")
            | ~col("by_role").cast(pl.String).is_in(SUPERVISORS),
        )
        .select("id")
    )


def vigorish_settled(events: pl.LazyFrame) -> pl.LazyFrame:
    """No balance above zero lasts until a shuffle."""
    change = pl.when(col("type") == "vigorish_marked").then("amount").otherwise(-col("amount"))
    balances = (
        _of(events, "vigorish_marked", "vigorish_collected")
        .select(
            "table",
            since="seq",
            owed=change.cum_sum().over("table", "player"),
            until=col("seq").shift(-1, fill_value=2**62).over("table", "player"),
        )
        .filter(col("owed") > 0)
    )
    shuffles = _of(events, "cards_shuffled").select("id", "table", "seq")
    return (
        shuffles.join(balances, on="table")
        .filter(col("seq").is_between("since", "until"))
        .select(col("id").unique())
    )


def dealer_draws_to_17(events: pl.LazyFrame) -> pl.LazyFrame:
    """Before every further card the dealer is not done yet, and after the last one is."""
    soft_17 = _elected(events, "soft_17").select("table", "seq", soft_17="value")
    hard, ace = col("pips").cum_sum().over(ROUND), (col("pips") == 1).cum_max().over(ROUND)
    soft = col("ace") & (col("hard") <= 11)
    total = col("hard") + pl.when("soft").then(10).otherwise(0)
    drawn_on = (col("total") == 17) & col("soft") & (col("soft_17") == "hit")
    wrong = (
        _of(events, "card_dealt")
        .filter(col("to") == "dealer")
        .select(*ROUND, "seq", pips=_pips())
        .filter(col("pips").is_not_null().all().over(ROUND))
        .with_columns(hard=hard, ace=ace, drew=col("seq") != col("seq").last().over(ROUND))
        .with_columns(soft=soft)
        .with_columns(total=total)
        .sort("seq")
        .join_asof(soft_17.sort("seq"), on="seq", by="table", check_sortedness=False)
        .filter(col("drew") == ((col("total") >= 17) & ~drawn_on.fill_null(value=False)))
    )
    stood = _of(events, "decision").filter(col("kind") == "stand")
    return (
        _of(events, "round_ended")
        .join(wrong, on=ROUND, how="semi")
        .join(stood, on=ROUND, how="semi")
        .select("id")
    )


def baccarat_third_card(events: pl.LazyFrame) -> pl.LazyFrame:
    games = _elected(events, "game").filter(col("value").is_in(["baccarat", "minibaccarat"]))
    player, banker = (col("points").filter(col("to") == to) for to in ("player", "banker"))
    hands = (
        _of(events, "card_dealt")
        .join(games, on="table", how="semi", maintain_order="left")
        .select(*ROUND, "to", points=_pips() % 10)
        .group_by(ROUND)
        .agg(
            player=player.head(2).sum() % 10,
            banker=banker.head(2).sum() % 10,
            third=player.get(2, null_on_oob=True),
            player_cards=player.len(),
            banker_cards=banker.len(),
        )
        .filter(
            col("player_cards") >= 2,
            col("banker_cards") >= 2,
            col("player") <= 7,
            col("banker") <= 7,
        )
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
    wrong = hands.filter(
        ((col("player_cards") >= 3) != (col("player") <= 5)) | ((col("banker_cards") >= 3) != draws)
    )
    return _of(events, "round_ended").join(wrong, on=ROUND, how="semi").select("id")


def rule_change_with_notice(events: pl.LazyFrame) -> pl.LazyFrame:
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
    return changed.join(warned, on="id", how="anti").select("id")


def first_cards_clockwise(events: pl.LazyFrame) -> pl.LazyFrame:
    """Before the dealer's first card seats grow from card to card, and no wager lacks a card."""
    dealers = (
        _of(events, "card_dealt")
        .filter(col("to") == "dealer")
        .group_by(ROUND)
        .agg(first_id=col("id").first(), first_seq=col("seq").min())
    )
    cards = (
        _of(events, "card_dealt")
        .filter(col("to") == "player")
        .join(dealers, on=ROUND, maintain_order="left")
        .filter(col("seq") < col("first_seq"))
        .select(*ROUND, "seat", "first_id")
    )
    backwards = cards.filter(
        col("first_id") == col("first_id").shift(), col("seat") <= col("seat").shift()
    )
    lacking = (
        _of(events, "wager_placed")
        .filter(col("wager") == "blackjack")
        .join(dealers, on=ROUND)
        .filter(col("seq") < col("first_seq"))
        .join(cards, on=[*ROUND, "seat"], how="anti")
    )
    return pl.concat([backwards.select(id="first_id"), lacking.select(id="first_id")]).unique()


QUERIES: dict[str, Query] = {
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
