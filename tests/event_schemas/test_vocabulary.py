"""The built-in vocabulary is complete, documented, and speaks with one word for one thing."""

import pickle
from inspect import get_annotations

import pytest

from event_schemas import (
    RESERVED_WORDS,
    SYNONYMS,
    EventType,
    OptionType,
    Schema,
    builtin_schema,
    format_value,
    parse_value,
)
from event_schemas.events import event_classes
from event_schemas.events.base import TableEvent, name_of
from event_schemas.kinds import Kind

SCHEMA = builtin_schema()
EVENTS = pytest.mark.parametrize("event", SCHEMA.events.values(), ids=lambda event: event.name)
OPTIONS = pytest.mark.parametrize("option", SCHEMA.options.values(), ids=lambda item: item.name)

# One word for one thing: a field of this name is of this kind wherever it stands.
ONE_KIND = {
    "seat": "seat",
    "player": "text",
    "dealer": "text",
    "by": "text",
    "by_role": "role",
    "hand": "number",
    "card": "card",
    "cards": "cards",
    "to": "recipient",
    "amount": "money",
    "stake": "money",
    "wager": "wager_kind",
    "odds": "odds",
    "rate": "percent",
    "round": "number",
    "shoe": "text",
    "deck": "text",
    "position": "number",
    "cards_total": "number",
    "face_up": "flag",
    "place": "place",
    "effective_at": "time",
    "gaming_day": "date",
}


@EVENTS
def test_every_event_type_and_field_has_a_doc(event: EventType) -> None:
    assert event.doc.endswith(".")
    assert [item.name for item in event.fields.values() if not item.doc.strip()] == []


@pytest.mark.parametrize("described", event_classes())
def test_an_event_type_is_named_after_its_class(described: type[TableEvent]) -> None:
    annotation = get_annotations(described, eval_str=True)["type"]
    assert getattr(annotation, "__args__", ()) == (name_of(described),)
    assert name_of(described) in SCHEMA.events


@EVENTS
def test_no_field_is_a_word_of_the_rule_language(event: EventType) -> None:
    assert RESERVED_WORDS.isdisjoint(event.fields)
    assert event.name not in RESERVED_WORDS


@EVENTS
def test_one_word_means_one_thing_everywhere(event: EventType) -> None:
    for name in ONE_KIND.keys() & event.fields.keys():
        assert event.fields[name].kind.name == ONE_KIND[name]


@EVENTS
def test_who_did_it_always_comes_with_a_role(event: EventType) -> None:
    assert ("by" in event.fields) == ("by_role" in event.fields)


@EVENTS
def test_what_a_source_may_not_record_is_none_when_missing(event: EventType) -> None:
    for item in event.fields.values():
        if not item.required:
            assert event.model.model_fields[item.name].default is None


@EVENTS
def test_every_event_type_has_the_shared_fields_first(event: EventType) -> None:
    shared = ["id", "ts", "seq", "casino", "table", "pit", "type", "corrects", "voids"]
    assert list(event.fields)[: len(shared)] == shared


def test_every_field_says_its_kind_in_its_annotation() -> None:
    unmarked = [
        f"{part.__name__}.{name}"
        for described in event_classes()
        for part in described.__mro__[:-1]
        for name, annotation in get_annotations(part, eval_str=True).items()
        if name != "type" and not _carries_a_kind(annotation)
    ]
    assert unmarked == []


def _carries_a_kind(annotation: object) -> bool:
    parts = [annotation, *getattr(annotation, "__args__", ())]
    return any(isinstance(m, Kind) for part in parts for m in getattr(part, "__metadata__", ()))


def test_no_two_event_types_share_a_name() -> None:
    assert len(event_classes()) == len(SCHEMA.events)


def test_every_enum_of_a_field_or_an_option_is_listed_once() -> None:
    used = {item.kind.enum for event in SCHEMA.events.values() for item in event.fields.values()}
    used |= {option.kind.enum for option in SCHEMA.options.values()}
    assert used - {None} == set(SCHEMA.enums.values())
    assert all(SCHEMA.enums[name].name == name for name in SCHEMA.enums)


@pytest.mark.parametrize("name", SCHEMA.enums)
def test_enum_words_are_unique_and_free_for_the_rule_language(name: str) -> None:
    enum = SCHEMA.enums[name]
    assert enum.doc.endswith(".")
    assert len(set(enum.values)) == len(enum.values)
    assert RESERVED_WORDS.isdisjoint(enum.values)


@OPTIONS
def test_every_option_has_a_doc_a_citation_and_a_readable_default(option: OptionType) -> None:
    assert option.doc
    assert option.citation
    if option.default is not None:
        assert parse_value(option.kind, format_value(option.kind, option.default)) == option.default


@pytest.mark.parametrize(
    "name", ["soft_17", "vigorish_rate", "vigorish_rounding", "tie_odds", "shoe_kind", "chip_unit"]
)
def test_a_plain_choice_of_the_licensee_has_no_default(name: str) -> None:
    assert SCHEMA.options[name].default is None


def test_a_synonym_leads_to_an_event_type_and_is_none_itself() -> None:
    assert set(SYNONYMS.values()) <= set(SCHEMA.events)
    assert set(SYNONYMS).isdisjoint(SCHEMA.events)


def test_the_fingerprint_ignores_wording_and_order_but_not_content() -> None:
    backwards = Schema(
        "other", dict(reversed(list(SCHEMA.events.items()))), SCHEMA.enums, SCHEMA.options
    )
    fewer = Schema("other", dict(list(SCHEMA.events.items())[1:]), SCHEMA.enums, SCHEMA.options)
    assert len(SCHEMA.fingerprint) == 64
    assert backwards.fingerprint == SCHEMA.fingerprint
    assert fewer.fingerprint != SCHEMA.fingerprint


def test_the_schema_is_built_once() -> None:
    assert builtin_schema() is SCHEMA


def test_the_schema_travels_to_another_process() -> None:
    assert pickle.loads(pickle.dumps(SCHEMA)) == SCHEMA  # noqa: S301


def test_models_are_frozen_and_refuse_unknown_fields() -> None:
    for event in SCHEMA.events.values():
        assert event.model.model_config["frozen"]
        assert event.model.model_config["extra"] == "forbid"
