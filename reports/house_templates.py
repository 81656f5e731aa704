"""A house's own report: Jinja templates from a folder, filled with the result of a run.

The templates see data only. They reach no file outside their folder and call nothing of the
program, and what stands in a log is text in whatever they write. A mistake is told with its line.

    report = filled_here(run, Path("our-templates"))
    report.ending, report.content
"""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import FunctionLoader, StrictUndefined, nodes
from jinja2.exceptions import SecurityError, TemplateNotFound, TemplateSyntaxError
from jinja2.sandbox import ImmutableSandboxedEnvironment

from event_schemas import format_money
from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.limits import LARGEST_TEMPLATE_OUTPUT
from reports import wording
from reports.hidden_characters import visible
from reports.model import Run
from reports.run_hash import run_hash
from reports.verdicts import FindingKind
from reports.zone import Clock

SUFFIX = ".j2"
MAIN = "report"
"""The folder's template `report.ENDING.j2` is the one that is filled."""
PLAIN = {".txt"}
"""Endings for which signs of markup stay as they are: whatever else may be shown as a page."""
MOST_STEPS = 1_000_000
"""How far all `range(...)` of a template may count together."""
LONGEST_VALUE = 1_000_000
"""How long a text or list, or how large a number, a template may make by multiplying."""


class TemplateMistake(Exception):
    """What is wrong with a template, in one sentence with its file and line."""


@dataclass(frozen=True)
class HouseReport:
    """What a house's templates made of a run."""

    ending: str
    content: str


def filled_here(run: Run, folder: Path) -> HouseReport:
    """Fill the folder's report.ENDING.j2, or say at which line it cannot be done.

    Whoever did not write the templates fills them in a process with limits: `render_house`.
    """
    main = _main(folder)
    ending = Path(main.removesuffix(SUFFIX)).suffix
    environment = _environment(folder, ending, Clock(run.time_zone))
    written: list[str] = []
    length = 0
    try:
        for part in environment.get_template(main).generate(_data(run)):
            written.append(part)
            length += len(part)
            if length > LARGEST_TEMPLATE_OUTPUT:
                raise TemplateMistake(
                    f"{folder / main}: it writes more than {LARGEST_TEMPLATE_OUTPUT:,} characters."
                )
    except (TemplateMistake, MemoryError):
        raise
    except Exception as problem:
        raise TemplateMistake(_sentence(problem, folder, main)) from None
    return HouseReport(ending, "".join(written))


def _main(folder: Path) -> str:
    if not folder.is_dir():
        raise TemplateMistake(f"There is no folder {folder}.")
    found = sorted(path.name for path in folder.glob(f"{MAIN}.*{SUFFIX}"))
    if len(found) != 1:
        there = f"it has {' and '.join(found)}" if found else "it has none"
        raise TemplateMistake(
            f"The folder {folder} needs one template {MAIN}.ENDING{SUFFIX}, such as "
            f"{MAIN}.html{SUFFIX}; {there}."
        )
    return found[0]


def _data(run: Run) -> dict[str, Any]:
    """Everything that a template sees: plain data, so that nothing can be called on it."""
    data = run.model_dump(mode="python")
    by_kind: dict[FindingKind, list[dict[str, Any]]] = {kind: [] for kind in FindingKind}
    for outcome in data["outcomes"]:
        by_kind[outcome["kind"]].extend(outcome["findings"])
    return {
        "run": data,
        "run_hash": run_hash(run),
        "violations": by_kind[FindingKind.VIOLATION],
        "indicators": by_kind[FindingKind.INDICATOR],
        "defects": by_kind[FindingKind.DATA_DEFECT],
    }


# ---- the sandbox ---------------------------------------------------------------------------


class _Sandbox(ImmutableSandboxedEnvironment):
    """Jinja's sandbox, with limits on what can be made by multiplying."""

    intercepted_binops = frozenset({"*", "**", "%"})

    def call_binop(self, context: Any, operator: str, left: Any, right: Any) -> Any:
        texts = [value for value in (left, right) if isinstance(value, str | bytes | list | tuple)]
        numbers = [value for value in (left, right) if isinstance(value, int | float)]
        if operator == "%" and isinstance(left, str):
            raise SecurityError("texts are filled in with format or ~, not with %")
        if operator == "*" and texts and numbers and len(texts[0]) * numbers[0] > LONGEST_VALUE:
            raise SecurityError(f"the result would be longer than {LONGEST_VALUE:,}")
        if operator == "**" and any(abs(number) > 1000 for number in numbers):
            raise SecurityError("the result would be too large")
        return super().call_binop(context, operator, left, right)


def _environment(folder: Path, ending: str, clock: Clock) -> _Sandbox:
    environment = _Sandbox(
        loader=FunctionLoader(_reader(folder)),
        autoescape=ending.lower() not in PLAIN,
        undefined=StrictUndefined,
        finalize=lambda value: visible(value) if type(value) is str else value,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    # Text of a log would become markup by it.
    del environment.filters["safe"]
    environment.globals["range"] = _bounded_range()
    environment.filters |= {
        "moment": clock.moment,
        "time": clock.time,
        "day": lambda value: wording.day(clock.here(value) if hasattr(value, "hour") else value),
        "money": format_money,
        "lasting": wording.lasting,
        "counted": wording.counted,
        "word": lambda status: str(status).replace("_", " "),
    }
    return environment


def _reader(folder: Path) -> Callable[[str], tuple[str, str, Callable[[], bool]] | None]:
    """Reads templates of the folder, and of no other place that a link may lead to."""
    root = folder.resolve()

    def read(name: str) -> tuple[str, str, Callable[[], bool]] | None:
        path = (root / name).resolve()
        if not path.is_relative_to(root) or not path.is_file():
            return None
        try:
            source = file_content(path).text()
        except UnreadableContent as problem:
            raise TemplateMistake(f"{folder / name} cannot be read: {problem.reason}.") from None
        _refuse_unescaped(source, name, path)
        return source, str(path), lambda: True

    return read


def _refuse_unescaped(source: str, name: str, path: Path) -> None:
    """`autoescape false` would let text of a log become markup."""
    tree = ImmutableSandboxedEnvironment().parse(source, name, str(path))
    for node in tree.find_all(nodes.ScopedEvalContextModifier):
        raise TemplateSyntaxError("escaping cannot be turned off", node.lineno, name, str(path))


def _bounded_range() -> Callable[..., Iterator[int]]:
    left = MOST_STEPS

    def bounded(*bounds: int) -> Iterator[int]:
        nonlocal left
        for number in range(*bounds):
            left -= 1
            if left < 0:
                raise SecurityError(f"its ranges count more than {MOST_STEPS:,} steps")
            yield number

    return bounded


# ---- what went wrong -----------------------------------------------------------------------


def _sentence(problem: Exception, folder: Path, main: str) -> str:
    if isinstance(problem, TemplateSyntaxError):
        name = problem.name or main
        return f"{folder / name}, line {problem.lineno}: {_ended(problem.message or 'a mistake')}"
    if isinstance(problem, RecursionError):
        said = "it goes round in a circle."
    elif isinstance(problem, TemplateNotFound):
        said = f"there is no template {problem.name} in the folder."
    else:
        said = _ended(str(problem) or type(problem).__name__)
    return f"{_place(problem, folder, main)}: {said}"


def _place(problem: Exception, folder: Path, main: str) -> str:
    """The innermost line of a template at which it happened."""
    root = folder.resolve()
    for frame in reversed(traceback.extract_tb(problem.__traceback__)):
        path = Path(frame.filename)
        if path.suffix == SUFFIX and path.is_relative_to(root):
            return f"{folder / path.relative_to(root)}, line {frame.lineno}"
    return str(folder / main)


def _ended(sentence: str) -> str:
    text = visible(sentence).strip().replace("\n", " ")
    return text if text.endswith((".", "?")) else f"{text}."
