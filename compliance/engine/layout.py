"""What Python and the compiled engine hand to each other: the one description of these structures.

The ctypes classes here are made from it, and when the engine is compiled the C header `layout.h`.
"""

from __future__ import annotations

import ctypes
from typing import Any, Final

NUMBER: Final = "int64_t"

STRUCTURES: Final[dict[str, dict[str, str]]] = {
    # A number above and below the line with what is known of it; `high` where only limits are.
    "Value": {
        "above": NUMBER,
        "below": NUMBER,
        "high_above": NUMBER,
        "high_below": NUMBER,
        "state": "int32_t",
        "zone": "int16_t",  # of a moment: minutes east of UTC
        "limits": "int16_t",  # of a bounded value: 1 for a lowest, 2 for a highest, 3 for both
    },
    # One field of the log; `values` is empty where the log never records it.
    "Column": {
        "values": "const void *",
        "width": NUMBER,  # bytes of a number
        "valid": "const uint8_t *",  # a bit for each row that has a value; empty: all have
        "offset": NUMBER,  # the place of the first bit
        "below": "const int64_t *",
        "listed": "const int64_t *",  # where values are places in a list: the numbers in it
        "is_time": NUMBER,
    },
    # What the table has elected: a value from some row on, or by row which of the values.
    "Option": {
        "number": NUMBER,
        "since": "const int64_t *",
        "values": "const Value *",
        "lost": "const int64_t *",  # the lost record that leaves a value unknown, or -1
        "which": "const int32_t *",
    },
    "Log": {
        "size": NUMBER,
        "types": "const int16_t *",
        "ts": "const int64_t *",
        "until": "const int64_t *",  # the same as ts, but for lost records
        "seq": "const int64_t *",
        "zones": "const int16_t *",
        "tables": "const int32_t *",  # empty where all events are of one table
        "columns": "const Column *",
        "constants": "const Value *",
        "options": "const Option *",
        "lookups": "const int64_t *const *",
        "type_words": "const int64_t *",
        "hand_starts": "const int64_t *",
        "hand_cards": "const uint8_t *",
        "number_of_lost": NUMBER,
        "lost_rows": "const int64_t *",
        "lost_times": "const int64_t *",
        "lost_sets": "const uint8_t *",  # for each lost record and each type whether it may be it
    },
    "Task": {
        "code": "const int64_t *",
        "size_of_code": NUMBER,
        "number_of_types": NUMBER,
        "number_of_pools": NUMBER,
        "number_of_memos": NUMBER,
        "number_of_trigger_lists": NUMBER,
        "number_of_columns": NUMBER,
        "number_of_slicings": NUMBER,
        "number_of_intervals": NUMBER,
        "intervals": "const int64_t *",
        "number_of_editions": NUMBER,
        "editions": "const int64_t *",
        "fresh_from": NUMBER,  # the first row that is new
        "again": "const uint8_t *",  # rows before it that are to be judged again; empty: none
        "asked": "const uint8_t *",  # rows that were asked for; empty: all
        "shown_complied": NUMBER,  # of each edition, how many checks of a verdict are written down
        "shown_excused": NUMBER,
        "shown_undecided": NUMBER,
        "most_steps": NUMBER,  # how many events an edition may look at
        # For what the next log needs: of each edition, the triggers of checks that are not settled.
        "waiting_ends": "const int64_t *",
        "waiting_rows": "const int64_t *",
    },
    "Result": {
        "counts": "int64_t *",  # COUNTS numbers for each edition
        "written": "int64_t *",
        "size": NUMBER,
        "room": NUMBER,
    },
}
"""By structure its parts, each with its type in C."""


def _class(name: str, parts: dict[str, str]) -> Any:
    kinds: dict[str, Any] = {
        NUMBER: ctypes.c_int64,
        "int32_t": ctypes.c_int32,
        "int16_t": ctypes.c_int16,
    }
    fields = [(part, kinds.get(form, ctypes.c_void_p)) for part, form in parts.items()]
    return type(name, (ctypes.Structure,), {"_fields_": fields})


_CLASSES: Final = {name: _class(name, parts) for name, parts in STRUCTURES.items()}
Value: Any = _CLASSES["Value"]
Column: Any = _CLASSES["Column"]
Option: Any = _CLASSES["Option"]
Log: Any = _CLASSES["Log"]
Task: Any = _CLASSES["Task"]
Result: Any = _CLASSES["Result"]

COUNTS: Final = 7
"""How many numbers are counted for each edition: one a verdict, doubts by lost records, and whether
the edition takes too many steps on this log."""
BY_LOST_RECORDS: Final = 5
TOO_COSTLY: Final = 6
HEAD: Final = ("edition", "row", "verdict", "unmet", "excuse", "unsettled", "lost", "again",
               "keys", "witnesses", "quotes")  # fmt: skip
"""What is written first of each check. Then come two numbers for each key (known, value), two for
each witness (row, what it showed) and four for each quoted value (above, below, state, zone)."""
LISTED: Final = 16
"""What is added to the width of a column whose values are places in a list."""


def header() -> str:
    """The C header with the same structures."""
    lines = [
        "/* Generated from compliance/engine/layout.py: change that file. */",
        "",
        "#ifndef LAYOUT_H",
        "#define LAYOUT_H",
        "",
        "#include <stdint.h>",
        "",
    ]
    for name, parts in STRUCTURES.items():
        lines.append("typedef struct {")
        for part, form in parts.items():
            gap = "" if form.endswith("*") else " "
            lines.append(f"    {form}{gap}{part};")
        lines += [f"}} {name};", ""]
    lines.append("enum {")
    lines += [f"    HEAD_{part.upper()}," for part in HEAD]
    lines += ["    HEAD_SIZE", "};", ""]
    lines += [
        f"enum {{ COUNTS = {COUNTS}, LISTED = {LISTED} }};",
        f"enum {{ BY_LOST_RECORDS = {BY_LOST_RECORDS}, TOO_COSTLY = {TOO_COSTLY} }};",
        "",
        "#endif",
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    print(header(), end="")
