"""A night in which strangers wrote an attack wherever they could: log, rules and side files."""

from __future__ import annotations

import json
from typing import Final

from tests.attacks.arena import EVENT, Content

PAYLOADS: Final = {
    "markup": '<script>console.log("1")</script><img src=x onerror=console.log(2)>',
    "an attribute": "\" onmouseover=console.log(1) autofocus onfocus='console.log(2)' x=\"",
    "the end of the script": "</script></style></template><script>console.log(3)</script>",
    "an address": "javascript:console.log(4)",
    "a template": "{{ 7 * 7 }}{% for x in y %}${1+1}#{1+1}",
    "typesetting": "#panic() $x^2$ *bold* = heading @label \\ _it_ `raw` //",
    "a formula": '=HYPERLINK("http://evil.example";"x")',
    "another formula": "@SUM(1+1)*cmd|' /C calc'!A0",
    "a link": "[click](http://evil.example) <http://evil.example>",
    "a terminal": "red\x1b[31m\x1b]0;title\x07\x9b2J",
    "letters in another order": "left\u202eright\u2066inside\u200b\u200f",
    "lines": "one\r\ntwo\n=3",
}
RULES: Final = """\
rulebook "R {text}" time zone "America/New_York"

section "S {text}"

rule burned-before-dealing
  "T {text}"
  cite "C {text}"
  severity minor
  when card_dealt
  require card_burned earlier
  otherwise say "M {text} {{player}} {{table}}"
  remedy "E {text}"
  note "N {text}"
"""


def night(payload: str) -> dict[str, Content]:
    """The files of such a night, in which every text is the payload or has it inside."""
    # A text of a rule stands in quotation marks on one line, and braces in it mean values.
    text = "".join(" " if c in '"\n\r{}' or not c.isprintable() else c for c in payload)
    event = EVENT | {"casino": payload, "table": payload, "player": payload, "dealer": payload}
    lines = [
        event | {"id": payload},
        event | {"id": "e2", "seq": 2, "type": payload},
        event | {"id": "e3", "seq": 3, payload: payload},
        event | {"id": "e4", "seq": 4, "card": payload},
        event | {"id": "e5", "seq": 5, "corrects": payload},
        event | {"id": "e7", "seq": 7, "ts": payload},
        event | {"id": "e8", "seq": 8, "type": "option_elected", "option_name": payload,
                 "value": payload},
    ]  # fmt: skip
    quoted = json.dumps(payload)
    waiver = (
        f'[[waiver]]\nrule = "burned-before-dealing"\nauthority = {quoted}\nreason = {quoted}\n'
        f"expires = 2024-12-31\n"
    )
    return {
        "small.rules": RULES.format(text=text),
        "night.jsonl": "".join(json.dumps(line) + "\n" for line in lines) + payload + "\n",
        "own.toml": f"[tables.{quoted}]\ndecks = 6\n",
        "waivers.toml": waiver,
    }
