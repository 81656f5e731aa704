"""Breaches at tables with another shuffle, and of what is burned from the hand."""

from __future__ import annotations

from itertools import takewhile

from compliance.simulate.breach import Opportunity, breach, copied
from compliance.simulate.table import Record

BART_CARTER = "bart_carter"


@breach(
    "cutting-card-put-back",
    "shuffle",
    variant=BART_CARTER,
    blackjack="no-cutting-card-put-back-in-a-bart-carter-shuffle",
)
def cutting_card_put_back(op: Opportunity) -> Record | None:
    done = op.chapter.first("stack_transposed")
    if done is None:
        return None
    return op.chapter.insert(
        op.chapter.place(done) + 1,
        "cutting_card_inserted",
        by=done["by"],
        by_role="dealer",
        shoe=done["shoe"],
        position_from_back=done["cards_total"] // 3,
        cards_total=done["cards_total"],
    )


@breach(
    "shuffle-without-the-discards",
    "shuffle",
    variant=BART_CARTER,
    blackjack="bart-carter-shuffles-the-discards",
)
def shuffle_without_the_discards(op: Opportunity) -> Record | None:
    shuffled = op.chapter.first("cards_shuffled", method="bart_carter")
    removed = op.chapter.first("cards_removed", origin="discard_rack")
    if shuffled is None or removed is None:
        return None
    removed["origin"] = "shoe"
    return shuffled


@breach(
    "stacks-in-two-places",
    "shuffle",
    variant=BART_CARTER,
    blackjack="bart-carter-stacks-go-back-in-three-places",
)
def stacks_in_two_places(op: Opportunity) -> Record | None:
    inserted, following = op.chapter.all("shuffled_stack_inserted"), op.next_round
    if not inserted or following is None:
        return None
    inserted[1]["cards_total"] += inserted[2]["cards_total"]
    op.chapter.drop(inserted[2])
    return following.first("card_dealt")


@breach(
    "rack-grows-on",
    "shuffle",
    variant=BART_CARTER,
    blackjack="bart-carter-shuffle-after-about-a-deck",
)
def rack_grows_on(op: Opportunity) -> Record | None:
    """They deal one more round before the shuffle."""
    shuffled, following = op.chapter.first("cards_shuffled", method="bart_carter"), op.next_round
    # A few cards more than a deck are still about a deck.
    if shuffled is None or following is None or _cards_in_the_rack(op) < 60:
        return None
    after = op.chapters[op.at + 2]
    if op.chapters[op.at + 1] is not following or after.kind != "between":
        return None
    moment = following.records[-1]["ts"]
    after.records[:0] = [record | {"ts": moment} for record in op.chapter.records]
    op.chapter.records.clear()
    return following.first("round_started")


def _cards_in_the_rack(op: Opportunity) -> int:
    """The cards that were gathered since the last shuffle."""
    events = op.earlier("cards_collected", "cards_shuffled")
    gathered = takewhile(lambda record: record["type"] == "cards_collected", events)
    return sum(record["cards_total"] for record in gathered)


@breach(
    "continuous-shuffler-without-approval",
    "opening",
    variant="continuous_shuffler",
    blackjack="continuous-shuffler-is-approved",
)
def continuous_shuffler_without_approval(op: Opportunity) -> Record | None:
    elected = op.chapter.first("option_elected", option_name="shuffler")
    if elected is not None:
        elected["approved"] = False
    return elected


@breach(
    "burned-card-shown-in-the-hand",
    "shuffle",
    since="2006-01-17",
    variant="burning_from_the_hand",
    blackjack="six-to-five-burned-card-not-shown",
)
def burned_card_shown_in_the_hand(op: Opportunity) -> Record | None:
    burned, seated = op.chapter.first("card_burned"), op.seated()
    if burned is None or not seated:
        return None
    seat, player = next(iter(seated.items()))
    who = {n: v for n, v in copied(burned).items() if n in ("by", "by_role", "card")}
    place = op.chapter.place(burned) + 1
    op.chapter.insert(place, "burn_card_disclosed", seat=seat, player=player, **who)
    return burned
