"""The small files that people write beside a log: wrong at any depth, and told so by line.

The cases stand in side_files.txt, one a line: the option, what the file holds (`\\n` ends a line),
the exit code, and the beginning of what is said.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from event_schemas.limits import DEEPEST_DATA
from tests.attacks.arena import Attack, cases, withstood

TABLE = Path(__file__).with_name("side_files.txt")
OPTIONS = ("options", "waivers", "manifest", "mapping", "schema")
DEEP = f"nested more than {DEEPEST_DATA} deep"


def attack(option: str, content: str, code: int, says: str, name: str = "") -> Attack:
    file = "f.json" if content.startswith("{") else "f.toml"
    words = f"check night.jsonl --rules small.rules --workers 1 --{option} {file}"
    return Attack(name or f"{option}: {content!r}", words, code, says, {file: content})


def written() -> Iterator[Attack]:
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        option, content, code, *says = line.split(" | ")
        yield attack(option, content.replace("\\n", "\n"), int(code.split()[0]), "".join(says))


def large() -> Iterator[Attack]:
    for option in OPTIONS:
        for name, content, says in (
            ("deep lists", "a = " + "[" * 5_000 + "]" * 5_000, DEEP),
            ("60 lists", "a = " + "[" * 60 + "]" * 60, DEEP),
            ("deep tables", "a = " + "{a=" * 5_000 + "1" + "}" * 5_000, DEEP),
            ("a chain of names", "a" + ".a" * 20_000 + " = 1", DEEP),
            ("5,000 digits", "a = " + "9" * 5_000, "too long"),
            ("hexadecimal digits", "a = 0x" + "f" * 5_000, "too large"),
            ("deep JSON", '{"a":' * 5_000 + "1" + "}" * 5_000, DEEP),
            ("digits in JSON", '{"a":' + "9" * 5_000 + "}", "too long"),
            ("20,000 names", "\n".join(f"key{n} = 1" for n in range(20_000)), "more mistakes"),
            ("a name of a megabyte", "a" * 1_000_000 + " = 1", "is not known in the file"),
            ("five megabytes", "# " + "x" * 5_000_000, "it is larger than"),
            ("not UTF-8", "a = '\udcff'", "it is not UTF-8 text"),
        ):
            made = attack(option, content, 2, says, f"{option}: {name}")
            (file,) = made.files
            encoded = {file: content.encode(errors="surrogateescape")}
            if option != "schema" or file != "f.json":
                yield made._replace(files=encoded)


@cases([*written(), *large()])
def test_a_wrong_side_file_is_refused_with_its_place(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = withstood(attack, tmp_path, capsys)
    if attack.code:
        assert len(said.splitlines()) <= 1_000
