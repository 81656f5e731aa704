"""Do rounds begin and end in turn, and do results come inside them? Finds lost ends, late results.

Only where the log records both beginnings and ends of rounds.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import numpy as np
import polars as pl

from compliance.integrity.defects import Defect, DefectKind, DefectText, listed
from compliance.integrity.table_events import TableEvents, last_before
from compliance.table_log.columns import Flags, Integers, numbers_at

ENDS: Final = ("round_ended", "round_voided")
_RESULTS: Final = ("wager_paid", "wager_collected")
_NAMELESS: Final = -(2**63)
_SHOE_CHANGES: Final = ("cards_shuffled", "shoe_loaded")


def round_defects(events: TableEvents) -> Iterator[Defect]:
    """Everything that is wrong with the rounds of a table."""
    starts, ends = events.places("round_started"), events.places(*ENDS)
    if not len(starts) or not len(ends):
        return
    yield from _without_end(events, starts, ends)
    if not _surely_in_time(events, starts, ends):
        yield from _late_results(events)


def _without_end(events: TableEvents, starts: Integers, ends: Integers) -> Iterator[Defect]:
    """A round that begins while the one before is still open."""
    # Two beginnings with the same number of ends before them have none between them.
    before = last_before(ends, starts)
    places = np.flatnonzero(np.diff(before) == 0)

    def tell(number: int) -> DefectText:
        first, second = int(starts[places[number]]), int(starts[places[number] + 1])
        sentence = (
            f"The round that begins with {events.name(first)} has no end: the next round begins "
            f"with {events.name(second)}."
        )
        return DefectText(first, sentence)

    kind = DefectKind.ROUND_WITHOUT_END
    yield from listed(events, kind, [int(starts[place]) for place in places], tell)


def _late_results(events: TableEvents) -> Iterator[Defect]:
    """Wagers paid or collected after their round is over; graver once the cards are changed.

    After a round was voided, wagers are settled lawfully: only a regular end counts.
    """
    late, over = _after_the_end(events)
    changes = events.places(*_SHOE_CHANGES)
    changed = last_before(changes, late) > last_before(changes, over)

    for kind, chosen in (
        (DefectKind.LATE_RESULT, ~changed),
        (DefectKind.RESULT_AFTER_SHOE_CHANGE, changed),
    ):
        places, ended = late[chosen], over[chosen]

        def tell(
            number: int, places: Integers = places, ended: Integers = ended, kind: str = kind
        ) -> DefectText:
            place, end = int(places[number]), int(ended[number])
            then = ", and after the cards were changed" if kind != DefectKind.LATE_RESULT else ""
            sentence = (
                f"{events.name(place)} comes after the end of its round, {events.name(end)}{then}."
            )
            return DefectText(place, sentence, (events.row(end).id,))

        yield from listed(events, kind, [int(place) for place in places], tell)


def _surely_in_time(events: TableEvents, starts: Integers, ends: Integers) -> bool:
    """Whether every result comes while the round is open that it names, if it names one."""
    results = events.places(*_RESULTS)
    begun = last_before(starts, results)
    if (begun < 0).any():
        return False
    started = starts[begun]
    last_end = np.append(-1, ends)[last_before(ends, results) + 1]
    number = events.field("round", "number")
    if (last_end > started).any():
        return False
    if number is None:
        return True
    named, open_ = numbers_at(number, results, _NAMELESS), numbers_at(number, started, _NAMELESS)
    return bool(((open_ != _NAMELESS) & ((named == open_) | (named == _NAMELESS))).all())


def _after_the_end(events: TableEvents) -> tuple[Integers, Integers]:
    """The results that come too late, each with the end of its round.

    The round is the one that the result names, else the last one that began.
    """
    places = events.places("round_started", *ENDS, *_RESULTS)
    places = places[~_lasting(events)[places]]
    number = events.field("round", "number")
    rows = pl.DataFrame(
        {
            "place": places,
            "result": events.are(*_RESULTS)[places],
            "ended": events.are("round_ended")[places],
            "round": pl.Series(places * 0, dtype=pl.Int64) if number is None else number[places],
        }
    )
    if number is None or rows["round"].null_count() == len(rows):
        rows = rows.with_columns(round=pl.lit(0, pl.Int64))
    elif rows["round"].null_count():
        # Where only some records name their round, the others belong to the last one that began.
        begun = pl.when(~pl.col("result")).then("round").forward_fill()
        rows = rows.with_columns(round=pl.coalesce("round", begun))
    mark = pl.when(~pl.col("result"))
    found = rows.with_columns(
        mark_ended=mark.then("ended").forward_fill().over("round"),
        mark_place=mark.then("place").forward_fill().over("round"),
    ).filter("result", pl.col("mark_ended"), pl.col("round").is_not_null())
    return found["place"].to_numpy(), found["mark_place"].to_numpy()


def _lasting(events: TableEvents) -> Flags:
    """Results of wagers that stand for several rounds, and may be settled between two of them."""
    wager = events.field("wager", "wager_kind")
    if wager is None:
        return np.zeros(len(events), dtype=np.bool_)
    streak = events.schema.enums["wager_kind"].values.index("streak")
    settled: Flags = (wager == streak).fill_null(False).to_numpy()
    return settled
