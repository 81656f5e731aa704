"""One act that breaks several rules is told as one: the gravest finding, and what goes with it."""

from __future__ import annotations

from pathlib import Path

from reports.model import Finding
from reports.verdicts import FindingKind
from tests.compliance.checked_logs import book, checked, night

RULES = """
rulebook "Small rules" time zone "America/New_York"

interval round from round_started to round_ended

rule paid-what-lay-there
  "No more is paid on than lay there."
  cite "Example"
  severity critical
  for each round
  when wager_placed
  require sum of wager_paid.stake with same seat, later is at most amount

rule even-money
  "Every win is paid even."
  cite "Example"
  severity major
  for each round
  when wager_paid
  require amount is stake

rule paid-in-chips
  "Wins are paid after the dealer's card."
  cite "Example"
  severity minor
  for each round
  when wager_paid
  require card_dealt where to is dealer, earlier

rule every-wager-is-settled
  "Nothing is left lying."
  cite "Example"
  severity minor
  for each round
  when round_ended
  require every wager_placed earlier has (wager_paid with same seat, later)

rule some-wager-is-large
  "A pattern."
  cite "Example"
  kind indicator
  for each round
  when wager_paid
  forbid amount is more than $50
"""
PAID_TOO_MUCH = """
T1 0:00 round_started round=1
T1 0:01 wager_placed round=1 seat=1 wager=blackjack amount=$10
T1 0:01 wager_placed round=1 seat=2 wager=blackjack amount=$10
T1 0:05 wager_paid round=1 seat=1 wager=blackjack stake=$20 amount=$100
T1 0:06 wager_paid round=1 seat=2 wager=blackjack stake=$10 amount=$10
T1 0:09 round_ended round=1
"""


def found(tmp_path: Path, text: str) -> dict[str, list[Finding]]:
    run = checked([night(tmp_path / "night.jsonl", text)], book(RULES))
    return {outcome.rule: list(outcome.findings) for outcome in run.outcomes if outcome.findings}


def under(findings: list[Finding]) -> list[str]:
    return ["" if item.same_act is None else item.same_act.rule for item in findings]


def test_breaches_by_one_act_stand_under_the_gravest(tmp_path: Path) -> None:
    told = found(tmp_path, PAID_TOO_MUCH)
    leading = told["paid-what-lay-there"][0]
    assert leading.same_act is None
    assert under(told["even-money"]) == ["paid-what-lay-there"]
    [even] = told["even-money"]
    assert even.same_act is not None
    assert even.same_act.fingerprint == leading.fingerprint


def test_what_happened_at_another_seat_is_another_act(tmp_path: Path) -> None:
    early = under(found(tmp_path, PAID_TOO_MUCH)["paid-in-chips"])
    assert early == ["paid-what-lay-there", ""]


def test_an_indicator_stands_for_itself(tmp_path: Path) -> None:
    told = found(tmp_path, PAID_TOO_MUCH)
    assert told["some-wager-is-large"][0].kind is FindingKind.INDICATOR
    assert under(told["some-wager-is-large"]) == [""]


def test_a_card_is_no_affair_of_the_wager(tmp_path: Path) -> None:
    """The dealer's card is evidence of a breach, and a breach of its own."""
    rules = RULES.replace(
        "rule every-wager-is-settled",
        """rule cards-face-up
  "The dealer's cards are shown."
  cite "Example"
  for each round
  when card_dealt
  require face_up is yes

rule paid-after-two-cards
  "Wins are paid after two cards of the dealer's."
  cite "Example"
  for each round
  when wager_paid
  forbid exactly 1 card_dealt where to is dealer, earlier

rule every-wager-is-settled""",
    )
    dealt = PAID_TOO_MUCH.replace(
        "T1 0:05", "T1 0:02 card_dealt round=1 to=dealer card=9S face_up=no\nT1 0:05"
    )
    run = checked([night(tmp_path / "night.jsonl", dealt)], book(rules))
    told = {outcome.rule: list(outcome.findings) for outcome in run.outcomes}
    assert under(told["cards-face-up"]) == [""]
    assert under(told["paid-after-two-cards"]) == ["paid-what-lay-there", ""]


def test_what_is_found_at_the_end_of_the_round_goes_with_its_wager(tmp_path: Path) -> None:
    unsettled = PAID_TOO_MUCH.replace(
        "T1 0:06 wager_paid round=1 seat=2 wager=blackjack stake=$10 amount=$10\n", ""
    )
    rules = RULES.replace(
        "rule even-money",
        """rule each-wager-ends
  "Each wager ends."
  cite "Example"
  severity critical
  for each round
  when wager_placed
  require wager_paid with same seat, later

rule even-money""",
    )
    run = checked([night(tmp_path / "night.jsonl", unsettled)], book(rules))
    told = {outcome.rule: list(outcome.findings) for outcome in run.outcomes}
    assert [item.where["seat"] for item in told["each-wager-ends"]] == ["2"]
    assert under(told["every-wager-is-settled"]) == ["each-wager-ends"]
