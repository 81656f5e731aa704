"""The PDF: a tagged document with contents, page numbers, a running header and working links."""

from __future__ import annotations

import re
from functools import cache
from io import BytesIO
from typing import Any

import pytest
from pypdf import PdfReader

from reports.model import NotRecorded, Run
from reports.pdf import render_pdf
from reports.pdf_content import pdf_content
from reports.pdf_findings import FULL_OF_A_RULE, LINES_OF_A_RULE
from reports.run_hash import run_hash
from reports.verdicts import FindingKind, RuleStatus
from tests.reports.many_findings import many
from tests.reports.payloads import MARKUP, TEMPLATE, TYPESET, attacked
from tests.reports.sample import full_run

MOST_PAGES = 60


def reader(run: Run) -> PdfReader:
    return PdfReader(BytesIO(render_pdf(run)))


@cache
def pages() -> tuple[str, ...]:
    return tuple(page.extract_text() for page in reader(full_run()).pages)


def flat(text: str) -> str:
    return re.sub(r"\s+", " ", text)


def test_it_is_tagged_and_has_a_language_and_a_title() -> None:
    found = reader(full_run())
    root: Any = found.trailer["/Root"]
    assert root["/MarkInfo"]["/Marked"]
    assert root["/Lang"] == "en"
    assert found.metadata is not None
    assert found.metadata.title == "Compliance report: Boardwalk Palace"


def test_it_claims_the_standards_for_archives_and_for_accessibility() -> None:
    root: Any = reader(full_run()).trailer["/Root"]
    claims = root["/Metadata"].get_data().decode()
    assert "pdfaid:part" in claims
    assert "pdfuaid:part" in claims


def test_every_page_has_its_number() -> None:
    total = len(pages())
    for number, page in enumerate(pages(), start=1):
        assert f"Page {number} of {total}" in flat(page)


def test_every_page_after_the_cover_has_the_hash_of_the_run() -> None:
    assert all(f"Run {run_hash(full_run())[:16]}" in flat(page) for page in pages()[1:])


def test_the_cover_tells_casino_period_and_verdict() -> None:
    cover = flat(pages()[0])
    assert "Boardwalk Palace" in cover
    assert "2024-03-09 18:00:00 -05:00 to 2024-03-09 23:59:58 -05:00" in cover
    assert "2 violations of 1 rule" in cover


@pytest.mark.parametrize(
    "heading",
    [
        "The verdict at a glance",
        "Violations",
        "Indicators",
        "Integrity of the evidence",
        "Statement of compliance",
        "What the verdicts rest on",
        "To reproduce this report",
    ],
)
def test_the_contents_name_every_part(heading: str) -> None:
    assert heading in flat(pages()[1])


@pytest.mark.parametrize(
    "part", ["OPINION", "Objective", "Method", "Evidence", "Its limits", "Sign-off", "Reviewed by"]
)
def test_the_first_page_can_be_signed(part: str) -> None:
    assert part in flat(pages()[0])


def test_what_would_have_to_be_recorded_stands_in_it() -> None:
    more = [NotRecorded(record=f"event_{number}", clauses=30 - number) for number in range(22)]
    run = full_run().model_copy(update={"not_recorded": tuple(more)})
    text = flat(" ".join(page.extract_text() for page in reader(run).pages))
    assert "What would have to be recorded to judge more" in text
    assert "event_0 30 0" in text
    assert "And 2 more, in the JSON result." in text
    assert "have to be recorded" not in flat(" ".join(pages()))


def test_rules_are_counted_as_in_the_page() -> None:
    """An indicator that was not seen is a rule, too."""
    quiet = (
        full_run()
        .outcomes[0]
        .model_copy(
            update={
                "kind": FindingKind.INDICATOR,
                "status": RuleStatus.NOT_EXERCISED,
                "findings": (),
            }
        )
    )
    run = full_run().model_copy(update={"outcomes": (*full_run().outcomes, quiet)})
    tiles = {tile["word"]: tile["number"] for tile in pdf_content(run)["rules"]}
    assert int(tiles["not exercised"]) == 1 + sum(
        item.status is RuleStatus.NOT_EXERCISED for item in full_run().outcomes
    )


def test_the_bookmarks_lead_to_the_parts() -> None:
    found = reader(full_run())
    titles = [item.title for item in found.outline if not isinstance(item, list)]
    assert titles[:2] == ["A The verdict at a glance", "B Violations"]


def test_the_links_lead_to_places_in_the_document() -> None:
    found = reader(full_run())
    links = [
        note.get_object()
        for page in found.pages
        for note in page.get("/Annots", ())
        if note.get_object()["/Subtype"] == "/Link"
    ]
    assert len(links) > 8
    assert all("/Dest" in link or link["/A"]["/S"] == "/GoTo" for link in links)


@pytest.mark.parametrize(
    "part", ["Criteria", "Condition", "Cause", "Effect", "Recommendation", "no card_burned"]
)
def test_a_finding_has_the_parts_of_an_audit_and_the_gap(part: str) -> None:
    assert part in flat(" ".join(pages()))


@pytest.mark.parametrize("payload", [MARKUP, TEMPLATE, TYPESET])
def test_markup_in_a_log_is_text(payload: str) -> None:
    shown = "".join(page.extract_text() for page in reader(attacked(payload)).pages)
    assert re.sub(r"\s+", "", payload) in re.sub(r"\s+", "", shown)


def test_a_letter_that_the_fonts_lack_appears_as_its_code() -> None:
    shown = "".join(page.extract_text() for page in reader(attacked("\u4e2d\U0001f0a1")).pages)
    assert "\\u4e2d\\u1f0a1" in shown


def test_very_many_findings_stay_a_document_that_one_can_hold() -> None:
    found = reader(many(10, 500))
    assert len(found.pages) < MOST_PAGES
    shown = flat("".join(page.extract_text() for page in found.pages))
    left = 500 - FULL_OF_A_RULE - LINES_OF_A_RULE
    assert f"{left} more findings of this rule are counted here" in shown


def test_the_list_of_the_annexes_is_none_of_them() -> None:
    text = flat(" ".join(pages()))
    assert "ANNEX A" in text
    assert "ANNEX 0" not in text
