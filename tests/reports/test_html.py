"""The HTML report: complete, the same every time, and harmless whatever a log says."""

from __future__ import annotations

import subprocess
import sys
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reports import render_html
from reports.model import Finding, Run, Witness
from reports.verdicts import FindingKind
from tests.reports.sample import DEALT, at, burn_outcome, full_run, run_of, unburned

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style></title><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% for x in () %}{{ cycler.__init__.__globals__ }}",
    "{{ run.__class__.__mro__ }}",
    "javascript:alert(1)",
    "<!-- ]]> -->",
]


class _Page(HTMLParser):
    """The page as a browser takes it apart: its tags, attributes and text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, tuple[str, ...]]] = []
        self.text = ""
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, tuple(name for name, _ in attrs)))

    def handle_data(self, data: str) -> None:
        self.text += data


def _run_saying(text: str) -> Run:
    """A run in which every field that a log or a rule author fills says `text`."""
    event = Witness(
        event_id=text, ts=at("20:00:09"), type=text, table=text, seq=1, line_text=text, part=text
    )
    found = Finding.model_validate(
        unburned().model_dump()
        | {"title": text, "law": text, "sentence": text, "remedy": text, "citations": (text,)}
        | {"where": {"seat": text, text: text}, "trigger": event, "witnesses": (event,)}
    )
    outcome = burn_outcome(found).model_dump() | {"title": text, "reason": text}
    data = run_of().model_dump() | {"outcomes": (outcome,), "profile": text, "notes": (text,)}
    data |= {"options": {text: text}, "interpretations": {text: text}, "versions": {text: text}}
    data["rulebook"]["name"] = data["inputs"][0]["name"] = text
    data["scope"] |= {"casinos": (text,), "tables": (text,)}
    return Run.model_validate(data)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_and_templates_in_a_log_appear_as_text(payload: str) -> None:
    harmless = _Page(render_html(_run_saying("harmless")))
    page = _Page(render_html(_run_saying(payload)))
    assert page.tags == harmless.tags
    assert page.text.count(payload) == harmless.text.count("harmless")


@given(st.text(min_size=1))
def test_no_text_in_a_log_changes_the_structure_of_the_page(text: str) -> None:
    page = render_html(_run_saying(text))
    assert _Page(page).tags == _Page(render_html(_run_saying("harmless"))).tags
    page.encode()


def test_characters_that_hide_or_reorder_text_are_shown_as_codes() -> None:
    page = render_html(_run_saying("a\u202eb\x00c\u200bd"))
    assert not set(page) & {"\u202e", "\x00", "\u200b"}
    assert r"a\u202eb\u0000c\u200bd" in page


def test_the_page_holds_no_script_and_asks_for_nothing() -> None:
    page = render_html(full_run())
    tags = {tag for tag, _ in _Page(page).tags}
    assert not tags & {"script", "link", "img", "iframe", "object", "form"}
    assert "://" not in page
    assert "url(" not in page
    assert "default-src 'none'" in page


def test_the_same_run_gives_the_same_bytes() -> None:
    again = Run.model_validate_json(full_run().model_dump_json())
    assert render_html(full_run()) == render_html(again)


def test_the_bytes_do_not_depend_on_the_process() -> None:
    program = (
        "import sys; from reports import render_html; from tests.reports.sample import full_run;"
        "sys.stdout.buffer.write(render_html(full_run()).encode())"
    )
    pages = {
        subprocess.run(
            [sys.executable, "-c", program],
            check=True,
            capture_output=True,
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path), "TZ": zone},
        ).stdout
        for seed, zone in [("1", "UTC"), ("2", "Asia/Kathmandu")]
    }
    assert pages == {render_html(full_run()).encode()}


def test_a_time_of_printing_appears_only_if_given() -> None:
    assert "Printed" not in render_html(full_run())
    assert "Printed 2024-03-09 23:00:00 -05:00" in render_html(
        full_run(), printed_at=at("23:00:00")
    )


def test_every_rule_stands_in_the_table_with_its_status() -> None:
    run = full_run()
    page = render_html(run)
    text = _Page(page).text
    for outcome in run.outcomes:
        assert outcome.title in text
    for word in ("violated", "complied", "excused", "open", "undetermined"):
        assert f"</span> {word}</span>" in page
    for word in ("not exercised", "not evaluable", "not in force", "pattern seen", "defect found"):
        assert f"</span> {word}</span>" in page


def test_a_finding_shows_what_is_needed_to_judge_it() -> None:
    found = unburned()
    text = _Page(render_html(run_of(burn_outcome(found)))).text
    for part in (
        found.sentence,
        found.law,
        found.citations[0],
        found.remedy,
        found.fingerprint[:16],
        "2024-03-09 20:00:09 -05:00",
        "15 September 1982",
        DEALT.line_text,
    ):
        assert part in text


def test_a_trigger_that_is_also_a_witness_is_shown_once() -> None:
    text = _Page(render_html(run_of(burn_outcome(unburned())))).text
    assert text.count("event e-1042,") == 1


def test_the_three_kinds_of_finding_have_sections_of_their_own() -> None:
    page = render_html(full_run())
    places = [page.index(f"<h2>{title}</h2>") for title in ("Violations", "Indicators")]
    places.append(page.index("<h2>Data defects</h2>"))
    assert places == sorted(places)
    for kind in FindingKind:
        assert page.count(f'class="finding {kind.value}"') == len(full_run().findings(kind))


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (full_run(), "2 violations of 1 rule"),
        (run_of(burn_outcome()), "No violation found"),
        (run_of(full_run().outcomes[2]), "No violation found, 1 rule not decided"),
        (run_of(full_run().outcomes[4]), "Nothing could be checked"),
        (run_of(), "Nothing could be checked"),
    ],
)
def test_the_cover_says_the_verdict_and_no_more_than_was_shown(run: Run, verdict: str) -> None:
    page = " ".join(render_html(run).split())
    assert f"<strong>{verdict} </strong>" in page or f"<strong>{verdict}</strong>" in page


def test_the_hashes_of_all_inputs_and_of_the_rulebook_are_named() -> None:
    run = full_run()
    page = render_html(run)
    for sha256 in (run.rulebook.sha256, *(source.sha256 for source in run.inputs)):
        assert sha256 in page
