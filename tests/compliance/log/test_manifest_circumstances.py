"""What a manifest says besides what is recorded: never, always, for some events, which games."""

from __future__ import annotations

from pathlib import Path

import pytest

from compliance.log import load_manifest
from compliance.log.always_told import with_constants
from compliance.log.manifest import Manifest
from compliance.log.manifest_draft import drafted_manifest, facts_of
from compliance.log.tables import tables
from tests.compliance.log.small_logs import SCHEMA, line, written


def loaded(folder: Path, text: str) -> tuple[Manifest | None, list[str]]:
    path = folder / "manifest.toml"
    path.write_text(text, "utf-8")
    manifest, problems = load_manifest(path, SCHEMA)
    return manifest, [str(problem) for problem in problems]


def event(number: int, kind: str, **fields: object) -> str:
    base = {"id": f"e{number}", "seq": number, "type": kind}
    return line(**base, **({"to": None} | fields))


def test_what_never_happens_counts_as_recorded(tmp_path: Path) -> None:
    manifest, _ = loaded(tmp_path, 'never = ["round_voided"]\n[records]\nround_started = "all"\n')
    assert manifest is not None
    assert manifest.records("round_voided", "round")
    assert "round_voided" not in manifest.fields


def test_a_field_may_be_recorded_for_some_events_of_a_type(tmp_path: Path) -> None:
    text = '[records]\ncard_dealt = ["to", "face_up where to is dealer"]\n'
    manifest, _ = loaded(tmp_path, text)
    assert manifest is not None
    assert manifest.records("card_dealt", "face_up")


def test_an_event_may_be_impossible_by_one_of_its_words(tmp_path: Path) -> None:
    text = 'never = ["decision where kind is surrender"]\n[records]\nround_started = "all"\n'
    manifest, problems = loaded(tmp_path, text)
    assert manifest is not None, problems
    assert manifest.impossible == {("decision", "kind", "surrender")}
    assert not manifest.never


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            'never = ["decision where kind is surender"]\nrecords = "all"\n',
            'line 1: "surender" is not a kind of decision. Did you mean surrender?',
        ),
        (
            'never = ["decision where kind is"]\nrecords = "all"\n',
            'line 1: "decision where kind is" does not read "EVENT where FIELD is WORD".',
        ),
        (
            'never = ["decision where kint is split"]\nrecords = "all"\n',
            'line 1: The event type decision has no field "kint". Did you mean kind?',
        ),
        (
            'never = ["decision where round is seven"]\nrecords = "all"\n',
            "line 1: round of decision is not one word of a list, nor yes or no.",
        ),
        (
            'never = ["card_dealt where face_up is yes", "card_dealt where face_up is no"]\n'
            'records = "all"\n',
            'line 1: No face_up of card_dealt is left that can happen; write never = ["card_dealt',
        ),
        ('never = ["round_voidet"]\nrecords = "all"\n', 'line 1: There is no event type "round_vo'),
        ('never = "round_voided"\nrecords = "all"\n', "line 1: never is a list of what cannot"),
        (
            'never = ["card_dealt"]\n[records]\ncard_dealt = "all"\n',
            "line 1: card_dealt is both recorded and said never to happen.",
        ),
        (
            '[records]\ncard_dealt = ["face_up when to is dealer"]\n',
            'line 2: "face_up when to is dealer" is not the name of a field',
        ),
        (
            '[records]\ncard_dealt = ["face_up where to is deeler"]\n',
            "line 2: to: ",
        ),
        (
            '[records]\ncard_dealt = ["face_up where too is dealer"]\n',
            'line 2: The event type card_dealt has no field "too". Did you mean to?',
        ),
        ('games = ["blackjak"]\nrecords = "all"\n', "line 1: games: "),
        ('games = "blackjack"\nrecords = "all"\n', "line 1: games is a list"),
        (
            'always = { hant = 1 }\n[records]\ncard_dealt = ["to"]\n',
            'line 1: No recorded event type has a field "hant"',
        ),
        (
            'always = { hand = "one" }\n[records]\ncard_dealt = ["to"]\n',
            "line 1: hand: ",
        ),
        (
            'always = { round = 1, card = "9S" }\n[records]\ncard_dealt = ["to"]\n',
            "line 1: card differs from event to event",
        ),
    ],
)
def test_a_mistake_is_one_sentence_with_its_line(tmp_path: Path, text: str, said: str) -> None:
    manifest, problems = loaded(tmp_path, text)
    assert manifest is None
    assert len(problems) == 1, problems
    assert said in problems[0]


def test_what_is_always_the_same_is_filled_in_but_never_over_what_is_told(tmp_path: Path) -> None:
    manifest, _ = loaded(tmp_path, 'always = { hand = 1 }\n[records]\ncard_dealt = ["to"]\n')
    log = written(
        tmp_path,
        event(1, "card_dealt", to="player"),
        event(2, "card_dealt", to="player", hand=2),
        event(3, "round_ended"),
    )
    (table,) = tables([log], SCHEMA)
    frame = with_constants(SCHEMA, table.frame, manifest)
    assert frame["hand:number"].to_list() == [1, 2, None]


def test_a_draft_can_be_loaded_and_records_what_occurs(tmp_path: Path) -> None:
    log = written(
        tmp_path,
        event(1, "card_dealt", to="dealer", face_up=True),
        event(2, "card_dealt", to="player", seat=1),
        event(3, "round_ended"),
    )
    facts = facts_of(SCHEMA, (table.frame for table in tables([log], SCHEMA)))
    text = drafted_manifest(facts, SCHEMA, 'a "log".jsonl', {"round_voided": 3, "table_closed": 1})
    manifest, problems = loaded(tmp_path, text)
    assert problems == []
    assert manifest is not None
    assert manifest.records("card_dealt", "face_up")
    assert not manifest.records("round_voided")
    assert '"face_up where to is dealer"' in text
    assert '"seat where to is player"' in text
    assert text.index("round_voided") < text.index("table_closed")
    assert "Which games are played?" in text


@pytest.mark.parametrize(
    "others",
    [
        [("player", {}), ("player", {})],
        [("player", {"seat": 2}), ("dealer", {"seat": 3})],
    ],
    ids=["another table never tells it", "another table tells it always"],
)
def test_a_draft_says_where_a_field_is_recorded_only_if_that_holds_at_every_table(
    tmp_path: Path, others: list[tuple[str, dict[str, object]]]
) -> None:
    log = written(
        tmp_path,
        event(1, "card_dealt", to="dealer"),
        event(2, "card_dealt", to="player", seat=1),
        *(
            event(at + 2, "card_dealt", table="OTHER", to=to, **more)
            for at, (to, more) in enumerate(others, 1)
        ),
    )
    facts = facts_of(SCHEMA, (table.frame for table in tables([log], SCHEMA)))
    assert len(facts.tables) == 2
    told = sum(1 for _, more in others if more) + 1
    text = drafted_manifest(facts, SCHEMA, "a log", {})
    assert "seat where" not in text
    assert f"seat ({told} of 4)" in text
