"""An invented night at one casino, with every kind of finding and every status of a rule."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from reports.fingerprint import fingerprint
from reports.model import (
    ClauseStatement,
    Consulted,
    Counts,
    Finding,
    Input,
    Rulebook,
    RuleOutcome,
    Run,
    Scope,
    Witness,
)
from reports.surroundings import Exposure, Timeline, TimelineEvent
from reports.verdicts import ClauseStatus, FindingKind, RuleStatus, Severity
from reports.waived import waived
from reports.waiver import Waiver

EASTERN = timezone(timedelta(hours=-5))
EDITION = date(1982, 9, 15)


def at(clock: str) -> datetime:
    """Return a time of the invented night."""
    return datetime.fromisoformat(f"2024-03-09T{clock}").replace(tzinfo=EASTERN)


def witness(
    event_id: str,
    clock: str,
    type: str,
    seq: int,
    part: str,
    *,
    table: str = "BJ-12",
    text: str = "",
) -> Witness:
    """Return an event of the invented night."""
    return Witness(
        event_id=event_id, ts=at(clock), type=type, table=table, seq=seq, part=part, line_text=text
    )


ARRIVED = witness(
    "e-1041", "20:00:00", "dealer_arrived", 1041, "since", text='{"id":"e-1041","dealer":"D7"}'
)
DEALT = witness(
    "e-1042",
    "20:00:09",
    "card_dealt",
    1042,
    "trigger",
    text='{"id":"e-1042","to":"player","seat":1,"card":"9S","shoe":"S-3","round":"R-881"}',
)


def shown(
    event_id: str, clock: str, type: str, seq: int, part: str = "", text: str = "", *cards: str
) -> TimelineEvent:
    """Return an event of a timeline."""
    return TimelineEvent(
        event_id=event_id,
        ts=at(clock),
        type=type,
        table="BJ-12",
        seq=seq,
        part=part,
        text=text,
        cards=cards,
    )


TIMELINE = Timeline(
    events=(
        shown("e-1040", "19:59:51", "dealer_departed", 1040, "", "dealer D5"),
        shown("e-1041", "20:00:00", "dealer_arrived", 1041, "since", "dealer D7"),
        shown("e-1042", "20:00:09", "card_dealt", 1042, "trigger", "seat 1, to player", "9S"),
        shown("e-1043", "20:00:11", "card_dealt", 1043, "", "seat 4, to player", "10H"),
        shown("e-1060", "20:01:02", "hand_shown", 1060, "", "seat 4", "AD", "JC").model_copy(
            update={"skipped": 16}
        ),
    ),
    missing="no card_burned",
    missing_from=2,
    missing_to=2,
)
EXPOSURE = Exposure(
    cured=True,
    until="card_burned",
    ends=at("20:12:40"),
    seconds=751,
    rounds=9,
    hands=31,
    patrons=4,
    wagered_cents=123_450,
)


def unburned(
    trigger: Witness = DEALT, arrival: Witness = ARRIVED, *, dealer: str = "D7", seat: str = "1"
) -> Finding:
    """Return a violation of the burn rule."""
    where = {"seat": seat, "dealer": dealer, "table": trigger.table, "casino": "Boardwalk Palace"}
    return Finding(
        kind=FindingKind.VIOLATION,
        rule="burn-by-each-new-dealer",
        title="A dealer new to the table burns a card before dealing",
        citations=("N.J.A.C. 19:47-2.6(c)",),
        edition=EDITION,
        severity=Severity.MAJOR,
        law="Each dealer who comes to the table must burn one card before dealing the first card.",
        sentence=f"{dealer} dealt 9♠ to seat {seat} without burning a card.",
        where=where | {"round": "R-881"},
        trigger=trigger,
        witnesses=(arrival, trigger),
        fingerprint=fingerprint(
            rule="burn-by-each-new-dealer",
            edition=EDITION,
            casino=trigger.casino,
            table=trigger.table,
            slice={"table": trigger.table},
            trigger=trigger.event_id,
        ),
        remedy="Call a supervisor; the round stands, and the lapse is logged.",
    )


def finding(
    kind: FindingKind, rule: str, title: str, sentence: str, trigger: Witness, **more: str
) -> Finding:
    """Return a plain finding of any kind."""
    return Finding(
        kind=kind,
        rule=rule,
        title=title,
        severity=Severity.MINOR,
        sentence=sentence,
        where={"casino": "Boardwalk Palace", "table": trigger.table} | more,
        trigger=trigger,
        fingerprint=fingerprint(
            rule=rule,
            edition=None,
            casino=trigger.casino,
            table=trigger.table,
            slice={},
            trigger=trigger.event_id,
        ),
    )


def burn_outcome(*findings: Finding, complied: int = 212) -> RuleOutcome:
    """Return the outcome of the burn rule with these findings."""
    return RuleOutcome(
        rule="burn-by-each-new-dealer",
        title="A dealer new to the table burns a card before dealing",
        citations=("N.J.A.C. 19:47-2.6(c)",),
        severity=Severity.MAJOR,
        status=RuleStatus.VIOLATED if findings else RuleStatus.COMPLIED,
        counts=Counts(complied=complied, violated=len(findings)),
        findings=findings,
    )


def _law(
    rule: str, title: str, citation: str, status: RuleStatus, reason: str = "", **counts: int
) -> RuleOutcome:
    return RuleOutcome(
        rule=rule,
        title=title,
        citations=(f"N.J.A.C. {citation}",),
        severity=Severity.MAJOR,
        status=status,
        reason=reason,
        counts=Counts(**counts),
    )


def clause(
    clause: str, says: str, status: ClauseStatus, *rules: str, checks: int = 0, reason: str = ""
) -> ClauseStatement:
    """Return what the night shows about one clause."""
    return ClauseStatement(
        clause=clause,
        texts=("1999",),
        game="blackjack",
        section=clause.split("(")[0],
        says=says,
        status=status,
        checks=checks,
        rules=rules,
        reason=reason,
    )


STATEMENTS = (
    clause(
        "19:47-2.6(c)",
        "A dealer new to the table burns a card.",
        ClauseStatus.VIOLATED,
        "burn-by-each-new-dealer",
        checks=214,
    ),
    clause(
        "19:47-2.9(b)",
        "Insurance comes before any third card.",
        ClauseStatus.COMPLIED,
        "no-insurance-after-third-card",
        checks=1_207,
    ),
    clause(
        "19:47-2.10(a)",
        "The shoe stands at the dealer's left.",
        ClauseStatus.NOT_OBSERVABLE,
        reason="It is about a thing and where it stands.",
    ),
    clause(
        "19:47-2.10(b)",
        "An older wording of the same.",
        ClauseStatus.NOT_IN_FORCE,
        reason="law only until 1996-07-15",
    ),
)
WAIVERS = (
    Waiver(
        rule="burn-by-each-new-dealer",
        table="BJ-14",
        authority="Division of Gaming Enforcement, letter 12",
        reason="Trial of a new shuffler.",
        expires=date(2024, 3, 9),
    ),
    Waiver(
        rule="burn-by-each-new-dealer",
        authority="Division of Gaming Enforcement, letter 7",
        reason="Staff shortage in winter.",
        expires=date(2024, 2, 28),
    ),
)


def run_of(*outcomes: RuleOutcome) -> Run:
    """Return a run of the invented night with these outcomes."""
    return Run(
        rulebook=Rulebook(name="nj", sha256="5d" * 32),
        inputs=(
            Input(name="pit-2.jsonl", sha256="b7" * 32, events=15_010),
            Input(name="pit-1.jsonl", sha256="a3" * 32, events=48_211),
        ),
        scope=Scope(
            casinos=("Boardwalk Palace",),
            tables=("BAC-03", "BJ-12", "BJ-14"),
            first=at("18:00:00"),
            last=at("23:59:58"),
        ),
        profile="regulator",
        interpretations={"approximately one quarter (19:47-2.5)": "between 20 and 30 percent"},
        options={"decks": "8", "soft 17": "stand", "vigorish": "5 percent"},
        versions={"table-compliance": "0.1.0", "Python": "3.11"},
        notes=("What the source records was inferred from the log: no manifest came with it.",),
        quarantined=2,
        set_aside={"The line is not valid JSON.": 2},
        lost_records=3,
        undecided_by_loss=12,
        time_zone="America/New_York",
        command="compliance check pit-1.jsonl pit-2.jsonl --rules nj --options tables.toml",
        consulted=(Consulted(role="table options", name="tables.toml", sha256="c4" * 32),),
        outcomes=outcomes,
    )


def full_run() -> Run:
    """Return the whole invented night."""
    later = witness("e-7311", "22:14:41.250", "card_dealt", 611, "trigger", table="BJ-14")
    relief = witness("e-7302", "22:14:30", "dealer_arrived", 602, "since", table="BJ-14")
    shuffle = witness("e-6001", "21:30:12", "cards_shuffled", 350, "trigger", table="BAC-03")
    gap = witness("e-2210", "19:02:44", "card_dealt", 402, "after the gap", table="BJ-14")
    repeated = finding(
        FindingKind.INDICATOR,
        "same-cards-after-preshuffled-pack",
        "The order of cards repeats after a pre-shuffled pack",
        "The first 24 cards of shoe S-9 came in the same order as those of shoe S-7.",
        shuffle,
        shoe="S-9",
    )
    missing = finding(
        FindingKind.DATA_DEFECT,
        "gap-in-sequence",
        "No event is missing inside a table",
        "Three events are missing between number 398 and number 402.",
        gap,
    )
    first = unburned().model_copy(
        update={"timeline": TIMELINE, "exposure": EXPOSURE, "unmet": ("card_burned since arrival",)}
    )
    night = run_of(
        burn_outcome(unburned(later, relief, dealer="D9", seat="4"), first),
        _law(
            "no-insurance-after-third-card",
            "Insurance is taken before any third card",
            "19:47-2.9(b)",
            RuleStatus.COMPLIED,
            complied=1_204,
            excused=3,
        ),
        _law(
            "vigorish-collected-before-reshuffle",
            "All vigorish is collected before the cards are reshuffled",
            "19:47-3.3(c)",
            RuleStatus.OPEN,
            complied=37,
            open=1,
        ),
        _law(
            "banker-third-card",
            "The banker's third card follows the printed table",
            "19:47-3.10",
            RuleStatus.UNDETERMINED,
            complied=501,
            undetermined=4,
        ),
        _law(
            "limits-change-with-notice",
            "A change of limits is announced half an hour before",
            "19:47-8.3(b)",
            RuleStatus.NOT_EXERCISED,
        ),
        _law(
            "wager-within-limits",
            "Every wager keeps to the limits posted",
            "19:47-8.2",
            RuleStatus.NOT_EVALUABLE,
            "The source records cards but not single wagers.",
        ),
        _law(
            "double-exposure-payout",
            "Blackjack pays three to two at double exposure",
            "13:69F-2.8",
            RuleStatus.NOT_IN_FORCE,
            "In force from 4 October 2010 to 1 January 2020.",
        ),
        _law(
            "recut-by-supervisor",
            "A recut is made by a supervisor",
            "19:47-2.5(f)",
            RuleStatus.EXCUSED,
            excused=2,
        ),
        RuleOutcome(
            rule=repeated.rule,
            title=repeated.title,
            severity=repeated.severity,
            kind=repeated.kind,
            status=RuleStatus.VIOLATED,
            counts=Counts(complied=11, violated=1),
            findings=(repeated,),
        ),
        RuleOutcome(
            rule=missing.rule,
            title=missing.title,
            severity=missing.severity,
            kind=missing.kind,
            status=RuleStatus.VIOLATED,
            counts=Counts(complied=63_219, violated=1),
            findings=(missing,),
        ),
    )
    return waived(night.model_copy(update={"statements": STATEMENTS}), WAIVERS)
