"""The door of the `compliance` command: reads the words, runs the command, and answers the shell.

Whatever happens, the shell gets one of the agreed exit codes, and the user one clear sentence.
"""

from __future__ import annotations

import atexit
import errno
import gc
import os
import signal
import sys
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import FrameType

from compliance.api.refusal import Refused
from compliance.cli.visible_text import visible

_MANY_MADE = 500_000
_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO)
_WHOLE_LINES = 10_000
"""In a pipe nothing is broken that stands in one line."""
PIPE_CLOSED = 141
"""What shells use for a program whose reader went away."""


class Stopped(KeyboardInterrupt):
    """The user or the machine wants the program to end; everything is put away on the way out."""

    def __init__(self, number: int = signal.SIGINT) -> None:
        super().__init__()
        self.number = number

    @property
    def code(self) -> int:
        """What shells use: 130 after Ctrl-C, 143 after a plain `kill`."""
        return 128 + self.number


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code."""
    words = list(sys.argv[1:] if arguments is None else arguments)
    options = words[: words.index("--")] if "--" in words else words
    debug = "--debug" in options
    if debug:
        words.remove("--debug")
    if arguments is None:
        _look_for_garbage_seldom()
        # numpy's algebra, which nothing here uses, would start threads of its own, and they spin.
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    try:
        with _stoppable():
            _need_streams()
            _never_fail_on_a_character()
            code = _run(words)
            sys.stdout.flush()
            return code
    except Refused as refusal:
        return _refuse(refusal)
    except KeyboardInterrupt as signalled:
        stop = signalled if isinstance(signalled, Stopped) else Stopped()
        how = "Ctrl-C" if stop.number == signal.SIGINT else "a signal"
        _say(f"compliance: stopped by {how} before it was done.")
        return stop.code
    except BrokenPipeError:
        # The reader (such as `head`) has what it wants. Python would complain at exit otherwise.
        _forget_output()
        return PIPE_CLOSED
    except OSError as problem:
        if problem.errno not in _NO_ROOM:
            return _unexpected(problem, debug)
        # Python would try to write the rest once more at exit.
        _forget_output()
        return _refuse(Refused(f"The answer cannot be written: {problem.strerror}."))
    except Exception as error:
        return _unexpected(error, debug)


def _unexpected(error: Exception, debug: bool) -> int:
    from compliance.log.whole_file import CannotWrite

    if isinstance(error, CannotWrite):
        return _refuse(Refused(str(error)))
    if debug:
        import traceback

        traceback.print_exc()
    return _apologise(error)


def _forget_output() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _need_streams() -> None:
    """Where nobody can hear what is wrong, it is said to nobody; an answer must go somewhere."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - until the end
    if sys.stdout is None:
        raise Refused("Standard output is closed, so that there is nowhere to answer to.")


def _look_for_garbage_seldom() -> None:
    """A command makes many things that stay until its end, a small one 200,000: to look through all
    of them, again and again and when it is over, takes a quarter of its time."""
    gc.set_threshold(_MANY_MADE)
    atexit.register(gc.freeze)


@contextmanager
def _stoppable() -> Iterator[None]:
    """Let Ctrl-C and `kill` end the command in order, once: what follows cannot hurry it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(number: int, frame: FrameType | None) -> None:
        for other in before:
            signal.signal(other, signal.SIG_IGN)
        raise Stopped(number)

    # What is ignored from the start (as under nohup) stays ignored.
    heard = [n for n in (signal.SIGINT, signal.SIGTERM) if signal.getsignal(n) != signal.SIG_IGN]
    before = {number: signal.getsignal(number) for number in heard}
    try:
        for number in heard:
            signal.signal(number, stop)
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _run(words: list[str]) -> int:
    # Imported late: nothing but the words of the command is needed to say what is wrong with them.
    from cyclopts import CycloptsError

    from compliance.cli.app import app

    if not sys.stdout.isatty():
        app.help_formatter = "plain"
    words = _dash_last(words)
    try:
        command, bound, _ = app.parse_args(words, print_error=False, exit_on_error=False)
    except CycloptsError as problem:
        raise Refused(_one_sentence(str(problem)), hint=_help_for(words)) from None
    if not command.__module__.startswith(__package__):
        # Help and version need nothing but the words.
        if not sys.stdout.isatty() and "console" in bound.arguments:
            # The formatter breaks a text, then puts a name before it, which breaks it once more.
            bound.arguments["console"].width = _WHOLE_LINES
        return command(*bound.args, **bound.kwargs) or 0
    from compliance.cli.possible_names import refuse_impossible_names
    from event_schemas.file_content import each_file_once

    _refuse_lost_folder()
    refuse_impossible_names(words)
    with each_file_once():
        return command(*bound.args, **bound.kwargs) or 0


def _refuse_lost_folder() -> None:
    """All names are read from the folder that one is in."""
    try:
        os.getcwd()
    except FileNotFoundError:
        raise Refused("The folder that this command was started in is no longer there.") from None


def _dash_last(words: list[str]) -> list[str]:
    """A single dash means standard input; among the options it would be taken for one of them."""
    before = words[: words.index("--")] if "--" in words else words
    if "-" not in before:
        return words
    return [*(word for word in before if word != "-"), "--", "-", *words[len(before) + 1 :]]


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
    if refusal.problems:
        from compliance.cli.problems import show_refused
        from compliance.cli.screen import Screen

        show_refused(Screen(sys.stderr), refusal.problems)
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
