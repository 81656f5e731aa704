"""Picks the events that a person needs to see around a breach, and marks what is missing."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from compliance.findings.missing_events import MissingEvents
from compliance.table_log.frame import FrameEvents
from compliance.values.event_texts import value_text
from event_schemas import Event, Schema
from event_schemas.lost_record import LostRecord
from reports.surroundings import CURE, Timeline, TimelineEvent
from reports.wording import lost_records

MOST_EVENTS = 24
"""No timeline has more events than this."""
MOST_WITNESSES = 16
AFTER = 3
"""How many events are shown after the breach."""
_CARDS = ("card", "cards")
_DEADLINE = "before"
"""The part of the event before which something had to be done."""
_SAID_ONCE = ("round", "dealer")
"""Left out where an event tells more than these: they are said once, with the finding."""


def timeline(
    events: FrameEvents, parts: Mapping[int, str], trigger: int, missing: MissingEvents | None
) -> Timeline:
    """The events around a breach; `parts` tells what the witnesses at their rows showed."""
    rows = _chosen(sorted(parts), trigger, len(events))
    shown = []
    for number, row in enumerate(rows):
        skipped = row - rows[number - 1] - 1 if number else 0
        shown.append(_shown(events.schema, events[row], parts.get(row, ""), skipped))
    if missing is None:
        return Timeline(events=tuple(shown))
    begin, end = _gap(shown, rows.index(trigger), missing)
    return Timeline(events=tuple(shown), missing=missing.words, missing_from=begin, missing_to=end)


def _chosen(witnesses: Sequence[int], trigger: int, size: int) -> list[int]:
    """The witnesses, and then their neighbours, those of the trigger first."""
    half = MOST_WITNESSES // 2
    kept = set(witnesses)
    if len(kept) > MOST_WITNESSES:
        kept = {*witnesses[:half], *witnesses[-half:]}
    kept.add(trigger)
    first, last = max(0, min(kept) - 1), min(size - 1, max(max(kept), trigger + AFTER))
    for near in _nearest_first(kept, trigger, first, last):
        if len(kept) >= MOST_EVENTS:
            break
        kept.add(near)
    return sorted(kept)


def _nearest_first(witnesses: Collection[int], trigger: int, first: int, last: int) -> list[int]:
    around = [trigger + step for far in range(1, AFTER + 1) for step in (far, -far)]
    others = [row + step for row in sorted(witnesses) for step in (1, -1)]
    # A short stretch is shown whole.
    whole = range(first, last + 1) if last - first < MOST_EVENTS else ()
    return [row for row in (*around, *others, *whole) if first <= row <= last]


def _gap(shown: Sequence[TimelineEvent], trigger: int, missing: MissingEvents) -> tuple[int, int]:
    """The stretch of the shown events in which an event was looked for."""
    if missing.ahead:
        # What ended the time to act, or came too late to keep the rule, lies behind the stretch.
        ends = (n for n, e in enumerate(shown) if n > trigger and e.part in (_DEADLINE, CURE))
        return trigger + 1, next(ends, len(shown))
    starts = [n for n, event in enumerate(shown[:trigger]) if event.type in missing.since]
    return (starts[-1] + 1 if starts else 0), trigger


def _shown(schema: Schema, event: Event, part: str, skipped: int) -> TimelineEvent:
    if isinstance(event, LostRecord):
        return TimelineEvent(
            event_id=event.id,
            ts=event.ts,
            type=event.type,
            table=event.table,
            seq=event.seq,
            text=lost_records(event.times),
            part=part,
            skipped=skipped,
            lost=event.times,
        )
    kinds = schema.events[event.type].fields
    words: dict[str, str] = {}
    cards: list[str] = []
    for name, value in event.fields.items():
        kind = kinds[name].kind.name if name in kinds else "text"
        if value is None or name == "pit":
            continue
        text = value_text(kind, value)
        if kind in _CARDS:
            cards += text.split()
        else:
            words[name] = f"{name.replace('_', ' ')} {text}"
    telling = [text for name, text in words.items() if name not in _SAID_ONCE]
    return TimelineEvent(
        event_id=event.id,
        ts=event.ts,
        type=event.type,
        table=event.table,
        seq=event.seq,
        text=", ".join(telling or words.values()),
        cards=tuple(cards),
        part=part,
        skipped=skipped,
    )
