"""Processes that share the work, and that are gone when the work is stopped.

with worker_pool(2) as pool:
    for answer in pool.answers(check, tables):
        print(answer)

Ctrl-C reaches every process of a terminal at once. The workers do not hear it: they are ended by
the process that started them, which alone has something to say to the user. If that one is killed,
they end by themselves.

A worker can be ended at any moment: while it starts, while it waits, half-way through a piece or
an answer. So no two workers share anything. Each has a pipe of its own, and a thread here that
hands it one piece after the other; when the worker is gone, its pipe ends, and so does the thread.
A pool of the standard library has one pipe for all answers, which it holds open itself: it waits
for ever for the rest of an answer whose writer is dead.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from multiprocessing.context import SpawnProcess
from pathlib import Path
from queue import SimpleQueue
from tempfile import TemporaryDirectory
from traceback import format_exc
from typing import Any, Final, TypeVar

from rules_dsl.garbage import no_collection

P = TypeVar("P")
T = TypeVar("T")

STOPS: Final = (signal.SIGINT, signal.SIGTERM)
"""How a user or a machine asks a program to stop."""
_THREADS: Final = "POLARS_MAX_THREADS"
_ALLOCATOR: Final = "_RJEM_MALLOC_CONF"
_GIVES_BACK_SOON: Final = "dirty_decay_ms:100,muzzy_decay_ms:0,narenas:1"
"""Tells the memory allocator of Polars to give back what was let go a tenth of a second ago.

At once would cost a fifth of the time; as patient as Polars has it, a fifth more memory.
"""
_MMAP_THRESHOLD: Final = -3
"""What the C library of Linux calls the size from which memory is asked for, and given back, by
itself."""
_LARGE: Final = 1 << 20
"""More bytes than a column of one night has, fewer than one of many nights."""


def give_back_memory() -> None:
    """Let the machine have what a worker no longer needs, before the next piece of work."""
    trim = _of_c_library("malloc_trim")
    if trim is not None:
        trim(0)


def _give_back_large_at_once() -> None:
    """What is large goes back as soon as it is let go; what is small is kept for the next use."""
    set_option = _of_c_library("mallopt")
    if set_option is not None:
        set_option(_MMAP_THRESHOLD, _LARGE)


def _of_c_library(name: str) -> Callable[..., object] | None:
    """Only the usual C library of Linux keeps so much back, and has such functions."""
    return getattr(ctypes.CDLL(None), name, None) if sys.platform == "linux" else None


class WorkerLost(Exception):
    """A worker ended before its time, as when memory runs short."""


class WorkerPool:
    """Takes work for other processes; each one starts when there is work for it."""

    def __init__(self, workers: int, shared: Path) -> None:
        self._workers = workers
        self._shared = shared
        self._pieces: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Any, Exception | None]] = SimpleQueue()
        self._threads: list[threading.Thread] = []
        self._processes: list[SpawnProcess] = []
        self._starting = threading.Lock()
        self._ended = False

    def answers(self, work: Callable[[P], T], pieces: Iterable[P]) -> Iterator[T]:
        """What comes of each piece, in the order in which they are done."""
        under_way = 0
        for piece in pieces:
            self._pieces.put((work, piece))
            under_way += 1
            if len(self._threads) < min(under_way, self._workers):
                thread = threading.Thread(target=self._serve, daemon=True)
                thread.start()
                self._threads.append(thread)
            # No more pieces in memory than processes can work on, and one in reserve.
            while under_way > self._workers:
                yield self._next_answer()
                under_way -= 1
        for _ in range(under_way):
            yield self._next_answer()

    def _next_answer(self) -> Any:
        answer, problem = self._answers.get()
        if problem is not None:
            raise problem
        return answer

    def _serve(self) -> None:
        """Start a worker, and hand it one piece after the other."""
        try:
            with self._new_worker() as link:
                while (piece := self._pieces.get()) is not None:
                    link.send(piece)
                    self._answers.put(link.recv())
        except (EOFError, OSError):
            self._answers.put((None, WorkerLost()))
        except Exception as problem:
            # A piece or an answer that cannot travel.
            self._answers.put((None, problem))

    def _new_worker(self) -> connection.Connection:
        if hasattr(signal, "pthread_sigmask"):
            # A process inherits what the thread that starts it does not hear.
            signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
        # A fresh interpreter for each worker: threads of Polars and Arrow do not survive a fork.
        context = multiprocessing.get_context("spawn")
        ours, theirs = context.Pipe()
        # As long as this end were open here, too, the pipe would not end with the worker.
        with theirs, self._starting:
            if self._ended:
                raise EOFError
            process = context.Process(target=_work, args=(theirs, self._shared))
            process.start()
            self._processes.append(process)
        return ours

    def kill(self) -> None:
        """End all workers at once, whatever they are doing."""
        with self._starting:
            self._ended = True
        for process in self._processes:
            process.kill()
        for _ in range(self._workers):
            self._pieces.put(None)
        for process in self._processes:
            process.join()
        for thread in self._threads:
            thread.join()


@contextmanager
def worker_pool(
    workers: int, prepare: Callable[..., None] | None = None, *arguments: Any
) -> Iterator[WorkerPool]:
    """Workers for a while; `prepare` is called once in each of them.

    What is not answered by the end is not done any more.
    """
    # It would let signals through again if it were first started together with a worker.
    resource_tracker.ensure_running()
    with TemporaryDirectory(prefix="compliance-workers-") as folder:
        # By way of a file: through the pipe, a worker would have to be up before the next starts.
        shared = Path(folder, "shared")
        with no_collection():
            shared.write_bytes(pickle.dumps((prepare, arguments)))
        pool = WorkerPool(workers, shared)
        try:
            with _surroundings(workers):
                yield pool
        finally:
            # All answers are there, or nobody wants them any more: nothing is to be put away.
            pool.kill()


@contextmanager
def _surroundings(workers: int) -> Iterator[None]:
    """What a worker finds when it starts and loads Polars, which reads it once.

    The processors are shared out among the workers, unless the user has said how many threads.
    """
    before = {name: os.environ.get(name) for name in (_THREADS, _ALLOCATOR)}
    os.environ.setdefault(_THREADS, str(max(1, (os.cpu_count() or 1) // workers)))
    os.environ[_ALLOCATOR] = _GIVES_BACK_SOON
    try:
        yield
    finally:
        for name, value in before.items():
            os.environ.pop(name, None)
            if value is not None:
                os.environ[name] = value


def _work(link: connection.Connection, shared: Path) -> None:
    """What a worker does as long as it lives."""
    _prepare(shared)
    while True:
        try:
            work, piece = link.recv()
        except EOFError:
            return
        answer: tuple[Any, Exception | None]
        try:
            answer = work(piece), None
        except Exception as problem:
            problem.add_note(f"It happened in a worker:\n{format_exc()}")
            answer = None, problem
        link.send(answer)


def _prepare(shared: Path) -> None:
    # Where signals cannot be held back from the start.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    _give_back_large_at_once()
    with no_collection():
        # Loads all that the work needs, too.
        prepare, arguments = pickle.loads(shared.read_bytes())  # noqa: S301 - our own, just written
    if prepare is not None:
        prepare(*arguments)


def _end_with_parent() -> None:
    """A worker whose starter is gone would wait for work for ever."""
    parent = multiprocessing.parent_process()
    assert parent is not None
    connection.wait([parent.sentinel])
    os._exit(1)
