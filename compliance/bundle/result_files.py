"""The files that a result rests on, found again and proved to be the same ones."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final, cast

from compliance.api.opening import open_rules_to_judge, open_schema
from compliance.api.refusal import Refused
from compliance.bundle.contents import RUN, Role
from compliance.bundle.packing import ToPack
from compliance.checking.rulebook_identity import names_in_rulebook, rulebook_hash
from compliance.log.sources import find_sources
from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.limits import LARGEST_RESULT
from reports.model import Run
from rules_dsl import core
from rules_dsl.bundled import bundled_rulebook, is_bundled

OPTIONS: Final[Mapping[str, str]] = {
    "event schema": "--schema",
    "table options": "--options",
    "manifest": "--manifest",
    "mapping": "--mapping",
    "the night before": "--after",
    "waivers": "--waivers",
    "baseline": "--baseline",
}
"""By role: the option of a check that names such a file."""
_BUNDLED: Final = "bundled-rules"


def files_of_result(
    run: Run,
    saved: Path,
    given: Mapping[str, Sequence[Path]],
    rules: Sequence[str],
    reports: Sequence[Path],
    logs: Sequence[str],
) -> list[ToPack]:
    """All that goes into a bundle besides its list, in its order. `given` are files by role."""
    consulted = list(_consulted(run, saved, given))
    files = [ToPack(RUN, "result", saved)]
    files += _numbered("reports", "report", reports)
    for role in OPTIONS:
        own = [path for found, path in consulted if found == role]
        files += _numbered(role.replace(" ", "-"), cast(Role, role), own)
    files += _rules(run, saved, rules, [path for role, path in consulted if role == "event schema"])
    files += _logs(run, logs)
    return files


def _numbered(folder: str, role: Role, paths: Sequence[Path]) -> Iterator[ToPack]:
    """Files under their own names, each in a folder of its own where two share one."""
    names = [path.name for path in paths]
    for number, path in enumerate(paths, start=1):
        apart = f"{number}/" if names.count(path.name) > 1 else ""
        if not path.is_file():
            raise Refused(f"There is no file {path}.")
        yield ToPack(f"{folder}/{apart}{path.name}", role, path)


def words_of(run: Run) -> list[str]:
    """The command of a result, word by word."""
    try:
        return shlex.split(run.command)
    except ValueError:
        raise Refused("The saved result cannot be repeated: its command was altered.") from None


def values_of(words: Sequence[str], option: str) -> list[str]:
    """What was said with an option."""
    return [value for word, value in pairwise(words) if word == option]


def _consulted(
    run: Run, saved: Path, given: Mapping[str, Sequence[Path]]
) -> Iterator[tuple[str, Path]]:
    """Every file that bears on the result, by its role; each must be the very same."""
    words = words_of(run)
    for item in run.consulted:
        option = OPTIONS.get(item.role)
        if option is None:
            raise Refused(f"The result rests on {item.name} ({item.role}), which no bundle holds.")
        named = [Path(value) for value in values_of(words, option)]
        near = [saved.parent / item.name, *(saved.parent / path for path in named), *named]
        found = [*given.get(item.role, ()), *near]
        path = next((path for path in found if _is(path, item.sha256)), None)
        if path is None:
            raise Refused(
                f"The saved result rests on {item.name} ({item.role}, SHA-256 "
                f"{item.sha256[:16]}…): give it with {option}."
            )
        yield item.role, path


def _is(path: Path, sha256: str) -> bool:
    try:
        return path.is_file() and file_content(path, LARGEST_RESULT).sha256 == sha256
    except (UnreadableContent, OSError):
        return False


def _rules(
    run: Run, saved: Path, given: Sequence[str], schemas: Sequence[Path]
) -> Iterator[ToPack]:
    """The files of the rulebook that was applied, under their names within it."""
    schema = open_schema(schemas[0] if schemas else None)
    said = given or values_of(words_of(run), "--rules") or [bundled_rulebook().name]
    places = [place if is_bundled(place) else _near(place, saved) for place in said]
    rulebook = open_rules_to_judge(places, schema, run.profile or None)
    if rulebook_hash(rulebook) != run.rulebook.sha256:
        raise Refused(
            f"The rules {', '.join(said)} are not those of the result (SHA-256 "
            f"{run.rulebook.sha256[:16]}…): give them with --rules."
        )
    own = _own(rulebook)
    for name, file in sorted(zip(names_in_rulebook(rulebook), rulebook.files, strict=True)):
        beside = bool(own) and file.name not in own
        folder, role = (_BUNDLED, "bundled rules") if beside else ("rules", "rules")
        yield ToPack(f"{folder}/{name}", cast(Role, role), Path(file.name))


def _own(rulebook: core.Rulebook) -> set[str]:
    """The rule files that do not come with the product."""
    root = bundled_rulebook().parent
    return {file.name for file in rulebook.files if not Path(file.name).is_relative_to(root)}


def _near(place: str, saved: Path) -> str:
    """Rules from where the command is given, or from where the result lies."""
    return place if Path(place).exists() else str(saved.parent / place)


def _logs(run: Run, logs: Sequence[str]) -> Iterator[ToPack]:
    """The logs themselves, each proved to be the one that was checked."""
    if not logs:
        return
    if values_of(words_of(run), "--archive"):
        raise Refused(
            "The result was made from an archive, which no bundle holds; pack it without "
            "--with-log."
        )
    known = {item.sha256: item.name for item in run.inputs}
    found = find_sources(logs)
    if found.problems:
        raise Refused("The logs cannot be packed.", problems=found.problems)
    missing = dict(known)
    for source in found.files:
        if source.path is None:
            raise Refused("A log that is piped in cannot be packed; name its file.")
        item = ToPack(f"logs/{source.name}", "log", source.path)
        sha256 = item.listed().sha256
        if sha256 not in known:
            raise Refused(f"{source.path} is not one of the logs that the result was made from.")
        missing.pop(sha256, None)
        # Under the name that the result gives it.
        yield ToPack(f"logs/{known[sha256]}", "log", source.path)
    for name in missing.values():
        raise Refused(f"The log {name}, from which the result was made, is not among those named.")
