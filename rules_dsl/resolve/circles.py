"""Finds names that are explained by themselves, by whatever way round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator


def on_circles(names: Iterable[str], inner: Callable[[str], Iterable[str]]) -> frozenset[str]:
    """The names from which one comes back to them. Each is looked at once (after Tarjan), for a
    stranger's file may have very many, and without recursion, for they may be a long chain."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    waiting: list[str] = []
    unfinished: set[str] = set()
    found: set[str] = set()
    for first in names:
        if first in order:
            continue
        path: list[tuple[str, Iterator[str]]] = []
        entered: str | None = first
        while entered is not None or path:
            if entered is not None:
                order[entered] = lowest[entered] = len(order)
                waiting.append(entered)
                unfinished.add(entered)
                path.append((entered, iter(list(inner(entered)))))
            name, rest = path[-1]
            entered = None
            for other in rest:
                if other not in order:
                    entered = other
                    break
                if other in unfinished:
                    lowest[name] = min(lowest[name], order[other])
                    if other == name:
                        found.add(name)
            if entered is not None:
                continue
            path.pop()
            if path:
                lowest[path[-1][0]] = min(lowest[path[-1][0]], lowest[name])
            if lowest[name] == order[name]:
                circle = [waiting.pop()]
                while circle[-1] != name:
                    circle.append(waiting.pop())
                unfinished.difference_update(circle)
                if len(circle) > 1:
                    found.update(circle)
    return frozenset(found)
