"""What people often write wrong in the clauses of a rule and at the head of a declaration."""

from __future__ import annotations

import re

from rules_dsl.parsing.mistakes import Groups, Mistake
from rules_dsl.parsing.wording import CLAUSE_WORDS

_RULE_NAME = "A rule's name is made of small letters, digits and hyphens."


def _joined_name(groups: Groups) -> str:
    words = f"{groups.get('first', '')} {groups['rest']}"
    separate = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "-", words).lower()
    name = "-".join(re.findall(r"[a-z0-9]+", separate))
    return f"write it like `{name or 'burn-by-each-new-dealer'}`"


NAMES = (
    Mistake(
        "`{name}` is a word of the rule language, and cannot be a name.",
        "write `the_{name}` or the like",
        before=r"^(?:define|template)\s+[\w-]+\s*\((?:[^()]*,)?",
        here=r"(?P<wrong>(?P<name>[a-z]+))\b(?=\s*[,)])",
        expected="NAME",
    ),
    Mistake(
        "The {what} has no name.",
        "write it like `{what} burn-by-each-new-dealer`",
        before=r"(?P<wrong>\b(?P<what>rule|template))",
        here=r'"|$',
        expected="DASHED_NAME",
    ),
    Mistake(
        _RULE_NAME,
        _joined_name,
        here=r"(?P<wrong>(?P<rest>[\w-]+(?:[ \t]+[\w-]+)*))",
        expected="DASHED_NAME",
    ),
    Mistake(_RULE_NAME, "write it like `burn-by-each-new-dealer`", expected="DASHED_NAME"),
    Mistake(
        _RULE_NAME,
        _joined_name,
        before=r"^\s*(?:rule|template)\s+(?P<wrong>(?P<first>[a-z0-9][\w-]*))$",
        here=r"(?P<wrong>(?P<rest>[-A-Z][\w-]*))",
    ),
    Mistake(
        "The name of a rule has no blanks.",
        _joined_name,
        before=r"^\s*(?:rule|template)\s+(?P<wrong>(?P<first>[a-z0-9][\w-]*))",
        here=r"(?P<wrong>(?P<rest>[\w-]+(?:[ \t]+[\w-]+)*))",
        new_line=False,
    ),
    Mistake(
        "`{what} {name}` is followed by `=` and a value.",
        "write it like `{what} {name} = ...`",
        before=r"\b(?P<what>let|define|setting)\s+(?P<name>[a-z]\w*)(?:\s*\([^()\n]*\))?",
        here=r"(?P<wrong>(?:is|as|be|are|to|:=)(?!\w))?",
        expected="EQUALS",
    ),
    Mistake(
        "`events {name}` is followed by `are` and events.",
        "write it like `events {name} are card_dealt, card_burned`",
        before=r"\bevents\s+(?P<name>[a-z]\w*)",
        expected="ARE",
    ),
    Mistake(
        "An interval reaches from one event to another.",
        "write it like `interval round from round_started to round_ended`",
        before=r"\binterval\s+[a-z]\w*(?:\s+from\b[^\n]*)?",
        expected="FROM TO",
    ),
    Mistake(
        "`{what}` is followed by a name.",
        "names are made of small letters, digits and underscores",
        before=r"(?P<wrong>\b(?P<what>let|define|setting|events|interval|table|profile))",
        expected="NAME",
        excluded="LPAR",
    ),
)

TEXTS = (
    Mistake(
        "A title stands in quotation marks.",
        'write it like `"{wrong}"`',
        here=rf"(?P<wrong>(?!(?i:{CLAUSE_WORDS}))[A-Z][a-z]*(?:[ \t]+[^\s\"]+){{2,}})",
        expected="STRING",
        excluded="LPAR",
        new_line=True,
    ),
    Mistake(
        "A quotation mark inside a text ends it.",
        "use single quotation marks (') inside a text",
        before=r'(?P<wrong>"[^"\n]*")$',
        here=r'[^\s"][^"\n]*"',
    ),
    Mistake(
        "The text after `{how}` stands in quotation marks.",
        'write it like `{how} "..."`',
        before=r"(?P<how>\b(?:otherwise\s+say|note|remedy|use|section|rulebook|time\s+zone))",
        expected="STRING",
    ),
    Mistake(
        "`{how}` is followed by a word without quotation marks.",
        "leave the quotation marks out",
        before=r"(?P<how>\b(?:severity|kind))",
        here=r'(?P<wrong>"[^"]*")',
    ),
    Mistake(
        "The title of an example stands in quotation marks.",
        'write it like `example {outcome} "..."`',
        before=r"\bexample\s+(?P<outcome>[a-z]\w*)",
        here=r"[A-Za-z]",
        new_line=False,
    ),
)

CLAUSES_AND_LINES = (
    Mistake(
        "`example` is followed by `complies` or `violates`.",
        "write it like `example complies`",
        before=r"(?P<wrong>\bexample)",
        expected="NAME",
    ),
    Mistake(
        "`{wrong}` is not a time of day.",
        "write it like `20:00:04`",
        here=r"(?P<wrong>[0-9][^\s|]*(?:\s*[AaPp]\.?[Mm]\b\.?)?)",
        expected="EVENT_LINE",
        new_line=True,
        code="bad-example-line",
    ),
    Mistake(
        "An example line begins with a time of day.",
        "write it like `20:00:04 {event}`",
        here=r"(?P<wrong>(?P<event>[a-z][a-z0-9]*_[a-z0-9_]*)|(?P<other>[a-z]\w*)(?=\s+\w+=))",
        expected="EVENT_LINE",
        new_line=True,
        code="bad-example-line",
    ),
    Mistake(
        "This line with a time stands outside an example.",
        "put `example complies` or `example violates` before it",
        here=r"[0-9]{1,2}:[0-9]{2}",
        new_line=True,
        code="bad-example-line",
    ),
    Mistake(
        "`{word}` belongs inside an example.",
        "put `example complies` or `example violates` before it",
        here=r"(?:on|given)\b",
        expected="REQUIRE",
        new_line=True,
    ),
    Mistake(
        "`{word}` belongs inside a rule.",
        "begin a rule with `rule` and its name before it",
        here=rf"(?![\"0-9]){CLAUSE_WORDS}",
        expected="RULE",
        excluded="REQUIRE",
        new_line=True,
    ),
    Mistake(
        "This row of the table has no key before its bar.",
        "write a key before the bar, like `3 | D D S`",
        here=r"(?P<wrong>\|)",
        expected="TABLE_ROW",
        code="bad-table",
    ),
    Mistake(
        "This row of the table has no bar.",
        "write a bar after the key, like `3 | D D S`",
        here=r"(?P<wrong>.+)",
        expected="TABLE_ROW",
        code="bad-table",
    ),
    Mistake(
        "The table has no rows.",
        "write a first row like `banker \\ third | none 0 1`, and the others below it",
        expected="TABLE_ROW",
        code="bad-table",
    ),
    Mistake(
        "An interpretation names at least one reading.",
        'write it like `reading strict "..." default`',
        before=r"\binterpretation\s[\s\S]*",
        expected="READING",
        ended=True,
    ),
    Mistake(
        "`choose` is followed by `reading` or `setting`.",
        "write it like `choose setting {word} is ...`",
        before=r"\bchoose",
        here=r"[a-z]",
        expected="SETTING",
    ),
    Mistake(
        "`given` is followed by `option`, `reading` or `setting`.",
        "write it like `given option {word} is ...`",
        before=r"\bgiven",
        here=r"[a-z]",
        expected="OPTION",
    ),
    Mistake(
        "What is given is said with `is`.",
        "write `{what} {name} is ...`",
        before=r"\b(?P<what>(?:given|choose)\s+(?:option|reading|setting))\s+(?P<name>[a-z]\w*)",
        expected="IS",
    ),
    Mistake(
        "`otherwise` is followed by `say` and a text.",
        'write it like `otherwise say "..."`',
        here=r"(?P<wrong>otherwise\b)",
    ),
    Mistake(
        "`for` is followed by `each`.",
        "write `for each {name}`",
        here=r"(?P<wrong>for\s+(?:every\s+|all\s+)?(?P<name>[a-z]\w*))",
        new_line=True,
    ),
    Mistake(
        "What a rule is applied to is separated by commas.",
        "write a comma instead of `and`",
        before=r"\bfor\s+each\b[^\n]*",
        here=r"(?P<wrong>and\b)",
    ),
    Mistake(
        "`unless` is not a word of the rule language.",
        "write `except under`, the citation that allows it, `when` and a condition",
        here=r"(?P<wrong>unless\b)",
    ),
    Mistake(
        "`{word}` does not begin a clause.",
        "write `require` or `forbid`",
        here=r"(?P<wrong>(?:must|shall|should|ensure|requires|assert|check)\b)",
        expected="REQUIRE",
        new_line=True,
    ),
    Mistake(
        "`if` does not begin a clause.",
        "write `only if`, or put the `if` after `require`",
        here=r"(?P<wrong>if\b)",
        expected="REQUIRE",
        new_line=True,
    ),
)
