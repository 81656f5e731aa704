"""`compliance help CODE`: every message has its page in the terminal."""

from __future__ import annotations

import pytest

from rules_dsl.diagnostics import CATALOGUE
from tests.compliance.small_rulebook import answer

Capture = pytest.CaptureFixture[str]


@pytest.mark.parametrize("code", CATALOGUE)
def test_every_code_has_a_page(code: str, capsys: Capture) -> None:
    status, out, _ = answer(capsys, "help", code)
    assert status == 0
    assert out.startswith(f"{code}: ")
    assert "**" not in out
    assert "```" not in out


def test_without_a_code_all_are_listed(capsys: Capture) -> None:
    _, out, _ = answer(capsys, "help")
    listed = [line.split()[0] for line in out.splitlines()[1:] if line]
    assert listed[: len(CATALOGUE)] == list(CATALOGUE)


def test_a_misspelt_code_is_answered_with_the_one_that_was_meant(capsys: Capture) -> None:
    code, _, err = answer(capsys, "help", "unknown-evnt")
    assert code == 2
    assert "Did you mean unknown-event?" in err
