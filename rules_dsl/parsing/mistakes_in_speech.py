"""What people write as they would say it: lengths of time, fields of an event, small words."""

from __future__ import annotations

from rules_dsl.parsing.mistakes import Mistake

_LENGTH = r"(?P<length>[0-9]+\s+(?:seconds?|minutes?|hours?|days?))\b"

SPEECH = (
    Mistake(
        "`{how} than` is not said of a length of time.",
        "write `more than {length} {how}`",
        before=r"(?P<wrong>\b(?P<how>earlier|later))",
        here=rf"(?P<wrong>than\s+{_LENGTH})",
    ),
    Mistake(
        "A length of time is said with `within` or `at least`.",
        "write `within {length} earlier` or `at least {length} earlier`",
        here=rf"(?P<wrong>{_LENGTH}\s+(?:before|ago|earlier)\b)",
        expected="WITHIN",
    ),
    Mistake(
        "A length of time is said with `within` or `at least`.",
        "write `within {length} later` or `at least {length} later`",
        here=rf"(?P<wrong>{_LENGTH}\s+(?:after(?:wards)?|later)\b)",
        expected="WITHIN",
    ),
    Mistake(
        "A length of time is said with `within` or `at least`.",
        "write `within {length} earlier` or `within {length} later`",
        here=rf"(?P<wrong>no\s+(?:later|earlier|more)\s+than\s+{_LENGTH}(?:\s+(?:before|after))?)",
    ),
    Mistake(
        "`within` is followed by a length of time.",
        "write `within {length} earlier`",
        before=r"\bwithin\s+(?P<wrong>the)",
        here=rf"(?P<wrong>(?:last|past|previous)\s+{_LENGTH})",
    ),
    Mistake(
        "`within` is followed by a length of time.",
        "write `within {length} later`",
        before=r"\bwithin\s+(?P<wrong>the)",
        here=rf"(?P<wrong>(?:next|following)\s+{_LENGTH})",
    ),
    Mistake(
        "No comma is needed here.",
        "leave it out",
        before=r"(?<!\bwhere)",
        here=r"(?P<wrong>,)\s*(?:earlier|later|within|since|so\s+far)\b",
    ),
    Mistake(
        "A field follows its event after a dot.",
        "write `{event}.{field}`",
        before=r"\b(?P<wrong>(?P<event>[a-z]+_[a-z0-9_]+))",
        here=r"(?P<wrong>(?P<field>[a-z]\w*))\s*(?:[=<>]|(?:is|are)\b)",
        new_line=False,
    ),
    Mistake(
        "`that` is not needed before a condition.",
        "leave it out",
        before=r"\b(?:require|forbid)\s+(?P<wrong>that)",
        here=r"[a-z]",
        new_line=False,
    ),
    Mistake(
        "`then` follows an `if`.",
        "say what must hold in a clause of its own, `require`",
        before=r"(?:^|\n)[ \t]*when\s+[^\n]*",
        here=r"(?P<wrong>then\b)",
        new_line=False,
    ),
)
