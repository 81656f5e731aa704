"""The page that is signed says no more than was shown, and what limits it."""

from __future__ import annotations

from collections import Counter
from datetime import date

from reports.answer import Answer
from reports.first_page import COLUMNS, first_page, opinion, section_counts
from reports.html import render_html
from reports.model import Run
from reports.shown import numbered
from reports.verdicts import ClauseStatus, FindingKind
from tests.reports.sample import full_run, run_of


def test_a_run_without_checks_has_no_opinion() -> None:
    assert opinion(run_of()).words == "Nothing could be checked"
    assert opinion(run_of()).label.tone == "doubt"


def test_the_opinion_counts_violations_rules_and_what_is_waived() -> None:
    found = opinion(full_run())
    assert (found.label.tone, found.words[:22]) == ("bad", "2 violations of 1 rule")


def test_what_limits_the_evidence_is_listed() -> None:
    run = full_run().model_copy(update={"quarantined": 3, "notes": ("Assumed: a is 1.",)})
    assert "3 lines of the log were not readable" in " ".join(first_page(run).opinion.doubts)
    assert "1 assumption had to be made" in " ".join(first_page(run).limits)


def test_every_clause_in_force_is_counted_once() -> None:
    run = full_run()
    counted = sum(sum(subject.counts) for subject in first_page(run).subjects)
    assert counted == sum(item.status != "not_in_force" for item in run.statements)
    assert all(len(subject.counts) == len(COLUMNS) for subject in first_page(run).subjects)


def answered(status: str) -> Run:
    found = full_run().findings(FindingKind.VIOLATION)[0]
    answer = Answer(
        fingerprint=found.fingerprint,
        owner="M. Ames",
        due=date(2024, 4, 2),
        response="The camera shows a burned card.",
        status=status,
    )
    return full_run().model_copy(update={"answers": (answer,)})


def test_answers_are_counted_and_stand_beside_their_finding() -> None:
    run = answered("marked as incorrect")
    total = sum(len(outcome.findings) for outcome in run.outcomes)
    assert first_page(run).answers == (
        f"1 of {total} findings answered by their owners: 1 marked as incorrect."
    )
    text = render_html(run)
    assert "The camera shows a burned card." in text
    assert "M. Ames · marked as incorrect · due 2 April 2024" in text


def test_an_answer_to_something_that_is_not_found_any_more_is_not_lost() -> None:
    gone = Answer(fingerprint="0" * 64, owner="M. Ames")
    run = full_run().model_copy(update={"answers": (gone,)})
    assert "1 about findings that are not in this result" in first_page(run).answers


def test_the_first_page_comes_before_the_annexes() -> None:
    text = render_html(full_run())
    places = [text.index(mark) for mark in ("Objective", "Its limits", "Sign-off", "Annex A")]
    assert places == sorted(places)


def test_the_numbers_of_the_action_plan_are_those_of_the_report() -> None:
    text = render_html(full_run())
    for number, found in numbered(full_run()):
        place = text.index(f'id="finding-{found.fingerprint[:16]}"')
        assert f'<span class="no">{number}</span>' in text[place : place + 600]


def test_every_verdict_of_a_clause_in_force_has_its_column() -> None:
    """A clause of a game that is not played counts, too: the page must add up."""
    summed = Counter(status for _, statuses in COLUMNS for status in statuses)
    assert summed == dict.fromkeys(set(ClauseStatus) - {ClauseStatus.NOT_IN_FORCE}, 1)


def test_sections_with_a_violated_clause_are_named_in_the_order_of_the_law() -> None:
    first = full_run().statements[0]
    names = ("19:47-2.10(a)", "19:47-2.9(b)", "19:47-2.9(c)")
    broken = [
        first.model_copy(update={"clause": name, "status": ClauseStatus.VIOLATED}) for name in names
    ]
    run = full_run().model_copy(update={"statements": tuple(broken)})
    assert first_page(run).broken == ("19:47-2.9 (2)", "19:47-2.10 (1)")


def test_sections_are_counted_by_what_the_log_shows() -> None:
    run = full_run()
    judged = [item for item in run.statements if item.status in ("violated", "complied", "open")]
    found = section_counts(run.statements)
    assert sum(subject.counts[0] for subject in found) == sum(
        item.status == "violated" for item in run.statements
    )
    named = {item.section or "Other clauses" for item in judged}
    assert {subject.name for subject in found} == named
    text = render_html(run)
    assert all(f'<th scope="row">{subject.name} <span' in text for subject in found)
