"""Numbers that no log and no rule may hold: set aside or refused, never wrapped, never worked out
for an hour."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polars as pl
import pytest

from tests.attacks.arena import EVENT, NIGHT, Attack, cases, record, withstood

CHECK = "check night.jsonl --rules small.rules --workers 1 --format json --quarantine aside.jsonl"
WAGER = {"type": "wager_placed", "to": None, "card": None, "wager": "blackjack"}
HUGE = {
    "19 digits": "9" * 19,
    "30 digits": "9" * 30,
    "5,000 digits": "9" * 5_000,
    "100,000 digits": "9" * 100_000,
    "less than nothing": "-" + "9" * 19,
    "2^63": str(2**63),
    "2^63 - 1": str(2**63 - 1),
    "-2^63": str(-(2**63)),
    "2^62 + 1": str(2**62 + 1),
    "a billion zeros": "1e1000000000",
    "400 zeros": "1e400",
    "300 zeros": "1e300",
}
FIELDS: dict[str, dict[str, Any]] = {
    "seat": {"seat": "VALUE"},
    "round": {"round": "VALUE"},
    "seq": {"seq": "VALUE"},
    "amount": WAGER | {"amount": "VALUE"},
}


def in_json() -> Iterator[Attack]:
    for name, text in HUGE.items():
        for field, changes in FIELDS.items():
            for form, written in (("bare", text), ("quoted", f'"{text}"')):
                line = record(written, id="e2", **({"seq": 2} | changes))
                files = {"night.jsonl": NIGHT + line}
                yield Attack(f"{field}, {form}, {name}", CHECK, 1, '"quarantined": 1', files)


def in_csv() -> Iterator[Attack]:
    for name, text in HUGE.items():
        for field in ("seat", "seq"):
            if field == "seq" and name == "-2^63":
                continue
            out = io.StringIO()
            writer = csv.DictWriter(out, EVENT)
            writer.writeheader()
            writer.writerows([EVENT, EVENT | {"id": "e2", "seq": 2} | {field: text}])
            words = CHECK.replace("night.jsonl", "night.csv")
            files = {"night.csv": out.getvalue()}
            yield Attack(f"CSV, {field}, {name}", words, 1, '"quarantined": 1', files)


def in_rules() -> Iterator[Attack]:
    rule = (
        'rule a\n  "T."\n  cite N.J.A.C. 19:47-2.6(c)\n  severity minor\n'
        "  when wager_placed\n  require {}\n"
    )
    forms = {
        "money": ("amount is at most ${}", "An amount of money is at most"),
        "seat": ("seat is {}", "A seat number is at most"),
        "number": ("round is at most {}", "A number is at most"),
        "odds": ("round is at most {} to 1", "A number is at most"),
        "duration": ("card_dealt within {} minutes", "A length of time is at most"),
    }
    for name in ("19 digits", "30 digits", "5,000 digits"):
        for kind, (form, says) in forms.items():
            text = rule.format(form.format(HUGE[name]))
            files = {"small.rules": text}
            yield Attack(f"rule, {kind}, {name}", "rules check small.rules", 3, says, files)


def in_options() -> Iterator[Attack]:
    words = "check night.jsonl --rules small.rules --workers 1 --options o.toml"
    for name, text, says in (
        ("19 digits", "9" * 19, "a number in it is too large"),
        ("5,000 digits", "9" * 5_000, "a number in it is too long"),
        ("hexadecimal", "0x" + "f" * 5_000, "a number in it is too large"),
        ("17 digits", "9" * 17, "A number is at most"),
        ("not a number", "nan", "is not a number"),
        ("endless", "inf", "is not a number"),
        ("a text of 5,000 digits", '"' + "9" * 5_000 + '"', "A number is at most"),
        ("a billion zeros", '"1e1000000000"', "A number is at most"),
    ):
        files = {"o.toml": f"[tables.T1]\ndecks = {text}\n"}
        yield Attack(f"option, {name}", words, 2, says, files)


@cases([*in_json(), *in_csv(), *in_rules(), *in_options()])
def test_a_number_beyond_the_range_is_refused_at_the_door(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    withstood(attack, tmp_path, capsys)
    aside = tmp_path / "aside.jsonl"
    if aside.exists():
        (line,) = map(json.loads, aside.read_text(encoding="utf-8").splitlines())
        field = attack.name.removeprefix("CSV, ").partition(",")[0]
        # Python's own reader stops at numbers of thousands of digits: then the line is no JSON.
        assert field in line["reason"] or "JSON" in line["reason"]


@pytest.mark.parametrize("field", ["seat", "round", "amount", "seq"])
@pytest.mark.parametrize("groups", [1, 2])
def test_parquet_holds_no_number_beyond_the_range_either(
    field: str, groups: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Also where each row group is one table, and is read without a closer look."""
    changes = {key: value for key, value in FIELDS[field].items() if value != "VALUE"}
    good = EVENT | changes | ({"amount": 100} if field == "amount" else {"round": 1})
    bad = good | {"id": "e2", "seq": 2} | {field: 2**63 - 1}
    frame = pl.DataFrame([good, bad]).select(pl.all().exclude(pl.Null))
    frame.with_columns(pl.col("ts").str.to_datetime(time_zone="UTC")).write_parquet(
        tmp_path / "night.parquet", row_group_size=2 // groups
    )
    words = CHECK.replace("night.jsonl", "night.parquet")
    code = 5 if field == "amount" else 1
    withstood(Attack(field, words, code, '"quarantined": 1'), tmp_path, capsys)
