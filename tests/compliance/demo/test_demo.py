"""The demonstration: an invented night that shows every sort of answer, and how it is shown."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

from compliance.checking.check_log import check_log
from compliance.cli import main
from compliance.demo import MANIFEST, NIGHT
from compliance.log.manifest import load_manifest
from compliance.table_check.settings import Manifests, Settings
from event_schemas import builtin_schema
from reports.model import Run
from reports.summing_up import exit_code
from reports.verdicts import FindingKind, RuleStatus
from rules_dsl.bundled import bundled_rulebook
from rules_dsl.rulebook import load
from tests.compliance.demo.night import night
from tests.compliance.small_rulebook import answer

BROKEN = {
    "burn-by-each-new-dealer": "BJ-12",
    "no-insurance-after-the-third-card": "BJ-12",
    "recut-ordered-by-a-supervisor": "BJ-14",
    "blackjack-paid-three-to-two": "BJ-14",
    "dealer-draws-to-17": "BJ-14",
    "baccarat-commission-collected-before-the-reshuffle": "BAC-3",
    "poker-contenders-show-their-hands": "PK-5",
}
"""What the story of the night says is broken, and at which table."""


@pytest.fixture(scope="module")
def result() -> Run:
    schema = builtin_schema()
    manifest, _ = load_manifest(MANIFEST, schema)
    assert manifest is not None
    rules = load([bundled_rulebook()], schema).rulebook
    found = check_log([NIGHT], Settings(rules, schema, manifests=Manifests({None: manifest}))).run
    assert found is not None
    return found


def test_the_bundled_log_is_what_the_story_tells() -> None:
    assert NIGHT.read_text(encoding="utf-8").splitlines() == night()


def test_the_night_is_small_and_has_four_tables(result: Run) -> None:
    assert 150 <= sum(source.events for source in result.inputs) <= 400
    assert set(result.scope.tables) == {"BJ-12", "BJ-14", "BAC-3", "PK-5"}


def test_the_damaged_line_is_set_aside_and_the_repeated_one_is_reported(result: Run) -> None:
    assert result.quarantined == 1
    assert "not valid JSON" in next(iter(result.set_aside))
    (defect,) = result.findings(FindingKind.DATA_DEFECT)
    assert "BAC-3-101" in defect.sentence


def test_each_breach_of_the_story_is_found_once_at_its_table_and_no_other(result: Run) -> None:
    found = [(f.rule, f.where["table"]) for f in result.findings(FindingKind.VIOLATION)]
    assert sorted(found) == sorted(BROKEN.items())


@pytest.mark.parametrize(
    ("status", "rule"),
    [
        (RuleStatus.EXCUSED, "blackjack-not-paid-before-the-dealers-second-card"),
        (RuleStatus.OPEN, "burned-card-shown-on-request"),
        (RuleStatus.UNDETERMINED, "baccarat-cut-ten-cards-from-either-end"),
    ],
)
def test_the_night_also_shows_what_is_neither_complied_nor_violated(
    status: RuleStatus, rule: str, result: Run
) -> None:
    assert [o.rule for o in result.outcomes if o.status is status] == [rule]


def test_a_rule_about_what_the_tables_do_not_record_is_not_evaluable(result: Run) -> None:
    (outcome,) = [item for item in result.outcomes if item.rule == "cut-is-completed"]
    assert outcome.status is RuleStatus.NOT_EVALUABLE
    assert outcome.reason == "The source does not record stack_transposed."


# ---- the command ---------------------------------------------------------------------------


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> tuple[int, str, Path]:
    """The command run once in a folder of its own: exit code, output and folder."""
    folder = tmp_path_factory.mktemp("demo")
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        code = main(["demo"])
    return code, out.getvalue(), folder


def test_the_demo_exits_0_and_names_the_code_that_a_check_would_give(
    shown: tuple[int, str, Path],
) -> None:
    code, out, _ = shown
    assert code == 0
    assert out.splitlines()[-1].endswith("A check of this log would exit with 1.")


def test_the_report_lies_in_the_current_folder_and_is_named(shown: tuple[int, str, Path]) -> None:
    _, out, folder = shown
    assert "The report: compliance-report.html" in out.splitlines()
    assert "7 violations of 7 rules" in (folder / "compliance-report.html").read_text("utf-8")


def test_each_broken_rule_is_shown_with_its_checks_and_a_sentence(
    shown: tuple[int, str, Path],
) -> None:
    lines = shown[1].splitlines()
    start = next(i for i, line in enumerate(lines) if "burn-by-each-new-dealer" in line)
    assert "1 of 4 checks" in lines[start]
    assert "D-09 dealt to the player without having burned a card." in lines[start + 1]
    assert "table BJ-12" in lines[start + 1]


def test_rules_in_doubt_say_at_which_event(shown: tuple[int, str, Path]) -> None:
    lines = [line.strip() for line in shown[1].splitlines()]
    (line,) = [line for line in lines if line.startswith("burned-card-shown")]
    assert "  Open: request_made BJ-14-" in line


def test_the_report_can_go_elsewhere_and_the_result_comes_as_json(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    target = tmp_path / "night.html"
    code, out, _ = answer(capsys, "demo", "-o", target, "--format", "json")
    data = json.loads(out)
    assert code == 0
    assert target.exists()
    assert data["report"] == str(target)
    assert data["exit_code"] == 1
    assert exit_code(Run.model_validate(data["run"])) == 1


def test_a_report_that_cannot_be_written_exits_2(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, _, err = answer(capsys, "demo", "-o", tmp_path / "missing" / "report.html")
    assert code == 2
    assert "cannot be written: No such file or directory." in err
