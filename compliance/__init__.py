"""The checker: reads table event logs, replays them against the rules and decides.

import compliance
result = compliance.check("night.jsonl")
result.report("night.html")

docs/python.md tells the rest.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from compliance.api.check import check
    from compliance.api.refusal import Refused
    from compliance.api.result import Result, load

    __version__: str

__all__ = ["Refused", "Result", "__version__", "check", "load"]

_PLACES = {
    "check": "compliance.api.check",
    "load": "compliance.api.result",
    "Refused": "compliance.api.refusal",
    "Result": "compliance.api.result",
}


def __getattr__(name: str) -> object:
    # Imported late: whoever only asks for the version, or for a part of the checker, waits for
    # nothing else.
    if name == "__version__":
        from importlib.metadata import version

        return version("table-compliance")
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted(__all__)
