"""The door of the `compliance` command: reads the words, runs the command, and answers the shell.

Whatever happens, the shell gets one of the agreed exit codes, and the user one clear sentence.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence

from compliance.cli.refused import Refused
from compliance.cli.visible import visible

INTERRUPTED = 130
PIPE_CLOSED = 141
"""What shells use for a program that was stopped by Ctrl-C, or whose reader went away."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in options
    if debug:
        words.remove("--debug")
    try:
        _never_fail_on_a_character()
        code = _run(words)
        sys.stdout.flush()
        return code
    except Refused as refusal:
        return _refuse(refusal)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        # The reader (such as `head`) has what it wants. Python would complain at exit otherwise.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE_CLOSED
    except Exception as error:
        if debug:
            import traceback

            traceback.print_exc()
        return _apologise(error)


def _run(words: list[str]) -> int:
    # Imported late: nothing but the words of the command is needed to say what is wrong with them.
    from cyclopts import CycloptsError

    from compliance.cli.app import app

    if not sys.stdout.isatty():
        app.help_formatter = "plain"
    try:
        command, bound, _ = app.parse_args(words, print_error=False, exit_on_error=False)
    except CycloptsError as problem:
        raise Refused(_one_sentence(str(problem)), hint=_help_for(words)) from None
    return command(*bound.args, **bound.kwargs) or 0


def _never_fail_on_a_character() -> None:
    """A terminal that cannot show a symbol gets its code instead of a failure."""
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _one_sentence(text: str) -> str:
    sentence = " ".join(text.split())
    return sentence if sentence.endswith((".", "?", "!")) else sentence + "."


def _help_for(words: list[str]) -> str:
    """The help page nearest to what was meant: `compliance rules check --help`."""
    from compliance.cli.app import app

    known, here = ["compliance"], app
    for word in words:
        if word.startswith("-") or word not in here:
            break
        known.append(word)
        here = here[word]
    return f"`{' '.join(known)} --help` shows how it is used."


def _refuse(refusal: Refused) -> int:
    if refusal.sentence:
        _say(f"compliance: {refusal.sentence}")
    if refusal.hint:
        _say(refusal.hint)
    return int(refusal.code)


def _apologise(error: Exception) -> int:
    from reports.verdicts import ExitCode

    said = " ".join(str(error).split())
    what = f"{type(error).__name__}: {said}" if said else type(error).__name__
    _say(f"compliance: this is a mistake in the program, not in your files ({what}).")
    _say(
        "Please report it: run the same command with --debug and send what it prints, with the "
        "rule file and log if you may share them."
    )
    return int(ExitCode.INTERNAL_ERROR)


def _say(sentence: str) -> None:
    print(visible(sentence), file=sys.stderr)
