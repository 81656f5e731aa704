"""The eight rules as DuckDB SQL: window queries as an engineer who knows SQL well would write them.

Each query gives the ids of the events at which its rule is violated. A round is told by its number,
which is easier for SQL than the interval of the rule file, and the same on a simulated night.
"""

from __future__ import annotations

from pathlib import Path

import duckdb

WORDS = ("type", "table", "to", "kind", "wager", "option_name", "subject", "by_role")
"""Texts with few different values, which DuckDB compares faster as enumerations."""

COLUMNS = ("id", "ts", "seq", "round", "seat", "player", "card", "amount", "value")
"""What the rules look at besides; the other columns stay in the file."""


def connect(log: Path) -> duckdb.DuckDBPyConnection:
    """The log as a table in memory, on one core; the rules are measured from here."""
    connection = duckdb.connect()
    connection.execute("SET threads = 1")
    connection.execute(PIPS)
    connection.read_parquet(str(log)).create_view("log")
    for name in WORDS:
        connection.execute(
            f'CREATE TYPE {name}_word AS ENUM (SELECT DISTINCT "{name}" FROM log '  # noqa: S608
            f'WHERE "{name}" IS NOT NULL ORDER BY 1)'
        )
    words = ", ".join(f'"{name}"::{name}_word AS "{name}"' for name in WORDS)
    others = ", ".join(COLUMNS)
    connection.execute(f"CREATE TABLE events AS SELECT {others}, {words} FROM log")  # noqa: S608
    return connection


def findings(connection: duckdb.DuckDBPyConnection) -> set[tuple[str, str]]:
    """Every violation: the rule, and the event at which it is violated."""
    return {
        (rule, row[0])
        for rule, sql in QUERIES.items()
        for row in connection.execute(sql).fetchall()
    }


PIPS = """
    CREATE MACRO pips(card) AS
    CASE left(card, 1)
        WHEN 'A' THEN 1 WHEN 'J' THEN 10 WHEN 'Q' THEN 10 WHEN 'K' THEN 10 WHEN '1' THEN 10
        ELSE left(card, 1)::INTEGER
    END
"""

QUERIES = {
    "burn-by-each-new-dealer": """
        WITH elected AS (
            SELECT "table" FROM events WHERE type = 'option_elected'
            GROUP BY "table"
            HAVING bool_or(option_name = 'game' AND value = 'blackjack')
               AND NOT bool_or(option_name = 'shoe_kind' AND value = 'dealer_hand')
        )
        SELECT id FROM events
        WHERE type IN ('dealer_arrived', 'card_burned', 'card_dealt') AND "table" IN (FROM elected)
        QUALIFY type = 'card_dealt'
            AND lag(type) OVER (PARTITION BY "table" ORDER BY seq) = 'dealer_arrived'
    """,
    "no-insurance-after-the-third-card": """
        WITH insured AS (
            SELECT id, "table", round, seq FROM events WHERE type = 'insurance_placed'
        ),
        cards AS (
            SELECT "table", round, seq,
                row_number() OVER (PARTITION BY "table", round, seat ORDER BY seq) AS nth
            FROM events SEMI JOIN insured USING ("table", round)
            WHERE type = 'card_dealt' AND "to" = 'player'
        ),
        third AS (
            SELECT "table", round, min(seq) AS seq FROM cards WHERE nth = 3 GROUP BY ALL
        )
        SELECT id FROM insured JOIN third USING ("table", round) WHERE third.seq < insured.seq
    """,
    "recut-by-a-supervisor-in-time": """
        WITH cuts AS (
            SELECT id, type, by_role,
                last_value(CASE WHEN type != 'recut_ordered' THEN type END IGNORE NULLS) OVER (
                    PARTITION BY "table" ORDER BY seq
                    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
            FROM events
            WHERE type IN ('recut_ordered', 'cards_shuffled', 'cards_cut', 'card_dealt')
              AND "table" IN (SELECT "table" FROM events WHERE type = 'recut_ordered')
        )
        SELECT id FROM cuts
        WHERE type = 'recut_ordered'
          AND (latest IS DISTINCT FROM 'cards_cut'
               OR by_role::VARCHAR NOT IN ('floorperson', 'pit_boss', 'poker_shift_supervisor',
                   'casino_shift_manager', 'casino_manager'))
    """,
    "vigorish-settled-at-the-shuffle": """
        WITH balances AS (
            SELECT "table", seq,
                sum(CASE type WHEN 'vigorish_marked' THEN amount ELSE -amount END) OVER player
                    AS owed,
                lead(seq, 1, 9223372036854775807) OVER player AS until
            FROM events
            WHERE type IN ('vigorish_marked', 'vigorish_collected')
            WINDOW player AS (PARTITION BY "table", player ORDER BY seq)
        )
        SELECT DISTINCT shuffled.id
        FROM events shuffled JOIN balances
          ON shuffled."table" = balances."table" AND shuffled.seq BETWEEN balances.seq AND until
        WHERE shuffled.type = 'cards_shuffled' AND owed > 0
    """,
    "dealer-draws-to-17": """
        WITH cards AS (
            SELECT "table", round, seq, pips(card) AS pips FROM events
            WHERE type = 'card_dealt' AND "to" = 'dealer'
        ),
        hands AS (
            SELECT "table", round, seq,
                sum(pips) OVER hand AS hard,
                bool_or(pips = 1) OVER hand AS ace,
                lead(seq) OVER hand IS NOT NULL AS drew,
                bool_or(pips IS NULL) OVER (PARTITION BY "table", round) AS hidden
            FROM cards
            WINDOW hand AS (PARTITION BY "table", round ORDER BY seq)
        ),
        totals AS (
            SELECT "table", round, seq, drew, ace AND hard <= 11 AS soft,
                hard + CASE WHEN soft THEN 10 ELSE 0 END AS total
            FROM hands WHERE NOT hidden
        ),
        elected AS (
            SELECT "table", seq, value FROM events
            WHERE type = 'option_elected' AND option_name = 'soft_17'
        ),
        wrong AS (
            SELECT DISTINCT totals."table", round
            FROM totals ASOF LEFT JOIN elected
              ON totals."table" = elected."table" AND totals.seq >= elected.seq
            WHERE drew = (total >= 17 AND NOT (total = 17 AND soft AND value = 'hit'))
        )
        SELECT id
        FROM events SEMI JOIN wrong USING ("table", round)
        WHERE type = 'round_ended'
          AND EXISTS (
              FROM events stood WHERE stood.type = 'decision' AND stood.kind = 'stand'
                AND stood."table" = events."table" AND stood.round = events.round)
    """,
    "baccarat-third-card": """
        WITH cards AS (
            SELECT "table", round, "to", pips(card) % 10 AS points,
                row_number() OVER (PARTITION BY "table", round, "to" ORDER BY seq) AS nth
            FROM events
            WHERE type = 'card_dealt'
              AND "table" IN (
                  SELECT "table" FROM events
                  WHERE type = 'option_elected' AND option_name = 'game'
                    AND value IN ('baccarat', 'minibaccarat'))
        ),
        hands AS (
            SELECT "table", round,
                sum(points) FILTER ("to" = 'player' AND nth <= 2) % 10 AS player,
                sum(points) FILTER ("to" = 'banker' AND nth <= 2) % 10 AS banker,
                max(points) FILTER ("to" = 'player' AND nth = 3) AS third,
                max(nth) FILTER ("to" = 'player') AS player_cards,
                max(nth) FILTER ("to" = 'banker') AS banker_cards
            FROM cards GROUP BY ALL
        ),
        wrong AS (
            SELECT "table", round FROM hands
            WHERE player_cards >= 2 AND banker_cards >= 2 AND player <= 7 AND banker <= 7
              AND ((player_cards >= 3) != (player <= 5)
                   OR (banker_cards >= 3) != CASE
                       WHEN third IS NULL THEN banker <= 5
                       WHEN banker <= 2 THEN true
                       WHEN banker = 3 THEN third != 8
                       WHEN banker = 4 THEN third BETWEEN 2 AND 7
                       WHEN banker = 5 THEN third BETWEEN 4 AND 7
                       WHEN banker = 6 THEN third BETWEEN 6 AND 7
                       ELSE false
                   END)
        )
        SELECT id FROM events SEMI JOIN wrong USING ("table", round) WHERE type = 'round_ended'
    """,
    "rule-change-with-notice": """
        WITH warned AS (
            SELECT changed.id, count(DISTINCT warning.type) AS warnings
            FROM events changed LEFT JOIN events warning
              ON warning.type IN ('notice_posted', 'patrons_told', 'commission_notified')
             AND warning."table" = changed."table" AND warning.subject = changed.subject
             AND warning.seq < changed.seq AND warning.ts <= changed.ts - INTERVAL 30 MINUTE
            WHERE changed.type = 'rule_changed'
            GROUP BY changed.id
        )
        SELECT id FROM warned WHERE warnings < 3
    """,
    "first-cards-clockwise-to-every-box": """
        WITH dealers AS (
            SELECT "table", round, min(seq) AS first_seq, arg_min(id, seq) AS first_id
            FROM events WHERE type = 'card_dealt' AND "to" = 'dealer'
            GROUP BY ALL
        ),
        before AS (
            SELECT first_id, type, seat,
                lag(seat) OVER (PARTITION BY first_id, type ORDER BY seq) AS previous
            FROM events JOIN dealers USING ("table", round)
            WHERE seq < first_seq
              AND ((type = 'card_dealt' AND "to" = 'player')
                   OR (type = 'wager_placed' AND wager = 'blackjack'))
        )
        SELECT first_id FROM before
        GROUP BY first_id
        HAVING bool_or(type = 'card_dealt' AND seat <= previous)
            OR (bit_or(1 << seat) FILTER (type = 'wager_placed')
                & ~coalesce(bit_or(1 << seat) FILTER (type = 'card_dealt'), 0)) != 0
    """,
}
"""By the names of the rules."""
