"""The numbers of the different texts of a column: each text is read once for all tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Final

import polars as pl

from compliance.log.columns_by_kind import encoded_column
from event_schemas import Kind

Number = tuple[int | None, int]
"""Above and below the line; None above where a text cannot be read."""
_REMEMBERED: Final = 10_000
_known: defaultdict[Kind, dict[str, Number]] = defaultdict(dict)


def numbers_of_texts(texts: Sequence[str], kind: Kind) -> list[Number]:
    """What the typed frame holds for each text; None where it cannot be read as this kind."""
    known = _known[kind]
    unknown = [text for text in texts if text not in known]
    if unknown:
        if len(known) > _REMEMBERED:
            known.clear()
            unknown = list(texts)
        values, below = encoded_column(pl.Series(unknown, dtype=pl.String), kind)
        under = [1] * len(unknown) if below is None else below.fill_null(1).to_list()
        known.update(zip(unknown, zip(values.to_list(), under, strict=True), strict=True))
    return [known[text] for text in texts]
