"""Processes that share the work, and that are gone when the work is stopped.

with worker_pool(2) as pool:
    answers = [pool.submit(check, table) for table in tables]

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

T = TypeVar("T")

STOPS: Final = (signal.SIGINT, signal.SIGTERM)
"""How a user or a machine asks a program to stop."""
_MEMORY: Final = {"_RJEM_MALLOC_CONF": "dirty_decay_ms:0,muzzy_decay_ms:0"}
"""Tells the memory allocator of Polars to give back at once what is let go: a table's events are
then gone before the next thing is made of them. Read once, when a worker loads Polars; by then
the starter has loaded it, which left its own, more patient setting for the workers to find.
"""


def give_back_memory() -> None:
    """Let the machine have what a worker no longer needs, before the next piece of work."""
    if sys.platform == "linux":
        # Only the usual C library of Linux keeps so much back, and has such a function.
        trim = getattr(ctypes.CDLL(None), "malloc_trim", None)
        if trim is not None:
            trim(0)


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
    """Workers for a while; `prepare` is called once in each of them."""
    # It would let signals through again if it were first started together with a worker.
    resource_tracker.ensure_running()
    os.environ |= _MEMORY
    # A fresh interpreter for each worker: threads of the columnar libraries do not survive a fork.
    context = multiprocessing.get_context("spawn")
    with TemporaryDirectory(prefix="compliance-workers-") as folder:
        # By way of a file: through the pipe, a worker would have to be up before the next starts.
        shared = Path(folder, "shared")
        shared.write_bytes(pickle.dumps((prepare, arguments)))
        executor = ProcessPoolExecutor(workers, context, _prepare, (shared,))
        pool = WorkerPool(executor)
        try:
            yield pool
            executor.shutdown()
        except BrokenProcessPool as problem:
            pool.kill()
            raise WorkerLost from problem
        except BaseException:
            pool.kill()
            raise


def _prepare(shared: Path) -> None:
    threading.Thread(target=_end_with_parent, daemon=True).start()
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
