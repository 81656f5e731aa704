"""Parts of a table's log that are judged by themselves, one after the other in one scene."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from compliance.columnar.scene import Scene, Table
from compliance.columnar.vectors import MISSING, VALUE
from compliance.columns import Flags, Integers


@dataclass(frozen=True)
class Sliced:
    """A scene in segments, with the trigger rows in it; `keys` are the key values of a segment."""

    scene: Scene
    triggers: Integers
    keys: tuple[dict[str, object], ...]
    owner: Integers
    """For each segment the place of its key values in `keys`."""


def segments_scene(
    table: Table, segments: Sequence[Integers], certain: Sequence[Flags], known_until: list[int]
) -> Scene:
    """Segments of a table's events one after the other."""
    lengths = np.array([len(segment) for segment in segments], dtype=np.int64)
    ends = np.cumsum(lengths)
    places = np.concatenate(segments) if segments else np.zeros(0, dtype=np.int64)
    sure = np.concatenate(certain) if certain else np.zeros(0, dtype=np.bool_)
    return Scene(
        table,
        places,
        np.repeat(np.arange(len(segments), dtype=np.int64), lengths),
        ends - lengths,
        ends,
        np.zeros(len(segments), dtype=np.bool_),
        np.array(known_until, dtype=np.int64),
        None if bool(sure.all()) else np.where(sure, VALUE, MISSING).astype(np.uint8),
    )
