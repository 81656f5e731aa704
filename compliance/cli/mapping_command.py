"""`compliance mapping`: drafts a mapping from a feed, and shows what one makes of it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import msgspec

from compliance.api.opened_request import opened
from compliance.api.opening import open_schema
from compliance.api.refusal import Refused
from compliance.api.whole_file import write_whole
from compliance.cli.screen import Screen, Styled
from compliance.log.layout import layout_of
from compliance.log.mapped_records import MappedFeed
from compliance.log.mapped_values import NotUnderstood
from compliance.log.mapping_draft import FeedFacts, drafted_mapping
from compliance.log.mapping_file import load_mapping
from compliance.log.problems import UnreadableFile
from compliance.log.raw import Single
from compliance.log.reading import raw_records
from compliance.log.single_records import row_of_record
from compliance.log.sources import find_sources
from compliance.log.tables import tables
from reports.wording import counted

LOOKED_AT: Final = 2_000
"""How many records a draft is made from."""


def draft_mapping(feed: Path, schema_file: Path | None, output: Path | None) -> int:
    """Propose a mapping file for a feed."""
    schema = open_schema(schema_file)
    facts = FeedFacts()
    for single in islice(_records(feed), LOOKED_AT):
        if isinstance(single.record, dict):
            facts.take(single.record)
    if not facts.records:
        raise Refused(f"{feed.name} holds no record that could be read.")
    text = drafted_mapping(facts, schema, str(feed))
    if output is None:
        sys.stdout.write(text)
        return 0
    write_whole(output, text)
    Screen().line(
        "Drafted ",
        Styled(str(output), "cyan", whole=True),
        ". Fill in the question marks, then look at it with `compliance mapping preview`.",
    )
    return 0


def preview_mapping(feed: Path, mapping_file: Path, schema_file: Path | None, records: int) -> int:
    """Show the first records before and after, and what fell out of the whole feed."""
    if records < 0:
        raise Refused("--records must be 0 or more.")
    schema = open_schema(schema_file)
    mapping = opened(load_mapping, mapping_file, schema)
    assert mapping is not None
    screen = Screen()
    layout, mapped = layout_of(schema), MappedFeed(mapping)
    log = tables([feed], schema, mapping)
    if log.problems:
        raise Refused("The feed cannot be read with this mapping.", problems=log.problems)
    for single in islice(_records(feed), records):
        record = single.record
        told = single.text if isinstance(record, str) else _written(record)
        screen.line(Styled(f"line {single.line}", "bold"), f"  {told}")
        if isinstance(record, str):
            screen.line(Styled(f"set aside: {record}", "yellow"), indent=4)
            continue
        try:
            events = mapped.events(record, f"{feed.name}:{single.line}")
        except NotUnderstood as problem:
            screen.line(Styled(f"set aside: {problem}", "yellow"), indent=4)
            continue
        if not events:
            screen.line(Styled("left out on purpose", "dim"), indent=4)
        for event in events:
            row = row_of_record(layout, event)
            if isinstance(row, str):
                screen.line(Styled(f"set aside: {row}", "yellow"), indent=4)
            else:
                screen.line(Styled(_written(event), "cyan"), indent=4)
    screen.line()
    by_type: dict[str, int] = {}
    names = tuple(schema.events)
    for table in log:
        for code, count in table.frame["type"].value_counts().rows():
            by_type[names[code]] = by_type.get(names[code], 0) + count
    for name, count in sorted(by_type.items(), key=lambda item: (-item[1], item[0])):
        screen.line(f"{count:>9,}  ", Styled(name, "cyan"))
    for note in log.notes:
        screen.line(Styled(note, "dim"))
    aside = log.quarantine
    if aside.total:
        screen.line(Styled(f"{counted(aside.total, 'record')} set aside:", "yellow"))
        for reason, count in aside.reasons.most_common(10):
            screen.line(Styled(f"{count:,}  {reason}", "yellow"), indent=2)
    made = counted(sum(by_type.values()), "event")
    screen.line(f"{made} of {counted(len(log.inputs), 'file')}.")
    return 0


def _records(feed: Path) -> Iterator[Single]:
    found = find_sources([feed])
    if found.problems:
        raise Refused("The feed cannot be read.", problems=found.problems)
    try:
        for source in found.files:
            yield from raw_records(source)
    except UnreadableFile as problem:
        raise Refused(f"{feed.name}: {problem.message}") from None


def _written(record: object) -> str:
    return msgspec.json.encode(record, enc_hook=str).decode()
