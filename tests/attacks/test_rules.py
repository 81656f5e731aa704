"""Rule files that are hostile on purpose: refused in time, with a few lines."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.arena import RULES, Attack, Content, cases, withstood

CHECK = "rules check small.rules"
WAGER = 'rule a\n  "T."\n  cite N.J.A.C. 19:47-2.6(c)\n  severity minor\n  when wager_placed\n'


def rule(requirement: str, before: str = "") -> dict[str, Content]:
    return {"small.rules": f"{before}\n\n{WAGER}  require {requirement}\n"}


def chain(form: str, size: int, end: str) -> str:
    return "\n".join(form.format(n, n + 1) for n in range(size)) + "\n" + end.format(size)


def lets(form: str, size: int) -> dict[str, Content]:
    lines = [f"  let a{n + 1} = {form.format(n)}\n" for n in range(size)]
    body = "".join(["  let a0 = amount\n", *lines, f"  require a{size} is at most $5\n"])
    return {"small.rules": WAGER + body}


LIMIT = "define d{0} = amount is at most $5"
FEW = "once all definitions are written out"
GROUPS = "once all groups are written out"
USED = {
    f"r{n}.rules": (f'use "r{n + 1}"\n' if n < 300 else "") + RULES.replace("burned", f"r{n}")
    for n in range(301)
}


def attacks() -> Iterator[Attack]:
    doubled = chain("define d{0} = d{1} and d{1}", 30, LIMIT)
    yield Attack("definitions that double", CHECK, 3, FEW, rule("d0", doubled))
    doubled = chain("define d{0} = d{1} + d{1}", 40, "define d{0} = amount")
    yield Attack("sums that double", CHECK, 3, FEW, rule("d0 is at most $5", doubled))
    long = chain("define d{0} = d{1}", 3_000, LIMIT)
    yield Attack("a chain of definitions", CHECK, 3, "too-complex", rule("d0", long))
    groups = chain("events g{0} are g{1}, g{1}", 40, "events g{0} are card_dealt")
    yield Attack("groups that double", CHECK, 3, GROUPS, rule("g0 earlier", groups))
    groups = chain("events g{0} are g{1}", 3_000, "events g{0} are card_dealt")
    yield Attack("a chain of groups", CHECK, 3, GROUPS, rule("g0 earlier", groups))
    yield Attack(
        "a circle of definitions", CHECK, 3, "defined by itself", rule("d", "define d = d")
    )
    groups_apart = chain("events g{0} are g{1}", 20_000, "events g{0} are card_dealt")
    yield Attack(
        "a very long chain of groups", CHECK, 3, "more problems", rule("g0 earlier", groups_apart)
    )
    named = lets("a{0} + a{0}", 40)
    yield Attack("values that double", CHECK, 3, "once all its names are written out", named)
    named = lets("a{0} + $1", 199)
    yield Attack("a chain of values", CHECK, 3, "once all its names are written out", named)
    named = lets("a{0} + $1", 5_000)
    yield Attack("5,000 values with names", CHECK, 3, "More than 200 values", named)
    circle = "events g are h\nevents h are g"
    yield Attack("a circle of groups", CHECK, 3, "made of themselves", rule("g earlier", circle))
    many = "\n    and ".join(["amount is at most $5"] * 20_000)
    yield Attack("20,000 requirements in one", CHECK, 0, "warning", rule(many))
    many = " + ".join(["amount"] * 5_000)
    yield Attack("a sum of 5,000", CHECK, 3, "stand inside one another", rule(f"{many} is $5"))
    many = "\n    and ".join(f"unknownname{n} is 3" for n in range(10_000))
    yield Attack("10,000 unknown names", CHECK, 3, "more problems", rule(many))
    yield Attack(
        "a word of 4 MB", CHECK, 3, "characters. [too-large]", {"small.rules": "x" * 3_900_000}
    )
    yield Attack(
        "a file of 17 MB", CHECK, 3, "it is larger than", {"small.rules": "x" * 17_000_000}
    )
    yield Attack("not UTF-8", CHECK, 3, "it is not UTF-8 text", {"small.rules": b"rule \xff"})
    yield Attack("a NUL", CHECK, 3, "error", {"small.rules": "rule \0"})
    yield Attack("a chain of files", "rules check r0.rules", 3, "use one another in a row", USED)
    yield Attack(
        "a long name used",
        CHECK,
        3,
        "There is no rule file",
        {"small.rules": f'use "{"f" * 5_000}"\n'},
    )
    yield Attack(
        "a file above",
        CHECK,
        3,
        "outside the rulebook",
        {"small.rules": 'use "../../etc/passwd"\n'},
    )
    yield Attack("a file used by itself", CHECK, 3, "leads back", {"small.rules": 'use "small"\n'})
    for zone in ("America", ".", "..", "/etc/passwd", "a" * 300, "../UTC"):
        files: dict[str, Content] = {"small.rules": f'rulebook "S" time zone "{zone}"\n\n{RULES}'}
        yield Attack(f"time zone {zone[:9]}", CHECK, 3, "There is no time zone", files)
    cells = "\n".join(f"  {n} | " + " ".join(["1"] * 300) for n in range(100))
    head = " ".join(map(str, range(300)))
    files = {"small.rules": f"table t\n  a \\ b | {head}\n{cells}\n"}
    yield Attack("a table of 30,000", CHECK, 3, "more than 20,000 entries", files)
    body = RULES.split("\n", 1)[1].replace("when card_dealt", "when no_such_event")
    files = {"small.rules": f"template t(x)\n{body}"}
    yield Attack("an unused template", CHECK, 3, "There is no event `no_such_event`", files)
    for name, day in (("13th month", "2024-13-01"), ("year 0", "0000-01-01"), ("long", "9" * 50)):
        text = RULES.replace("  severity", f"  in force from {day}\n  severity")
        yield Attack(f"a day: {name}", CHECK, 3, "error", {"small.rules": text})
    long = "  example complies\n" + "    20:00:00 wager_placed amount=$5\n" * 20_000
    files = {"small.rules": f"{WAGER}  require amount is $5\n{long}"}
    says = "The example has more than 500 events."
    yield Attack("an example of 20,000 events", "rules test small.rules", 3, says, files)
    for command in ("rules test", "rules list", "rules explain a"):
        words = f"{command} small.rules"
        yield Attack(f"{command}: hostile groups", words, 3, "", rule("g0 earlier", groups))


@cases(attacks())
def test_a_hostile_rule_file_is_refused_in_time(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = withstood(attack, tmp_path, capsys)
    assert len(said) < 200_000
