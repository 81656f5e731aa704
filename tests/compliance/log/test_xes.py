"""XES, the standard of process mining, is read event by event, and safely."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.log.small_logs import problem, read, reasons, written

START = '<?xml version="1.0"?>\n<log xes.version="2.0" xmlns="http://www.xes-standard.org/">\n'
LOG = f"""{START}<global scope="event"><string key="concept:name" value="x"/></global>
<string key="concept:name" value="C1"/>
<trace><string key="concept:name" value="T1"/><string key="pit" value="P1"/>
<event><string key="concept:name" value="card_dealt"/>
<date key="time:timestamp" value="2024-03-09T20:00:00.000-05:00"/>
<string key="to" value="player"/><string key="card" value="9S"/><int key="seat" value="3"/>
<boolean key="face_up" value="true"/><string key="lifecycle:transition" value="complete"/></event>
<event><string key="concept:name" value="hand_of_cards"/>
<date key="time:timestamp" value="2024-03-09T20:00:01-05:00"/></event>
</trace></log>"""


def test_the_names_of_the_standard_are_taken_as_ours(tmp_path: Path) -> None:
    _log, (event,) = read(written(tmp_path, LOG, name="log.xes"))
    assert (event.id, event.seq, event.casino, event.table) == ("T1-1", 1, "C1", "T1")
    assert event.ts.isoformat() == "2024-03-09T20:00:00-05:00"
    assert {name: str(value) for name, value in event.fields.items()} == {
        "pit": "P1",
        "to": "player",
        "card": "9S",
        "seat": "3",
        "face_up": "True",
    }


def test_an_event_that_does_not_fit_is_set_aside_with_its_line(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, LOG, name="log.xes"))
    ((number, reason),) = reasons(log)
    assert number == 10
    assert reason.startswith('There is no event type "hand_of_cards".')


@pytest.mark.parametrize(
    "evil",
    [
        '<!DOCTYPE log [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><log/>',
        '<!DOCTYPE log SYSTEM "file:///etc/passwd"><log/>',
    ],
)
def test_entities_and_document_types_are_refused(tmp_path: Path, evil: str) -> None:
    log, events = read(written(tmp_path, evil, name="log.xes"))
    assert "such a file could harm its reader and is not read" in problem(log)
    assert events == []


def test_deep_nesting_is_refused(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, START + "<list>" * 1000, name="log.xes"))
    assert "nested too deeply" in problem(log)


def test_a_file_that_is_cut_off_is_a_problem_with_its_line(tmp_path: Path) -> None:
    cut = LOG[: LOG.index("</trace>")]
    assert problem(read(written(tmp_path, cut, name="log.xes"))[0]) == (
        "log.xes, line 13: The XML is broken or cut off after 2 events."
    )


def test_xml_that_is_no_log_is_a_problem(tmp_path: Path) -> None:
    log, _events = read(written(tmp_path, "<html/>", name="log.xes"))
    assert problem(log).endswith("The file is XML, but not XES: it begins with <html>.")
