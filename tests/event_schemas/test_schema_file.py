"""A user extends the vocabulary, or writes a new one, in a TOML file and without Python."""

import pickle
from datetime import timedelta
from pathlib import Path

import pytest

from event_schemas import Event, Schema, builtin_schema, event_from_record, load_schema

DATA = Path(__file__).parent / "data"
BASE = {"id": "1", "ts": "2024-03-09T20:15:00Z", "seq": 1, "casino": "Desk", "table": "North"}


def good(name: str, base: Schema | None = None) -> Schema:
    schema, problems = load_schema(DATA / name, base)
    assert problems == []
    assert schema is not None
    return schema


def test_a_schema_can_have_nothing_to_do_with_casinos() -> None:
    schema = good("ordering_desk.toml")
    assert schema.name == "ordering-desk"
    assert list(schema.events) == ["order_taken", "order_approved", "order_sent"]
    assert schema.enums["rank_of_clerk"].ordered
    assert schema.options["approval_limit"].default == 50000
    assert schema.options["delivery_time"].default is None


def test_records_are_read_by_a_schema_from_a_file() -> None:
    schema = good("ordering_desk.toml")
    event = event_from_record(
        schema,
        BASE | {"type": "order_taken", "order": 17, "channel": "letter", "amount": "$750"},
    )
    assert isinstance(event, Event)
    assert dict(event.fields) == {"order": "17", "channel": "letter", "amount": 75000}


def test_records_that_do_not_fit_a_schema_from_a_file_are_explained() -> None:
    schema = good("ordering_desk.toml")
    found = event_from_record(schema, BASE | {"type": "order_taken", "channel": "leter"})
    assert isinstance(found, list)
    assert [(problem.field, problem.suggestion) for problem in found] == [
        ("order", None),
        ("channel", "letter"),
    ]


def test_a_casino_adds_to_the_builtin_vocabulary() -> None:
    schema = good("house_additions.toml")
    assert set(schema.events) - set(builtin_schema().events) == {"chips_recounted"}
    assert schema.options["recount_every"].default == timedelta(hours=4)
    assert schema.fingerprint != builtin_schema().fingerprint


def test_an_added_word_is_accepted_wherever_its_enum_is_used() -> None:
    record = BASE | {"type": "wager_placed", "wager": "lucky_ladies", "amount": 500}
    assert isinstance(event_from_record(good("house_additions.toml"), record), Event)
    assert isinstance(event_from_record(builtin_schema(), record), list)


def test_an_added_field_is_accepted_beside_the_builtin_fields() -> None:
    record = BASE | {"type": "card_dealt", "to": "player", "card": "9S", "camera": "PTZ-4"}
    event = event_from_record(good("house_additions.toml"), record)
    assert isinstance(event, Event)
    assert event.get("camera") == "PTZ-4"


def test_one_file_can_add_to_another() -> None:
    both = good("house_additions.toml", good("ordering_desk_on_builtin.toml"))
    assert {"order_taken", "chips_recounted", "card_dealt"} <= set(both.events)


def test_a_schema_from_a_file_travels_to_another_process() -> None:
    schema = good("ordering_desk.toml")
    assert schema.events["order_sent"].model is schema.events["order_sent"].model
    assert pickle.loads(pickle.dumps(schema)) == schema  # noqa: S301


def test_all_mistakes_of_a_file_are_told_at_once_with_line_and_suggestion() -> None:
    schema, problems = load_schema(DATA / "with_mistakes.toml")
    assert schema is None
    assert [(problem.line, problem.message, problem.suggestion) for problem in problems] == [
        (2, '"biultin" is not something to extend; write "builtin" or "nothing".', "builtin"),
        (
            3,
            '"colour" is not known in the file; '
            "known are name, doc, extends, events, enums, options.",
            None,
        ),
        (7, '"Web Site" is not a word; use small letters and underscores.', None),
        (7, "enums.channel lists a word twice.", None),
        (13, 'events.order_taken.fields.order has the unknown kind "txet".', "text"),
        (14, '"count" is a word of the rule language; choose another name.', None),
        (15, "Every order_taken already has a field seq.", None),
        (16, 'events.order_taken.fields.chanel has the unknown kind "chanel".', "channel"),
        (
            16,
            "events.order_taken.fields.chanel needs doc, a line that says what it means.",
            None,
        ),
        (18, 'The name "OrderSent" is not made of small letters and underscores.', None),
        (
            23,
            "The default of options.approval_limit: The number 500.5 has a decimal point, which "
            'cannot hold money exactly; write whole cents, or text such as "$25.50".',
            None,
        ),
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("events = 3", "events is a table of names."),
        ("[events]\norder = 3", "events.order is a table"),
        ("[enums.role]\nvalues = ['x']\ndoc = 'x'", "The enum role exists already"),
        ("[enums.money]\nvalues = ['x']\ndoc = 'x'", "money is the name of a kind of value"),
        ("[enums.x]\nvalues = ['a']\ndoc = 'x'\nordered = 'yes'", "is either true or false"),
        ("[enums.x]\ndoc = 'x'", "enums.x needs values, a list of words."),
        ("[options.decks]\nkind = 'number'\ndoc = 'x'", "The option decks exists already"),
        ("[options.x]\ndoc = 'x'", "options.x does not say its kind."),
        ("[events.x]", "events.x needs doc"),
        (
            "[events.x]\ndoc = 'x'\n[events.x.fields]\ny = {kind='text', doc='y', required='no'}",
            "required of events.x.fields.y is either true or false.",
        ),
    ],
)
def test_a_mistake_is_told_in_a_sentence(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "house.toml"
    file.write_text(text, encoding="utf-8")
    schema, problems = load_schema(file)
    assert schema is None
    assert any(sentence in problem.message for problem in problems), problems


def test_broken_toml_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "house.toml"
    file.write_text('name = "x"\n[events\n', encoding="utf-8")
    _, [problem] = load_schema(file)
    assert problem.line == 2
    assert problem.message.startswith("It is not valid TOML")


def test_a_file_that_cannot_be_read_is_a_problem_and_not_a_crash(tmp_path: Path) -> None:
    latin = tmp_path / "latin.toml"
    latin.write_bytes(b'name = "caf\xe9"')
    for path in (tmp_path / "absent.toml", latin):
        schema, [problem] = load_schema(path)
        assert schema is None
        assert problem.message.startswith("The file could not be read")
