"""How a check, or any command, says that it cannot do what was asked."""

from __future__ import annotations

from collections.abc import Sequence


class Refused(Exception):
    """The user has to change something first: the command, a path or a file.

    `code` is what the shell gets: 2 for bad usage or input, 3 for bad rules. `problems` are
    everything that is wrong with a file, each with its place.
    """

    def __init__(
        self, sentence: str = "", *, code: int = 2, hint: str = "", problems: Sequence[object] = ()
    ) -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.code = code
        self.hint = hint
        self.problems = tuple(problems)

    def __str__(self) -> str:
        return "\n".join(str(part) for part in (*self.problems, self.sentence, self.hint) if part)


def unknown(what: str, name: str, close: str | None, listing: str) -> Refused:
    """A name that does not exist: say so, offer the nearest one, and where to find them all."""
    guess = f"Did you mean {close}? " if close else ""
    return Refused(f'There is no {what} "{name}".', hint=f"{guess}{listing} lists them.")


def worker_lost() -> Refused:
    """A worker was ended from outside: nothing is wrong with what was asked."""
    return Refused(
        "A worker process ended before its time, perhaps because memory ran short; "
        "nothing was written.",
        code=4,
        hint="Fewer processes need less memory: try it with --workers 1.",
    )
