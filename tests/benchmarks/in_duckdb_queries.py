"""The eight rules as DuckDB SQL, as an engineer who knows SQL well would write them.

For each rule there are two queries, with their first steps in common: a quick one for the ids of
the events at which the rule is violated, and one for all that the engine tells: the number of
checks, and every violation with its witnesses. Witnesses are looked up only where a rule is
violated.

Rounds and options are what the rule file says that they are: `runs`, `played` and `elected`.
"""

from __future__ import annotations

from dataclasses import dataclass


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
    dealt AS (
        SELECT "table", card.place, card.ts,
            max(arrived.place) AS since, arg_max(arrived.id, arrived.place) AS arrival
        FROM (FROM events WHERE type = 'dealer_arrived') arrived
        ASOF JOIN (SELECT "table" AS dealt_at, place, ts FROM events WHERE type = 'card_dealt') card
          ON arrived.place < card.place
        WHERE "table" = dealt_at
        GROUP BY ALL
    ),
    options AS (
        SELECT dealt.place,
            arg_max(value, (elected.since, elected.place)) FILTER (option = 'game') AS game,
            arg_max(value, (elected.since, elected.place)) FILTER (option = 'shoe_kind') AS shoe
        FROM dealt JOIN elected USING ("table")
        WHERE option IN ('game', 'shoe_kind')
          AND elected.place < dealt.place AND elected.since <= dealt.ts
        GROUP BY dealt.place
    ),
    firsts AS (
        SELECT dealt.* FROM dealt JOIN options USING (place)
        WHERE game = 'blackjack' AND shoe != 'dealer_hand'
    ),
    unburned AS (
        SELECT firsts.place, arrival
        FROM firsts ANTI JOIN (FROM events WHERE type = 'card_burned') burned
          ON firsts."table" = burned."table" AND burned.place BETWEEN since AND firsts.place
    )
    """,
    """
    SELECT id FROM events JOIN unburned USING (place)
    """,
    """
    , violated AS (
        SELECT id AS trigger, [arrival] AS witnesses FROM events JOIN unburned USING (place)
    )
    SELECT (SELECT count(*) FROM firsts), list(violated) FROM violated
    """,
)

INSURANCE = Query(
    """
    insured AS (SELECT id, round, place FROM played WHERE type = 'insurance_placed'),
    cards AS (
        SELECT round, dealt.place,
            row_number() OVER (PARTITION BY round, seat ORDER BY dealt.place) AS nth
        FROM (SELECT place, seat FROM events WHERE type = 'card_dealt' AND "to" = 'player') dealt
        ASOF JOIN insured ON dealt.place < insured.place
        WHERE dealt.place > round
    )
    """,
    """
    , third AS (SELECT round, min(place) AS place FROM cards WHERE nth = 3 GROUP BY ALL)
    SELECT id FROM insured JOIN third USING (round) WHERE third.place < insured.place
    """,
    """
    , latest AS (
        SELECT insured.id AS trigger, max(cards.place) AS place
        FROM insured JOIN cards USING (round)
        WHERE nth >= 3 AND cards.place < insured.place
        GROUP BY insured.id
    ),
    violated AS (SELECT trigger, [id] AS witnesses FROM events JOIN latest USING (place))
    SELECT (SELECT count(*) FROM insured), list(violated) FROM violated
    """,
)

RECUT = Query(
    """
    orders AS (
        SELECT id, "table", place,
            by_role::VARCHAR IN ('floorperson', 'pit_boss', 'poker_shift_supervisor',
                'casino_shift_manager', 'casino_manager') AS by_supervisor
        FROM events WHERE type = 'recut_ordered'
    )
    """,
    """
    , cuts AS (
        SELECT id, type,
            last_value(CASE WHEN type != 'recut_ordered' THEN type END IGNORE NULLS) OVER (
                PARTITION BY "table" ORDER BY place
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
        SELECT id, type, "table", place FROM events
        WHERE type IN ('cards_shuffled', 'cards_cut', 'card_dealt')
          AND "table" IN (SELECT "table" FROM orders)
    ),
    checks AS (
        SELECT orders.id AS trigger, by_supervisor,
            shuffled.id AS shuffled, cut.id AS cut, dealt.id AS dealt,
            coalesce(cut.place > shuffled.place, false) AS after_cut,
            coalesce(dealt.place > cut.place, false) AS after_card
        FROM orders
        ASOF LEFT JOIN (FROM earlier WHERE type = 'cards_shuffled') shuffled
          ON orders."table" = shuffled."table" AND orders.place > shuffled.place
        ASOF LEFT JOIN (FROM earlier WHERE type = 'cards_cut') cut
          ON orders."table" = cut."table" AND orders.place > cut.place
        ASOF LEFT JOIN (FROM earlier WHERE type = 'card_dealt') dealt
          ON orders."table" = dealt."table" AND orders.place > dealt.place
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
    shuffled AS (SELECT id, "table", place FROM events WHERE type = 'cards_shuffled'),
    balances AS (
        SELECT id, "table", player, place,
            sum(CASE type WHEN 'vigorish_marked' THEN amount ELSE -amount END) OVER own AS owed,
            lead(place, 1, 9223372036854775807) OVER own AS until,
            lag(place) OVER own IS NULL AS first
        FROM events
        WHERE type IN ('vigorish_marked', 'vigorish_collected')
        WINDOW own AS (PARTITION BY "table", player ORDER BY place)
    ),
    violated AS (
        SELECT shuffled.id, "table", shuffled.place, player
        FROM shuffled JOIN balances USING ("table")
        WHERE owed > 0 AND shuffled.place BETWEEN balances.place AND until
    )
    """,
    """
    SELECT DISTINCT id FROM violated
    """,
    """
    , witnessed AS (
        SELECT violated.id AS trigger, player, list(balances.id) AS witnesses
        FROM violated JOIN balances USING ("table", player)
        WHERE balances.place < violated.place
        GROUP BY ALL
    ),
    checks AS (
        SELECT count(*) AS checks FROM shuffled JOIN balances USING ("table")
        WHERE first AND balances.place < shuffled.place
    )
    SELECT (FROM checks), list(witnessed) FROM witnessed
    """,
)

DEALER = Query(
    """
    cards AS (
        SELECT round, place, ts, pips(card) AS pips FROM played
        WHERE type = 'card_dealt' AND "to" = 'dealer'
    ),
    hands AS (
        SELECT round, place, ts,
            sum(pips) OVER hand AS hard,
            bool_or(pips = 1) OVER hand AS ace,
            lead(place) OVER hand IS NOT NULL AS drew
        FROM cards
        WINDOW hand AS (PARTITION BY round ORDER BY place)
    ),
    totals AS (
        SELECT round, place, ts, drew, ace AND hard <= 11 AS soft,
            hard + CASE WHEN soft THEN 10 ELSE 0 END AS total
        FROM hands
    ),
    soft_17s AS (
        SELECT "table", place AS card,
            CASE WHEN drew THEN place ELSE until END AS place,
            CASE WHEN drew THEN ts ELSE ended_ts END AS ts
        FROM totals JOIN runs USING (round)
        WHERE total = 17 AND soft
    ),
    drawn_on AS (
        SELECT card FROM soft_17s JOIN elected USING ("table")
        WHERE option = 'soft_17' AND elected.place < soft_17s.place AND since <= soft_17s.ts
        GROUP BY card
        HAVING arg_max(value, (since, elected.place)) = 'hit'
    ),
    wrong AS (
        SELECT round, place, drew FROM totals
        WHERE drew = (total >= 17 AND place NOT IN (FROM drawn_on))
    ),
    judged AS (
        SELECT round, ended
        FROM runs
            SEMI JOIN (FROM played WHERE type = 'decision' AND kind = 'stand') stood USING (round)
            ANTI JOIN (FROM cards WHERE pips IS NULL) hidden USING (round)
        WHERE ended IS NOT NULL
    ),
    without_cards AS (SELECT ended FROM judged ANTI JOIN cards USING (round))
    """,
    """
    SELECT ended FROM judged SEMI JOIN wrong USING (round)
    UNION ALL
    FROM without_cards
    """,
    """
    , mistakes AS (
        SELECT round, bool_or(NOT drew) AS too_early, max(place) FILTER (drew) AS too_late
        FROM wrong GROUP BY ALL
    ),
    violated AS (
        SELECT ended AS trigger, list(id) AS witnesses
        FROM judged JOIN mistakes USING (round) JOIN cards USING (round)
            JOIN (SELECT id, place FROM events) USING (place)
        WHERE too_early OR place = too_late
        GROUP BY ended
        UNION ALL
        SELECT ended, [] FROM without_cards
    )
    SELECT (SELECT count(*) FROM judged), list(violated) FROM violated
    """,
)
"""Whether soft 17 is drawn on is asked where a card follows, and at the end of the round."""

BACCARAT = Query(
    """
    dealt AS (
        SELECT "table", place, "to", card FROM events
        WHERE type = 'card_dealt' AND "to" IN ('player', 'banker')
          AND "table" IN (
              SELECT "table" FROM events WHERE type = 'card_dealt' AND "to" = 'banker')
    ),
    cards AS (
        SELECT round, place, "to", pips(card) % 10 AS points
        FROM dealt ASOF JOIN runs ON dealt.place >= runs.round
        WHERE place <= until AND dealt."table" = runs."table"
    ),
    hands AS (
        SELECT round,
            count(*) FILTER ("to" = 'player') AS player_cards,
            count(*) FILTER ("to" = 'banker') AS banker_cards,
            arg_min(points, place, 3) FILTER ("to" = 'player') AS players,
            arg_min(points, place, 2) FILTER ("to" = 'banker') AS bankers
        FROM cards GROUP BY round HAVING player_cards >= 2 AND banker_cards >= 2
    ),
    judged AS (
        SELECT round, ended, players[3] AS third,
            (players[1] + players[2]) % 10 AS player,
            (bankers[1] + bankers[2]) % 10 AS banker,
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
        FROM hands JOIN runs USING (round)
        WHERE player <= 7 AND banker <= 7 AND ended IS NOT NULL
    )
    """,
    """
    SELECT ended FROM judged WHERE player_wrong OR banker_wrong
    """,
    """
    , shown AS (
        SELECT ended, place, "to", player_wrong, banker_wrong,
            row_number() OVER (PARTITION BY round, "to" ORDER BY place) AS nth,
            nth <= 2 OR nth > count(*) OVER (PARTITION BY round, "to") - 3 AS counted
        FROM cards JOIN (FROM judged WHERE player_wrong OR banker_wrong) USING (round)
    ),
    violated AS (
        SELECT ended AS trigger, list(id) AS witnesses
        FROM shown JOIN (SELECT id, place FROM events) USING (place)
        WHERE CASE "to" WHEN 'player' THEN (player_wrong AND counted) OR (banker_wrong AND nth = 3)
                        ELSE banker_wrong AND counted END
        GROUP BY ended
    )
    SELECT (SELECT count(*) FROM judged), list(violated) FROM violated
    """,
)
"""Only tables where a banker's card was ever dealt can have a round with two of them.

Witnesses are the first two cards of a hand, and the latest three, which tell whether it drew.
"""

NOTICE = Query(
    """
    warned AS (
        SELECT changed.id, count(DISTINCT warning.type) AS warnings
        FROM events changed LEFT JOIN events warning
          ON warning.type IN ('notice_posted', 'patrons_told', 'commission_notified')
         AND warning."table" = changed."table" AND warning.subject = changed.subject
         AND warning.place < changed.place AND warning.ts <= changed.ts - INTERVAL 30 MINUTE
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
        SELECT round, min(place) AS first_place, arg_min(id, place) AS first_id
        FROM played WHERE type = 'card_dealt' AND "to" = 'dealer'
        GROUP BY ALL
    ),
    seats AS (
        SELECT place, seat, true AS is_card FROM events
        WHERE type = 'card_dealt' AND "to" = 'player'
        UNION ALL
        SELECT place, seat, false FROM events
        WHERE type = 'wager_placed' AND wager = 'blackjack'
    ),
    before AS (
        SELECT round, place, seat, is_card,
            lag(seat) OVER (PARTITION BY round, is_card ORDER BY place) AS previous
        FROM seats ASOF JOIN dealers ON seats.place < dealers.first_place
        WHERE place > round
    ),
    wrong AS (
        SELECT round,
            coalesce(bool_or(is_card AND seat <= previous), false) AS backwards,
            coalesce(bit_or(1 << seat) FILTER (NOT is_card), 0)
                & ~coalesce(bit_or(1 << seat) FILTER (is_card), 0) AS lacking
        FROM before GROUP BY round
        HAVING backwards OR lacking != 0
    )
    """,
    """
    SELECT first_id FROM wrong JOIN dealers USING (round)
    """,
    """
    , violated AS (
        SELECT first_id AS trigger, list(id) AS witnesses
        FROM wrong JOIN before USING (round) JOIN dealers USING (round)
            JOIN (SELECT id, place FROM events) USING (place)
        WHERE CASE WHEN is_card THEN backwards ELSE lacking & (1 << seat) != 0 END
        GROUP BY first_id
    )
    SELECT (SELECT count(*) FROM dealers), list(violated) FROM violated
    """,
)
"""A seat's card or wager belongs to the dealer's next first card, if that is of the same round."""

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
