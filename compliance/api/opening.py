"""Opens what a command works on, the vocabulary and the rule files, or says why it cannot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

from compliance.api.refusal import Refused, unknown
from event_schemas import Schema, builtin_schema, did_you_mean, load_schema
from reports.verdicts import ExitCode
from rules_dsl import core
from rules_dsl.bundled import bundled_names, is_bundled, named_place
from rules_dsl.cache import RulebookCache
from rules_dsl.rule_files import SUFFIX
from rules_dsl.rulebook import Loaded, load


def open_schema(file: Path | None) -> Schema:
    """The built-in vocabulary, or the one that a user's file describes."""
    if file is None:
        return builtin_schema()
    if not file.is_file():
        raise Refused(f"There is no schema file {file}.")
    schema, problems = load_schema(file)
    if schema is not None:
        return schema
    raise Refused(f"The schema file {file} has mistakes.", problems=problems)


RulePath = str | Path
"""A rule file, a folder of them, or the name of a bundled rulebook."""


def existing(paths: Sequence[RulePath]) -> list[Path]:
    """Where the rules lie that some paths and names mean: each must hold a rule file."""
    return [_existing(path) for path in paths]


def _existing(given: RulePath) -> Path:
    path = named_place(given)
    if is_bundled(given) and Path(given).exists() and not path.samefile(given):
        # Which law is meant must never be a matter of where one stands.
        raise Refused(
            f"{given} is the name of a bundled rulebook, and there is a file or folder of that "
            f"name here: write ./{given} if you mean that one."
        )
    if not path.exists():
        close = did_you_mean(str(given), bundled_names())
        guess = f" Did you mean the bundled rulebook {close}?" if close else ""
        raise Refused(f"There is no file or folder {path}.{guess}")
    if path.is_dir() and next(path.rglob(f"*{SUFFIX}"), None) is None:
        raise Refused(f"There is no rule file (*{SUFFIX}) in the folder {path}.")
    return path


def open_rules(
    paths: Sequence[RulePath],
    schema: Schema,
    cache: RulebookCache | None = None,
    *,
    examples: bool = True,
) -> Loaded:
    """A rulebook in which nothing is wrong; otherwise its mistakes are shown, and that is all."""
    loaded = load(existing(paths), schema, cache, examples=examples)
    if loaded.errors:
        raise Refused(
            "The rules have mistakes; nothing was done.",
            code=ExitCode.BAD_RULES,
            hint="`compliance rules check` shows them together with warnings.",
            problems=loaded.errors,
        )
    return loaded


def open_rules_to_judge(
    paths: Sequence[RulePath], schema: Schema, profile: str | None = None
) -> core.Rulebook:
    """A sound rulebook to judge a log by, as it is remembered: without the examples of its rules.

    What the rules need is remembered with it.
    """
    from compliance.judgement.circumstances import circumstances
    from compliance.plan.remembered_plan import recall_plan
    from compliance.table_check.needs_of_rulebook import recall_needs
    from compliance.values.elected_options import ElectedOptions

    cache = RulebookCache()
    loaded = open_rules(paths, schema, cache, examples=False)
    rulebook = loaded.rulebook
    if profile is not None and profile not in rulebook.profiles:
        close = did_you_mean(profile, rulebook.profiles)
        raise unknown("profile", profile, close, "`compliance rules list`")
    choices = rulebook.profiles[profile].choices if profile else ()
    surroundings = circumstances(rulebook, schema, ElectedOptions(schema), choices)
    recall_needs(loaded, schema, surroundings.readings, cache)
    recall_plan(loaded, schema, cache)
    return rulebook


def chosen_rules(rulebook: core.Rulebook, names: Iterable[str]) -> tuple[core.Rule, ...]:
    """The rules with these names in the order of the rulebook, or all of them if none is named."""
    wanted = list(names)
    known = [rule.name for rule in rulebook.rules]
    for name in wanted:
        if name not in known:
            raise unknown("rule", name, _closest(name, known), "`compliance rules list`")
    return tuple(rule for rule in rulebook.rules if not wanted or rule.name in wanted)


def _closest(name: str, known: Iterable[str]) -> str | None:
    # Rule names are written with hyphens, the words of the vocabulary with underscores.
    spelt = {rule.replace("-", "_"): rule for rule in known}
    close = did_you_mean(name, spelt)
    return spelt[close] if close else None
