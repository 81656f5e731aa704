"""The clause map: what its files say, and what is said when they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from event_schemas import builtin_schema
from rules_dsl.cache import RulebookCache
from rules_dsl.clauses import Clause, Text
from rules_dsl.diagnostics import Diagnostic
from rules_dsl.rulebook import Loaded, load

SCHEMA = builtin_schema()
RULES = """\
rule burn-first
  "A card is burned before one is dealt."
  cite N.J.A.C. 19:47-2.6(c)
  when card_dealt
  require card_burned earlier
  otherwise say "No card was burned."
  example complies
    20:00:00 card_burned
    20:00:05 card_dealt to=player
  example violates
    20:00:05 card_dealt to=player   <- here

rule many-cards
  "Many cards."
  cite N.J.A.C. 19:47-2.6(c)
  kind indicator
  when card_dealt
  require card_burned earlier
  otherwise say "No card was burned."
  example complies
    20:00:00 card_burned
    20:00:05 card_dealt to=player
  example violates
    20:00:05 card_dealt to=player   <- here
"""
TEXTS = """\
[[text]]
key = "2010"
source = "003.txt"
stands = 2010-06-01
what = "As of 2010"
"""
HEAD = """\
section = "19:47-2.6"
title = "Dealing"
texts = ["2010"]
game = "blackjack"
"""
BURN = """
[[row]]
clause = "19:47-2.6(c)#1"
says = "Burn the first card."
kind = "duty"
rules = ["burn-first"]
from = 1982-09-15
"""
LEAVE = """
[[row]]
clause = "19:47-2.6(d)"
says = "The house may use two shoes."
kind = "permission"
reason = "permission"
why = "It asks for nothing."
"""


def rulebook(folder: Path, section: str | None = HEAD + BURN + LEAVE, texts: str = TEXTS) -> Path:
    (folder / "clauses").mkdir(exist_ok=True)
    (folder / "main.rules").write_text(RULES, encoding="utf-8")
    (folder / "clauses" / "texts.toml").write_text(texts, encoding="utf-8")
    if section is not None:
        (folder / "clauses" / "19-47-2.6_2010.toml").write_text(section, encoding="utf-8")
    return folder


def loaded(folder: Path, section: str = HEAD + BURN + LEAVE, texts: str = TEXTS) -> Loaded:
    return load([rulebook(folder, section, texts)], SCHEMA)


def problem(folder: Path, section: str = HEAD + BURN + LEAVE, texts: str = TEXTS) -> Diagnostic:
    """The only thing that is wrong."""
    (found,) = loaded(folder, section, texts).diagnostics
    return found


def test_a_row_becomes_a_clause_with_what_the_head_of_its_file_says(tmp_path: Path) -> None:
    assert loaded(tmp_path).rulebook.clauses[0] == Clause(
        "19:47-2.6(c)#1",
        ("2010",),
        "19:47-2.6",
        "Dealing",
        "blackjack",
        "Burn the first card.",
        "duty",
        ("burn-first",),
        since="1982-09-15",
    )


def test_the_texts_are_named_once_for_all_files(tmp_path: Path) -> None:
    assert loaded(tmp_path).rulebook.texts == (Text("2010", "003.txt", "As of 2010", "2010-06-01"),)


def test_a_row_may_have_another_game_and_other_texts_than_its_file(tmp_path: Path) -> None:
    texts = TEXTS + TEXTS.replace('"2010"', '"1996"').replace("2010-", "1996-")
    row = BURN + 'game = "any_table"\ntexts = ["2010", "1996"]\n'
    (clause,) = loaded(tmp_path, HEAD + row, texts).rulebook.clauses
    assert (clause.game, clause.texts) == ("any_table", ("2010", "1996"))


@pytest.mark.parametrize(
    ("row", "cover"),
    [(BURN, "covered"), (LEAVE, "reason"), (BURN.replace('"burn-first"', ""), "uncovered")],
)
def test_a_clause_has_rules_or_a_reason_or_neither(tmp_path: Path, row: str, cover: str) -> None:
    result = loaded(tmp_path, HEAD + row)
    assert (result.diagnostics, result.rulebook.clauses[0].cover) == ((), cover)


@pytest.mark.parametrize(
    ("row", "level"),
    [
        (BURN, "full"),
        (BURN + 'level = "partial"\nescapes = "the second card"\n', "partial"),
        (BURN + 'level = "nominal"\nescapes = "the burn itself"\n', "nominal"),
        (LEAVE, ""),
    ],
)
def test_a_clause_says_how_far_its_rules_go(tmp_path: Path, row: str, level: str) -> None:
    result = loaded(tmp_path, HEAD + row)
    assert (result.diagnostics, result.rulebook.clauses[0].level) == ((), level)


def test_a_rulebook_without_a_map_is_whole(tmp_path: Path) -> None:
    (tmp_path / "main.rules").write_text(RULES, encoding="utf-8")
    result = load([tmp_path], SCHEMA)
    assert (result.diagnostics, result.rulebook.clauses) == ((), ())


def test_a_single_rule_file_is_loaded_without_the_map_beside_it(tmp_path: Path) -> None:
    rulebook(tmp_path, HEAD + BURN.replace("burn-first", "elsewhere"))
    assert load([tmp_path / "main.rules"], SCHEMA).diagnostics == ()


# ---- mistakes ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("section", "code", "message", "place", "suggestion"),
    [
        (
            HEAD + BURN.replace("burn-first", "burn-frist"),
            "unknown-name",
            "There is no rule `burn-frist`.",
            (10, 11),
            "did you mean `burn-first`?",
        ),
        (
            HEAD + BURN.replace("burn-first", "many-cards"),
            "bad-value",
            "`many-cards` is an indicator: it shows no breach, so it covers no clause.",
            (10, 11),
            "",
        ),
        (
            HEAD + BURN + 'texts = ["2011"]\n',
            "unknown-value",
            "There is no text `2011`.",
            (12, 11),
            "did you mean `2010`?",
        ),
        (
            HEAD.replace("blackjack", "blackjak") + BURN,
            "unknown-value",
            "There is no game `blackjak`.",
            (4, 9),
            "did you mean `blackjack`?",
        ),
        (
            HEAD + LEAVE.replace('reason = "permission"', 'reason = "permision"'),
            "unknown-value",
            "There is no reason `permision`.",
            (10, 11),
            "did you mean `permission`?",
        ),
        (
            HEAD + BURN.replace('"duty"', '"dutty"'),
            "unknown-value",
            "There is no kind `dutty`.",
            (9, 9),
            "did you mean `duty`?",
        ),
        (
            HEAD + BURN + BURN,
            "declared-twice",
            "`19:47-2.6(c)#1` of the text 2010 already stands in line 7 of `19-47-2.6_2010.toml`.",
            (14, 11),
            "",
        ),
        (
            HEAD + LEAVE + 'rules = ["burn-first"]\n',
            "bad-value",
            "This clause has rules and also a reason why no log can show it.",
            (10, 11),
            "keep one of the two",
        ),
        (
            HEAD + LEAVE.replace('why = "It asks for nothing."\n', ""),
            "missing-field",
            "`reason` stands here without `why`.",
            (10, 1),
            "",
        ),
        (
            HEAD + LEAVE.replace('reason = "permission"\n', ""),
            "missing-field",
            "`why` stands here without `reason`.",
            (10, 1),
            "",
        ),
        (
            HEAD + BURN.replace("says =", "say ="),
            "missing-field",
            "This row has no `says`.",
            (6, 1),
            "",
        ),
        (
            HEAD + BURN.replace("kind", "rulez = []\nkind"),
            "unknown-field",
            "There is no key `rulez` here.",
            (9, 1),
            "did you mean `rules`?",
        ),
        (
            "colour = 1\n" + HEAD + BURN,
            "unknown-field",
            "There is no key `colour` here.",
            (1, 1),
            "known are `row`, `section`, `title`, `texts` and `game`",
        ),
        (
            HEAD.replace('title = "Dealing"\n', "") + BURN,
            "missing-field",
            "This file has no `title`.",
            (1, 1),
            "",
        ),
        (
            HEAD + BURN.replace("2.6(c)#1", "2.7(c)#1"),
            "bad-value",
            "`19:47-2.7(c)#1` is no clause of the section 19:47-2.6.",
            (7, 11),
            "",
        ),
        (
            HEAD + BURN.replace("1982-09-15", '"1982-09-15"'),
            "bad-date",
            "`from` must be a date like 1999-07-06, without quotes.",
            (11, 1),
            "",
        ),
        (
            HEAD + BURN + "until = 1982-09-15\n",
            "bad-date",
            "This clause ends before it begins.",
            (12, 1),
            "",
        ),
        (
            HEAD + BURN.replace('["burn-first"]', '"burn-first"'),
            "bad-value",
            "`rules` must be a list of texts in quotes.",
            (10, 1),
            "",
        ),
        (
            HEAD + BURN + 'level = "partial"\n',
            "missing-field",
            "`level` stands here without `escapes`.",
            (12, 1),
            "",
        ),
        (
            HEAD + BURN + 'level = "partail"\nescapes = "much"\n',
            "unknown-value",
            "There is no level `partail`.",
            (12, 10),
            "did you mean `partial`?",
        ),
        (
            HEAD + LEAVE + 'level = "partial"\nescapes = "much"\n',
            "bad-value",
            "This clause has no rule that something could escape.",
            (12, 10),
            "name its rules first",
        ),
        (HEAD + "row = 3\n", "bad-value", "`row` is written as `[[row]]`.", (5, 1), ""),
        (
            HEAD + "row = [\n",
            "syntax",
            "It is not valid TOML: Invalid value (at end of document).",
            (6, 1),
            "",
        ),
    ],
)
def test_a_mistake_is_told_with_its_place(
    tmp_path: Path,
    section: str,
    code: str,
    message: str,
    place: tuple[int, int],
    suggestion: str,
) -> None:
    found = [d for d in loaded(tmp_path, section).diagnostics if d.message == message]
    told = [(d.code, (d.line, d.column), d.suggestion) for d in found]
    assert told == [(code, place, suggestion)]


def test_every_mistake_of_a_map_is_told_at_once(tmp_path: Path) -> None:
    section = HEAD + BURN.replace("burn-first", "one") + LEAVE.replace('"permission"', '"two"')
    codes = [d.code for d in loaded(tmp_path, section).diagnostics]
    assert codes == ["unknown-name", "unknown-value", "unknown-value"]


def test_a_text_named_twice_is_told(tmp_path: Path) -> None:
    assert problem(tmp_path, texts=TEXTS + TEXTS).message == "The text `2010` stands here twice."


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    (rulebook(tmp_path) / "clauses" / "x.toml").write_bytes(b"title = '\xff'")
    (found,) = load([tmp_path], SCHEMA).diagnostics
    assert (found.code, "not UTF-8 text" in found.message) == ("unreadable-file", True)


def test_a_rule_with_a_mistake_of_its_own_is_not_called_unknown(tmp_path: Path) -> None:
    rulebook(tmp_path)
    wrong = RULES.replace("when card_dealt", "when card_delt", 1)
    (tmp_path / "main.rules").write_text(wrong, encoding="utf-8")
    assert {d.code for d in load([tmp_path], SCHEMA).diagnostics} == {"unknown-event"}


# ---- the cache -----------------------------------------------------------------------------


def test_a_remembered_rulebook_has_its_clauses(tmp_path: Path) -> None:
    cache, book = RulebookCache(tmp_path / "cache"), rulebook(tmp_path)
    assert load([book], SCHEMA, cache).rulebook == load([book], SCHEMA, cache).rulebook


def test_a_changed_map_is_read_again(tmp_path: Path) -> None:
    cache = RulebookCache(tmp_path / "cache")
    load([rulebook(tmp_path)], SCHEMA, cache)
    again = load([rulebook(tmp_path, HEAD + BURN)], SCHEMA, cache)
    assert len(again.rulebook.clauses) == 1


def test_a_new_file_of_the_map_is_noticed(tmp_path: Path) -> None:
    cache = RulebookCache(tmp_path / "cache")
    load([rulebook(tmp_path, None)], SCHEMA, cache)
    assert len(load([rulebook(tmp_path)], SCHEMA, cache).rulebook.clauses) == 2


def test_the_files_of_the_map_belong_to_the_rulebook(tmp_path: Path) -> None:
    names = [Path(file.name).name for file in loaded(tmp_path).rulebook.files]
    assert names == ["main.rules", "texts.toml", "19-47-2.6_2010.toml"]
