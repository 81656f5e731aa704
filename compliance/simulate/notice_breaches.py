"""Breaches at every table: changes of rules and limits without the notice that the law asks for."""

from __future__ import annotations

from compliance.simulate.breach import Opportunity, breach, plain_seats, restake
from compliance.simulate.table import Chapter, Record

GAMES = ("blackjack", "baccarat", "minibaccarat", "red_dog")
NEEDS_NOTICE = ("surrender", "resplit")
EXTRA_OFFERS = ("additional_wager",)
ANNOUNCED_BY_RULES_OF_THEIR_OWN = (
    *NEEDS_NOTICE,
    *EXTRA_OFFERS,
    "twenty_point_cap",
    # Two rules ask for their warnings.
    "pays_five_card_21",
    "multiple_action",
)


# Red dog pays 11 to 1 on three of a kind, so that its maximum is free.
_PAID_AT_MOST_FIVE_TO_ONE = [game for game in GAMES if game != "red_dog"]


def _everywhere(rule: str) -> dict[str, str]:
    return dict.fromkeys(GAMES, rule)


def _notices(op: Opportunity, type: str, subject: str) -> list[tuple[Chapter, Record]]:
    return [
        (chapter, record)
        for chapter in op.chapters[: op.at + 1]
        for record in chapter.all(type, subject=subject)
    ]


def _change_without(op: Opportunity, warning: str) -> Record | None:
    """A rule changes, and one of its warnings never came."""
    changed = op.chapter.first("rule_changed")
    # Options with a duty of notice of their own would be found by two rules.
    if changed is None or changed["subject"] in ANNOUNCED_BY_RULES_OF_THEIR_OWN:
        return None
    notices = _notices(op, warning, changed["subject"])
    if len(notices) != 1:
        return None
    notices[0][0].drop(notices[0][1])
    return changed


@breach(
    "change-without-sign",
    "between",
    also="sign-before-an-option",
    **_everywhere("sign-before-a-rule-change"),
)
def change_without_sign(op: Opportunity) -> Record | None:
    return _change_without(op, "notice_posted")


@breach(
    "change-untold",
    "between",
    also="patrons-told-before-an-option",
    **_everywhere("patrons-told-before-a-rule-change"),
)
def change_untold(op: Opportunity) -> Record | None:
    return _change_without(op, "patrons_told")


@breach(
    "change-without-notice",
    "between",
    also="commission-notified-before-an-option",
    **_everywhere("commission-notified-before-a-rule-change"),
)
def change_without_notice(op: Opportunity) -> Record | None:
    return _change_without(op, "commission_notified")


@breach("change-before-its-time", "between", **_everywhere("sign-names-the-time-of-the-change"))
def change_before_its_time(op: Opportunity) -> Record | None:
    changed = op.chapter.first("rule_changed")
    if changed is None:
        return None
    notices = _notices(op, "notice_posted", changed["subject"])
    notices[-1][1]["effective_at"] = changed["ts"] + 60000
    return changed


def option_without(
    op: Opportunity, warning: str, options: tuple[str, ...] = NEEDS_NOTICE
) -> Record | None:
    """An option begins or ends in the middle of the night, and one of its warnings never came."""
    changed = op.chapter.first("rule_changed")
    if changed is None or changed["subject"] not in options:
        return None
    elected = op.chapter.first("option_elected", option_name=changed["subject"])
    notices = _notices(op, warning, changed["subject"])
    if elected is None or len(notices) != 1:
        return None
    notices[0][0].drop(notices[0][1])
    op.chapter.drop(changed)
    return elected


@breach("option-without-sign", "between", blackjack="sign-before-an-option")
def option_without_sign(op: Opportunity) -> Record | None:
    return option_without(op, "notice_posted")


@breach("option-untold", "between", blackjack="patrons-told-before-an-option")
def option_untold(op: Opportunity) -> Record | None:
    return option_without(op, "patrons_told")


@breach("option-without-notice", "between", blackjack="commission-notified-before-an-option")
def option_without_notice(op: Opportunity) -> Record | None:
    return option_without(op, "commission_notified")


@breach(
    "extra-wager-without-sign",
    "between",
    offer="same_suit",
    blackjack="sign-before-an-extra-wager-changes",
)
def extra_wager_without_sign(op: Opportunity) -> Record | None:
    return option_without(op, "notice_posted", EXTRA_OFFERS)


@breach(
    "extra-wager-untold",
    "between",
    offer="same_suit",
    blackjack="patrons-told-before-an-extra-wager-changes",
)
def extra_wager_untold(op: Opportunity) -> Record | None:
    return option_without(op, "patrons_told", EXTRA_OFFERS)


@breach(
    "extra-wager-without-notice",
    "between",
    offer="same_suit",
    blackjack="commission-notified-before-an-extra-wager-changes",
)
def extra_wager_without_notice(op: Opportunity) -> Record | None:
    return option_without(op, "commission_notified", EXTRA_OFFERS)


@breach("no-sign-about-an-option", "opening", blackjack="sign-for-the-rules-of-the-table")
def no_sign_about_an_option(op: Opportunity) -> Record | None:
    for sign in op.chapter.all("notice_posted"):
        elected = op.chapter.first("option_elected", option_name=sign["subject"])
        if sign["subject"] in NEEDS_NOTICE and elected is not None:
            op.chapter.drop(sign)
            return elected
    return None


@breach(
    "limits-untold",
    "between",
    since="1996-01-16",
    **_everywhere("limits-change-posted-and-told"),
)
def limits_untold(op: Opportunity) -> Record | None:
    changed = op.chapter.first("limits_changed")
    told = op.chapter.first("patrons_told", subject="limits")
    if changed is None or told is None:
        return None
    op.chapter.drop(told)
    return changed


@breach(
    "sign-with-other-limits",
    "between",
    since="1996-01-16",
    **_everywhere("sign-shows-the-new-limits"),
)
def sign_with_other_limits(op: Opportunity) -> Record | None:
    changed = op.chapter.first("limits_changed")
    sign = op.chapter.first("notice_posted", subject="limits")
    if changed is None or sign is None:
        return None
    sign["maximum"] += 100
    return changed


@breach(
    "maximum-too-low",
    "between",
    since="1993-12-06",
    **dict.fromkeys(_PAID_AT_MOST_FIVE_TO_ONE, "maximum-at-least-ten-times-the-minimum"),
)
def maximum_too_low(op: Opportunity) -> Record | None:
    changed = op.chapter.first("limits_changed")
    sign = op.chapter.first("notice_posted", subject="limits")
    if changed is None or sign is None or changed["minimum"] > 10000:
        return None
    changed["maximum"] = sign["maximum"] = changed["minimum"] * 9
    return changed


@breach(
    "wager-over-the-maximum",
    "round",
    since="1993-12-06",
    **dict.fromkeys(("blackjack", "baccarat", "minibaccarat"), "main-wager-within-the-limits"),
)
def wager_over_the_maximum(op: Opportunity) -> Record | None:
    """Paid or lost in full, as the law has it; only taking it was wrong."""
    maximum = round(float(op.options["maximum_wager"].strip("$")) * 100)
    for seat in plain_seats(op.chapter):
        wager = op.chapter.all("wager_placed", seat=seat)[0]
        if op.options["game"] == "blackjack":
            restake(op.chapter, wager, maximum + 500)
            return wager
        if wager["wager"] == "player":
            restake(op.chapter, wager, maximum + 500)
            return wager
    return None


@breach(
    "no-sign-for-the-closed-double-card",
    "opening",
    since="2010-06-07",
    blackjack="sign-for-the-closed-double-card",
)
def no_sign_for_the_closed_double_card(op: Opportunity) -> Record | None:
    sign = op.chapter.first("notice_posted", subject="double_card")
    doubled = [r for chapter in op.chapters for r in chapter.all("decision", kind="double")]
    if sign is None or not doubled:
        return None
    op.chapter.drop(sign)
    return doubled[0]
