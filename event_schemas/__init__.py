"""What a log is: event types, cards, money, odds, times, and the schema that names them all."""

from event_schemas.cards import JOKER, Card, Rank, Suit
from event_schemas.event import Event
from event_schemas.json_schema import export
from event_schemas.kinds import (
    CARD,
    CARDS,
    DATE,
    DURATION,
    FLAG,
    MONEY,
    NUMBER,
    ODDS,
    PERCENT,
    PLAIN_KINDS,
    RANK,
    SEAT,
    SUIT,
    TEXT,
    TIME,
    EnumType,
    Kind,
    enum_kind,
    format_value,
    from_log,
    parse_value,
)
from event_schemas.lost_record import LOST_RECORD, LostRecord
from event_schemas.money import format_money, parse_money
from event_schemas.odds import format_odds, parse_odds
from event_schemas.options import OptionType
from event_schemas.registry import EventType, FieldType, Schema, builtin_schema
from event_schemas.reserved_words import RESERVED_WORDS
from event_schemas.schema_file import SchemaProblem, load_schema
from event_schemas.suggestions import did_you_mean
from event_schemas.synonyms import FIELD_SYNONYMS, SYNONYMS
from event_schemas.times import (
    format_duration,
    format_time,
    parse_date,
    parse_duration,
    parse_time,
)
from event_schemas.validate import RecordProblem, event_from_record
from event_schemas.values import ValueProblem

__all__ = [
    "CARD",
    "CARDS",
    "DATE",
    "DURATION",
    "FIELD_SYNONYMS",
    "FLAG",
    "JOKER",
    "LOST_RECORD",
    "MONEY",
    "NUMBER",
    "ODDS",
    "PERCENT",
    "PLAIN_KINDS",
    "RANK",
    "RESERVED_WORDS",
    "SEAT",
    "SUIT",
    "SYNONYMS",
    "TEXT",
    "TIME",
    "Card",
    "EnumType",
    "Event",
    "EventType",
    "FieldType",
    "Kind",
    "LostRecord",
    "OptionType",
    "Rank",
    "RecordProblem",
    "Schema",
    "SchemaProblem",
    "Suit",
    "ValueProblem",
    "builtin_schema",
    "did_you_mean",
    "enum_kind",
    "event_from_record",
    "export",
    "format_duration",
    "format_money",
    "format_odds",
    "format_time",
    "format_value",
    "from_log",
    "load_schema",
    "parse_date",
    "parse_duration",
    "parse_money",
    "parse_odds",
    "parse_time",
    "parse_value",
]
