"""The invented night with an attack in every field that comes from a log."""

from __future__ import annotations

from reports.model import Run
from tests.reports.sample import full_run

MARKUP = '<script>alert("1")</script><img src=x onerror=alert(2)>'
TEMPLATE = "{{ 7 * 7 }}{% for x in y %}#{1+1}${1+1}"
TYPESET = "#panic() $x^2$ *bold* = heading @label \\ _it_ `raw`"
FORMULA = '=HYPERLINK("http://evil.example";"x")'
LINK = "[click](http://evil.example)"
HIDDEN = "left\u202eright\x1b[31m\x00"
LINES = "one\r\ntwo\n=3"
PAYLOADS = (MARKUP, TEMPLATE, TYPESET, FORMULA, LINK, HIDDEN, LINES)


def attacked(payload: str) -> Run:
    """The night, in which a log writer put the payload wherever he could."""
    night = full_run()
    outcomes = []
    for outcome in night.outcomes:
        findings = tuple(
            found.model_copy(
                update={
                    "sentence": payload,
                    "where": dict.fromkeys(found.where, payload),
                    "trigger": found.trigger
                    and found.trigger.model_copy(
                        update={"event_id": payload, "line_text": payload, "table": payload}
                    ),
                }
            )
            for found in outcome.findings
        )
        outcomes.append(outcome.model_copy(update={"findings": findings, "reason": payload}))
    scope = night.scope.model_copy(update={"casinos": (payload,), "tables": (payload,)})
    return night.model_copy(
        update={
            "outcomes": tuple(outcomes),
            "scope": scope,
            "notes": (payload,),
            "set_aside": {payload: 2},
            "options": {"decks": payload},
        }
    )
