"""Fills a house's templates in a process of its own, with limits on its time and its memory.

A template can double a text, a list or a macro until no machine has room for it, and no sandbox
inside of a program stops that. Here the process ends, and nothing else.

    report = render_house(run, Path("our-templates"))
    report.ending, report.content
"""

from __future__ import annotations

import resource
import subprocess
import sys
from pathlib import Path
from typing import Final

from event_schemas.limits import TEMPLATE_MEMORY, TEMPLATE_SECONDS
from reports.house_templates import HouseReport, TemplateMistake, filled_here
from reports.model import Run

_MISTAKE: Final = 3
_NO_ROOM: Final = 5


def render_house(run: Run, folder: Path) -> HouseReport:
    """Fill the folder's report.ENDING.j2, or say at which line it cannot be done, or why not."""
    made = subprocess.run(  # noqa: S603 - this module, under the Python that runs us
        # Not from where the user stands: a folder there may be called as ours are.
        [sys.executable, "-P", "-m", __name__, str(folder)],
        input=run.model_dump_json().encode(),
        capture_output=True,
        check=False,
    )
    said = made.stdout.decode(errors="replace")
    if made.returncode == 0:
        ending, _, content = said.partition("\n")
        return HouseReport(ending, content)
    if made.returncode == _MISTAKE:
        raise TemplateMistake(said)
    if made.returncode == _NO_ROOM:
        raise TemplateMistake(f"{folder}: the templates need more than {_size()} of memory.")
    raise TemplateMistake(
        f"{folder}: the templates were stopped: they need more than {TEMPLATE_SECONDS} seconds of "
        f"processor time, or more than {_size()} of memory."
    )


def _size() -> str:
    return f"{TEMPLATE_MEMORY >> 20:,} MB"


def _fill(folder: Path) -> int:
    """What the process does: read the run, limit itself, and fill."""
    run = Run.model_validate_json(sys.stdin.buffer.read())
    used = _address_space()
    resource.setrlimit(resource.RLIMIT_AS, (used + TEMPLATE_MEMORY,) * 2)
    spent = resource.getrusage(resource.RUSAGE_SELF)
    seconds = int(spent.ru_utime + spent.ru_stime) + TEMPLATE_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    try:
        report = filled_here(run, folder)
        sys.stdout.buffer.write(f"{report.ending}\n{report.content}".encode())
        sys.stdout.buffer.flush()
    except TemplateMistake as mistake:
        sys.stdout.buffer.write(str(mistake).encode())
        return _MISTAKE
    except MemoryError:
        return _NO_ROOM
    return 0


def _address_space() -> int:
    """How much of it is taken already, in bytes."""
    try:
        pages = Path("/proc/self/statm").read_text(encoding="ascii").split()
    except OSError:
        return TEMPLATE_MEMORY
    return int(pages[0]) * resource.getpagesize()


if __name__ == "__main__":
    sys.exit(_fill(Path(sys.argv[1])))
