"""A store of three years answers as quickly as one of a week: each question goes by an index."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Select, event, text
from sqlalchemy.orm import Session

from compliance.store.finding_changes import (
    changes_between_days,
    changes_between_runs,
    trend_question,
)
from compliance.store.finding_queries import (
    FindingFilter,
    finding_named,
    history,
    newest_findings,
    newest_question,
)
from compliance.store.migrating import bring_up_to_date
from compliance.store.opening import Store, open_store
from tests.compliance.postgres_server import PostgresServer
from tests.compliance.store.three_years import FIRST, LAST, fill

FINDINGS = int(os.environ.get("STORED_FINDINGS", "60000"))
"""Three years have 300,000; plans are the same with fewer."""
LARGE = {"findings", "sightings", "tallies"}


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def old_store(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Store]:
    place = str(tmp_path_factory.mktemp("three-years") / "compliance.db")
    if request.param == "postgresql":
        server: PostgresServer = request.getfixturevalue("postgres")
        place = server.new_database()
    store = open_store(place)
    bring_up_to_date(store)
    fill(store, FINDINGS)
    yield store
    store.engine.dispose()


FILTERS = {
    "all": FindingFilter(),
    "a night": FindingFilter(casino="A", since=FIRST, until=FIRST),
    "a week": FindingFilter(since=LAST - timedelta(days=6), until=LAST),
    "a casino": FindingFilter(casino="B"),
    "a rule": FindingFilter(rule="rule-7"),
    "a table": FindingFilter(table="T11"),
    "grave ones": FindingFilter(severity="critical"),
    "resolved": FindingFilter(status="resolved"),
    "a rule in a month": FindingFilter(rule="rule-7", since=LAST - timedelta(days=30)),
}


@pytest.mark.parametrize("name", FILTERS)
def test_a_list_reads_what_it_shows(old_store: Store, name: str) -> None:
    with old_store.reading() as session:
        question = newest_question(session, FILTERS[name], 50)
        _along_an_index(session, question)
        first = newest_findings(session, FILTERS[name], 20)
        both = newest_findings(session, FILTERS[name], 40)
        later = newest_findings(session, FILTERS[name], 20, first[-1].fingerprint)
        assert [row.id for row in [*first, *later]] == [row.id for row in both]
        _along_an_index(session, newest_question(session, FILTERS[name], 20, first[-1].id))


def test_a_trend_reads_the_days_that_it_shows(old_store: Store) -> None:
    week = LAST - timedelta(days=6)
    with old_store.reading() as session:
        for question in (
            trend_question(week, LAST),
            trend_question(week, LAST, casino="A"),
            trend_question(week, LAST, rule="rule-7"),
        ):
            _along_an_index(session, question)
        days = session.execute(trend_question(week, LAST)).all()
        assert [number for _, number in days] == [
            sum(row.status != "resolved" for row in _night(session, day)) for day, _ in days
        ]


def test_what_looks_at_single_findings_or_runs_reads_no_table_as_a_whole(old_store: Store) -> None:
    with old_store.reading() as session:
        asked = _Asked(session)
        changes = changes_between_runs(session, 5, 7)
        assert len(changes.new) == len(changes.gone) > 100
        changes_between_days(session, FIRST, LAST)
        found = finding_named(session, changes.new[0].id)
        list(history(session, found))
        asked.all_along_an_index()


def _night(session: Session, day: Any) -> Any:
    return newest_findings(session, FindingFilter(since=day, until=day), 10_000)


class _Asked:
    """Every question that is put from now on."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._questions: list[tuple[str, Any]] = []
        event.listen(session.get_bind(), "before_cursor_execute", self._note)

    def _note(self, connection: Any, cursor: Any, statement: str, words: Any, *_: Any) -> None:
        if statement.startswith("SELECT"):
            self._questions.append((statement, words))

    def all_along_an_index(self) -> None:
        event.remove(self._session.get_bind(), "before_cursor_execute", self._note)
        assert self._questions
        for statement, words in self._questions:
            _see(self._session, statement, words)


def _along_an_index(session: Session, question: Select[*tuple[Any, ...]]) -> None:
    made = question.compile(session.get_bind(), compile_kwargs={"render_postcompile": True})
    words = (
        made.params
        if made.positiontup is None
        else tuple(made.params[name] for name in made.positiontup)
    )
    _see(session, str(made), words, sorts=False)


def _see(session: Session, statement: str, words: Any, *, sorts: bool = True) -> None:
    """That the database reads large tables by an index alone, and in their order."""
    connection = session.connection()
    if connection.dialect.name == "sqlite":
        rows = connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", words).all()
        plan = "\n".join(row[3] for row in rows)
        for table in LARGE:
            assert f"SCAN {table}\n" not in f"{plan}\n", plan
        assert sorts or "TEMP B-TREE FOR ORDER BY" not in plan, plan
        return
    (shown,) = connection.exec_driver_sql(f"EXPLAIN (FORMAT JSON) {statement}", words).one()
    nodes = list(_nodes(shown[0]["Plan"]))
    for node in nodes:
        whole = node["Node Type"] == "Seq Scan" and node["Relation Name"] in LARGE
        assert not whole, json.dumps(shown, indent=1)
    read = max(node["Plan Rows"] for node in nodes)
    assert sorts or read < FINDINGS, json.dumps(shown, indent=1)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for part in plan.get("Plans", []):
        yield from _nodes(part)


def test_the_file_is_of_a_size_that_a_disk_bears(old_store: Store) -> None:
    if old_store.file is not None:
        assert Path(old_store.file).stat().st_size < FINDINGS * 2_000
    else:
        with old_store.reading() as session:
            size = session.scalar(text("SELECT pg_database_size(current_database())"))
            assert size is not None
            assert size < FINDINGS * 2_000
