"""The eight rules as DuckDB SQL, as an engineer who knows SQL well would write them.

For each rule there are two queries, with their first steps in common: a quick one for the ids of
the events at which the rule is violated, and one for all that the engine tells: the number of
checks, and every violation with its witnesses. Witnesses are looked up only where a rule is
violated. A round is told by its number, which is easier for SQL than the interval of the rule file,
and the same on a simulated night.
"""

from __future__ import annotations

from dataclasses import dataclass

PIPS = """
    CREATE MACRO pips(card) AS
    CASE left(card, 1)
        WHEN 'A' THEN 1 WHEN 'J' THEN 10 WHEN 'Q' THEN 10 WHEN 'K' THEN 10 WHEN '1' THEN 10
        ELSE left(card, 1)::INTEGER
    END
"""


@dataclass(frozen=True)
class Query:
    """One rule in SQL: steps that both questions share, and the rest of each."""

    steps: str
    then_ids: str
    then_findings: str

    @property
    def ids(self) -> str:
        """Asks for the events at which the rule is violated, and nothing else."""
        return f"WITH {self.steps} {self.then_ids}"

    @property
    def findings(self) -> str:
        """Asks for one row: the number of checks, and a list of the violations."""
        return f"WITH {self.steps} {self.then_findings}"


BURN = Query(
    """
    elected AS (
        SELECT "table" FROM events WHERE type = 'option_elected'
        GROUP BY "table"
        HAVING bool_or(option_name = 'game' AND value = 'blackjack')
           AND NOT bool_or(option_name = 'shoe_kind' AND value = 'dealer_hand')
    )
    """,
    """
    SELECT id FROM events
    WHERE type IN ('dealer_arrived', 'card_burned', 'card_dealt') AND "table" IN (FROM elected)
    QUALIFY type = 'card_dealt'
        AND lag(type) OVER (PARTITION BY "table" ORDER BY seq) = 'dealer_arrived'
    """,
    """
    , firsts AS (
        SELECT id, "table", seq, lag(id) OVER earlier AS arrived, lag(seq) OVER earlier AS since
        FROM events
        WHERE type IN ('dealer_arrived', 'card_dealt') AND "table" IN (FROM elected)
        WINDOW earlier AS (PARTITION BY "table" ORDER BY seq)
        QUALIFY type = 'card_dealt' AND lag(type) OVER earlier = 'dealer_arrived'
    ),
    violated AS (
        SELECT id AS trigger, [arrived] AS witnesses
        FROM firsts ANTI JOIN (FROM events WHERE type = 'card_burned') burned
          ON firsts."table" = burned."table" AND burned.seq BETWEEN since AND firsts.seq
    )
    SELECT (SELECT count(*) FROM firsts), list(violated) FROM violated
    """,
)

INSURANCE = Query(
    """
    insured AS (
        SELECT id, "table", round, seq FROM events WHERE type = 'insurance_placed'
    ),
    cards AS (
        SELECT id, "table", round, seq,
            row_number() OVER (PARTITION BY "table", round, seat ORDER BY seq) AS nth
        FROM events SEMI JOIN insured USING ("table", round)
        WHERE type = 'card_dealt' AND "to" = 'player'
    )
    """,
    """
    , third AS (
        SELECT "table", round, min(seq) AS seq FROM cards WHERE nth = 3 GROUP BY ALL
    )
    SELECT id FROM insured JOIN third USING ("table", round) WHERE third.seq < insured.seq
    """,
    """
    , violated AS (
        SELECT insured.id AS trigger, [arg_max(cards.id, cards.seq)] AS witnesses
        FROM insured JOIN cards USING ("table", round)
        WHERE nth >= 3 AND cards.seq < insured.seq
        GROUP BY insured.id
    )
    SELECT (SELECT count(*) FROM insured), list(violated) FROM violated
    """,
)

RECUT = Query(
    """
    orders AS (
        SELECT id, "table", seq,
            by_role::VARCHAR IN ('floorperson', 'pit_boss', 'poker_shift_supervisor',
                'casino_shift_manager', 'casino_manager') AS by_supervisor
        FROM events WHERE type = 'recut_ordered'
    )
    """,
    """
    , cuts AS (
        SELECT id, type,
            last_value(CASE WHEN type != 'recut_ordered' THEN type END IGNORE NULLS) OVER (
                PARTITION BY "table" ORDER BY seq
                ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING) AS latest
        FROM events
        WHERE type IN ('recut_ordered', 'cards_shuffled', 'cards_cut', 'card_dealt')
          AND "table" IN (SELECT "table" FROM orders)
    )
    SELECT id FROM orders JOIN cuts USING (id)
    WHERE NOT by_supervisor OR latest IS DISTINCT FROM 'cards_cut'
    """,
    """
    , earlier AS (
        SELECT id, type, "table", seq FROM events
        WHERE type IN ('cards_shuffled', 'cards_cut', 'card_dealt')
          AND "table" IN (SELECT "table" FROM orders)
    ),
    checks AS (
        SELECT orders.id AS trigger, by_supervisor,
            shuffled.id AS shuffled, cut.id AS cut, dealt.id AS dealt,
            coalesce(cut.seq > shuffled.seq, false) AS after_cut,
            coalesce(dealt.seq > cut.seq, false) AS after_card
        FROM orders
        ASOF LEFT JOIN (FROM earlier WHERE type = 'cards_shuffled') shuffled
          ON orders."table" = shuffled."table" AND orders.seq > shuffled.seq
        ASOF LEFT JOIN (FROM earlier WHERE type = 'cards_cut') cut
          ON orders."table" = cut."table" AND orders.seq > cut.seq
        ASOF LEFT JOIN (FROM earlier WHERE type = 'card_dealt') dealt
          ON orders."table" = dealt."table" AND orders.seq > dealt.seq
    )
    SELECT count(*),
        list({
            'trigger': trigger,
            'witnesses': CASE WHEN after_cut OR shuffled IS NULL THEN [] ELSE [shuffled] END
                || CASE WHEN after_card THEN [cut, dealt] ELSE [] END
        }) FILTER (NOT by_supervisor OR NOT after_cut OR after_card)
    FROM checks
    """,
)

VIGORISH = Query(
    """
    shuffled AS (
        SELECT id, "table", seq FROM events WHERE type = 'cards_shuffled'
    ),
    balances AS (
        SELECT id, "table", player, seq,
            sum(CASE type WHEN 'vigorish_marked' THEN amount ELSE -amount END) OVER own AS owed,
            lead(seq, 1, 9223372036854775807) OVER own AS until,
            lag(seq) OVER own IS NULL AS first
        FROM events
        WHERE type IN ('vigorish_marked', 'vigorish_collected')
        WINDOW own AS (PARTITION BY "table", player ORDER BY seq)
    ),
    violated AS (
        SELECT shuffled.id, "table", shuffled.seq, player
        FROM shuffled JOIN balances USING ("table")
        WHERE owed > 0 AND shuffled.seq BETWEEN balances.seq AND until
    )
    """,
    """
    SELECT DISTINCT id FROM violated
    """,
    """
    , witnessed AS (
        SELECT violated.id AS trigger, player, list(balances.id) AS witnesses
        FROM violated JOIN balances USING ("table", player)
        WHERE balances.seq < violated.seq
        GROUP BY ALL
    ),
    checks AS (
        SELECT count(*) AS checks FROM shuffled JOIN balances USING ("table")
        WHERE first AND balances.seq < shuffled.seq
    )
    SELECT (FROM checks), list(witnessed) FROM witnessed
    """,
)

DEALER = Query(
    """
    cards AS (
        SELECT id, "table", round, seq, pips(card) AS pips FROM events
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
        SELECT totals."table", round, totals.seq, drew
        FROM totals ASOF LEFT JOIN elected
          ON totals."table" = elected."table" AND totals.seq >= elected.seq
        WHERE drew = (total >= 17 AND NOT (total = 17 AND soft AND value = 'hit'))
    ),
    stood AS (
        SELECT "table", round FROM events WHERE type = 'decision' AND kind = 'stand'
    )
    """,
    """
    SELECT id
    FROM events SEMI JOIN wrong USING ("table", round) SEMI JOIN stood USING ("table", round)
    WHERE type = 'round_ended'
    """,
    """
    , ended AS (
        SELECT id, "table", round
        FROM events
            SEMI JOIN stood USING ("table", round)
            ANTI JOIN (FROM cards WHERE pips IS NULL) hidden USING ("table", round)
        WHERE type = 'round_ended'
    ),
    mistakes AS (
        SELECT "table", round, bool_or(NOT drew) AS too_early, max(seq) FILTER (drew) AS too_late
        FROM wrong GROUP BY ALL
    ),
    violated AS (
        SELECT ended.id AS trigger, list(cards.id) AS witnesses
        FROM ended JOIN mistakes USING ("table", round) JOIN cards USING ("table", round)
        WHERE too_early OR cards.seq = too_late
        GROUP BY ended.id
    )
    SELECT (SELECT count(*) FROM ended), list(violated) FROM violated
    """,
)

BACCARAT = Query(
    """
    cards AS (
        SELECT id, "table", round, "to", pips(card) % 10 AS points,
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
    moves AS (
        SELECT "table", round,
            (player_cards >= 3) != (player <= 5) AS player_wrong,
            (banker_cards >= 3) != CASE
                WHEN third IS NULL THEN banker <= 5
                WHEN banker <= 2 THEN true
                WHEN banker = 3 THEN third != 8
                WHEN banker = 4 THEN third BETWEEN 2 AND 7
                WHEN banker = 5 THEN third BETWEEN 4 AND 7
                WHEN banker = 6 THEN third BETWEEN 6 AND 7
                ELSE false
            END AS banker_wrong
        FROM hands
        WHERE player_cards >= 2 AND banker_cards >= 2 AND player <= 7 AND banker <= 7
    )
    """,
    """
    SELECT id
    FROM events SEMI JOIN (FROM moves WHERE player_wrong OR banker_wrong) wrong
      USING ("table", round)
    WHERE type = 'round_ended'
    """,
    """
    , ended AS (
        SELECT id, "table", round, player_wrong, banker_wrong
        FROM events JOIN moves USING ("table", round)
        WHERE type = 'round_ended'
    ),
    violated AS (
        SELECT ended.id AS trigger, list(cards.id) AS witnesses
        FROM ended JOIN cards USING ("table", round)
        WHERE CASE "to" WHEN 'player' THEN player_wrong OR (banker_wrong AND nth = 3)
                        ELSE banker_wrong END
        GROUP BY ended.id
    )
    SELECT (SELECT count(*) FROM ended), list(violated) FROM violated
    """,
)

NOTICE = Query(
    """
    warned AS (
        SELECT changed.id, count(DISTINCT warning.type) AS warnings
        FROM events changed LEFT JOIN events warning
          ON warning.type IN ('notice_posted', 'patrons_told', 'commission_notified')
         AND warning."table" = changed."table" AND warning.subject = changed.subject
         AND warning.seq < changed.seq AND warning.ts <= changed.ts - INTERVAL 30 MINUTE
        WHERE changed.type = 'rule_changed'
        GROUP BY changed.id
    )
    """,
    """
    SELECT id FROM warned WHERE warnings < 3
    """,
    """
    SELECT count(*), list({'trigger': id, 'witnesses': []}) FILTER (warnings < 3) FROM warned
    """,
)
"""What is missing has no witness."""

FIRST_CARDS = Query(
    """
    dealers AS (
        SELECT "table", round, min(seq) AS first_seq, arg_min(id, seq) AS first_id
        FROM events WHERE type = 'card_dealt' AND "to" = 'dealer'
        GROUP BY ALL
    ),
    before AS (
        SELECT id, first_id, type, seat,
            lag(seat) OVER (PARTITION BY first_id, type ORDER BY seq) AS previous
        FROM events JOIN dealers USING ("table", round)
        WHERE seq < first_seq
          AND ((type = 'card_dealt' AND "to" = 'player')
               OR (type = 'wager_placed' AND wager = 'blackjack'))
    ),
    wrong AS (
        SELECT first_id,
            coalesce(bool_or(type = 'card_dealt' AND seat <= previous), false) AS backwards,
            coalesce(bit_or(1 << seat) FILTER (type = 'wager_placed'), 0)
                & ~coalesce(bit_or(1 << seat) FILTER (type = 'card_dealt'), 0) AS lacking
        FROM before
        GROUP BY first_id
        HAVING backwards OR lacking != 0
    )
    """,
    """
    SELECT first_id FROM wrong
    """,
    """
    , violated AS (
        SELECT first_id AS trigger, list(id) AS witnesses
        FROM wrong JOIN before USING (first_id)
        WHERE CASE type WHEN 'card_dealt' THEN backwards ELSE lacking & (1 << seat) != 0 END
        GROUP BY first_id
    )
    SELECT (SELECT count(*) FROM dealers), list(violated) FROM violated
    """,
)

QUERIES = {
    "burn-by-each-new-dealer": BURN,
    "no-insurance-after-the-third-card": INSURANCE,
    "recut-by-a-supervisor-in-time": RECUT,
    "vigorish-settled-at-the-shuffle": VIGORISH,
    "dealer-draws-to-17": DEALER,
    "baccarat-third-card": BACCARAT,
    "rule-change-with-notice": NOTICE,
    "first-cards-clockwise-to-every-box": FIRST_CARDS,
}
"""By the names of the rules."""
