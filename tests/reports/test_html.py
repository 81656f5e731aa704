"""The HTML report: complete, the same every time, and harmless whatever a log says."""

from __future__ import annotations

import subprocess
import sys
from datetime import UTC, date, datetime
from html.parser import HTMLParser

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reports import render_html
from reports.cards import drawn
from reports.model import ClauseStatement, Consulted, Finding, Run, Witness
from reports.surroundings import Exposure, Timeline, TimelineEvent
from reports.verdicts import ClauseStatus, FindingKind
from reports.waiver import Waiver
from tests.reports.sample import EXPOSURE, at, burn_outcome, full_run, run_of, unburned

PAYLOADS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</style></title><svg/onload=alert(1)>",
    "{{ 7 * 7 }}{% for x in () %}{{ cycler.__init__.__globals__ }}",
    "{{ run.__class__.__mro__ }}",
    "javascript:alert(1)",
    "<!-- ]]> -->",
    '=HYPERLINK("http://example.invalid","x")',
    "@SUM(1+1)*cmd|' /C calc'!A0",
]


class Page(HTMLParser):
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


def run_saying(text: str) -> Run:
    """A run in which every field that a log, a rule author or a user fills says `text`."""
    event = Witness(
        event_id=text, ts=at("20:00:09"), type=text, table=text, seq=1, line_text=text, part=text
    )
    on_line = TimelineEvent(
        event_id=text,
        ts=at("20:00:09"),
        type=text,
        table=text,
        seq=1,
        text=text,
        cards=(text,),
        part=text,
    )
    waiver = Waiver(rule=text, table=text, authority=text, reason=text, expires=date(2024, 4, 1))
    timeline = Timeline(events=(on_line,), missing=text, missing_from=0, missing_to=1)
    found = Finding.model_validate(
        unburned().model_dump()
        | {"title": text, "law": text, "sentence": text, "remedy": text, "citations": (text,)}
        | {"where": {"seat": text, f"own {text}": text, "table": text, "dealer": text}}
        | {
            "trigger": event,
            "witnesses": (event,),
            "timeline": timeline,
            "waiver": waiver,
            "unmet": (text,),
        }
        | {"exposure": Exposure.model_validate(EXPOSURE.model_dump() | {"until": text})}
    )
    bare = Finding.model_validate(found.model_dump() | {"timeline": None, "fingerprint": "ab" * 32})
    outcome = burn_outcome(found, bare).model_dump() | {"title": text, "reason": text}
    stated = ClauseStatement(
        clause=text,
        texts=(text,),
        game=text,
        section=text,
        says=text,
        status=ClauseStatus.NOT_OBSERVABLE,
        rules=(text,),
        level="partial",
        escapes=text,
        reason=text,
    )
    past = stated.model_copy(update={"status": ClauseStatus.NOT_IN_FORCE})
    data = run_of().model_dump() | {"outcomes": (outcome,), "profile": text, "notes": (text,)}
    data |= {"options": {text: text}, "interpretations": {text: text}, "versions": {text: text}}
    data |= {"command": text, "set_aside": {text: 1}, "waivers": (waiver,)}
    data |= {"statements": (stated, past)}
    data["consulted"] = (Consulted(role=text, name=text, sha256="c4" * 32),)
    data["rulebook"]["name"] = data["inputs"][0]["name"] = text
    data["scope"] |= {"casinos": (text,), "tables": (text,)}
    return Run.model_validate(data)


@pytest.mark.parametrize("payload", PAYLOADS)
def test_markup_templates_and_formulas_in_a_log_appear_as_text(payload: str) -> None:
    harmless = Page(render_html(run_saying("harmless")))
    page = Page(render_html(run_saying(payload)))
    assert page.tags == harmless.tags
    # A few words begin with a capital letter, and underscores in names become spaces.
    plain = payload.replace("_", " ").lower()
    shown = page.text.replace("_", " ").lower().count(plain)
    assert shown == harmless.text.lower().count("harmless")


@settings(deadline=None, max_examples=50)
@given(st.text(min_size=1).filter(lambda text: not drawn(text).suit))
def test_no_text_but_a_card_changes_the_structure_of_the_page(text: str) -> None:
    page = render_html(run_saying(text))
    assert Page(page).tags == Page(render_html(run_saying("harmless"))).tags
    page.encode()


def test_characters_that_hide_or_reorder_text_are_shown_as_codes() -> None:
    page = render_html(run_saying("a\u202eb\x00c\u200bd"))
    assert not set(page) & {"\u202e", "\x00", "\u200b"}
    assert r"a\u202eb\u0000c\u200bd" in page


def test_the_page_asks_for_nothing_and_runs_only_its_own_script() -> None:
    page = render_html(full_run())
    tags = [tag for tag, _ in Page(page).tags]
    assert not set(tags) & {"link", "img", "iframe", "object", "form"}
    assert tags.count("script") == 1
    assert "://" not in page
    assert "default-src 'none'" in page
    assert "script-src 'sha256-" in page


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


def test_a_time_written_in_utc_is_shown_on_the_casinos_clock_and_day() -> None:
    trigger = unburned().trigger
    assert trigger is not None
    late = trigger.model_copy(update={"ts": datetime(2024, 3, 10, 3, 30, tzinfo=UTC)})
    page = render_html(run_of(burn_outcome(unburned(late))))
    assert "2024-03-09 22:30:00 -05:00" in page
    assert "2024-03-10" not in page


def test_the_hour_that_comes_twice_in_autumn_is_told_apart_by_its_offset() -> None:
    trigger = unburned().trigger
    assert trigger is not None
    twice = [
        unburned(
            trigger.model_copy(
                update={"event_id": f"e-{hour}", "ts": datetime(2024, 11, 3, hour, 30, tzinfo=UTC)}
            )
        )
        for hour in (5, 6)
    ]
    page = render_html(run_of(burn_outcome(*twice)))
    assert "2024-11-03 01:30:00 -04:00" in page
    assert "2024-11-03 01:30:00 -05:00" in page


def test_every_rule_stands_in_the_table_with_its_status() -> None:
    run = full_run()
    page = render_html(run)
    text = Page(page).text
    for outcome in run.outcomes:
        assert outcome.title in text
    for word in ("violated", "complied", "excused", "open", "undetermined"):
        assert f"</span> {word}</span>" in page
    for word in ("not exercised", "not evaluable", "not in force", "pattern seen", "defect found"):
        assert f"</span> {word}</span>" in page


def test_every_clause_is_stated_with_its_verdict_and_reason() -> None:
    text = Page(render_html(full_run())).text
    for item in full_run().statements:
        assert item.clause in text
        assert item.reason in text
    for word in ("violated", "complied", "not observable", "not in force"):
        assert f"1 {word}" in text


def test_sections_of_the_law_come_in_the_order_of_their_numbers() -> None:
    text = Page(render_html(full_run())).text
    assert text.index("19:47-2.9(b)") < text.index("19:47-2.10(a)")


def test_a_finding_shows_what_is_needed_to_judge_it() -> None:
    found = full_run().findings(FindingKind.VIOLATION)[0]
    text = Page(render_html(run_of(burn_outcome(found)))).text
    for part in (
        *("Criteria", "Condition", "Cause", "Effect", "Recommendation"),
        found.sentence,
        found.law,
        found.citations[0],
        found.unmet[0],
        found.remedy,
        found.fingerprint[:16],
        "2024-03-09 20:00:09 -05:00",
        "15 September 1982",
        *("no card_burned", "16 events not shown", "witness: since", "breach"),
        *("Cured after 12 minutes 31 seconds, by card_burned", "$1,234.50", "31"),
    ):
        assert part in text


def test_what_the_log_does_not_record_is_never_shown_as_zero() -> None:
    at_stake = EXPOSURE.model_copy(update={"wagered_cents": None, "patrons": None})
    found = unburned().model_copy(update={"exposure": at_stake})
    page = render_html(run_of(burn_outcome(found)))
    assert "<dt>wagered</dt><dd>not recorded</dd>" in page
    assert "<dt>patrons</dt><dd>not recorded</dd>" in page
    assert "<dt>rounds</dt><dd>9</dd>" in page


def test_a_trigger_that_is_also_a_witness_is_shown_once() -> None:
    text = Page(render_html(run_of(burn_outcome(unburned())))).text
    assert text.count("event e-1042,") == 1


def test_the_three_kinds_of_finding_have_sections_of_their_own() -> None:
    page = render_html(full_run())
    places = [page.index(f'<section id="{name}"') for name in ("violations", "indicators")]
    places.append(page.index('<section id="evidence"'))
    assert places == sorted(places)
    for kind in FindingKind:
        assert page.count(f'class="finding {kind.value}"') == len(full_run().findings(kind))


def test_a_waived_finding_stays_and_is_marked() -> None:
    text = " ".join(Page(render_html(full_run())).text.split())
    assert "2 violations of 1 rule" in text
    assert "1 of them waived" in text
    assert "Waived by Division of Gaming Enforcement, letter 12" in text
    assert "2 findings after this day, not covered" in text


def whole(run: Run) -> Run:
    """The same with nothing set aside and nothing lost."""
    return run.model_copy(update={"quarantined": 0, "lost_records": 0})


DOUBTFUL = "No violation found, but the evidence does not support a clean verdict"


@pytest.mark.parametrize(
    ("run", "verdict"),
    [
        (full_run(), "2 violations of 1 rule; 1 of them waived"),
        (whole(run_of(burn_outcome())), "No violation found"),
        (run_of(full_run().outcomes[2]), DOUBTFUL),
        (run_of(full_run().outcomes[4]), "Nothing could be checked"),
        (run_of(), "Nothing could be checked"),
    ],
)
def test_the_cover_says_the_verdict_and_no_more_than_was_shown(run: Run, verdict: str) -> None:
    page = " ".join(render_html(run).split())
    assert f"<strong>{verdict} </strong>" in page or f"<strong>{verdict}</strong>" in page


def test_the_hashes_of_all_files_and_the_command_are_named() -> None:
    run = full_run()
    page = render_html(run)
    for sha256 in (
        run.rulebook.sha256,
        *(source.sha256 for source in run.inputs),
        *(file.sha256 for file in run.consulted),
    ):
        assert sha256 in page
    assert run.command in page


def test_a_clause_that_rules_cover_in_part_says_what_escapes_and_is_counted_apart() -> None:
    judged = ClauseStatement(
        clause="1(a)", says="Burn.", status=ClauseStatus.COMPLIED, level="full"
    )
    statements = (
        judged,
        judged.model_copy(update={"level": "partial", "escapes": "the second card"}),
        judged.model_copy(update={"level": "nominal", "escapes": "the burn itself"}),
        judged.model_copy(update={"level": "partial", "status": ClauseStatus.NOT_PLAYED}),
    )
    page = render_html(full_run().model_copy(update={"statements": statements}))
    assert "checked in part: the second card" in page
    assert "checked in name only: the burn itself" in page
    assert "1 are checked in full, 1 in part and 1 in name only" in page
    assert "Of 3 clauses that rules look at, 2 are not checked in full" in page
