"""Runs work in a thread of its own: what signs and verifies uses asyncio, and a caller, such as a
notebook, may be in the middle of a loop already."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Result = TypeVar("Result")


def in_own_thread(work: Callable[[], Result]) -> Result:
    """The result of the work, or its problem."""
    with ThreadPoolExecutor(max_workers=1) as pool:
        return pool.submit(work).result()
