"""From a vendor's file to a true answer: every mistake that a source can show, and no other."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from compliance.api.opening import open_rules_to_judge
from compliance.checking.check_log import check_log
from compliance.log.manifest import load_manifest
from compliance.log.mapping_file import load_mapping
from compliance.log.table_options import TableOptions, load_table_options
from compliance.table_check.settings import Manifests, Settings
from event_schemas import builtin_schema
from reports.model import Run
from reports.verdicts import FindingKind, RuleStatus
from rules_dsl.bundled import DEFAULT
from tests.feeds import counted_faults, written_feeds
from tests.feeds.blackjack_game import Game, Round

DOCS = Path(__file__).parents[2] / "docs" / "feeds.md"
SCHEMA = builtin_schema()
ENGINE_MANIFEST = """
source = "Blackjack engine"
games = ["blackjack"]
always = { hand = 1 }
never = ["round_voided", "irregularity", "hand_declared_dead"]
records = { round_started = ["round"], round_ended = ["round"], cards_shuffled = [], card_dealt = ["to", "card", "seat where to is player", "round"], decision = ["kind", "seat", "round"], wager_placed = ["wager", "amount", "seat", "round"], wager_paid = ["wager", "stake", "amount", "seat", "round"], wager_collected = ["wager", "amount", "seat", "round"], wager_returned = ["wager", "amount", "seat", "round"] }
"""  # noqa: E501 - five lines, as a user would write them
FOUND_BY = {
    "stopped early": "dealer-draws-to-17",
    "drew too long": "dealer-stops-at-17",
    "shuffled in the round": "no-shuffle-inside-a-round",
    "blackjack paid wrongly": "blackjack-paid-three-to-two",
    "loser paid": "only-better-hands-are-paid",
}
ALSO = "every-losing-hand-is-collected"
"""A loser who was paid is not collected from, either."""


def documented(folder: Path, name: str) -> Path:
    """A file as the page about feeds shows it."""
    found = re.search(rf"```toml\n# {name}\n(.*?)```", DOCS.read_text("utf-8"), re.S)
    assert found is not None, name
    path = folder / name
    path.write_text(found[1], "utf-8")
    return path


def check(log: Path, manifest: Path, mapping: Path | None = None) -> Run:
    said, problems = load_manifest(manifest, SCHEMA)
    assert said is not None, problems
    options, _ = load_table_options(documented(log.parent, "feed_options.toml"), SCHEMA)
    how = None
    if mapping is not None:
        how, problems = load_mapping(mapping, SCHEMA)
        assert how is not None, problems
    settings = Settings(
        open_rules_to_judge([DEFAULT], SCHEMA),
        SCHEMA,
        options=options or TableOptions(),
        manifests=Manifests({None: said}),
        mapping=how,
    )
    result = check_log([log], settings)
    assert result.run is not None, result.problems
    return result.run


def broken(run: Run) -> dict[str, int]:
    return {
        item.rule: item.counts.violated
        for item in run.outcomes
        if item.kind is FindingKind.VIOLATION and item.counts.violated
    }


def wanted(counted: Counter[str], *seen: str) -> dict[str, int]:
    return {FOUND_BY[name]: counted[name] for name in seen if counted[name]}


def status(run: Run, rule: str) -> RuleStatus:
    return next(item.status for item in run.outcomes if item.rule == rule)


Writer = Callable[[Iterable[Round]], str]


def rounds(seed: int, number: int = 1_000, *, mistakes: bool = True, seats: int = 6) -> list[Round]:
    return list(Game(seed, mistakes=mistakes, seats=seats).rounds(number))


def engine(tmp_path: Path, played: list[Round]) -> tuple[str, Run]:
    log, manifest = tmp_path / "engine.jsonl", tmp_path / "manifest.toml"
    log.write_text(written_feeds.engine_events(played))
    manifest.write_text(ENGINE_MANIFEST)
    return log.read_text(), check(log, manifest)


def test_a_manifest_of_five_lines_lets_an_engine_show_every_mistake(tmp_path: Path) -> None:
    assert len(ENGINE_MANIFEST.strip().splitlines()) == 5
    text, run = engine(tmp_path, rounds(5))
    counted = counted_faults.faults(counted_faults.engine_rounds(text))
    assert all(counted[name] for name in FOUND_BY), counted
    expected = wanted(counted, *FOUND_BY)
    assert broken(run) == expected | {ALSO: expected["only-better-hands-are-paid"]}


NOT_TAKEN = ', "decision where kind is surrender", "decision where kind is split"'
MONEY = ("wager_placed", "wager_paid", "wager_collected", "wager_returned")


@pytest.mark.parametrize(
    ("left_out", "shown"),
    [
        (("decision",), tuple(FOUND_BY)),
        (("decision", *MONEY), ("stopped early", "drew too long", "shuffled in the round")),
    ],
    ids=["cards and money", "cards alone"],
)
def test_an_engine_that_records_less_shows_what_its_records_can_show(
    tmp_path: Path, left_out: tuple[str, ...], shown: tuple[str, ...]
) -> None:
    """Here nobody can give a hand up or split it, which the manifest says: of the decisions that
    nobody records no other matters to the dealer."""
    whole = written_feeds.engine_events(rounds(5))
    records = [json.loads(line) for line in whole.splitlines()]
    kept = [record for record in records if record["type"] not in left_out]
    log, manifest = tmp_path / "engine.jsonl", tmp_path / "manifest.toml"
    lines = (json.dumps(record | {"seq": seq}) for seq, record in enumerate(kept, 1))
    log.write_text("\n".join(lines) + "\n")
    text = re.sub(rf" (?:{'|'.join(left_out)}) = \[[^]]*],?", "", ENGINE_MANIFEST)
    text = text.replace(", }", " }").replace('_dead"]', f'_dead"{NOT_TAKEN}]')
    manifest.write_text(text)
    expected = wanted(counted_faults.faults(counted_faults.engine_rounds(whole)), *shown)
    if "loser paid" in shown:
        expected[ALSO] = expected["only-better-hands-are-paid"]
    assert broken(check(log, manifest)) == expected


def test_an_engine_without_mistakes_shows_none(tmp_path: Path) -> None:
    text, run = engine(tmp_path, rounds(6, 200, mistakes=False))
    assert not +counted_faults.faults(counted_faults.engine_rounds(text))
    assert broken(run) == {}


def feed(tmp_path: Path, name: str, ending: str, text: str, manifest: str) -> Run:
    log = tmp_path / f"{name}.{ending}"
    log.write_text(text)
    mapping = documented(tmp_path, f"{name}_feed.toml")
    run = check(log, documented(tmp_path, manifest), mapping)
    assert run.quarantined == 0
    assert run.lost_records == 0
    assert not run.findings(FindingKind.DATA_DEFECT), run.findings(FindingKind.DATA_DEFECT)[0]
    return run


def test_a_smart_shoe_shows_what_cards_alone_can_show(tmp_path: Path) -> None:
    text = written_feeds.shoe_frames(rounds(7))
    run = feed(tmp_path, "shoe", "csv", text, "shoe_manifest.toml")
    counted = counted_faults.faults(counted_faults.shoe_rounds(text))
    assert counted["stopped early"]
    assert counted["drew too long"]
    assert broken(run) == wanted(counted, "drew too long", "shuffled in the round")
    # Each hand may have been given up, which no card shows: doubt, and no accusation.
    assert status(run, "dealer-draws-to-17") is RuleStatus.UNDETERMINED


def test_a_shoe_where_no_hand_is_given_up_or_split_shows_who_stopped_early(tmp_path: Path) -> None:
    """Players decide, and the shoe does not see it; but these two decisions they never take."""
    text = written_feeds.shoe_frames(rounds(7))
    log, manifest = tmp_path / "shoe.csv", documented(tmp_path, "shoe_manifest.toml")
    log.write_text(text)
    manifest.write_text(manifest.read_text().replace('_dead"]', f'_dead"{NOT_TAKEN}]'))
    run = check(log, manifest, documented(tmp_path, "shoe_feed.toml"))
    counted = counted_faults.faults(counted_faults.shoe_rounds(text))
    seen = ("stopped early", "drew too long", "shuffled in the round")
    assert broken(run) == wanted(counted, *seen)


def test_the_rounds_of_a_live_studio_show_what_was_paid(tmp_path: Path) -> None:
    text = written_feeds.live_rounds(rounds(8))
    run = feed(tmp_path, "live", "jsonl", text, "rows_manifest.toml")
    counted = counted_faults.faults(counted_faults.live_rounds(text))
    assert counted["blackjack paid wrongly"]
    assert counted["drew too long"]
    assert broken(run) == wanted(counted, "drew too long", "blackjack paid wrongly")


def test_a_row_for_each_round_shows_what_was_paid(tmp_path: Path) -> None:
    text = written_feeds.round_rows(rounds(9, 2_000, seats=1))
    run = feed(tmp_path, "rows", "csv", text, "rows_manifest.toml")
    counted = counted_faults.faults(counted_faults.row_rounds(text))
    assert counted["blackjack paid wrongly"]
    assert counted["drew too long"]
    assert broken(run) == wanted(counted, "drew too long", "blackjack paid wrongly")
    assert any("cards without suits" in note for note in run.notes)


@pytest.mark.parametrize("never", ["", 'never = ["round_voided"]\n'])
def test_without_the_list_of_what_never_happens_nobody_is_accused_of_more(
    tmp_path: Path, never: str
) -> None:
    """What is said to be impossible only ever turns doubt into an answer."""
    played = rounds(5, 300)
    whole = broken(engine(tmp_path, played)[1])
    log, manifest = tmp_path / "engine.jsonl", tmp_path / "less.toml"
    manifest.write_text(re.sub(r"never = .*\n", never, ENGINE_MANIFEST))
    less = broken(check(log, manifest))
    assert all(less[rule] <= whole[rule] for rule in less)
    assert set(less) <= set(whole)
