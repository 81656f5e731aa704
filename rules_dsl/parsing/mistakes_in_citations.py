"""What people often write wrong in citations and dates."""

from __future__ import annotations

from rules_dsl.parsing.mistakes import Groups, Mistake

_CITATION_FORM = "write it like `N.J.A.C. 19:47-2.6(c)`, or any other text in quotation marks"
_CITED = r"(?P<law>\b[A-Z][A-Za-z.]*\s+[0-9][0-9A-Za-z:.()-]*)"
_DATE_FORM = "write dates as year-month-day, like `1996-05-20`"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")


def _date(groups: Groups) -> str:
    year, month, day = groups["year"], groups["month"].lower()[:3], groups["day"]
    number = _MONTHS.index(month) + 1 if month in _MONTHS else int(month)
    other = int(day)
    if number > 12:  # the day was written first
        number, other = other, number
    if not (1 <= number <= 12 and 1 <= other <= 31):
        return _DATE_FORM
    return f"write `{year}-{number:02d}-{other:02d}`"


def _two_dates(groups: Groups) -> str:
    year, first, second = groups["year"], int(groups["month"]), int(groups["day"])
    return f"write `{year}-{first:02d}-{second:02d}` or `{year}-{second:02d}-{first:02d}`"


CITATIONS = (
    Mistake(
        "The citation after `{how}` is missing.",
        _CITATION_FORM,
        before=r"(?P<wrong>\b(?P<how>cite|under))",
        here=r"when\b|$",
        expected="CITATION",
        code="bad-citation",
    ),
    Mistake(
        "A blank is missing in this citation.",
        "write `{law} {number}`",
        here=r"(?P<wrong>(?P<law>[A-Z][A-Za-z.]*)(?P<number>[0-9][\w:.()-]*))",
        expected="CITATION",
        code="bad-citation",
    ),
    Mistake(
        "This citation does not say from which law it is.",
        "write it like `N.J.A.C. {number}`",
        here=r"(?P<wrong>(?:§+\s*|section\s+|s\.\s*)?(?P<number>[0-9][\w:.()-]*))",
        expected="CITATION",
        code="bad-citation",
    ),
    Mistake(
        "The name of the law in this citation is written in small letters.",
        lambda groups: f"write `{groups['law'].upper()} {groups['number']}`",
        here=r"(?P<wrong>(?P<law>(?:[a-z]\.){2,})\s*(?P<number>[0-9][\w:.()-]+))",
        expected="CITATION",
        code="bad-citation",
    ),
    Mistake(
        "Each citation names its law.",
        "write `{law}{wrong}`",
        before=r"\b(?P<law>[A-Z][A-Za-z.]*\s+[0-9][0-9A-Z:.-]*)[^\s,]*,",
        here=r"(?P<wrong>\([0-9a-z]+\)[0-9a-z.()]*)",
        expected="CITATION",
        code="bad-citation",
    ),
    Mistake(
        "`{name}` is not a citation.",
        'write `"{name}"`: a citation of another form stands in quotation marks',
        here=r"(?P<wrong>(?P<name>[A-Za-z][^\s,]*(?:\s+(?!when\b|under\b)[^\s,]+)*))",
        expected="CITATION",
        code="bad-citation",
    ),
    Mistake(
        "`{word}` is not a citation.", _CITATION_FORM, expected="CITATION", code="bad-citation"
    ),
    Mistake(
        "A blank stands inside this citation.",
        "write `{law}{rest}`",
        before=rf"(?P<wrong>{_CITED})",
        here=r"(?P<wrong>(?P<rest>\([0-9a-z]+\)[0-9a-z.()]*))",
        code="bad-citation",
    ),
    Mistake(
        "This citation is not finished.",
        "name the paragraph, like `N.J.A.C. 19:47-2.6(c)`",
        before=rf"(?P<wrong>{_CITED})$",
        here=r"(?P<wrong>[-:.(]+)",
        code="bad-citation",
    ),
    Mistake(
        "Citations are separated by commas.",
        "write a comma instead of `{how}`",
        before=r"\bcite\s[^\n]*",
        here=r"(?P<wrong>(?P<how>and|or|;|&)(?!\w))",
        code="bad-citation",
    ),
    Mistake(
        "`{how}` is followed by `under` and a citation.",
        "write it like `{how} under N.J.A.C. 19:47-2.6(c) when ...`",
        before=r"(?P<wrong>\b(?P<how>except|but\s+not))",
        expected="UNDER",
    ),
    Mistake(
        "After the citation, `when` and a condition are missing.",
        "write it like `except under N.J.A.C. 19:47-2.6(c) when option shuffle is bart_carter`",
        before=r"\bunder\b[^\n]*",
        expected="WHEN",
    ),
)

DATES = (
    Mistake(
        "`{wrong}` can be read as two different days.",
        _two_dates,
        here=r"(?P<wrong>(?P<month>0?[1-9]|1[0-2])(?P<s>[/.-])(?!(?P=month)\b)"
        r"(?P<day>0?[1-9]|1[0-2])(?P=s)(?P<year>[0-9]{4}))\b",
        expected="DATE",
        code="bad-date",
    ),
    Mistake(
        "`{wrong}` is not how dates are written.",
        _date,
        here=r"(?P<wrong>(?P<month>[0-9]{1,2})(?P<s>[/.-])(?P<day>[0-9]{1,2})(?P=s)"
        r"(?P<year>[0-9]{4}))\b",
        expected="DATE",
        code="bad-date",
    ),
    Mistake(
        "`{wrong}` is not how dates are written.",
        _date,
        here=r"(?P<wrong>(?P<year>[0-9]{4})(?P<s>[/.-])(?P<month>[0-9]{1,2})(?P=s)"
        r"(?P<day>[0-9]{1,2}))\b",
        expected="DATE",
        code="bad-date",
    ),
    Mistake(
        "`{wrong}` is not how dates are written.",
        _date,
        here=r"(?P<wrong>(?P<month>(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))[a-zA-Z]*\.?"
        r"\s+(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?,?\s+(?P<year>[0-9]{4}))\b",
        expected="DATE",
        code="bad-date",
    ),
    Mistake(
        "`{wrong}` is not how dates are written.",
        _date,
        here=r"(?P<wrong>(?P<day>[0-9]{1,2})(?:st|nd|rd|th)?\.?\s+"
        r"(?P<month>(?i:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))[a-zA-Z]*\.?,?\s+"
        r"(?P<year>[0-9]{4}))\b",
        expected="DATE",
        code="bad-date",
    ),
    Mistake(
        "The date after `{how}` is missing.",
        _DATE_FORM,
        before=r"(?P<wrong>\b(?P<how>from|until|on))",
        expected="DATE",
        excluded="NUMBER",
        ended=True,
        code="bad-date",
    ),
    Mistake(
        "`{word}` is not a date.",
        _DATE_FORM,
        before=r"\b(?:from|until|on)",
        expected="DATE",
        excluded="NUMBER",
        code="bad-date",
    ),
    Mistake(
        "`{how}` is followed by `from` and a date.",
        "write it like `{how} from 1996-05-20`",
        before=r"(?P<wrong>\b(?P<how>(?:not\s+)?in\s+force|edition(?:\s+\"[^\"\n]*\")?))",
        expected="FROM",
    ),
    Mistake(
        "The last day is said with `until`.",
        "write `until` instead of `{word}`",
        before=r"\bfrom\s+[0-9-]{10}",
        here=r"(?P<wrong>to|till|through|thru|-)(?!\w)",
    ),
    Mistake(
        "`not in force` needs both dates.",
        "add `until` and the day on which the rule applies again",
        before=r"(?P<wrong>\bnot\s+in\s+force)\s+from\s+[0-9-]{10}",
        expected="UNTIL",
    ),
)
