"""The table-options file says what was chosen for each table, and from when on."""

from __future__ import annotations

from pathlib import Path

from compliance.log import TableOptions, load_table_options
from compliance.values.elected_options import ElectedOptions
from event_schemas import Event
from tests.compliance.log.small_logs import SCHEMA, line, read, written

TEXT = """[tables."*"]
decks = 8
[tables.T1]
decks = 6
shuffle = { value = "bart_carter", from = 2024-03-09T20:00:00-05:00 }
[tables."C2/T1"]
decks = 4
"""


def loaded(folder: Path, text: str) -> TableOptions:
    path = folder / "options.toml"
    path.write_text(text)
    options, problems = load_table_options(path, SCHEMA)
    assert problems == ()
    assert options is not None
    return options


def test_the_nearest_entry_counts(tmp_path: Path) -> None:
    options = loaded(tmp_path, TEXT)
    places = (("C1", "T9"), ("C1", "T1"), ("C2", "T1"))
    assert [options.given(*place)["decks"] for place in places] == [8, 6, 4]


def test_a_choice_holds_from_its_moment_on(tmp_path: Path) -> None:
    options = loaded(tmp_path, TEXT)
    times = ("2024-03-09T19:59:59-05:00", "2024-03-09T20:00:00-05:00")
    lines = [line(ts=ts, seq=number) for number, ts in enumerate(times)]
    _log, events = read(written(tmp_path, *lines))
    elected = ElectedOptions(SCHEMA, options.elections(SCHEMA, "C1", "T1"))
    assert [elected.value("shuffle", event) for event in events] == ["normal", "bart_carter"]


def test_what_the_log_says_goes_before_the_file(tmp_path: Path) -> None:
    options = loaded(tmp_path, TEXT.replace("20:00:00", "18:00:00"))
    told = line(type="option_elected", to=None, option_name="shuffle", value="continuous")
    _log, events = read(written(tmp_path, told, line(seq=2)))
    elections: list[Event] = [*options.elections(SCHEMA, "C1", "T1"), events[0]]
    assert ElectedOptions(SCHEMA, elections).value("shuffle", events[1]) == "continuous"


def test_an_option_may_change_several_times(tmp_path: Path) -> None:
    text = """[[tables.T1.decks]]
value = 6
[[tables.T1.decks]]
value = 8
from = 2024-03-09T20:00:00-05:00
"""
    options = loaded(tmp_path, text)
    assert options.given("C1", "T1") == {"decks": 6}
    assert [event.get("value") for event in options.elections(SCHEMA, "C1", "T1")] == ["8"]


def test_mistakes_are_listed_by_line_with_guesses(tmp_path: Path) -> None:
    path = tmp_path / "options.toml"
    path.write_text(
        '[tables.T1]\ndeks = 8\nshuffle = "bart_cartr"\ndecks = { value = 8, frm = "x" }\n'
        "boxes = { value = 7, from = 2024-03-09T20:00:00 }\n[tabels]\n"
    )
    options, problems = load_table_options(path, SCHEMA)
    assert options is None
    assert [(problem.line, problem.suggestion) for problem in problems] == [
        (2, "decks"),
        (3, "bart_carter"),
        (4, "from"),
        (5, None),
        (6, "tables"),
    ]
