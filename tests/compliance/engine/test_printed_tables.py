"""Printed tables of the law are read once, and serve the logs of all tables."""

from __future__ import annotations

from random import Random

import msgspec
import pytest

from event_schemas import Event
from rules_dsl import core
from tests.property.both_engines import checks_of_engine, checks_of_reference
from tests.property.random_logs import SCHEMA, random_log
from tests.property.random_rulebook import rulebook

KEYS: dict[str, tuple[core.Expr, tuple[str, ...]]] = {
    "number": (core.Arithmetic("/", core.Field(0, "amount", "money"), core.Const("money", "$5")),
               ("0", "1", "1.5", "2", "3", "7")),
    "text": (core.Field(0, "player", "text"), ("P1", "P2", "P3")),
    "wager_kind": (core.Field(0, "wager", "wager_kind"), ("blackjack", "insurance", "super")),
    "seat": (core.Field(0, "seat", "seat"), ("1", "2", "9")),
    "none": (core.Const("none", "none"), ()),
}  # fmt: skip
VALUES = {"number": ("0", "1.5", "-3", "none"), "text": ("draw", "P1", "none"),
          "odds": ("3 to 2", "1 to 1", "none"), "money": ("$5", "$7.50", "none")}  # fmt: skip


def heads(random: Random, kind: str) -> tuple[core.TableKey, ...]:
    words = list(KEYS[kind][1])
    random.shuffle(words)
    made = [core.TableKey(word, word) for word in words[: random.randint(1, 3)]]
    if kind == "number":
        low, high = sorted(random.sample(words, 2), key=float)
        made.append(core.TableKey(low, high))
    if random.random() < 0.5:
        made.insert(random.randrange(len(made) + 1), core.TableKey("none", "none"))
    return tuple(made)


def case(seed: int) -> tuple[core.Rulebook, list[Event]]:
    """A rule that tells and compares the entries of a random printed table."""
    random = Random(seed)
    kinds = random.sample([kind for kind in KEYS if kind != "none"], random.choice((1, 2)))
    sides = [heads(random, kind) for kind in kinds]
    written = ["number" if kind == "number" else "text" for kind in kinds]
    gives = random.choice(list(VALUES))
    rows, columns = sides[0], sides[1] if len(sides) > 1 else ()
    cells = tuple(
        tuple(random.choice(VALUES[gives]) for _ in range(len(columns) or 1)) for _ in rows
    )
    column_kind = written[1] if len(written) > 1 else "text"
    table = core.LookupTable("random", "", written[0], column_kind, gives, rows, columns, cells)
    asked = [kind if random.random() < 0.9 else "none" for kind in kinds]
    entry = core.Lookup("random", tuple(KEYS[kind][0] for kind in asked))
    wanted = core.Const(gives, random.choice(VALUES[gives][:-1]))
    requirements = (
        core.Requirement(core.Compare("=", entry, wanted), "as wanted"),
        core.Requirement(core.Recorded(entry, True), "known"),
    )
    edition = core.Edition(
        None, None, "", ("law",), core.Slice("table", None, (), ()),
        core.Trigger(core.Pattern(("wager_placed",), 0), None, None), (), requirements, (),
        (core.MessagePart("an entry", entry, gives),), "", (),
    )  # fmt: skip
    book = rulebook(core.Rule("printed", "", "violation", "major", "", (edition,), ()))
    book = msgspec.structs.replace(book, tables={**book.tables, "random": table})
    log = random_log(random, 60)
    return book, log


@pytest.mark.parametrize("seed", range(150))
def test_every_entry_is_found_by_the_same_keys(seed: int) -> None:
    book, log = case(seed)
    assert checks_of_engine(book, SCHEMA, log) == checks_of_reference(book, SCHEMA, log)
