"""What holds for every format: the same bytes, the casino's time, nothing that a log could run."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from datetime import UTC
from io import BytesIO
from typing import get_args
from zipfile import ZipFile

import polars as pl
import pytest
from pypdf import PdfReader

from compliance.cli.check_words import ReportFormat
from reports.formats import FORMATS
from reports.model import Run
from tests.reports.payloads import PAYLOADS, attacked
from tests.reports.sample import full_run
from tests.tree import ROOT, text_of

NAMES = list(FORMATS)
WITH_TIMES = sorted(set(NAMES) - {"json", "html", "sarif"})
"""Formats in which a person reads a time as the casino's clock shows it."""


def text(name: str, run: Run) -> str:
    """What a reader of the format sees, or a program reads, as text."""
    content = FORMATS[name].render(run)
    if name == "pdf":
        return "\n".join(page.extract_text() for page in PdfReader(BytesIO(content)).pages)
    if name == "parquet":
        return json.dumps(pl.read_parquet(BytesIO(content)).to_dicts(), default=str)
    if name == "action-plan":
        with ZipFile(BytesIO(content)) as book:
            return book.read("xl/sharedStrings.xml").decode()
    return content.decode("utf-8")


def test_the_commands_offer_every_format_and_text() -> None:
    assert list(get_args(ReportFormat)) == ["text", *FORMATS]


def test_every_format_is_described() -> None:
    page = text_of("docs/output-formats.md")
    assert [name for name in ["text", *NAMES] if f"`{name}`" not in page] == []


@pytest.mark.parametrize("name", NAMES)
def test_the_same_run_gives_the_same_bytes(name: str) -> None:
    assert FORMATS[name].render(full_run()) == FORMATS[name].render(full_run())


@pytest.mark.parametrize("name", NAMES)
def test_another_process_gives_the_same_bytes(name: str) -> None:
    program = (
        "import hashlib, sys; from reports.formats import FORMATS;"
        "from tests.reports.sample import full_run;"
        f"print(hashlib.sha256(FORMATS[{name!r}].render(full_run())).hexdigest())"
    )
    environment = {"PYTHONHASHSEED": "7", "TZ": "Asia/Tokyo", "PYTHONPATH": str(ROOT)}
    there = subprocess.run(
        [sys.executable, "-c", program],
        env=environment,
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout.strip()
    assert there == hashlib.sha256(FORMATS[name].render(full_run())).hexdigest()


@pytest.mark.parametrize("name", NAMES)
def test_a_run_that_was_saved_and_read_gives_the_same_bytes(name: str) -> None:
    saved = Run.model_validate_json(FORMATS["json"].render(full_run()))
    assert FORMATS[name].render(saved) == FORMATS[name].render(full_run())


@pytest.mark.parametrize("name", NAMES)
def test_a_run_without_rules_or_events_can_be_written(name: str) -> None:
    empty = Run(rulebook=full_run().rulebook, inputs=())
    assert FORMATS[name].render(empty)


@pytest.mark.parametrize("payload", PAYLOADS)
@pytest.mark.parametrize("name", NAMES)
def test_a_payload_in_a_log_breaks_no_format(name: str, payload: str) -> None:
    assert text(name, attacked(payload))


@pytest.mark.parametrize("name", sorted(set(NAMES) - {"json", "parquet"}))
def test_no_format_for_people_holds_a_character_that_hides_or_steers(name: str) -> None:
    shown = text(name, attacked("a\u202eb\x1bc\x00d"))
    assert not {"\u202e", "\x1b", "\x00"} & set(shown)
    assert "u202e" in shown


@pytest.mark.parametrize("name", WITH_TIMES)
def test_times_are_those_of_the_casino_with_their_offset_and_day(name: str) -> None:
    """The log writes UTC, in which the breach already lies on the next day."""
    night = full_run()
    first = night.outcomes[0]
    moved = tuple(
        found.model_copy(
            update={
                "trigger": found.trigger
                and found.trigger.model_copy(update={"ts": found.trigger.ts.astimezone(UTC)})
            }
        )
        for found in first.findings
    )
    moved_outcome = first.model_copy(update={"findings": moved})
    run = night.model_copy(update={"outcomes": (moved_outcome, *night.outcomes[1:])})
    shown = text(name, run)
    assert "2024-03-09 20:00:09 -05:00" in shown
    assert "2024-03-10 01:00:09 +00:00" not in shown
