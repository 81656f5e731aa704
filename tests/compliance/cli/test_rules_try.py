"""`compliance rules try`: own rules on a lawful invented night, and on one with breaches."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compliance.small_rulebook import answer, json_answer

BURN = """\
rule new-dealer-burns-a-card
  "A dealer who comes to the table burns a card before dealing."
  cite "House rule 12"
  when first card_dealt since dealer_arrived
  only if option game is blackjack
  require card_burned since dealer_arrived
  otherwise say "A card was dealt, and the new dealer had burned none."
  example complies
    given option game is blackjack
    20:00:00 dealer_arrived dealer=D7
    20:00:04 card_burned
    20:00:09 card_dealt to=player seat=1 card=9S
  example violates
    given option game is blackjack
    20:00:00 dealer_arrived dealer=D7
    20:00:09 card_dealt to=player seat=1 card=9S   <- here
"""
TOO_STRICT = BURN.replace("  only if option game is blackjack\n", "")
KENO = BURN.replace("card_dealt since dealer_arrived", "keno_ticket_paid since dealer_arrived")


def written(folder: Path, text: str) -> Path:
    path = folder / "first.rules"
    path.write_text(text)
    return path


def test_a_right_rule_finds_nothing_on_a_lawful_night_and_the_breaches_on_the_other(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = answer(capsys, "rules", "try", written(tmp_path, BURN))
    lawful, _, breached = out.partition("On a night with breaches")
    assert code == 0
    assert "✓ new-dealer-burns-a-card  applied" in lawful
    assert "nothing found" in lawful
    assert "there the law finds too: burn-by-each-new-dealer" in breached


def test_a_rule_that_asks_too_much_shows_what_it_found_on_the_lawful_night(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = answer(capsys, "rules", "try", written(tmp_path, TOO_STRICT))
    assert code == 1
    assert "the new dealer had burned none.  table BA01" in " ".join(out.split("\n"))
    assert "1 rule found something on a night that breaks no law" in " ".join(out.split())


def test_a_rule_that_is_never_applied_is_named(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, _ = answer(capsys, "rules", "try", written(tmp_path, KENO))
    assert code == 0
    assert "Never applied on either night: new-dealer-burns-a-card." in " ".join(out.split())


def test_findings_and_what_the_law_finds_there_are_told_as_data(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = json_answer(capsys, "rules", "try", written(tmp_path, BURN))
    (lawful,), (breached,) = data["lawful"]["rules"], data["breached"]["rules"]
    assert lawful["findings"] == []
    assert breached["law_there"]["burn-by-each-new-dealer"] == len(breached["findings"]) > 0


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--rounds", "0"), "--rounds must be more than 0."),
        (("--date", "1970-01-01"), "No game's law is known on 1970-01-01"),
        (("--date", "tomorrow"), "tomorrow"),
    ],
)
def test_a_night_that_cannot_be_is_refused(
    words: tuple[str, str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = answer(capsys, "rules", "try", written(tmp_path, BURN), *words)
    assert code == 2
    assert said in err


def test_wrong_rules_are_not_tried(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wrong = written(tmp_path, BURN.replace("require card_burned", "require card_burnt"))
    code, _, err = answer(capsys, "rules", "try", wrong)
    assert code == 3
    assert "did you mean `card_burned`?" in err
