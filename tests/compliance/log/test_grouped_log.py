"""A Parquet log whose tables stand apart reads the same, table by table, as when it is sorted out.

The night is written once as it should be and then spoiled in many ways; each time both ways of
reading must tell the same events, set aside the same lines for the same reasons, and give the same
result of a check.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
import pyarrow.parquet as pq  # type: ignore[import-untyped]
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import compliance.checking.check_log
from compliance.checking.check_log import LogResult, check_log
from compliance.table_check.settings import Settings
from rules_dsl import core
from tests.compliance.checked_logs import SCHEMA, book
from tests.compliance.log.both_ways import CLOSELY, SORTED_OUT, STRAIGHT, log, night, same, spoiled
from tests.compliance.log.small_logs import written
from tests.compliance.small_rulebook import RULES


def changed(name: str, change: Callable[[list[Any]], list[Any]], form: Any = None) -> Any:
    """Does something to the values of one column."""

    def spoil(table: Any) -> Any:
        place = table.column_names.index(name)
        field = table.schema.field(place).with_type(form or table.schema.field(place).type)
        values = pa.array(change(table.column(name).to_pylist()), field.type)
        return table.set_column(place, field, values)

    return spoil


def cast(name: str, form: Any) -> Any:
    return changed(name, list, form)


def at(row: int, value: Any) -> Callable[[list[Any]], list[Any]]:
    """Puts a value into one row; a negative number counts from the end."""

    def change(values: list[Any]) -> list[Any]:
        values = list(values)
        values[row] = value
        return values

    return change


def everywhere(value: Callable[[Any], Any]) -> Callable[[list[Any]], list[Any]]:
    """Changes all values that there are."""
    return lambda values: [None if one is None else value(one) for one in values]


def swapped(values: list[Any]) -> list[Any]:
    return [values[1], values[0], *values[2:]]


NEW_YORK = "America/New_York"
SPOILS: dict[str, tuple[str, Callable[[Any], Any]]] = {
    "nothing": (STRAIGHT, lambda table: table),
    "an unknown type": (CLOSELY, changed("type", at(3, "card_delt"))),
    "no type": (CLOSELY, changed("type", at(3, None))),
    "a wrong word": (CLOSELY, changed("to", everywhere(lambda word: word.upper()))),
    "a wrong card": (CLOSELY, changed("card", everywhere(lambda card: card + "X"))),
    "a field of another type": (CLOSELY, changed("game", at(-1, "blackjack"))),
    "a missing field": (CLOSELY, changed("to", everywhere(lambda word: None))),
    "no such column": (CLOSELY, lambda table: table.drop_columns(["to"])),
    "a column less": (STRAIGHT, lambda table: table.drop_columns(["pit"])),
    "a seat that is none": (CLOSELY, changed("seat", everywhere(lambda seat: seat - 1))),
    "broken seats": (SORTED_OUT, cast("seat", pa.float64())),
    "seats as texts": (STRAIGHT, changed("seat", everywhere(str), pa.string())),
    "small seats": (STRAIGHT, cast("seat", pa.int8())),
    "a column of nothing": (STRAIGHT, changed("minimum", lambda all: [None] * len(all), pa.null())),
    "no id": (CLOSELY, changed("id", at(0, None))),
    "no number": (SORTED_OUT, changed("seq", at(0, None))),
    "small numbers": (SORTED_OUT, cast("seq", pa.int32())),
    "numbers that changed places": (CLOSELY, changed("seq", swapped)),
    "no casino": (SORTED_OUT, changed("casino", at(0, None))),
    "a strange table": (SORTED_OUT, changed("table", at(0, "T99"))),
    "no time": (CLOSELY, changed("ts", at(2, None))),
    "times without a zone": (SORTED_OUT, cast("ts", pa.timestamp("us"))),
    "times in UTC": (STRAIGHT, cast("ts", pa.timestamp("us", "UTC"))),
    "times in nanoseconds": (STRAIGHT, cast("ts", pa.timestamp("ns", NEW_YORK))),
    "times in milliseconds": (STRAIGHT, cast("ts", pa.timestamp("ms", "Asia/Kathmandu"))),
    "times as texts": (SORTED_OUT, changed("ts", everywhere(lambda t: t.isoformat()), pa.string())),
    "a time long ago": (
        CLOSELY,
        changed("ts", lambda times: [times[0].replace(year=1850), *times[1:]]),
    ),
    "texts as lists": (STRAIGHT, cast("player", pa.dictionary(pa.int8(), pa.string()))),
    "short texts": (STRAIGHT, cast("player", pa.string())),
    "texts as bytes": (SORTED_OUT, changed("player", everywhere(str.encode), pa.binary())),
    "cards otherwise written": (CLOSELY, changed("cards", everywhere(lambda c: f" {c}"))),
    "yes and no as texts": (
        STRAIGHT,
        changed("face_up", everywhere(lambda yes: "yes" if yes else "no"), pa.string()),
    ),
    "money in dollars": (
        STRAIGHT,
        changed("amount", everywhere(lambda cents: f"${cents / 100:.2f}"), pa.string()),
    ),
    "no events": (SORTED_OUT, lambda table: table.slice(0, 0)),
    "a column that is not known": (
        SORTED_OUT,
        lambda table: table.append_column("croupier", pa.nulls(len(table), pa.string())),
    ),
    "no column that every record needs": (SORTED_OUT, lambda table: table.drop_columns(["seq"])),
}


@pytest.mark.parametrize("what", SPOILS)
def test_a_log_reads_the_same_table_by_table(what: str, tmp_path: Path) -> None:
    way, spoil = SPOILS[what]
    found = same(tmp_path, spoiled(tmp_path / "night.parquet", spoil))
    if found.ways:
        assert found.way == way
    else:
        assert way == SORTED_OUT


def test_only_the_table_in_doubt_is_read_closely(tmp_path: Path) -> None:
    first, *others = night()
    spoil = changed("type", at(3, "card_delt"))
    found = same(tmp_path, log(tmp_path / "night.parquet", spoil(first), *others))
    assert list(found.ways.values()).count(CLOSELY) == 1
    assert found.log.quarantine.total == 1
    assert found.log.inputs[0].events == sum(map(len, night())) - 1


def test_lines_of_a_later_table_keep_their_numbers_when_read_closely(tmp_path: Path) -> None:
    *others, last = night()
    spoil = changed("type", at(3, "card_delt"))
    found = same(tmp_path, log(tmp_path / "night.parquet", *others, spoil(last)))
    (item,) = found.log.quarantine.first
    assert item.line == sum(map(len, others)) + 4


def test_a_table_may_have_several_row_groups(tmp_path: Path) -> None:
    table = night()[0]
    groups = [table.slice(0, 50), table.slice(50, 1), table.slice(51)]
    assert same(tmp_path, log(tmp_path / "night.parquet", *groups)).way == STRAIGHT


def test_row_groups_in_another_order_are_put_in_order(tmp_path: Path) -> None:
    table = night()[0]
    path = log(tmp_path / "night.parquet", table.slice(50), table.slice(0, 50))
    assert same(tmp_path, path).way == CLOSELY


def test_row_groups_of_several_tables_are_sorted_out(tmp_path: Path) -> None:
    path = tmp_path / "night.parquet"
    pq.write_table(pa.concat_tables(night()), path)
    assert same(tmp_path, path).way == SORTED_OUT


def test_row_groups_without_rows_are_passed_over(tmp_path: Path) -> None:
    first, *others = night()
    path = log(tmp_path / "night.parquet", first.slice(0, 0), first, first.slice(0, 0), *others)
    assert same(tmp_path, path).way == STRAIGHT


def test_a_file_that_does_not_tell_what_it_holds_is_sorted_out(tmp_path: Path) -> None:
    path = log(tmp_path / "night.parquet", *night(), write_statistics=False)
    assert same(tmp_path, path).way == SORTED_OUT


@pytest.mark.parametrize("untold", ["seat", "player", "minimum"])
def test_a_column_of_which_nothing_is_told_is_read(untold: str, tmp_path: Path) -> None:
    told = [name for name in night()[0].column_names if name != untold]
    path = log(tmp_path / "night.parquet", *night(), write_statistics=told)
    assert same(tmp_path, path).way == STRAIGHT


def test_texts_that_no_event_has_do_no_harm(tmp_path: Path) -> None:
    def listed(table: Any) -> Any:
        place = table.column_names.index("table")
        values = table.column("table").to_pylist()
        codes = pa.array([0] * len(values), pa.int8())
        column = pa.DictionaryArray.from_arrays(codes, pa.array([values[0], "T99"]))
        return table.set_column(place, "table", column)

    same(tmp_path, spoiled(tmp_path / "night.parquet", listed))


def test_every_table_may_have_a_file_of_its_own(tmp_path: Path) -> None:
    folder = tmp_path / "night"
    folder.mkdir()
    for number, table in enumerate(night()):
        log(folder / f"{number}.parquet", table)
    assert same(tmp_path, folder).way == STRAIGHT


def test_a_table_may_stand_in_two_files(tmp_path: Path) -> None:
    table = night()[0]
    one = log(tmp_path / "1.parquet", table.slice(0, 70))
    # With other columns, and texts that the first file does not have.
    others = (each.drop_columns(["pit"]) for each in (table.slice(70), night()[1]))
    other = log(tmp_path / "2.parquet", *others)
    found = same(tmp_path, one, other)
    assert found.way == STRAIGHT
    assert len(found.log.inputs) == 2


def test_two_files_that_overlap_are_put_in_order(tmp_path: Path) -> None:
    table = night()[0]
    parts = [table.take(list(range(first, len(table), 2))) for first in (0, 1)]
    paths = [log(tmp_path / f"{number}.parquet", part) for number, part in enumerate(parts)]
    assert same(tmp_path, *paths).way == CLOSELY


def test_files_whose_columns_differ_in_form_are_looked_at_closely(tmp_path: Path) -> None:
    table = night()[0]
    one = log(tmp_path / "1.parquet", table.slice(0, 70))
    other = log(tmp_path / "2.parquet", cast("seat", pa.int8())(table.slice(70)))
    assert same(tmp_path, one, other).way == CLOSELY


def test_a_log_of_several_formats_is_sorted_out(tmp_path: Path) -> None:
    path = log(tmp_path / "night.parquet", *night())
    assert same(tmp_path, path, written(tmp_path, '{"id": "x"}')).way == SORTED_OUT


def test_a_time_is_told_with_the_offset_that_it_had_when_clocks_change(tmp_path: Path) -> None:
    soon = datetime(2010, 3, 14, 6, 55, tzinfo=UTC)

    def later(times: list[Any]) -> list[Any]:
        return [soon + (time - times[0]) for time in times]

    found = same(tmp_path, spoiled(tmp_path / "night.parquet", changed("ts", later)))
    assert found.way == STRAIGHT
    offsets = {offset for frame in found.tables.values() for offset in frame["offset"]}
    assert offsets == {-300, -240}


def test_a_file_with_a_damaged_table_says_the_same_of_it(tmp_path: Path) -> None:
    path = log(tmp_path / "night.parquet", *night())
    column = pq.read_metadata(path).row_group(1).column(0)
    data = bytearray(path.read_bytes())
    begin = column.dictionary_page_offset or column.data_page_offset
    data[begin : begin + 40] = b"\xff" * 40
    path.write_bytes(data)
    found = same(tmp_path, path)
    assert "damaged" in str(found.log.problems[0])


@pytest.fixture(scope="module")
def rules() -> core.Rulebook:
    return book(RULES)


def checked_both_ways(
    path: Path, rules: core.Rulebook, patch: pytest.MonkeyPatch, **options: Any
) -> tuple[LogResult, LogResult]:
    by_itself = check_log([path], Settings(rules, SCHEMA, **options))
    with patch.context() as general:
        general.setattr(compliance.checking.check_log, "grouped_log", lambda files: None)
        return by_itself, check_log([path], Settings(rules, SCHEMA, **options))


@pytest.mark.parametrize("workers", [1, 2])
@pytest.mark.parametrize(
    "what", ["nothing", "an unknown type", "no column that every record needs"]
)
def test_a_check_has_the_same_result(
    what: str,
    workers: int,
    rules: core.Rulebook,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    path = spoiled(tmp_path / "night.parquet", SPOILS[what][1])
    by_itself, general = checked_both_ways(path, rules, monkeypatch, workers=workers)
    assert by_itself == general


def cells() -> st.SearchStrategy[tuple[int, str, int, Any]]:
    """Any cell of the night, and what it is to hold: nothing, or a value of another row."""
    names = [name for name in night()[0].column_names if name not in ("casino", "table")]
    return st.tuples(
        st.integers(0, len(night()) - 1),
        st.sampled_from(names),
        st.integers(0, 400),
        st.none() | st.integers(0, 400),
    )


@settings(deadline=None, max_examples=60, suppress_health_check=[HealthCheck.too_slow])
@given(st.lists(cells(), max_size=4))
def test_any_few_changed_cells_read_the_same(changes: list[tuple[int, str, int, Any]]) -> None:
    tables = list(night())
    for table, name, row, other in changes:
        size = len(tables[table])
        values = tables[table].column(name)
        value = None if other is None else values[other % size].as_py()
        tables[table] = changed(name, at(row % size, value))(tables[table])
    with tempfile.TemporaryDirectory() as folder:
        same(Path(folder), log(Path(folder, "night.parquet"), *tables))
