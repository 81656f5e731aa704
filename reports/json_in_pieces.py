"""Writes long lists of JSON piece by piece, so that the whole never stands in memory at once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def with_items(
    text: str, name: str, margin: str, step: str, items: Iterable[Iterable[str]]
) -> Iterator[str]:
    """An object's JSON with items in a list of it, which is empty in `text`.

    `margin` is the room before the name of the list, `step` the further room before its items. Each
    item comes in pieces, as it is written when it stands alone.
    """
    # No text inside JSON has a line of its own, so that only the list itself can begin like this.
    opening = f'\n{margin}"{name}": ['
    before, found, after = text.partition(f"{opening}]")
    assert found
    yield before + opening
    line = f"\n{margin}{step}"
    comma = ""
    for item in items:
        yield comma + line
        for piece in item:
            yield piece.replace("\n", line)
        comma = ","
    yield (f"\n{margin}]" if comma else "]") + after
