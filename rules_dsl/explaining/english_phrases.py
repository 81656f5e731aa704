"""Says in plain English which events a phrase means and where it looks for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol

from rules_dsl import core
from rules_dsl.conditions import both_ends
from rules_dsl.explaining.english_names import Names, article, listed
from rules_dsl.traverse import asked_of_each, introduced, named_parts, spoken_of

THIS_EVENT = "this event"
ANY_EVENT = "event of any type"


@dataclass(frozen=True)
class Speech:
    """Who is who while a sentence is being made: `own` is the event that `its` and `it` mean."""

    own: int | None = None
    called: Mapping[int, str] = field(default_factory=lambda: {core.TRIGGER: THIS_EVENT})

    def event(self, var: int) -> str:
        """An event by its name, or as `it` where it has none."""
        if var == self.own and (var == core.TRIGGER or var not in self.called):
            return "it"
        return self.called.get(var, "that event")

    def called_by(self, var: int) -> str:
        """An event where `it` would sound odd."""
        return self.called.get(var, "that event")

    def owner(self, var: int) -> str:
        """The beginning of `its seat`, `this event's seat`."""
        return "its" if var == self.own else f"{self.event(var)}'s"

    def about(self, var: int) -> Speech:
        """The same, now speaking about another event."""
        return Speech(var, self.called)


class Speaker(Protocol):
    """What phrases need to say the conditions and values inside them."""

    rulebook: core.Rulebook
    names: Names

    def said(self, expr: core.Expr, speech: Speech) -> str: ...

    def value(self, expr: core.Expr, speech: Speech) -> str: ...

    def holds(self, expr: core.Expr, speech: Speech, *, must: bool = False) -> str: ...


@dataclass(frozen=True)
class Noun:
    """Some events in words: `“card dealt”`, then where to look, then what must be true of each."""

    name: str
    window: str
    where: str
    inside: Speech
    several: bool = False

    @property
    def one(self) -> str:
        """`a “card dealt” before this event whose seat is 1`."""
        return f"{article(self.name)}{self.rest}"

    @property
    def many(self) -> str:
        """`“card dealt” events before this event whose seat is 1`."""
        return f"{self.plural}{self.rest}"

    @property
    def plural(self) -> str:
        """`“card dealt” events`, `events of any type`."""
        if self.name.startswith(ANY_EVENT):
            return self.name.replace("event", "events", 1)
        return f"{self.name} events"

    @property
    def rest(self) -> str:
        return f"{self.window}{self.where}"


def events_said(events: core.Events, speech: Speech, speaker: Speaker, reader: core.Core) -> Noun:
    """The events of a phrase; `reader` is the part that uses them, with values and conditions."""
    noun = pattern_said(events.pattern, speech, speaker, reader)
    window = window_said(events.window, speech.event(events.at), speech, speaker)
    per = ""
    if events.per is not None:
        keys = " and ".join(speaker.names.field(name) for name in events.per_fields)
        per = f" (of these, only the {events.per} one for each {keys})"
    space = f" {window}" if window else ""
    return Noun(noun.name, space, noun.where + per, noun.inside, noun.several)


def pattern_said(
    pattern: core.Pattern, speech: Speech, speaker: Speaker, reader: core.Core | None = None
) -> Noun:
    """The events that a pattern means, without where to look."""
    name = ANY_EVENT if pattern.any_event else speaker.names.events(pattern.types)
    inside = speech.about(pattern.var)
    if _is_named_further_in(pattern.var, reader or pattern):
        letter = f"event {chr(ord('A') + pattern.var)}"
        inside = Speech(pattern.var, {**speech.called, pattern.var: letter})
        named = f"{name[:-1]}; " if name.endswith(")") else f"{name} ("
        name = f"{named}call it {letter})"
    where = "" if pattern.where is None else _where(pattern.where, inside, speaker)
    several = len(pattern.types) > 1 and not pattern.any_event
    return Noun(name, "", where, inside, several)


def _where(where: core.Expr, inside: Speech, speaker: Speaker) -> str:
    """What must be true of the event. Fields that agree with another event's are said together."""
    is_list = isinstance(where, core.And) and both_ends(where) is None
    conditions = where.parts if isinstance(where, core.And) and is_list else (where,)
    same: dict[int, list[str]] = {}
    rest: list[core.Expr] = []
    for part in conditions:
        found = _same_as(part, inside.own)
        if found is None:
            rest.append(part)
        else:
            same.setdefault(found[0], []).append(speaker.names.field(found[1]))
    said = [f"with the same {listed(fields)} as {inside.event(v)}" for v, fields in same.items()]
    said += [_one_where(part, inside, speaker) for part in rest]
    return " " + " and ".join(said)


def _same_as(part: core.Expr, own: int | None) -> tuple[int, str] | None:
    """The other event and the field, where a condition says that two events agree on it."""
    if not (isinstance(part, core.Compare) and part.sign == "="):
        return None
    left, right = part.left, part.right
    if not (isinstance(left, core.Field) and isinstance(right, core.Field)):
        return None
    is_same = left.name == right.name and left.var == own != right.var
    return (right.var, left.name) if is_same else None


def _one_where(part: core.Expr, inside: Speech, speaker: Speaker) -> str:
    text = speaker.holds(part, inside)
    return f"whose {text[4:]}" if text.startswith("its ") else f"for which {text}"


def _is_named_further_in(var: int, reader: core.Core) -> bool:
    """Whether another phrase inside speaks of the event: there, `its` would be another's."""

    def mentions(node: core.Core, own: int | None) -> bool:
        if var in spoken_of(node) and own != var:
            return True
        found = introduced(node)
        # The events are looked for from outside; the value is one of the event itself.
        inside = {"where"} if found is node else asked_of_each(type(node))
        return any(
            mentions(part, found.var if found is not None and name in inside else own)
            for name, part in named_parts(node)
        )

    return mentions(reader, var)


# ---- windows -------------------------------------------------------------------------------


def window_said(window: core.Window, here: str, speech: Speech, speaker: Speaker) -> str:
    """Where a phrase looks, seen from an event: `before this event in the same round`."""
    said = [_reach(window, here, speech, speaker)]
    if window.interval is not None:
        said.append(_interval(window, here))
    text = " ".join(part for part in said if part)
    lengths = _lengths(window, here, speech, speaker)
    if lengths:
        text = f"{text}, {lengths}" if text else lengths
    return text


def _reach(window: core.Window, here: str, speech: Speech, speaker: Speaker) -> str:
    if window.since is not None:
        bound = bound_said(window.since, speech, speaker)
        included = f" ({here} included)" if window.inclusive else ""
        return f"since the latest {bound} before {here}{included}"
    if window.before is not None:
        return f"after {here} and before the next {bound_said(window.before, speech, speaker)}"
    if window.after is not None:
        end = "up to and including" if window.inclusive else "before"
        return f"after {speech.event(window.after)} and {end} {here}"
    timed = window.within is not None or window.at_least is not None
    if window.which != "this" or window.reach == "whole" or timed:
        return ""
    if window.reach == "past":
        return f"up to and including {here}" if window.inclusive else f"before {here}"
    return f"after {here}"


def _interval(window: core.Window, here: str) -> str:
    if window.which == "previous":
        return f"in the {window.interval} before that of {here}"
    if window.which == "next":
        return f"in the {window.interval} after that of {here}"
    if window.reach == "whole":
        return f"in the same {window.interval} as {here}"
    return f"in the same {window.interval}"


def _lengths(window: core.Window, here: str, speech: Speech, speaker: Speaker) -> str:
    side = "before" if window.reach == "past" else "after"
    said = []
    if window.at_least is not None:
        far = "more than" if window.more_than else "at least"
        said.append(f"{far} {speaker.said(window.at_least, speech)}")
    if window.within is not None:
        near = "less than" if window.less_than else "at most"
        said.append(f"{near} {speaker.said(window.within, speech)}")
    return f"{' and '.join(said)} {side} {here}" if said else ""


def bound_said(pattern: core.Pattern, speech: Speech, speaker: Speaker) -> str:
    """The event that a window begins or ends with; its conditions stand in brackets."""
    noun = pattern_said(pattern, speech, speaker)
    return f"{noun.name} (one{noun.where})" if noun.where else noun.name
