"""Processes that share the work, and that are gone when the work is stopped.

with worker_pool(2) as pool:
    waiting = [pool.submit(check, table) for table in tables]
    answers = [answer.result() for answer in waiting]

Ctrl-C reaches every process of a terminal at once. The workers do not hear it: they are ended by
the process that started them, which alone has something to say to the user. If that one is killed,
they end by themselves.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import pickle
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import connection, resource_tracker
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any, Final, TypeVar

from rules_dsl.garbage import no_collection

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

    def __init__(self, pool: ProcessPoolExecutor) -> None:
        self._pool = pool

    def submit(self, work: Callable[..., T], *arguments: Any) -> Future[T]:
        """Let a worker do something."""
        with _undisturbed():
            return self._pool.submit(work, *arguments)

    def kill(self) -> None:
        """End all workers at once, whatever they are doing."""
        for process in list((self._pool._processes or {}).values()):
            process.kill()
        self._pool.shutdown(cancel_futures=True)


@contextmanager
def worker_pool(
    workers: int, prepare: Callable[..., None] | None = None, *arguments: Any
) -> Iterator[WorkerPool]:
    """Workers for a while; `prepare` is called once in each of them.

    What is not answered by the end is not done any more.
    """
    # It would let signals through again if it were first started together with a worker.
    resource_tracker.ensure_running()
    # A fresh interpreter for each worker: threads of Polars and Arrow do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(prefix="compliance-workers-") as folder:
        # By way of a file: through the pipe, a worker would have to be up before the next starts.
        shared = Path(folder, "shared")
        with no_collection():
            shared.write_bytes(pickle.dumps((prepare, arguments)))
        executor = ProcessPoolExecutor(workers, context, _prepare, (shared,))
        pool = WorkerPool(executor)
        try:
            with _surroundings(workers):
                yield pool
        except BrokenProcessPool as problem:
            raise WorkerLost from problem
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


def _prepare(shared: Path) -> None:
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


@contextmanager
def _undisturbed() -> Iterator[None]:
    """A process is started whole or not at all, and does not hear what is meant for its starter.

    A process inherits which signals are held back. In the meantime they wait here.
    """
    main = threading.current_thread() is threading.main_thread()
    if not main or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    came: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        came.append(number)

    before = {number: signal.signal(number, wait) for number in STOPS}
    held = signal.pthread_sigmask(signal.SIG_BLOCK, STOPS)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, held)
        for number, handler in before.items():
            signal.signal(number, handler)
        for signalled in came:
            os.kill(os.getpid(), signalled)
