"""How far a check has come: a bar on a terminal, and nothing at all when piped."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console, RenderableType
from rich.progress import BarColumn, Progress, ProgressColumn, Task, TextColumn
from rich.table import Column
from rich.text import Text

from compliance.checking.check_tables import CheckProgress


class ProgressBar(CheckProgress):
    """One line that first tells how much was read, and then how much was checked.

    with ProgressBar() as bar:
        bar.read(4_000_000, 9_000_000, 31_000)
        bar.checking(70_000)
        bar.checked(35_000)
    """

    def __init__(self, console: Console | None = None) -> None:
        screen = console or Console(stderr=True)
        self._progress = Progress(
            TextColumn("{task.description}"),
            # On a narrow terminal the bar gives way, not the numbers.
            BarColumn(bar_width=24),
            _Done(Column(no_wrap=True)),
            _Speed(Column(no_wrap=True)),
            _Left(Column(no_wrap=True)),
            console=screen,
            transient=True,
            get_time=screen.get_time,
            disable=not screen.is_terminal or screen.is_dumb_terminal,
        )
        self._task = self._progress.add_task("reading ", total=None, events=0, bytes=True)

    @property
    def drawn(self) -> RenderableType:
        """The line as it is now."""
        return self._progress.get_renderable()

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._progress.stop()

    def read(self, done: int, total: int | None, events: int) -> None:
        """So many bytes of the log were read, and so many events found in them."""
        self._progress.update(self._task, completed=done, total=total, events=events)

    def checking(self, total: int) -> None:
        """Everything was read; now so many events are checked."""
        self._progress.reset(
            self._task, total=total, description="checking", events=0, bytes=False, start=True
        )

    def checked(self, more: int) -> None:
        """So many more events were checked."""
        task = self._progress.tasks[0]
        self._progress.update(self._task, advance=more, events=task.fields["events"] + more)


class _Done(ProgressColumn):
    """How much is done, of how much."""

    def render(self, task: Task) -> Text:
        if not task.fields["bytes"]:
            return Text(f"{int(task.completed):,} of {int(task.total or 0):,} events")
        whole = "" if task.total is None else f" of {_megabytes(task.total)}"
        return Text(f"{_megabytes(task.completed)}{whole} MB")


class _Speed(ProgressColumn):
    """How many events a second, since this part of the work began."""

    def render(self, task: Task) -> Text:
        events, seconds = task.fields["events"], task.elapsed or 0
        if not events or seconds < 0.5:
            return Text("")
        return Text(f"{_short(events / seconds)} events/s", style="dim")


class _Left(ProgressColumn):
    """How long it will still take, if it goes on like this."""

    def render(self, task: Task) -> Text:
        seconds = task.elapsed or 0
        if task.total is None or not task.completed or seconds < 0.5:
            # Something on the line has to move, or the program seems to hang.
            return Text(_duration(seconds), style="dim")
        left = seconds * (task.total - task.completed) / task.completed
        return Text(f"{_duration(left)} left", style="cyan")


def _megabytes(size: float) -> str:
    return f"{size / 1e6:,.1f}" if size < 1e8 else f"{size / 1e6:,.0f}"


def _short(number: float) -> str:
    if number < 1e4:
        return f"{number:,.0f}"
    return f"{number / 1e3:,.0f} k" if number < 1e6 else f"{number / 1e6:,.1f} M"


def _duration(seconds: float) -> str:
    whole = int(seconds + 0.5)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60}:{whole % 60:02d} min"
    return f"{whole // 3600}:{whole % 3600 // 60:02d} h"
