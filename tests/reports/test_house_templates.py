"""A house's own templates: data only, no way out, and mistakes told with their line."""

from __future__ import annotations

from pathlib import Path

import pytest

from reports.house_templates import TemplateMistake
from reports.house_templates import filled_here as render_house
from reports.run_hash import run_hash
from tests.reports.payloads import MARKUP, TEMPLATE, attacked
from tests.reports.sample import full_run
from tests.tree import ROOT

EXAMPLE = ROOT / "tests" / "reports" / "house_template"


def folder(path: Path, text: str, name: str = "report.html.j2", **others: str) -> Path:
    (path / name).write_text(text, encoding="utf-8")
    for stem, content in others.items():
        (path / f"{stem}.j2").write_text(content, encoding="utf-8")
    return path


def mistake(path: Path, text: str, **others: str) -> str:
    with pytest.raises(TemplateMistake) as found:
        render_house(full_run(), folder(path, text, **others))
    return str(found.value)


def test_the_worked_example_is_what_it_should_be() -> None:
    made = render_house(full_run(), EXAMPLE)
    assert made.ending == ".html"
    expected = (EXAMPLE / "expected.html").read_text(encoding="utf-8")
    assert made.content == expected.replace("RUN", run_hash(full_run())[:16])


def test_a_template_of_plain_text_is_not_escaped(tmp_path: Path) -> None:
    made = render_house(
        attacked(MARKUP), folder(tmp_path, "{{ violations[0].sentence }}", "report.txt.j2")
    )
    assert (made.ending, made.content) == (".txt", MARKUP)


def test_markup_in_a_log_is_text(tmp_path: Path) -> None:
    made = render_house(attacked(MARKUP), folder(tmp_path, "{{ violations[0].sentence }}"))
    assert "<script" not in made.content


def test_a_part_without_an_html_ending_is_escaped_too(tmp_path: Path) -> None:
    made = render_house(
        attacked(MARKUP),
        folder(tmp_path, '{% include "part.j2" %}', part="{{ violations[0].sentence }}"),
    )
    assert "<script" not in made.content


def test_a_template_in_a_log_is_text(tmp_path: Path) -> None:
    made = render_house(
        attacked(TEMPLATE), folder(tmp_path, "{{ violations[0].sentence }}", "report.txt.j2")
    )
    assert made.content == TEMPLATE


def test_times_are_those_of_the_casino(tmp_path: Path) -> None:
    made = render_house(full_run(), folder(tmp_path, "{{ run.scope.first | moment }}"))
    assert made.content == "2024-03-09 18:00:00 -05:00"


@pytest.mark.parametrize(
    ("text", "line", "said"),
    [
        ("one\n{{ run.nothing }}", 2, "has no attribute 'nothing'"),
        ("one\n\n{% if %}", 3, "Expected an expression"),
        ("{{ unknown }}", 1, "'unknown' is undefined"),
        ("\n{{ 1 / 0 }}", 2, "division by zero"),
        ("{{ violations[0].sentence | shout }}", 1, "No filter named 'shout'"),
        ('\n{% include "gone.html.j2" %}', 2, "there is no template gone.html.j2"),
        ("{{ run_hash | safe }}", 1, "No filter named 'safe'"),
        ("\n{% autoescape false %}{% endautoescape %}", 2, "escaping cannot be turned off"),
        ("\n{{ ().__class__.__base__ }}", 2, "unsafe"),
        ("{{ 'x' * 99999999 }}", 1, "longer than 1,000,000"),
        ("{{ 9 ** 9 ** 9 }}", 1, "too large"),
        ("{{ '%9999999999d' % 1 }}", 1, "not with %"),
        ('{% include "report.html.j2" %}', 1, "round in a circle"),
        (
            "{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}",
            1,
            "more than 1,000,000 steps",
        ),
    ],
)
def test_a_mistake_is_told_in_one_line_with_its_place(
    text: str, line: int, said: str, tmp_path: Path
) -> None:
    sentence = mistake(tmp_path, text)
    assert sentence.startswith(f"{tmp_path / 'report.html.j2'}, line {line}: ")
    assert said in sentence
    assert "\n" not in sentence


def test_a_mistake_in_a_part_names_the_part(tmp_path: Path) -> None:
    sentence = mistake(tmp_path, 'a\n{% include "part.j2" %}', part="b\n\n{{ nothing }}")
    assert sentence.startswith(f"{tmp_path / 'part.j2'}, line 3: ")


@pytest.mark.parametrize("name", ["../secret.j2", "link.j2"])
def test_no_file_outside_the_folder_can_be_read(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.j2").write_text("secret", encoding="utf-8")
    inside = tmp_path / "house"
    inside.mkdir()
    (inside / "link.j2").symlink_to(tmp_path / "secret.j2")
    assert "there is no template" in mistake(inside, f'{{% include "{name}" %}}')


def test_a_folder_needs_one_report(tmp_path: Path) -> None:
    with pytest.raises(TemplateMistake, match="it has none"):
        render_house(full_run(), tmp_path)


def test_two_reports_in_a_folder_are_one_too_many(tmp_path: Path) -> None:
    folder(tmp_path, "", "report.txt.j2")
    assert "report.html.j2 and report.txt.j2" in mistake(tmp_path, "")
