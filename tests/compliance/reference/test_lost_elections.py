"""A lost record leaves no doubt of the options that it surely did not elect."""

from __future__ import annotations

import pytest

from tests.compliance.reference_run import checks, verdicts, witnesses

ELECTION = 'option_elected option_name=soft_17 value="{}"'


@pytest.mark.parametrize("option", ["soft_17", "game"])
def test_an_option_that_it_did_not_elect_stays_known_behind_a_lost_election(option: str) -> None:
    log = f"""
        20:00 {ELECTION.format("hit")}
        20:00 table_opened game=blackjack
        20:01 lost_record may_be="option_elected table_opened" not_elected="{option}"
        20:02 cards_cut
    """
    for name, value in (("soft_17", "hit"), ("game", "blackjack")):
        rule = f"when cards_cut\nrequire option {name} is {value}"
        assert verdicts(rule, log) == ["complied" if name == option else "undetermined"]
        known = f"when cards_cut\nrequire option {name} is known"
        assert verdicts(known, log) == ["complied" if name == option else "undetermined"]


def test_an_earlier_lost_record_that_may_have_elected_it_still_leaves_it_in_doubt() -> None:
    log = f"""
        20:00 {ELECTION.format("hit")}
        20:01 lost_record may_be="option_elected"
        20:02 lost_record may_be="option_elected" not_elected="soft_17"
        20:03 cards_cut
    """
    (check,) = checks("when cards_cut\nrequire option soft_17 is hit", log)
    assert check.verdict.value == "undetermined"
    assert witnesses(check) == {("e2", "unclear")}
