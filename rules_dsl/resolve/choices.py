"""Resolves doubtful passages of the law, and every choice of a reading, a setting or an option."""

from __future__ import annotations

from event_schemas import PLAIN_KINDS, EnumType, ValueProblem, parse_value
from rules_dsl import core, syntax
from rules_dsl.diagnostics import nearest
from rules_dsl.resolve.kinds import described
from rules_dsl.resolve.names import Desk
from rules_dsl.resolve.unknown import hint, not_a_word, sentence, unknown_option


def constant(literal: syntax.Literal) -> core.Const:
    """A literal as a constant of its own kind."""
    kind = "text" if literal.kind == "word" else literal.kind
    return core.Const(kind, literal.text)


def interpretation(desk: Desk, node: syntax.Interpretation, file: int) -> core.Interpretation:
    """A passage that can be read in more than one way, one of them the default."""
    defaults = [reading.name for reading in node.readings if reading.default]
    if len(defaults) != 1:
        found = "none is" if not defaults else f"{len(defaults)} are"
        desk.report(
            "no-default-reading",
            f"One reading of `{node.name}` must be the default, but {found} marked so.",
            file,
            desk.spot(file, node.span, node.name, after="interpretation"),
            "write `default` after the reading that applies unless a profile says otherwise",
        )
    names = [reading.name for reading in node.readings]
    for index, reading in enumerate(node.readings):
        if reading.name in names[:index]:
            desk.report(
                "declared-twice",
                f"`{node.name}` already has a reading `{reading.name}`.",
                file,
                desk.spot(file, reading.span, reading.name, after="reading"),
                "give one of the two another name",
            )
    return core.Interpretation(
        node.name,
        node.title,
        node.citations,
        tuple(core.ReadingChoice(reading.name, reading.text) for reading in node.readings),
        defaults[0] if defaults else node.readings[0].name,
        place=desk.place(file, node.span),
    )


def profile(desk: Desk, node: syntax.Profile, file: int) -> core.Profile:
    """A profile, with each of its choices checked."""
    choices = []
    for choice in node.choices:
        checked = check_choice(desk, choice.what, choice.name, choice.value, file, choice)
        if checked is not None:
            choices.append(checked)
    check_chosen_once(desk, node.choices, file)
    return core.Profile(node.name, node.title, tuple(choices), place=desk.place(file, node.span))


def check_chosen_once(
    desk: Desk, choices: tuple[syntax.Choice | syntax.Given, ...], file: int
) -> None:
    """Of two choices about the same thing, one would be dropped without a word."""
    seen = set()
    for choice in choices:
        key = (choice.what, choice.name)
        if key in seen:
            desk.report(
                "repeated-clause",
                f"The {choice.what} `{choice.name}` is chosen a second time.",
                file,
                desk.spot(file, choice.span, choice.name, after=choice.what),
                "keep one of the two",
            )
        seen.add(key)


def check_choice(
    desk: Desk, what: str, name: str, value: syntax.Literal, file: int, node: syntax.Node
) -> core.Choice | None:
    """A choice of a reading, a setting or an option: the name must exist and the value must fit."""
    if what == "reading":
        return _reading_choice(desk, name, value, file, node)
    if what == "setting":
        return _setting_choice(desk, name, value, file, node)
    return _option_choice(desk, name, value, file, node)


def _reading_choice(
    desk: Desk, name: str, value: syntax.Literal, file: int, node: syntax.Node
) -> core.Choice | None:
    found = desk.symbols.interpretations.get(name)
    if found is None:
        if not desk.symbols.excused(name):
            desk.report(
                "unknown-reading",
                f"There is no interpretation `{name}`.",
                file,
                desk.spot(file, node.span, name, after="reading"),
                nearest(name, desk.symbols.interpretations),
            )
        return None
    words = tuple(reading.name for reading in found.readings)
    if value.text not in words:
        message, suggestion = not_a_word(value.text, EnumType(f"reading {name}", words, False, ""))
        desk.report("unknown-value", message, file, value.span, suggestion)
        return None
    return core.Choice("reading", name, value.text)


def _setting_choice(
    desk: Desk, name: str, value: syntax.Literal, file: int, node: syntax.Node
) -> core.Choice | None:
    setting = desk.symbols.settings.get(name)
    if setting is None:
        if not desk.symbols.excused(name):
            desk.report(
                "unknown-setting",
                f"There is no setting `{name}`.",
                file,
                desk.spot(file, node.span, name, after="setting"),
                nearest(name, desk.symbols.settings),
            )
        return None
    chosen = constant(value)
    if chosen.kind != setting.value.kind:
        wanted, found = (
            "nothing" if kind == "none" else described(PLAIN_KINDS[kind])
            for kind in (setting.value.kind, chosen.kind)
        )
        desk.report(
            "type-mismatch",
            f"The setting `{name}` is {wanted}, but `{value.text}` is {found}.",
            file,
            value.span,
            f"write it like `{setting.value.text}`",
        )
        return None
    try:
        parse_value(PLAIN_KINDS[chosen.kind], chosen.text)
    except ValueProblem as problem:
        message = sentence(problem, chosen.text)
        desk.report("bad-value", message, file, value.span, hint(problem))
        return None
    return core.Choice("setting", name, value.text)


def _option_choice(
    desk: Desk, name: str, value: syntax.Literal, file: int, node: syntax.Node
) -> core.Choice | None:
    option = desk.schema.options.get(name)
    if option is None:
        message, suggestion = unknown_option(desk, name)
        span = desk.spot(file, node.span, name, after="option")
        desk.report("unknown-option", message, file, span, suggestion)
        return None
    try:
        parse_value(option.kind, value.text)
    except ValueProblem as problem:
        if option.kind.enum is not None:
            message, suggestion = not_a_word(value.text, option.kind.enum)
            desk.report("unknown-value", message, file, value.span, suggestion)
        else:
            message = sentence(problem, value.text)
            desk.report("bad-value", message, file, value.span, hint(problem))
        return None
    return core.Choice("option", name, value.text)
