"""Can the cards have come out of one shoe? No pack gives a card more often than it holds it.

A shoe's life goes from one shuffle or loading to the next. Cards before the first one are not
judged (the log may begin in the middle of a shoe), nor are cards from a machine that takes them
back all the time, nor any shoe whose number of decks is not known.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import polars as pl

from compliance.integrity.defects import Defect, DefectKind, DefectText, listed
from compliance.integrity.table_events import TableEvents, last_before
from compliance.table_log.columns import Flags, Integers, numbers_at
from compliance.values.codes import CARD_CODES, CARD_LIST
from compliance.values.elected_options import ElectedOptions
from event_schemas.cards import JOKER
from reports.wording import counted

NEW_LIFE: Final = (
    "cards_shuffled",
    "shoe_loaded",
    "shuffled_stack_inserted",
    "deck_placed_in_play",
    "deck_placed_in_hand",
)
DRAWS: Final = ("card_dealt", "card_burned")
_PACK: Final = ("shoe", "deck", "batch", "side")
_SHARED: Final = (
    ("two_decks", frozenset({"deck", "batch"})),
    ("double_shoe", frozenset({"side", "batch", "shoe"})),
)
"""With these options two packs are in use at once: they are told apart by one of these fields."""
_TAKEN_BACK: Final = (
    ("shuffler", "continuous"),
    ("shuffle", "continuous"),
    ("shoe_kind", "continuous_shuffler"),
)


def impossible_shoes(events: TableEvents, options: ElectedOptions) -> Iterator[Defect]:
    """Cards that came too often, and shoes that gave more cards than they held."""
    lives = _doubtful_lives(events, options)
    if not len(lives):
        return
    drawn = _drawn(events, options, lives)
    if drawn is None or not len(drawn):
        return
    yield from _too_often(events, drawn)
    yield from _overrun(events, drawn)


def _doubtful_lives(events: TableEvents, options: ElectedOptions) -> Integers:
    """The numbers of the lives that the smallest shoe which the table can have had may not have
    held, and of those with a joker, which says that decks are larger.

    Most shoes need no closer look than this: it asks nothing of single ones.
    """
    frame = events.frame
    nothing = np.zeros(0, dtype=np.int64)
    if not len(frame):
        return nothing
    starts, places = events.places(*NEW_LIFE), events.places(*DRAWS)
    life = last_before(starts, places)
    places, life = places[life >= 0], life[life >= 0]
    loaded = events.field("decks_total", "number")
    elected = options.elections(frame["casino"][0], frame["table"][0], "decks")
    known = [options.otherwise("decks"), *(value for _, _, value in elected)]
    known += [] if loaded is None else loaded.drop_nulls().unique().to_list()
    decks = [number for number in known if isinstance(number, int) and number > 0]
    if not len(places) or not decks:
        return nothing
    together, card = events.field("cards_total", "number"), events.field("card", "card")
    # Cards burned together stand in one record.
    numbers = np.ones(len(places)) if together is None else numbers_at(together, places, 1).clip(1)
    doubtful = np.bincount(life, weights=numbers) > 52 * min(decks)
    if card is not None:
        cards = numbers_at(card, places, -1)
        named = life[cards >= 0] * len(CARD_LIST) + cards[cards >= 0]
        often = np.bincount(named, minlength=len(doubtful) * len(CARD_LIST))
        of_lives = often.reshape(len(doubtful), len(CARD_LIST))
        too_often = (of_lives > min(decks)).any(axis=1)
        if (doubtful | too_often).any():
            doubtful = doubtful | too_often | (of_lives[:, CARD_CODES[JOKER]] > 0)
    return np.flatnonzero(doubtful)


def _drawn(events: TableEvents, options: ElectedOptions, wanted: Integers) -> pl.DataFrame | None:
    """Every card that left one of some shoes that can be judged: its life, its pack and the decks
    in it."""
    starts = events.places(*NEW_LIFE)
    places = events.places(*DRAWS)
    if not len(starts) or not len(places):
        return None
    life = last_before(starts, places)
    # A shoe lasts to the next one that gave a card.
    dealt_from = np.unique(life[life >= 0])
    borders = np.append(starts[dealt_from], len(events))
    places, life = (each[np.isin(life, wanted)] for each in (places, life))
    lives = np.unique(life)
    at = np.searchsorted(dealt_from, lives)
    decks = _decks(events, options, borders[at], borders[at + 1])
    needed = [*(f"{name}:text" for name in _PACK), "card:card", "cards_total:number"]
    recorded = [name for name in needed if name in events.frame.columns]
    packs = [name for name in recorded if name.endswith(":text")]
    drawn = (
        events.frame.select("seq", *recorded)[places]
        .with_columns(
            pl.Series("place", places, dtype=pl.Int64),
            pl.Series("life", life, dtype=pl.Int64),
            card=(pl.col("card:card") if "card:card" in recorded else pl.lit(None)).cast(pl.Int64),
            # Cards burned together stand in one record; what else it says never makes them fewer.
            number=pl.max_horizontal(
                pl.lit(1, pl.Int64), *(name for name in recorded if name == "cards_total:number")
            ),
        )
        .join(
            pl.DataFrame(
                {"life": lives.astype(np.int64), "decks": pl.Series(decks, dtype=pl.Int64)}
            ),
            on="life",
            how="left",
            maintain_order="left",
        )
    )
    drawn = drawn.filter(pl.col("decks").is_not_null())
    pack = pl.concat_str(
        [pl.col(name).cast(pl.String).fill_null("") for name in packs], separator="\n"
    )
    return drawn.select(
        "place", "card", "number", "life", "decks", pack=pack if packs else pl.lit("")
    )


def _decks(
    events: TableEvents, options: ElectedOptions, starts: Integers, ends: Integers
) -> list[int | None]:
    """How many decks each shoe holds; None where it is not known or cannot be judged."""
    loaded = events.field("decks_total", "number")
    loads = events.are("shoe_loaded")
    continuous = np.append(0, np.cumsum(_continuous(events)))
    apart = {name for name in _PACK if events.field(name, "text") is not None}
    found: list[int | None] = []
    frame = events.frame
    where = frame["casino"][0], frame["table"][0]
    held_at = [None] * len(starts) if loaded is None else loaded.gather(starts).to_list()
    for place, end, said in zip(starts.tolist(), ends.tolist(), held_at, strict=True):
        at = *where, int(events.seq[place]), int(events.ts[place])
        held = said if loads[place] else None
        decks = options.value_at("decks", *at) if held is None else held
        judged = (
            continuous[place] == continuous[end]
            and not any(options.value_at(name, *at) == word for name, word in _TAKEN_BACK)
            and all(apart & fields for name, fields in _SHARED if options.value_at(name, *at))
        )
        found.append(decks if judged and isinstance(decks, int) and decks > 0 else None)
    return found


def _continuous(events: TableEvents) -> Flags:
    """Which events tell of a machine that takes cards back while others are dealt."""
    found = np.zeros(len(events), dtype=np.bool_)
    for name, kind, word in (
        ("source", "card_source", "continuous_shuffler"),
        ("method", "shuffle_method", "continuous"),
    ):
        column = events.field(name, kind)
        if column is not None and word in events.schema.enums[kind].values:
            code = events.schema.enums[kind].values.index(word)
            found |= (column == code).fill_null(value=False).to_numpy()
    return found


def _too_often(events: TableEvents, drawn: pl.DataFrame) -> Iterator[Defect]:
    known = drawn.filter(pl.col("card").is_not_null()).with_columns(
        nth=pl.col("place").cum_count().over("life", "pack", "card")
    )
    over = known.filter(pl.col("nth") > pl.col("decks"))
    shoes = over.group_by("life", "pack", maintain_order=True).agg(
        pl.col("place", "card", "nth", "decks").first(), more=pl.len() - 1
    )

    def tell(number: int) -> DefectText:
        _, _, place, card, nth, decks, more = shoes.row(number)
        others = f", and {counted(more, 'more card')} too often" if more else ""
        sentence = (
            f"The {CARD_LIST[card]} comes for the {_ordinal(nth)} time out of "
            f"{counted(decks, 'deck')} since they were last shuffled: {events.name(place)}{others}."
        )
        return DefectText(place, sentence)

    yield from listed(events, DefectKind.CARD_TOO_OFTEN, shoes["place"].to_list(), tell)


def _overrun(events: TableEvents, drawn: pl.DataFrame) -> Iterator[Defect]:
    # Decks with a joker have 53 cards; a joker anywhere at the table shows that it plays with them.
    size = 53 if (drawn["card"] == CARD_CODES[JOKER]).any() else 52
    counted_up = drawn.with_columns(
        sum=pl.col("number").cum_sum().over("life", "pack"), held=pl.col("decks") * size
    )
    over = counted_up.filter(pl.col("sum") > pl.col("held"))
    shoes = over.group_by("life", "pack", maintain_order=True).agg(
        pl.col("place", "held", "decks").first(), pl.col("sum").last()
    )

    def tell(number: int) -> DefectText:
        _, _, place, held, decks, whole = shoes.row(number)
        sentence = (
            f"More cards came than {counted(decks, 'deck')} hold ({held}): {events.name(place)} "
            f"is beyond the last card, and {whole} came before the next shuffle."
        )
        return DefectText(place, sentence)

    yield from listed(events, DefectKind.SHOE_OVERRUN, shoes["place"].to_list(), tell)


def _ordinal(number: int) -> str:
    ending = {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{'th' if number % 100 in (11, 12, 13) else ending}"
