"""The report in a real browser, opened from a file: read, filtered, unfolded and printed."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from reports.model import Run
from tests.browser.conftest import Open
from tests.reports.sample import full_run
from tests.reports.test_html import PAYLOADS, run_saying

WIDTHS = [1280, 400]


@pytest.mark.parametrize("width", WIDTHS)
def test_the_report_opens_from_a_file_without_errors_or_requests(
    open_report: Open, width: int
) -> None:
    page = open_report(full_run(), width=width)
    expect(page.get_by_role("heading", level=1)).to_have_text("Boardwalk Palace")


@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_screen(open_report: Open, width: int) -> None:
    page = open_report(full_run(), width=width)
    page.click("#expand-all")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_findings_are_filtered_by_table(open_report: Open) -> None:
    page = open_report(full_run())
    page.select_option("select[name=table]", "BJ-12")
    shown = page.locator("[data-finding]:visible")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text("D7 dealt 9")
    expect(page.locator("#filter-status")).to_have_text("1 of 4 findings on this page are shown")


@pytest.mark.parametrize(
    ("name", "value", "number"),
    [
        ("rule", "gap-in-sequence", 1),
        ("severity", "major", 2),
        ("severity", "minor", 2),
        ("dealer", "D9", 1),
    ],
)
def test_findings_are_filtered_by_rule_severity_and_dealer(
    open_report: Open, name: str, value: str, number: int
) -> None:
    page = open_report(full_run())
    page.select_option(f"select[name={name}]", value)
    expect(page.locator("[data-finding]:visible")).to_have_count(number)


def test_rules_without_a_finding_left_are_hidden_and_come_back(open_report: Open) -> None:
    page = open_report(full_run())
    groups = page.locator("[data-group]:visible")
    page.select_option("select[name=dealer]", "D9")
    expect(groups).to_have_count(1)
    page.click("#filter-reset")
    expect(groups).to_have_count(3)


def test_a_finding_unfolds_at_a_click_and_shows_the_gap(open_report: Open) -> None:
    page = open_report(full_run())
    page.click("#collapse-all")
    gap = page.get_by_text("no card_burned")
    expect(gap).to_be_hidden()
    page.get_by_text("D7 dealt 9").first.click()
    expect(gap).to_be_visible()


def test_a_finding_can_be_reached_and_unfolded_with_the_keyboard(open_report: Open) -> None:
    page = open_report(full_run())
    page.click("#collapse-all")
    page.locator("details.finding > summary").first.focus()
    page.keyboard.press("Enter")
    expect(page.locator("details.finding").first).to_have_attribute("open", "")


def test_everything_can_be_read_without_a_script(open_report: Open) -> None:
    page = open_report(full_run(), script=False)
    assert not page.locator("#filters").is_visible()
    page.get_by_text("D7 dealt 9").first.click()
    assert page.locator("details.finding").count() == 4


@pytest.mark.parametrize("script", [True, False])
def test_paper_shows_every_finding_unfolded_and_no_filters(open_report: Open, script: bool) -> None:
    page = open_report(full_run(), script=script)
    page.emulate_media(media="print")
    for body in page.locator("details .body, details table").all():
        box = body.bounding_box()
        assert box is not None
        assert box["height"] > 20
    assert not page.locator("#filters").is_visible()


@pytest.mark.parametrize("paper", ["A4", "Letter"])
def test_the_report_prints_to_pdf_on_both_papers(open_report: Open, paper: str) -> None:
    page = open_report(full_run())
    pdf = page.pdf(format=paper)
    assert pdf.startswith(b"%PDF-")
    assert pdf.count(b"/Type /Page\n") >= 4


@pytest.mark.parametrize("width", WIDTHS)
def test_no_serious_barrier_for_readers_who_listen_or_use_keys(
    open_report: Open, width: int
) -> None:
    page = open_report(full_run(), width=width)
    page.evaluate("for (const item of document.querySelectorAll('details')) item.open = true")
    found = Axe().run(page).response["violations"]
    barriers = [
        (item["id"], [node["html"][:120] for node in item["nodes"][:3]])
        for item in found
        if item["impact"] in ("serious", "critical")
    ]
    assert barriers == []


@pytest.mark.parametrize("payload", PAYLOADS)
def test_nothing_in_a_log_runs_in_the_page(open_report: Open, payload: str) -> None:
    page = open_report(run_saying(payload))
    assert payload in page.locator("main").inner_text()
    page.select_option("select[name=table]", payload)
    expect(page.locator("[data-finding]:visible")).to_have_count(2)


def test_an_empty_run_opens_too(open_report: Open) -> None:
    page = open_report(full_run().model_copy(update={"outcomes": (), "statements": ()}))
    expect(page.locator(".verdict strong")).to_have_text("Nothing could be checked")


def test_meaning_does_not_rest_on_colour(open_report: Open) -> None:
    """Every coloured mark carries a word; shapes and patterns tell the rest apart."""
    page = open_report(Run.model_validate_json(full_run().model_dump_json()))
    wordless = page.evaluate(
        """[...document.querySelectorAll(".badge, .tile, .severity, .mark, .tally > span")]
           .filter((mark) => !/[a-z]{3}/i.test(mark.textContent)).length"""
    )
    assert wordless == 0
    fills = page.evaluate(
        """["critical", "major", "minor"].map((name) =>
             getComputedStyle(document.querySelector(`.bar-${name}`)).fill)"""
    )
    assert len(set(fills)) == 3


@pytest.mark.parametrize("width", [1280, 800])
def test_a_heading_that_is_jumped_to_stays_visible_below_the_filters(
    open_report: Open, width: int
) -> None:
    page = open_report(full_run(), width=width)
    for target in ("#violations", "#evidence", ".group", ".finding"):
        page.evaluate("target => document.querySelector(target).scrollIntoView()", target)
        covered = page.evaluate(
            """target => {
              const bar = document.getElementById("filters").getBoundingClientRect();
              const top = document.querySelector(target).getBoundingClientRect().top;
              return bar.top <= 0 && top < bar.bottom;
            }""",
            target,
        )
        assert not covered, target
