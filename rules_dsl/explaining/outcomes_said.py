"""Says for one edition of a rule what counts as complied, violated, excused, open, undetermined."""

from __future__ import annotations

from collections.abc import Iterator

from event_schemas import Schema
from event_schemas.event import OWN_ATTRIBUTES
from rules_dsl import core
from rules_dsl.explaining.english import English
from rules_dsl.explaining.english_names import article, listed
from rules_dsl.explaining.english_phrases import Speech, bound_said
from rules_dsl.traverse import Types, all_parts, walk


def outcomes_said(edition: core.Edition, schema: Schema, english: English) -> list[str]:
    """One sentence for each way in which a check can end."""
    several = len(edition.requirements) > 1
    what = "all that is required holds" if several else "what is required holds"
    fails = "one of the requirements does not hold" if several else "it does not hold"
    said = [f"Complied: a check is complied with when {what}."]
    if edition.exemptions:
        said.append(f"Violated: it is violated when {fails} and no exception applies.")
        said.append(f"Excused: it is excused when {fails} but an exception applies.")
    else:
        said.append(f"Violated: it is violated when {fails}.")
    return [*said, _open(edition, english), _undetermined(edition, schema, english)]


# ---- open ----------------------------------------------------------------------------------


def _open(edition: core.Edition, english: English) -> str:
    """Which later events a check waits for."""
    ends: dict[str, None] = {}
    endless: dict[str, None] = {}
    for part in all_parts(edition):
        if not isinstance(part, core.Events) or part.window.reach == "past":
            continue
        end = _end(part, edition, english)
        if end:
            ends[end] = None
        else:
            types = part.pattern.types
            any_event = part.pattern.any_event
            endless["any event" if any_event else english.names.events(types)] = None
    if not ends and not endless:
        return (
            "Open: it is never left open, because the rule looks only at what has happened "
            "up to this event."
        )
    said = []
    if ends:
        said.append(f"the check stays open if the log ends before {listed(ends, 'or')}")
    if endless:
        said.append(
            f"no end is set to looking for {listed(endless, 'and')}, so that a check which "
            "waits for it stays open for as long as the log goes on"
        )
    return f"Open: {'; '.join(said)}."


def _end(events: core.Events, edition: core.Edition, english: English) -> str:
    """The moment from which a window that looks ahead shows nothing new."""
    window = events.window
    speech = Speech()
    if window.before is not None:
        return f"the next {bound_said(window.before, speech, english)}"
    if window.within is not None:
        return f"the time limit of {english.said(window.within, speech)} has passed"
    if window.interval is not None:
        which = "the next" if window.which == "next" else "the"
        return f"{which} {window.interval} has ended"
    if edition.slice.interval is not None:
        return f"the {edition.slice.interval} has ended"
    return ""


# ---- undetermined --------------------------------------------------------------------------


def _undetermined(edition: core.Edition, schema: Schema, english: English) -> str:
    lacking = [
        f"the {listed([english.names.field(name) for name in names])} of {article(event)}"
        for event, names in _may_lack(edition, schema, english)
    ]
    options = sorted(
        {
            part.name
            for part in all_parts(edition)
            if isinstance(part, core.OptionValue) and schema.options[part.name].default is None
        }
    )
    lacking += [f"the table's option {english.names.quoted(name)}" for name in options]
    if not lacking:
        return (
            "Undetermined: it is never undetermined, because every log records "
            "all that the rule needs."
        )
    return (
        "Undetermined: the check is undetermined if it depends on something that the log does not "
        f"record: {listed(lacking, 'or')}."
    )


def _may_lack(
    edition: core.Edition, schema: Schema, english: English
) -> Iterator[tuple[str, list[str]]]:
    """The fields that a log may fail to record, by event."""
    found: dict[str, list[str]] = {}
    for name, fields in needed_fields(edition, schema, if_recorded=False).items():
        optional = [f for f in fields if not schema.events[name].fields[f].required]
        if optional:
            found[name] = optional
    for name, fields in found.items():
        yield english.names.event(name), fields


def needed_fields(
    edition: core.Edition, schema: Schema, *, if_recorded: bool = True
) -> dict[str, list[str]]:
    """Every event type that an edition speaks of, with the fields that it reads of it.

    `if_recorded` counts fields too of which the rule only asks whether the log records them.
    """
    needed: dict[str, set[str]] = {name: set() for name in edition.slice.relevant}
    only_asked = {id(part.value) for part in all_parts(edition) if isinstance(part, core.Recorded)}
    for part, types in walk(edition):
        if id(part) in only_asked and not if_recorded:
            continue
        for name, field in _fields_read(part, types):
            if field in schema.events[name].fields and field not in OWN_ATTRIBUTES:
                needed.setdefault(name, set()).add(field)
    for name in needed:
        needed[name].update(k for k in edition.slice.keys if k in schema.events[name].fields)
    return {name: sorted(fields) for name, fields in sorted(needed.items())}


def _fields_read(part: core.Core, types: Types) -> Iterator[tuple[str, str]]:
    if isinstance(part, core.Field):
        for name in types.get(part.var, ()):
            yield name, part.name
    elif isinstance(part, core.Events):
        for name in part.pattern.types:
            for field in part.per_fields:
                yield name, field
