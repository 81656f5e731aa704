"""House templates that would take all time or memory are stopped, and nothing else with them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.arena import FILES, Attack, cases, lay_out, withstood

LOOPS = "{% for a in range(1000) %}" * 4 + "{{ a }}" + "{% endfor %}" * 4
DOUBLED = (
    "{% set ns = namespace(x='ab') %}"
    "{% for i in range(60) %}{% set ns.x = ns.x ~ ns.x %}{% endfor %}"
)
LISTS = DOUBLED.replace("'ab'", "[1]").replace("~", "+")
MACROS = (
    "{% macro m0() %}ab{% endmacro %}"
    + "".join(
        f"{{% macro m{n + 1}() %}}{{{{ m{n}() ~ m{n}() }}}}{{% endmacro %}}" for n in range(40)
    )
    + "{{ m40() }}"
)


def attacks() -> Iterator[Attack]:
    stopped = "memory"
    for name, text, says in (
        ("doubling texts", DOUBLED, stopped),
        ("doubling lists", LISTS, stopped),
        ("doubling macros", MACROS, stopped),
        ("padding", "{{ 'x' | center(100000000000) }}", stopped),
        ("padding numbers", "{{ '%0999999999999d' | format(1) }}", stopped),
        ("indenting", "{{ 'x' | indent(100000000000, true) }}", stopped),
        ("a large power", "{{ 9 ** 9 ** 9 }}", "line 1"),
        ("a long product", "{{ 'x' * 99999999999 }}", "line 1"),
        ("nested loops", LOOPS, "steps"),
        ("a loop over nothing known", "{% for a in b %}{% endfor %}", "line 1"),
        ("a circle of templates", "{% include 'report.html.j2' %}", "circle"),
        ("a file outside", "{% include '../small.rules' %}", "there is no template"),
        ("the program itself", "{{ run.__class__.__mro__ }}", "line 1"),
        ("a call into the program", "{{ ''.__class__ }}", "line 1"),
        ("what is not known", "{{ nothing_like_it }}", "line 1"),
        ("not closed", "{% if %}", "line 1"),
        ("deep brackets", "{{ " + "(" * 5_000 + "1" + ")" * 5_000 + " }}", "report.html.j2"),
        ("escaping turned off", "{% autoescape false %}x{% endautoescape %}", "line 1"),
    ):
        yield Attack(
            name, "report run.json --template t -o out", 2, says, {"t/report.html.j2": text}
        )


@cases(attacks())
def test_a_hostile_template_is_stopped(
    attack: Attack, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, capsys)
    withstood(attack, tmp_path, capsys)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("ending", ["html", "htm", "md", "php", "vue", "csv", "xml", "json", "x"])
def test_text_of_a_log_is_escaped_whatever_the_ending(
    ending: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved(tmp_path, capsys)
    files = {f"t/report.{ending}.j2": "{{ '<script>' }}{{ run.inputs[0].name }}"}
    withstood(Attack("", "report run.json --template t -o out", 0, "", files), tmp_path, capsys)
    assert "<script>" not in (tmp_path / "out").read_text(encoding="utf-8")


def saved(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    lay_out(folder, FILES)
    words = "check night.jsonl --rules small.rules --workers 1 --format json -o run.json"
    withstood(Attack("", words, 1, ""), folder, capsys)
