"""The door of the command: quick, one clear sentence for every mistake, and honest exit codes."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from compliance.cli import main, rules_check
from tests.compliance.small_rulebook import answer, write

HEAVY = (
    "pydantic",
    "lark",
    "jinja2",
    "msgspec",
    "numpy",
    "event_schemas",
    "rules_dsl.syntax",
    "reports",
)
COMMAND = [sys.executable, "-c", "import sys; from compliance.cli import main; sys.exit(main())"]


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["rules", "test", "--help"]])
def test_help_and_version_load_nothing_of_the_checker(words: list[str]) -> None:
    program = (
        "import sys; from compliance.cli import main; main(sys.argv[1:]);"
        f"print('LOADED', sorted(set(sys.modules) & set({HEAVY!r})))"
    )
    done = subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "LOADED []"


@pytest.mark.parametrize("words", [["check", "--help"], ["rules"], []])
def test_help_in_a_pipe_breaks_no_line(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    _, out, _ = answer(capsys, *words)
    entries = out.partition("Parameters:" if "check" in words else "Commands:")[2]
    assert entries
    assert all(line.startswith("  ") and ": " in line for line in entries.splitlines() if line)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["bogus"], 'Unknown command "bogus"'),
        (["rules", "chek", "x.rules"], 'Did you mean "check"?'),
        (["rules", "check", "x.rules", "--strickt"], "--strickt"),
        (["schema", "list", "--format", "yaml"], '"yaml"'),
        (["rules", "check"], "PATH"),
        (["schema", "show"], "NAME"),
    ],
)
def test_bad_usage_exits_2_and_says_why(
    words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    code, out, err = answer(capsys, *words)
    assert (code, out) == (2, "")
    sentence, hint = err.splitlines()
    assert said in sentence
    assert hint.startswith("`compliance ")
    assert hint.endswith("--help` shows how it is used.")


def test_the_hint_names_the_help_page_of_the_command_that_was_meant(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert "`compliance rules check --help`" in answer(capsys, "rules", "check")[2]


def _break_the_checker(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    def broken(*_: object) -> int:
        raise error

    monkeypatch.setattr(rules_check, "check_rules", broken)


def test_an_internal_error_exits_4_without_a_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _break_the_checker(monkeypatch, ZeroDivisionError("by nought"))
    code, _, err = answer(capsys, "rules", "check", "x.rules")
    assert code == 4
    assert "ZeroDivisionError: by nought" in err
    assert "Please report it" in err
    assert "Traceback" not in err


@pytest.mark.parametrize("place", [0, 2, 3])
def test_debug_shows_the_traceback_wherever_it_stands(
    place: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _break_the_checker(monkeypatch, ZeroDivisionError("by nought"))
    words = ["rules", "check", "x.rules"]
    words.insert(place, "--debug")
    code, _, err = answer(capsys, *words)
    assert code == 4
    assert "Traceback (most recent call last)" in err


def test_ctrl_c_exits_130_with_one_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _break_the_checker(monkeypatch, KeyboardInterrupt())
    said = "compliance: stopped by Ctrl-C before it was done.\n"
    assert answer(capsys, "rules", "check", "x.rules") == (130, "", said)


def test_the_signals_of_the_caller_are_as_before(capsys: pytest.CaptureFixture[str]) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    answer(capsys, "schema", "list")
    assert [signal.getsignal(n) for n in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.skipif(not hasattr(signal, "SIGPIPE"), reason="pipes do not break here")
def test_a_reader_that_goes_away_is_no_error(monkeypatch: pytest.MonkeyPatch) -> None:
    # Unbuffered, Python takes a write that stopped half-way for a whole one.
    monkeypatch.delenv("PYTHONUNBUFFERED", raising=False)
    with subprocess.Popen(
        [*COMMAND, "schema", "export"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        assert process.stdout.readline() == "{\n"
        process.stdout.close()
        assert process.stderr.read() == ""
    assert process.returncode == 141


def test_words_that_would_steer_the_terminal_are_shown_as_codes(
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, _, err = answer(capsys, "schema", "show", "\x1b[2Jgone")
    assert "\\u001b[2Jgone" in err
    assert "\x1b" not in err


def test_a_terminal_without_the_symbols_still_gets_the_answer(tmp_path: Path) -> None:
    done = subprocess.run(
        [*COMMAND, "rules", "check", str(write(tmp_path))],
        capture_output=True,
        env={"PYTHONIOENCODING": "ascii", "PYTHONPATH": ":".join(filter(None, sys.path))},
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"4 rules in 1 file" in done.stdout


def test_colours_come_only_when_a_terminal_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = write(tmp_path)
    assert "\x1b[" not in answer(capsys, "rules", "check", path)[1]
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.delenv("NO_COLOR", raising=False)
    assert "\x1b[" in answer(capsys, "rules", "check", path)[1]


def test_the_version_is_that_of_the_package(capsys: pytest.CaptureFixture[str]) -> None:
    from importlib.metadata import version

    assert answer(capsys, "--version") == (0, version("table-compliance") + "\n", "")


def test_main_reads_the_words_of_the_shell(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["compliance", "schema", "show", "game"])
    assert main() == 0
    assert "The game that a table offers" in capsys.readouterr().out
