"""Sees before a check begins that what it writes cannot destroy what it reads.

Inputs are never outputs, two outputs never one file, and what one night left for the next is not
mixed up: while a check works on a `--state`, no other does.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from compliance.api.opened_request import files_consulted
from compliance.api.refusal import Refused
from compliance.api.request import CheckRequest
from compliance.api.whole_file import write_whole
from compliance.log.sources import STANDARD_INPUT, format_of
from compliance.log.whole_file import CannotWrite, is_stream, refuse_to_write
from rules_dsl.bundled import named_place
from rules_dsl.rule_files import SUFFIX

_NIGHTS: Final = b"ARROW1"
_KEPT: Final = ("--state", "--keep")
_ANSWER: Final = Path("/dev/stdout")
Named = tuple[str, Path | None]
"""An option and the file that it names, if it was given."""


@contextmanager
def outputs_guarded(
    logs: Iterable[str], request: CheckRequest, outputs: Sequence[Named] = ()
) -> Iterator[None]:
    """Refuse outputs that would do harm; meanwhile the state belongs to this check alone."""
    outputs = [
        *outputs,
        ("--quarantine", request.quarantine),
        ("--keep", request.keep),
        ("--state", request.state),
    ]
    # The state is read and written; what --after names is only read.
    inputs = [
        (role, request.after if option == "--after" else path)
        for option, role, path in files_consulted(request)
    ]
    rules = map(named_place, request.rule_paths)
    written = [(option, path) for option, path in outputs if path is not None]
    read = [
        *(("the log", Path(log)) for log in logs if log != STANDARD_INPUT),
        *(("the archive", Path(place)) for place in (request.archive,) if place is not None),
        *(("the rules", path) for path in rules),
        *((option, path) for option, path in inputs if path is not None),
    ]
    for place, (option, path) in enumerate(written):
        try:
            refuse_to_write(path)
        except CannotWrite as problem:
            raise Refused(f"{option}: {problem}") from None
        for other, twin in written[:place]:
            if _same(path, twin) and not is_stream(path):
                raise Refused(f"{other} and {option} name the same file, {path}.")
        for role, source in read:
            if _same(path, source) or _is_input_within(path, source):
                raise Refused(
                    f"{option} would overwrite {path}, which belongs to {role}; name another file."
                )
        if not is_stream(path):
            _refuse_other_nights(option, path)
    for role, source in read:
        # A shell that adds what is said to a file opens that file for us.
        if os.path.isfile(_ANSWER) and _same(_ANSWER, source):
            raise Refused(f"The answer would be written into {source}, which belongs to {role}.")
    state = next((path for option, path in written if option == "--state"), None)
    if state is None:
        yield
    else:
        with _alone_with(state):
            yield


def keep_for_next_night(request: CheckRequest, kept: bytes | None) -> None:
    """Write what the check of the next night needs, where that was asked for. Last of all: if
    anything goes wrong before, the same night can be checked again."""
    path = request.keep or request.state
    if path is not None and kept is not None:
        write_whole(path, kept, over_input=path == request.state)


def _same(path: Path, other: Path) -> bool:
    try:
        if os.path.exists(path) and os.path.exists(other):
            return os.path.samefile(path, other)
        return os.path.realpath(path) == os.path.realpath(other)
    except (OSError, ValueError):
        return False


def _is_input_within(path: Path, folder: Path) -> bool:
    """Whether a file is there already, in a folder that is read, and looks like what is read."""
    if not (os.path.isdir(folder) and os.path.isfile(path)):
        return False
    within = Path(os.path.realpath(path)).is_relative_to(os.path.realpath(folder))
    return within and (format_of(path) is not None or path.suffix in (SUFFIX, ".toml"))


def _refuse_other_nights(option: str, path: Path) -> None:
    """What a check has kept is replaced by what a check keeps, and by nothing else."""
    try:
        with path.open("rb") as file:
            start = file.read(len(_NIGHTS))
    except OSError:
        return
    if option in _KEPT and start and start != _NIGHTS:
        raise Refused(f"{option}: {path} is there and is not what a check has kept; name another.")
    if option not in _KEPT and start == _NIGHTS:
        raise Refused(f"{option} would overwrite {path}, which a check has kept for the next one.")


@contextmanager
def _alone_with(state: Path) -> Iterator[None]:
    """Hold a lock beside a file, which ends with this process, however that ends."""
    name = state.with_name(f".{state.name}.lock")
    try:
        handle = _locked(name)
    except BlockingIOError:
        raise Refused(f"Another check is at work on {state}; begin when it is done.") from None
    except OSError as problem:
        raise Refused(f"--state: {state} cannot be written: {problem.strerror}.") from None
    try:
        yield
    finally:
        os.unlink(name)
        os.close(handle)


def _locked(name: Path) -> int:
    while True:
        handle = os.open(name, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
            # Whoever had it before may have taken it away after we opened it.
            if os.path.exists(name) and os.path.samestat(os.fstat(handle), os.stat(name)):
                return handle
        except BaseException:
            os.close(handle)
            raise
        os.close(handle)
