"""What keeps a result from being clean for the shell, as a user writes it: `violation,defect`."""

from __future__ import annotations

from compliance.api.refusal import Refused
from event_schemas import did_you_mean
from reports.summing_up import CAREFUL
from reports.verdicts import Concern


def concerns(text: str | None, *, baseline: bool) -> frozenset[Concern]:
    """The concerns that a text names; all that make a careful answer if there is none."""
    if text is None:
        return CAREFUL
    known = [concern.value for concern in Concern]
    named = [word.strip() for word in text.split(",")]
    for word in named:
        if word not in known:
            close = did_you_mean(word, known)
            guess = f" Did you mean {close}?" if close else ""
            raise Refused(f'--fail-on: "{word}" is none of {", ".join(known)}.{guess}')
    if Concern.NEW in named and not baseline:
        raise Refused("--fail-on new compares with an earlier result: give it with --baseline.")
    return frozenset(map(Concern, named))
