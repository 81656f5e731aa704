"""The options that New Jersey's table-game rules leave to the licensee, game by game.

An option has a default only where the law says what holds when nothing was chosen. Where it leaves
a plain choice (four or five percent), there is none, and a check that needs it is undetermined.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from event_schemas.enums import GAME, SOURCE
from event_schemas.kinds import (
    CARD,
    FLAG,
    MONEY,
    NUMBER,
    ODDS,
    PERCENT,
    TEXT,
    EnumType,
    Kind,
    enum_kind,
)
from event_schemas.options import OptionType


def _one_of(name: str, doc: str, *values: str) -> Kind:
    return enum_kind(EnumType(name, values, False, doc))


SHUFFLE: Final = _one_of(
    "shuffle_option", "Which shuffle the table uses.", "normal", "bart_carter", "continuous"
)
SHUFFLER: Final = _one_of(
    "shuffler_option", "Who or what shuffles.", "by_hand", "automated", "continuous"
)
SOFT_17: Final = _one_of("soft_17_option", "What the dealer does on soft 17.", "stand", "hit")
HOLE_CARD: Final = _one_of(
    "hole_card_option",
    "When and how the dealer's second card is dealt.",
    "dealt_last",
    "face_down",
    "face_up",
)
DOUBLE_CARD: Final = _one_of(
    "double_card_option",
    "How the card on a doubled hand is dealt.",
    "face_up",
    "face_down",
    "on_request",
)
SIDE_WAGER: Final = _one_of(
    "additional_wager_option",
    "Which additional blackjack wager the table offers.",
    "not_offered",
    "over_under_thirteen",
    "same_suit",
    "sevens",
)
PAY_TABLE: Final = _one_of("pay_table", "Which of two printed pay tables is used.", "a", "b")
MINIBACCARAT_DEAL: Final = _one_of(
    "minibaccarat_deal_option", "How minibaccarat's cards are shown.", "all_face_up", "face_down"
)
POT_RULE: Final = _one_of("pot_rule", "Which hand wins a poker pot.", "high", "low", "high_and_low")
VIGORISH_ROUNDING: Final = _one_of(
    "vigorish_rounding_option",
    "How the commission is rounded to coins.",
    "exact",
    "to_five_cents",
    "to_twenty_cents",
    "to_quarter",
)

_BJ, _BACC, _MINI = "N.J.A.C. 19:47-2", "N.J.A.C. 19:47-3", "N.J.A.C. 19:47-7"


def _flag(name: str, doc: str, citation: str, default: bool | None = False) -> OptionType:
    return OptionType(name, FLAG, default, doc, citation)


_EVERY_TABLE: Final = (
    OptionType("game", enum_kind(GAME), None, "The game that the table offers", "N.J.A.C. 19:47"),
    OptionType("decks", NUMBER, None, "How many decks are in play", f"{_BJ}.2(a)"),
    OptionType("boxes", NUMBER, None, "How many betting boxes the table has", f"{_BJ}.11(e)"),
    OptionType(
        "shoe_kind",
        enum_kind(SOURCE),
        None,
        "What cards are dealt from",
        "N.J.A.C. 19:46-1.19(b)",
    ),
    _flag("double_shoe", "Cards are dealt from a shoe with two sides", f"{_BJ}.2(c)"),
    OptionType("shuffle", SHUFFLE, "normal", "Which shuffle is used", f"{_BJ}.5"),
    OptionType("shuffler", SHUFFLER, "by_hand", "Who or what shuffles", f"{_BJ}.2(d)"),
    _flag(
        "shuffler_counts_cards",
        "The shuffling machine counts the deck after each shuffle",
        "N.J.A.C. 19:47-18.7(f)",
    ),
    _flag(
        "two_decks",
        "Two decks take turns, one dealt while the other is shuffled",
        "N.J.A.C. 19:47-16.2(b)",
    ),
    _flag(
        "alternative_procedure",
        "An approved alternative replaces the usual shuffle, cut or burn",
        "N.J.A.C. 13:69F-2.5(k)",
    ),
    _flag("multi_box", "A player may wager on more than one box", f"{_BJ}.14"),
    _flag("box_sharing", "Several players may wager on one box", f"{_BJ}.13(a)"),
    _flag(
        "bar_mid_shoe_entry",
        "Who sat out a round after the shuffle may be refused until the next shuffle",
        f"{_BJ}.3(i)",
    ),
    OptionType("minimum_wager", MONEY, None, "The smallest main wager", "N.J.A.C. 19:47-8.2(a)"),
    OptionType("maximum_wager", MONEY, None, "The largest main wager", "N.J.A.C. 19:47-8.2(a)"),
    OptionType("maximum_bonus_wager", MONEY, None, "The largest bonus wager", f"{_BJ}.17(h)"),
    OptionType(
        "chip_unit", MONEY, None, "The smallest chip, to which halves are rounded", f"{_BJ}.9(b)"
    ),
    OptionType(
        "tolerance",
        PERCENT,
        Fraction(1, 10),
        "How far from the stated figure still counts where the law says approximately",
        "interpretation",
    ),
)

_BLACKJACK: Final = (
    OptionType("soft_17", SOFT_17, None, "What the dealer does on soft 17", f"{_BJ}.12(b)"),
    OptionType(
        "hole_card",
        HOLE_CARD,
        "dealt_last",
        "How the dealer's second card is dealt",
        f"{_BJ}.6(h) to (k)",
    ),
    _flag("card_reader", "A card reader checks the hole card", f"{_BJ}.6(j)"),
    _flag(
        "card_reader_reveals",
        "The card reader in use lets players infer the hole card",
        f"{_BJ}.15(j)",
    ),
    _flag(
        "six_to_five", "The table offers the variation that pays blackjack 6 to 5", f"{_BJ}.2(a)1"
    ),
    _flag("one_round_per_deck", "A single deck is dealt for one round only", f"{_BJ}.5(i)"),
    _flag("surrender", "Players may give up half of the wager", f"{_BJ}.8"),
    _flag("late_insurance", "Insurance may be taken until the player's own turn", f"{_BJ}.9(b)"),
    _flag("even_money", "A blackjack against an ace may be paid even money", f"{_BJ}.7(c)"),
    _flag(
        "net_payout",
        "An insured blackjack is settled by one payment of the net amount",
        f"{_BJ}.7(c) as of 1999",
    ),
    _flag("resplit", "A split hand may be split again", f"{_BJ}.11(e)"),
    _flag("resplit_aces", "Split aces may be split again", f"{_BJ}.11(e)", None),
    _flag("double_after_split", "A split hand may be doubled", f"{_BJ}.10(d)", True),
    OptionType(
        "double_card",
        DOUBLE_CARD,
        "face_up",
        "How the card on a doubled hand is dealt",
        f"{_BJ}.10(c)",
    ),
    _flag("multiple_action", "One hand plays against two or three dealer hands", f"{_BJ}.18"),
    OptionType(
        "multiple_action_minimum_wagers",
        NUMBER,
        None,
        "How many wagers a multiple action player must make",
        f"{_BJ}.18(b)",
    ),
    OptionType(
        "red_suits_side",
        TEXT,
        None,
        "The side of the double shoe that red suits stand for",
        f"{_BJ}.6(d)1",
    ),
    OptionType(
        "black_suits_side",
        TEXT,
        None,
        "The side of the double shoe that black suits stand for",
        f"{_BJ}.6(d)1",
    ),
    _flag("pays_six_seven_eight", "A suited 6, 7, 8 pays 2 to 1", f"{_BJ}.3(e)1"),
    _flag("pays_three_sevens", "Three sevens pay 3 to 2", f"{_BJ}.3(e)2"),
    _flag("pays_designated_blackjack", "A named blackjack pays 2 to 1", f"{_BJ}.3(e)3"),
    OptionType("designated_ace", CARD, None, "The ace of the named blackjack", f"{_BJ}.3(e)3"),
    OptionType(
        "designated_face_card", CARD, None, "The face card of the named blackjack", f"{_BJ}.3(e)3"
    ),
    _flag("pays_five_card_21", "Five cards of 21 pay 2 to 1", f"{_BJ}.16"),
    OptionType(
        "additional_wager",
        SIDE_WAGER,
        "not_offered",
        "Which additional wager is offered",
        f"{_BJ}.17(a)",
    ),
    OptionType(
        "same_suit_pay_option",
        NUMBER,
        None,
        "Which printed pay option same suit uses, 1 to 4",
        f"{_BJ}.17(e)2",
    ),
    _flag("progressive", "The progressive wager is offered", f"{_BJ}.19"),
    _flag(
        "reset_meter",
        "A second meter gathers part of the next progressive jackpot from the wagers",
        f"{_BJ}.19(i)",
    ),
    _flag("blackjack_bonus", "The blackjack bonus wager is offered", f"{_BJ}.20"),
    _flag("streak", "The streak wager is offered", f"{_BJ}.22"),
    _flag("match_dealer", "The match-the-dealer wager is offered", f"{_BJ}.23"),
    _flag("twenty_point", "The twenty point bonus wager is offered", f"{_BJ}.24"),
    OptionType(
        "twenty_point_pay_table",
        PAY_TABLE,
        None,
        "Which pay table twenty point uses",
        f"{_BJ}.24(f)",
    ),
    OptionType(
        "twenty_point_cap",
        MONEY,
        None,
        "The most that the top line pays in one round",
        f"{_BJ}.24(h)",
    ),
    _flag(
        "twenty_point_cap_on_layout",
        "The most that twenty point's top line pays in one round is printed on the layout",
        f"{_BJ}.24(h)",
    ),
    _flag("optional_bonus", "The optional bonus wager is offered", f"{_BJ}.25"),
    OptionType(
        "suited_royals_pay_table",
        PAY_TABLE,
        None,
        "Which pay table suited royals uses",
        "N.J.A.C. 19:47-36.6(d)",
    ),
    OptionType(
        "triple_match_pay_table",
        PAY_TABLE,
        None,
        "Which pay table triple match uses",
        "N.J.A.C. 19:47-36.6(e)",
    ),
)

_BACCARAT: Final = (
    OptionType(
        "vigorish_rate",
        PERCENT,
        None,
        "The commission on a winning banker wager",
        f"{_BACC}.3(c)",
    ),
    OptionType(
        "vigorish_rounding",
        VIGORISH_ROUNDING,
        None,
        "How the commission is rounded",
        f"{_BACC}.3(c)",
    ),
    _flag(
        "tie_vigorish",
        "The commission is taken from banker wagers on a tie, not on a win",
        f"{_MINI}.3(d)",
    ),
    OptionType("tie_odds", ODDS, None, "The odds paid on a winning tie wager", f"{_BACC}.3(b)"),
    _flag("reshuffle", "The cards are shuffled again after the lacing", f"{_BACC}.5(b)"),
    OptionType(
        "pay_procedure",
        NUMBER,
        None,
        "In which of four orders winners pay and are paid",
        f"{_BACC}.10(b)",
    ),
    OptionType(
        "minibaccarat_deal",
        MINIBACCARAT_DEAL,
        None,
        "How minibaccarat's cards are shown",
        f"{_MINI}.7(c)",
    ),
)


def _red_dog_odds(spread: str, pays: int) -> OptionType:
    return OptionType(
        f"red_dog_odds_{spread}",
        ODDS,
        Fraction(pays),
        f"The odds paid on a spread of {spread.replace('_', ' ')}",
        "N.J.A.C. 19:47-6.5(i)",
    )


_OTHER_GAMES: Final = (
    _red_dog_odds("one", 5),
    _red_dog_odds("two", 4),
    _red_dog_odds("three", 2),
    _red_dog_odds("four_or_more", 1),
    _flag(
        "pai_gow_additional_wager",
        "An additional pai gow poker wager is offered",
        "N.J.A.C. 19:47-11.13",
    ),
    OptionType("pot_rule", POT_RULE, None, "Which hand wins a poker pot", "N.J.A.C. 19:47-14.6(d)"),
    _flag(
        "prepare_one_deck",
        "Only the deck that is used first is prepared at the opening",
        "N.J.A.C. 19:47-14.4(c)",
    ),
)

OPTIONS: Final[tuple[OptionType, ...]] = (*_EVERY_TABLE, *_BLACKJACK, *_BACCARAT, *_OTHER_GAMES)
