"""Promises about remembered rulebooks: never out of date, the user's own, and nothing needless."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

import rules_dsl.cache
import rules_dsl.rulebook
from event_schemas import builtin_schema
from rules_dsl.cache import RulebookCache
from rules_dsl.rulebook import Loaded, load

SCHEMA = builtin_schema()
RULES = """\
rule {name}
  "{title}"
  cite N.J.A.C. 19:47-2.6(c)
  when card_dealt
  require card_burned earlier
  otherwise say "No card was burned."
  example complies
    20:00:00 card_burned
    20:00:09 card_dealt to=player
  example violates
    20:00:09 card_dealt to=player   <- here
"""


def written(folder: Path, title: str = "A card is burned.", name: str = "burn") -> Path:
    folder.mkdir(exist_ok=True)
    (folder / "main.rules").write_text(RULES.format(title=title, name=name), encoding="utf-8")
    return folder


@pytest.fixture
def cache(tmp_path: Path) -> RulebookCache:
    return RulebookCache(tmp_path / "cache", precompiled=None)


def remembered(place: Path, cache: RulebookCache, *, examples: bool = True) -> Loaded:
    """What is known of rules, which must not be read for it."""

    def read(*_: object) -> Loaded:
        raise AssertionError("the rules were read anew")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rules_dsl.rulebook, "_read", read)
        return load([place], SCHEMA, cache, examples=examples)


def test_a_rulebook_is_remembered_as_it_was_read(tmp_path: Path, cache: RulebookCache) -> None:
    read = load([written(tmp_path / "book")], SCHEMA, cache)
    again = remembered(tmp_path / "book", cache)
    assert not read.diagnostics
    assert (again.rulebook, again.sources, again.key) == (read.rulebook, read.sources, read.key)


def test_examples_come_only_where_they_are_asked_for(tmp_path: Path, cache: RulebookCache) -> None:
    load([written(tmp_path / "book")], SCHEMA, cache)
    (whole,) = remembered(tmp_path / "book", cache).rulebook.rules
    (bare,) = remembered(tmp_path / "book", cache, examples=False).rulebook.rules
    assert (len(whole.examples), len(bare.examples)) == (2, 0)
    assert whole.editions == bare.editions


def test_a_rulebook_is_known_again_in_another_place(tmp_path: Path, cache: RulebookCache) -> None:
    load([written(tmp_path / "book")], SCHEMA, cache)
    shutil.move(tmp_path / "book", tmp_path / "moved")
    again = remembered(tmp_path / "moved", cache)
    name = str(tmp_path / "moved" / "main.rules")
    assert [file.name for file in again.rulebook.files] == [name]
    assert [source.name for source in again.sources] == [name]


def test_a_changed_file_is_read_anew(tmp_path: Path, cache: RulebookCache) -> None:
    load([written(tmp_path / "book")], SCHEMA, cache)
    again = load([written(tmp_path / "book", "Another title.")], SCHEMA, cache)
    assert again.rulebook.rules[0].title == "Another title."


def test_a_change_of_the_language_makes_all_entries_strange(
    tmp_path: Path, cache: RulebookCache, monkeypatch: pytest.MonkeyPatch
) -> None:
    load([written(tmp_path / "book")], SCHEMA, cache)
    monkeypatch.setattr(rules_dsl.cache, "language_fingerprint", lambda: "another")
    with pytest.raises(AssertionError, match="read anew"):
        remembered(tmp_path / "book", cache)


def test_a_changed_file_that_is_only_used_is_noticed(tmp_path: Path, cache: RulebookCache) -> None:
    book = written(tmp_path / "book", name="main")
    main = book / "main.rules"
    main.write_text('use "other"\n' + main.read_text("utf-8"), encoding="utf-8")
    other = book / "other.rules"
    other.write_text(RULES.format(title="One.", name="other"), encoding="utf-8")
    load([main], SCHEMA, cache)
    assert len(remembered(main, cache).rulebook.rules) == 2
    other.write_text(RULES.format(title="Two.", name="other"), encoding="utf-8")
    assert "Two." in {rule.title for rule in load([main], SCHEMA, cache).rulebook.rules}


def test_a_used_file_that_was_missing_is_noticed_when_it_comes(
    tmp_path: Path, cache: RulebookCache
) -> None:
    main = written(tmp_path / "book") / "main.rules"
    main.write_text('use "other"\n' + main.read_text("utf-8"), encoding="utf-8")
    assert [d.code for d in load([main], SCHEMA, cache).errors] == ["missing-file"]
    other = tmp_path / "book" / "other.rules"
    other.write_text(RULES.format(title="One.", name="other"), encoding="utf-8")
    assert not load([main], SCHEMA, cache).errors


def test_entries_are_for_the_user_alone(tmp_path: Path, cache: RulebookCache) -> None:
    load([written(tmp_path / "book")], SCHEMA, cache)
    modes = {entry.stat().st_mode & 0o777 for entry in cache.folder.iterdir()}
    assert (cache.folder.stat().st_mode & 0o777, modes) == (0o700, {0o600})


def test_an_entry_that_others_can_write_is_not_used(tmp_path: Path, cache: RulebookCache) -> None:
    load([written(tmp_path / "book")], SCHEMA, cache)
    (entry,) = cache.folder.glob("*.rulebook")
    entry.chmod(0o666)
    with pytest.raises(AssertionError, match="read anew"):
        remembered(tmp_path / "book", cache)


@pytest.mark.parametrize("part", ["rulebook", "examples-*"])
@pytest.mark.parametrize("place", [0, 100, -1])
def test_a_damaged_entry_is_not_used(
    tmp_path: Path, cache: RulebookCache, place: int, part: str
) -> None:
    read = load([written(tmp_path / "book")], SCHEMA, cache)
    (entry,) = cache.folder.glob(f"*.{part}")
    content = bytearray(entry.read_bytes())
    content[place] ^= 1
    entry.write_bytes(content)
    with pytest.raises(AssertionError, match="read anew"):
        remembered(tmp_path / "book", cache)
    assert load([tmp_path / "book"], SCHEMA, cache).rulebook == read.rulebook


def test_what_came_with_the_installation_is_used(tmp_path: Path) -> None:
    book = written(tmp_path / "book")
    load([book], SCHEMA, RulebookCache(tmp_path / "built", precompiled=None))
    users = RulebookCache(tmp_path / "cache", precompiled=tmp_path / "built")
    assert len(remembered(book, users).rulebook.rules) == 1
    assert not users.folder.exists()


def test_only_the_last_entries_are_kept(tmp_path: Path, cache: RulebookCache) -> None:
    for number in range(20):
        load([written(tmp_path / "book", f"Title {number}.")], SCHEMA, cache)
        for file in cache.folder.iterdir():
            # As if every entry were a little older than the next one.
            os.utime(file, (file.stat().st_atime - 1, file.stat().st_mtime - 1))
    assert len({file.name.partition(".")[0] for file in cache.folder.iterdir()}) == 16
    assert len(remembered(tmp_path / "book", cache).rulebook.rules) == 1


def test_a_folder_that_cannot_be_written_to_is_no_reason_to_stop(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    cache = RulebookCache(tmp_path / "file" / "cache", precompiled=None)
    assert len(load([written(tmp_path / "book")], SCHEMA, cache).rulebook.rules) == 1


# ---- examples beside the rules -------------------------------------------------------------

BESIDE = "examples of burn\n  example complies\n    20:00:00 card_burned\n"
"""One more example, which ends as it says whatever the rule demands of cards."""


def test_examples_beside_the_rules_are_remembered_with_them(
    tmp_path: Path, cache: RulebookCache
) -> None:
    book = written(tmp_path / "book")
    (book / "main.examples").write_text(BESIDE, encoding="utf-8")
    read = load([book], SCHEMA, cache)
    again = remembered(book, cache)
    assert len(again.rulebook.rules[0].examples) == 3
    assert (again.rulebook, again.sources) == (read.rulebook, read.sources)


@pytest.mark.parametrize("used", [False, True], ids=["in the folder", "beside a used file"])
def test_examples_that_come_change_and_go_are_noticed(
    tmp_path: Path, cache: RulebookCache, used: bool
) -> None:
    place = written(tmp_path / "book")
    if used:
        (place / "all.rules").write_text('use "main"\n', encoding="utf-8")
        place = place / "all.rules"
    beside = tmp_path / "book" / "main.examples"

    def number() -> int:
        return len(load([place], SCHEMA, cache).rulebook.rules[0].examples)

    assert number() == 2
    beside.write_text(BESIDE, encoding="utf-8")
    assert number() == 3
    beside.write_text(BESIDE + BESIDE.replace("examples of burn\n", "").replace(":00 ", ":01 "))
    assert number() == 4
    assert len(list(cache.folder.glob("*.examples-*"))) == 1
    beside.unlink()
    assert number() == 2


def test_to_judge_a_log_no_file_of_examples_is_opened(tmp_path: Path, cache: RulebookCache) -> None:
    book = written(tmp_path / "book")
    (book / "main.examples").write_bytes(b"\xff\xfe no text at all")
    read = load([book], SCHEMA, cache, examples=False)
    again = remembered(book, cache, examples=False)
    assert not read.diagnostics
    assert read.key
    assert {Path(source.name).suffix for source in (*read.sources, *again.sources)} == {".rules"}
    assert [d.code for d in load([book], SCHEMA, cache).errors] == ["unreadable-file"]


def test_an_entry_is_the_same_whether_examples_were_read_or_not(tmp_path: Path) -> None:
    book = written(tmp_path / "book")
    (book / "main.examples").write_text(BESIDE, encoding="utf-8")
    entries = []
    for examples in (False, True):
        cache = RulebookCache(tmp_path / f"cache {examples}", precompiled=None)
        key = load([book], SCHEMA, cache, examples=examples).key
        entries.append((key, cache.part(key, "rulebook")))
    assert entries[0] == entries[1]
