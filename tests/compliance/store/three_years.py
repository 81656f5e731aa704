"""A store of three years of nights, made by the database itself."""

from __future__ import annotations

from datetime import date, timedelta

from sqlalchemy import text

from compliance.store.opening import Store

NIGHTS = 1_096
FIRST = date(2023, 1, 1)
LAST = FIRST + timedelta(days=NIGHTS - 1)

_NUMBERS = {
    "sqlite": "WITH RECURSIVE g(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM g WHERE n + 1 < :m) ",
    "postgresql": "WITH g(n) AS (SELECT generate_series(0, :m - 1)) ",
}
_DAY = {
    "sqlite": "date('2023-01-01', ({number}) || ' days')",
    "postgresql": "DATE '2023-01-01' + ({number})",
}
_HASH = {"sqlite": "printf('%064x', {number})", "postgresql": "lpad(to_hex({number}), 64, '0')"}
_BYTES = {"sqlite": "x'00'", "postgresql": "decode('00', 'hex')"}


def fill(store: Store, findings: int) -> None:
    """Two casinos, forty rules, thirty tables; as many findings a night."""
    kind = store.engine.dialect.name
    numbers, each = _NUMBERS[kind], findings // NIGHTS
    day = _DAY[kind].format(number=f"n / {each}")
    night = _DAY[kind].format(number="n")
    name = _HASH[kind].format(number="n")
    with store.connected() as connection, connection.begin():

        def say(sentence: str, many: int) -> None:
            connection.execute(text(sentence), {"m": many})

        nothing = _HASH[kind].format(number="0")
        say(
            "INSERT INTO rulebook_versions (sha256, number, name, first_used, author, reviewer, "
            f"reason, rules) {numbers} SELECT {name}, n + 1, 'rules', CURRENT_TIMESTAMP, '', '', "
            "'', '{}' FROM g",
            2,
        )
        say(
            "INSERT INTO runs (number, casino, day, revision, cause, rulebook, settings, kept, "
            "result, verdict, exit_code, summary, told, time_zone, events, quarantined, seconds, "
            f"at) {numbers} SELECT n, CASE n % 2 WHEN 0 THEN 'A' ELSE 'B' END, {night}, 1, 'new', "
            f"{nothing}, '', '', '', 'violations', 1, '{{}}', '{{}}', '', 1, 0, 1, "
            "CURRENT_TIMESTAMP FROM g",
            NIGHTS,
        )
        say(
            "INSERT INTO nights (casino, day, run, published) "
            "SELECT casino, day, number, number = number FROM runs WHERE number < :m",
            NIGHTS,
        )
        say(
            "INSERT INTO findings (id, fingerprint, place, casino, day, moment, position, kind, "
            "rule, severity, table_name, sentence, status, first_run, last_run, last_day, "
            f"document) {numbers} SELECT {name}, {name}, {name}, "
            f"CASE (n / {each}) % 2 WHEN 0 THEN 'A' ELSE 'B' END, {day}, CURRENT_TIMESTAMP, "
            f"n % {each}, 'violation', 'rule-' || (n * 7 % 40), "
            "CASE n % 3 WHEN 0 THEN 'minor' WHEN 1 THEN 'major' ELSE 'critical' END, "
            "'T' || (n * 11 % 30), 'It happened.', "
            "CASE WHEN n % 50 = 0 THEN 'resolved' ELSE 'new' END, "
            f"n / {each}, n / {each}, {day}, {_BYTES[kind]} FROM g",
            each * NIGHTS,
        )
        say(
            "INSERT INTO sightings (run, finding) SELECT first_run, id FROM findings WHERE "
            "position < :m",
            each,
        )
        say(
            "INSERT INTO tallies (casino, day, rule, kind, severity, number) SELECT casino, day, "
            "rule, kind, min(severity), count(*) FROM findings WHERE status <> 'resolved' AND "
            "position < :m GROUP BY casino, day, rule, kind",
            each,
        )
    with store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))
