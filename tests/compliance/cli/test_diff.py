"""`compliance diff` and `--baseline`: findings that are new, gone and unchanged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.compliance.checked_logs import night
from tests.compliance.small_rulebook import answer, write

Capture = pytest.CaptureFixture[str]
BREACH = "T{0} 0:00 dealer_arrived dealer=D7\nT{0} 0:09 card_dealt to=player card=9S\n"


@pytest.fixture
def saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> list[str]:
    """Two results that share one violation; each has another of its own."""
    monkeypatch.chdir(tmp_path)
    write(tmp_path, name="small.rules")
    for name, tables in (("old", "12"), ("new", "23")):
        for table in tables:
            night(tmp_path / f"{name}-{table}.jsonl", BREACH.format(table), first=int(table) * 10)
        logs = [f"{name}-{table}.jsonl" for table in tables]
        answer(capsys, "check", *logs, "--rules", "small.rules", "-o", f"{name}.json")
    return ["diff", "old.json", "new.json"]


def test_findings_are_new_gone_and_unchanged_by_fingerprint(
    saved: list[str], capsys: Capture
) -> None:
    code, out, _ = answer(capsys, *saved)
    assert code == 1
    assert "1 new, 1 gone, 1 unchanged violations" in out
    new, gone = (line for line in out.splitlines() if "burn-by-each" in line)
    assert (new.split()[0], new.split()[-1]) == ("new", "T3")
    assert (gone.split()[0], gone.split()[-1]) == ("gone", "T1")
    assert "The logs are not the same: some files differ." in out


def test_nothing_new_exits_with_zero(saved: list[str], capsys: Capture) -> None:
    assert answer(capsys, "diff", "old.json", "old.json")[0] == 0


def test_page_json_and_text_are_written_by_their_endings(saved: list[str], capsys: Capture) -> None:
    answer(capsys, *saved, "-o", "d.html", "-o", "d.json", "-o", "d.txt")
    told = json.loads(Path("d.json").read_text())
    assert [item["table"] for item in told["new"] + told["gone"]] == ["T3", "T1"]
    assert len(told["unchanged"]) == 1
    assert told == json.loads(answer(capsys, *saved, "--format", "json")[1])
    page = Path("d.html").read_text("utf-8")
    assert "1 new violation" in page
    assert told["gone"][0]["fingerprint"][:16] in page
    assert "1 new, 1 gone, 1 unchanged violations" in Path("d.txt").read_text("utf-8")


def test_a_check_compares_with_a_baseline(saved: list[str], capsys: Capture) -> None:
    words = ["check", "new-2.jsonl", "new-3.jsonl", "--rules", "small.rules"]
    words += ["--baseline", "old.json", "-o", "run.json", "-o", "run.html", "-o", "run.txt"]
    code, out, _ = answer(capsys, *words)
    assert code == 1
    assert "Since old.json: 1 new, 1 gone, 1 unchanged violations." in out
    told = json.loads(Path("run.json").read_text())
    compared = json.loads(answer(capsys, *saved, "--format", "json")[1])
    del compared["schema_version"]
    assert told["changes"] == compared
    assert "Since the earlier result" in Path("run.html").read_text("utf-8")
    assert Path("run.txt").read_text("utf-8").count("  new  D7") == 1
    logs = ["new-2.jsonl", "new-3.jsonl", "--rules", "small.rules", "--baseline", "old.json"]
    assert answer(capsys, "verify", "run.json", *logs)[:2] == (0, "Identical.\n")


def test_only_new_violations_fail_where_that_is_asked_for(
    saved: list[str], capsys: Capture
) -> None:
    words = ["--rules", "small.rules", "--baseline", "old.json", "--fail-on", "new"]
    assert answer(capsys, "check", "new-2.jsonl", "new-3.jsonl", *words)[0] == 1
    assert answer(capsys, "check", "new-2.jsonl", *words)[0] == 0


@pytest.mark.parametrize("words", [["diff", "BAD", "new.json"], ["check", "new-2.jsonl", "BASE"]])
@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (lambda text: text[:200], "bad.json, line "),
        (lambda text: text.replace('"violated": 2', '"violated": -2', 1), "bad.json, line "),
        (lambda text: text.replace("Small", "Large"), "was altered after it was saved"),
        (lambda text: "{}", "it has no schema_version"),
    ],
)
def test_a_bad_result_is_one_sentence_with_its_place(
    words: list[str],
    spoil: object,
    sentence: str,
    saved: list[str],
    capsys: Capture,
) -> None:
    assert callable(spoil)
    text = spoil(Path("old.json").read_text("utf-8"))
    Path("bad.json").write_text(text, encoding="utf-8")
    said = {"BAD": ["bad.json"], "BASE": ["--rules", "small.rules", "--baseline", "bad.json"]}
    code, _, err = answer(capsys, *(part for word in words for part in said.get(word, [word])))
    assert code == 2
    assert sentence in err
    assert len(err.strip().splitlines()) <= 2
