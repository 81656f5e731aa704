"""What people often write wrong inside a condition: comparisons, and phrases about events."""

from __future__ import annotations

import re

from rules_dsl.parsing.mistakes import Groups, Mistake
from rules_dsl.parsing.mistakes_in_values import unit_of_time

_LARGER = "greater|bigger|larger|higher|above|over|longer|later"
_SMALLER = "smaller|lower|below|under|shorter|earlier"


def _comparison(groups: Groups) -> str:
    word = groups["how"].split()[0]
    if re.fullmatch(_LARGER, word):
        return "write `is more than`"
    return "write `is less than`"


def _not_comparison(groups: Groups) -> str:
    return "write `is at least`" if groups["how"] in ("less", "fewer") else "write `is at most`"


def _hour_of(groups: Groups) -> str:
    hour, half = int(groups["hour"]), groups.get("half", "").lower()
    if half:
        hour = hour % 12 + (12 if half.startswith("p") else 0)
    how = "at least" if groups.get("how") == "after" else "less than"
    return f"compare the hour, 0 to 23: `hour of ts is {how} {hour}` or the like"


def _any_of(groups: Groups) -> str:
    events = [groups["first"], *re.findall(r"[a-z][a-z0-9_]*_[a-z0-9_]+", groups["others"])]
    return f"write `any of ({', '.join(events)})`"


_NUMBER_OF_HOUR = r"(?<![\w.,:$-])(?P<wrong>(?P<hour>[01]?[0-9]|2[0-3]))$"
_HOURS = "`{hour}{clock}` is not a value of the rule language."

TIMES = (
    Mistake(
        _HOURS,
        _hour_of,
        before=_NUMBER_OF_HOUR,
        here=r"(?P<wrong>(?P<clock>(?::[0-5][0-9])?\s*(?P<half>[AaPp]\.?[Mm])\b\.?))",
    ),
    Mistake(
        _HOURS,
        _hour_of,
        before=_NUMBER_OF_HOUR,
        here=r"(?P<wrong>(?P<clock>:[0-5][0-9](?::[0-5][0-9])?))(?![0-9:])",
    ),
    Mistake(
        "`{how}` does not compare times of day.",
        _hour_of,
        before=r"\bis(?:\s+not)?",
        here=r"(?P<wrong>(?P<how>before|after))\s+(?P<hour>[01]?[0-9]|2[0-3])"
        r"(?:(?::[0-5][0-9])?\s*(?P<half>[AaPp]\.?[Mm])\b|:[0-5][0-9])",
    ),
    Mistake(
        "`{how}` does not compare times of day.",
        _hour_of,
        before=r"\bis(?:\s+not)?\s+(?P<wrong>(?P<how>before|after))",
        here=r"(?P<wrong>(?P<hour>[01]?[0-9]|2[0-3]):[0-5][0-9]\s*(?P<half>[AaPp]\.?[Mm]\b)?)",
    ),
)

COMPARISONS = (
    Mistake(
        "The choices after `one of` stand in brackets.",
        "write `one of ({first}, {second})`",
        before=r"\bone\s+of",
        here=r"(?P<wrong>(?P<first>[^\s,()]+)(?:\s*,\s*(?:or\s+)?|\s+or\s+)(?P<second>[^\s,()]+))",
    ),
    Mistake(
        "The choices after `one of` stand in brackets.",
        "write it like `one of (player, dealer)`",
        before=r"\bone\s+of",
        expected="LPAR",
    ),
    Mistake(
        "`{how} than` is not a comparison of the rule language.",
        _comparison,
        before=rf"(?P<wrong>\bis\s+(?P<how>{_LARGER}|{_SMALLER}|fewer))",
        here=r"(?P<wrong>than\b)",
    ),
    Mistake(
        "`is fewer than` is not a comparison of the rule language.",
        "write `is less than`",
        before=r"(?P<wrong>\bis)",
        here=r"(?P<wrong>fewer\s+than\b)",
    ),
    Mistake(
        "`not {how} than` is not a comparison of the rule language.",
        _not_comparison,
        before=r"(?P<wrong>\bis\s+not?)",
        here=r"(?P<wrong>(?P<how>less|fewer|more)\s+than\b)",
    ),
    Mistake(
        "`not {how} than` is not a comparison of the rule language.",
        _not_comparison,
        before=r"(?P<wrong>\bis\s+not?\s+(?P<how>less|fewer|more))",
        here=r"(?P<wrong>than\b)",
    ),
    Mistake(
        "`exactly` is not needed after `is`.",
        "leave it out",
        before=r"\bis",
        here=r"(?P<wrong>exactly\b)",
    ),
    Mistake(
        "`equal to` is not a comparison of the rule language.",
        "write `is`",
        before=r"(?P<wrong>\bis\s+equal)",
        here=r"(?P<wrong>to\b)",
    ),
    Mistake(
        "`{how}` is not a word of the rule language.",
        "write `is`",
        here=r"(?P<wrong>(?P<how>equals?)\b)",
        expected="IS",
    ),
    Mistake(
        "`{how}` is not a word of the rule language.",
        "write `is not`",
        here=r"(?P<wrong>(?P<how>(?:is|are|was|do|does)n'?t)\b)",
    ),
    Mistake(
        "`in` does not compare values.",
        "write `is one of (...)`",
        here=r"(?P<wrong>in)\s*\(",
        expected="IS",
    ),
    Mistake(
        "`is` is missing before `{how}`.",
        "write `is {how}`",
        here=r"(?P<wrong>(?P<how>(?:more|less) than|at most|between|one of|known|missing|about))\b",
        expected="IS",
    ),
    Mistake(
        "`between` is followed by two values with `and`.",
        "write `between {low} and {high}`",
        before=r"\bbetween\s+(?P<wrong>(?P<low>\S+)\s+to\s+(?P<high>\S+))",
    ),
    Mistake(
        "`between` is followed by two values with `and`.",
        "write `and` between the two values",
        before=r"\bbetween\s+\S+",
        here=r"(?P<wrong>to|until|or|-)(?!\w)",
    ),
    Mistake(
        "The tolerance of `about` is missing.",
        "write it like `is about 52 give or take 5`",
        expected="GIVE_OR_TAKE",
        before=r"\babout\b[^\n]*",
    ),
)

PHRASES = (
    Mistake(
        "`when` names the events at which a rule is applied in brackets, after `any of`.",
        _any_of,
        before=r"(?:^|\n)[ \t]*when\s+(?:first\s+)?(?P<wrong>(?P<first>[a-z][a-z0-9_]*))",
        here=r"(?P<wrong>(?P<others>(?:\s*(?:,|or\b|,\s*or\b)\s*[a-z][a-z0-9_]*)+))",
    ),
    Mistake(
        "A rule is applied at one event at a time.",
        "keep `when {first}`, and say the other with `only if`: `only if {second} earlier`",
        before=r"(?:^|\n)[ \t]*when\s+(?:first\s+)?(?P<first>[a-z][a-z0-9_]*)",
        here=r"(?P<wrong>and\s+(?P<second>[a-z][a-z0-9_]*))",
    ),
    Mistake(
        "`before` looks ahead, to an event that comes later.",
        "write `earlier` for the past",
        before=r"(?P<wrong>\bbefore)",
        ended=True,
        expected="ANY_OF",
    ),
    Mistake(
        "A part of something is written as a product.",
        "write `{name} * {share}`",
        before=r"(?P<wrong>(?P<share>[0-9.]+%))",
        here=r"(?P<wrong>of\s+(?:the\s+)?(?P<name>[a-z][a-z0-9_.]*))",
    ),
    Mistake(
        "`since` is followed by an event, not by a length of time.",
        "write `within {length} earlier`",
        before=r"(?P<wrong>\bsince)",
        here=r"(?P<wrong>(?P<length>[0-9]+\s+[a-z]+))",
    ),
    Mistake(
        "`{how}` is followed by an event.",
        "write it like `{how} cards_cut`",
        before=r"(?P<wrong>\b(?P<how>since|before)(?:\s+the\s+(?:last|next))?)",
        expected="ANY_OF",
    ),
    Mistake(
        "`is` is missing before `{how}`.",
        "write `is {how}`",
        before=r"(?P<wrong>\b(?P<how>(?:more|less)\s+than|between))(?:\s+[0-9]+\s+and)?",
        here=r"(?!.*\b(?:earlier|later)\b)",
        expected="DURATION",
    ),
    Mistake(
        "`{number}` needs a unit of time.",
        "write `{number} minutes earlier`, or `is at least {number}` to compare",
        before=r"\bat\s+least",
        here=r"(?P<wrong>(?P<number>[0-9]+)\b)(?!\s*(?:[a-z]+\s+)?(?:earlier|later))",
        expected="DURATION",
    ),
    Mistake(
        "`{number}` needs a unit of time.",
        "write `{number} minutes` or `{number} seconds`",
        here=r"(?P<wrong>(?P<number>[0-9]+)\b)(?!\s*(?:secs?|mins?|hrs?|weeks?|months?|years?)\b)",
        expected="DURATION",
    ),
    Mistake(
        "`{unit}` is not a unit of time.",
        unit_of_time,
        here=r"(?P<number>[0-9]+)\s*(?P<wrong>(?P<unit>secs?|mins?|hrs?|weeks?|months?|years?)\b)",
        expected="DURATION",
    ),
    Mistake(
        "`{number}` needs a unit of time.",
        "write `{number} minutes {how}`",
        before=r"\b(?:at\s+least|(?:more|less)\s+than)\s+(?P<wrong>(?P<number>[0-9]+))",
        here=r"(?P<how>earlier|later)\b",
    ),
    Mistake(
        "`is` is missing before `at least`.",
        "write `is at least {word}`",
        before=r"(?P<wrong>\bat\s+least)",
        here=r"[$0-9A-Z\"]",
        expected="DURATION",
    ),
    Mistake(
        "The length of time is missing.",
        "write it like `{how} 30 minutes earlier`",
        before=r"(?P<wrong>\b(?P<how>within|at\s+least|(?:more|less)\s+than))",
        expected="DURATION",
    ),
    Mistake(
        "It is not said whether this is earlier or later.",
        "write `{how} {length} earlier` or `{how} {length} later`",
        before=r"\b(?P<how>at\s+least|(?:more|less)\s+than|between\s+\S+(?:\s+[a-z]+)?\s+and)\s+"
        r"(?P<wrong>(?P<length>[0-9]+\s+[a-z]+|[a-z]\w*))",
        expected="EARLIER",
    ),
    Mistake(
        "`in` is followed by `the` and an interval.",
        "write `in the {name}`",
        here=r"(?P<wrong>(?:in|during)(?:\s+(?:the|this|that|a|an|each|every|same))*\s+"
        r"(?P<name>[a-z]\w*))",
        expected="IN_THE",
    ),
    Mistake(
        "`with` is followed by `same` and a field.",
        "write `with same {name}`",
        here=r"(?P<wrong>(?:with\s+(?:the\s+)?|(?:the\s+)?same\s+)(?P<name>[a-z]\w*))",
        expected="WITH_SAME",
    ),
    Mistake(
        "It is not said whether this is earlier or later.",
        "write `{length} earlier` or `{length} later`",
        before=r"\bsame\s+[a-z]\w*",
        here=r",\s*(?P<wrong>(?P<length>(?:at\s+least|(?:more|less)\s+than)\s+[0-9]+\s+"
        r"(?:seconds?|minutes?|hours?|days?)))\b",
    ),
    Mistake(
        "Fields after `with same` are joined by `and same`.",
        "write `and same {name}`",
        before=r"\bsame\s+[a-z]\w*",
        here=r"(?P<wrong>,\s*(?:and\s+)?(?:same\s+)?(?P<name>[a-z]\w*))",
    ),
    Mistake(
        "`{how}` is not needed before an event.",
        "leave it out",
        before=r"(?P<wrong>\b(?P<how>an?|the|any|each|all|every\s+an?))",
        here=r"[a-z]\w*",
        new_line=False,
    ),
    Mistake(
        "`{how}` is followed by `of`.",
        "write `{how} of {name}`",
        before=r"(?P<wrong>\b(?P<how>count|sum|total|number|smallest|largest|min|max|average))",
        here=r"(?P<name>[a-z]\w*)",
        new_line=False,
    ),
    Mistake(
        "`every` needs `has` and a condition.",
        "write it like `every wager_placed in the round has amount is at least $5`",
        expected="HAS",
        excluded="AND",
    ),
    Mistake(
        "`if` needs `then`.",
        "write it like `if option soft_17 is hit then ...`",
        before=r"(?P<wrong>\bif)\b[^\n]*",
        expected="THEN",
        ended=True,
    ),
    Mistake(
        "`when` is followed by an event.",
        "write it like `when card_dealt`",
        before=r"(?:^|\n)[ \t]*(?P<wrong>when(?:\s+first)?)",
        expected="ANY_OF",
    ),
    Mistake(
        "The condition after `{how}` is missing.",
        "say what must hold, or remove `{how}`",
        before=r"(?P<wrong>\b(?P<how>where|require|forbid|and|or|not|if|then|else|has|only\s+if|when))",
        here=r"[),]|$",
    ),
    Mistake(
        "The value after `{how}` is missing.",
        "write a value after it",
        before=r"(?P<wrong>(?P<how>[=<>+*/-]|\b(?:is|of|to|from|option|than|least|most|between)))",
        here=r"[),]|$",
    ),
    Mistake(
        "`{word}` is not a word of the rule language.",
        "write `since` and an event, or `later`",
        here=r"(?P<wrong>after\b)",
        expected="SINCE",
    ),
    Mistake(
        "`{word}` is not a word of the rule language.",
        "write `earlier`",
        here=r"(?P<wrong>(?:ago|previously|already|prior)\b)",
        expected="EARLIER",
    ),
    Mistake(
        "`until` is said of dates only.",
        "write `before` and an event",
        here=r"(?P<wrong>until\b)",
        expected="BEFORE",
    ),
)
