"""The closed lists of words that fields and options choose from."""

from __future__ import annotations

from typing import Final

from event_schemas.kinds import EnumType


def _words(name: str, doc: str, *values: str, ordered: bool = False) -> EnumType:
    return EnumType(name, values, ordered, doc)


ROLE: Final = _words(
    "role",
    "Who acted, from the lowest standing at a table to the highest; "
    "a rule may ask for a floorperson or above.",
    "system",
    "spectator",
    "player",
    "keno_writer",
    "dealer",
    "boxperson",
    "keno_supervisor",
    "floorperson",
    "pit_boss",
    "poker_shift_supervisor",
    "casino_shift_manager",
    "casino_manager",
    ordered=True,
)
GAME: Final = _words(
    "game",
    "The game that a table offers.",
    "blackjack",
    "triple_attack_blackjack",
    "baccarat",
    "minibaccarat",
    "chemin_de_fer",
    "red_dog",
    "pai_gow_poker",
    "asia_poker",
    "supreme_pai_gow",
    "two_card_joker_poker",
    "poker",
    "caribbean_stud",
    "double_down_stud",
    "let_it_ride",
    "keno",
)
RECIPIENT: Final = _words(
    "recipient",
    "Whose hand a card or a total belongs to: a player (or baccarat's player hand), the dealer, "
    "baccarat's banker hand, the shared cards, or a stack that nobody owns yet.",
    "player",
    "dealer",
    "banker",
    "community",
    "stack",
)
WAGER_KIND: Final = _words(
    "wager_kind",
    "Which wager it is, by the name that the game gives it.",
    # Blackjack and its side wagers.
    "blackjack",
    "insurance",
    "double",
    "split",
    "over_thirteen",
    "under_thirteen",
    "same_suit",
    "sevens",
    "progressive",
    "blackjack_bonus",
    "streak",
    "match_dealer",
    "twenty_point",
    "optional_bonus",
    # Triple attack blackjack.
    "first_attack",
    "second_attack",
    "third_attack",
    "suited_royals",
    "triple_match",
    # Baccarat, minibaccarat and chemin de fer.
    "player",
    "banker",
    "tie",
    "against_banker",
    # Red dog.
    "original",
    "raise",
    # The poker games.
    "pai_gow",
    "additional",
    "ante",
    "blind",
    "bet",
    "bet_one",
    "bet_two",
    "bet_three",
    "double_down",
    "pot",
)
MEDIUM: Final = _words(
    "medium",
    "What a wager was made with; verbal_cash is a spoken wager backed by cash on the table.",
    "chip",
    "plaque",
    "match_play_coupon",
    "coupon",
    "cash",
    "verbal_cash",
    "credit",
)
DECISION_KIND: Final = _words(
    "decision_kind",
    "What a player chose to do with a hand.",
    "stand",
    "hit",
    "double",
    "split",
    "surrender",
    "draw",
    "check",
    "bet",
    "call",
    "raise",
    "fold",
)
CHOICE_KIND: Final = _words(
    "choice_kind",
    "What a player was offered, beyond the usual play of a hand.",
    "even_money",
    "net_payout",
    "additional_card",
    "late_card",
    "void_wager",
    "face_down_double",
    "inspect_cards",
    "banker",
    "full_banker_wager",
)
REQUEST_KIND: Final = _words(
    "request_kind",
    "What a player asked for.",
    "show_burn_card",
    "spread_cards",
    "face_down_double",
    "shuffle",
    "new_cards",
    "new_dealer",
)
PHRASE: Final = _words(
    "phrase",
    "What was said aloud at the table, by its meaning.",
    "place_your_bets",
    "no_more_bets",
    "dealers_card",
    "blackjack",
    "splitting_sevens",
    "cards",
    "last_hand",
    "tie_hand",
    "result",
    "value",
    "amount",
    "spread",
    "consecutive",
    "pair",
    "three_of_a_kind",
    "no_three_of_a_kind",
    "raises_closed",
    "bets_invited",
    "banco",
    "banco_seul",
    "banco_suivi",
    "suivi",
)
IRREGULARITY_KIND: Final = _words(
    "irregularity_kind",
    "What went wrong in the course of play.",
    "card_drawn_in_error",
    "card_overdrawn",
    "dealer_card_missed",
    "player_card_missed",
    "requested_card_missed",
    "wrong_side_dealt",
    "upcard_not_moved",
    "upcard_discarded",
    "double_card_dealt_up",
    "ten_in_shoe",
    "shoe_exhausted",
    "shuffle_incomplete",
    "foreign_card",
    "card_lost",
    "card_damaged",
    "misdeal",
    "card_reader_misused",
    "other_breach",
)
SHUFFLE_METHOD: Final = _words(
    "shuffle_method",
    "How the cards were mixed.",
    "manual",
    "automated",
    "continuous",
    "bart_carter",
)
SOURCE: Final = _words(
    "card_source",
    "What a card was dealt from.",
    "manual_shoe",
    "automated_shoe",
    "double_shoe",
    "continuous_shuffler",
    "dealer_hand",
    "stub",
)
PLACE: Final = _words(
    "place",
    "Where cards or equipment were put, or taken from.",
    "discard_rack",
    "segregated_area",
    "discard_bucket",
    "shuffler",
    "shoe",
    "layout",
    "table",
    "under_stack",
    "stack_bottom",
    "dealer_hand",
    "designated_storage",
    "locked_compartment",
    "pit_stand",
)
ARRANGEMENT: Final = _words(
    "arrangement",
    "How a spread was laid out.",
    "by_suit_in_sequence",
    "fan",
    "rows",
    "loose",
)
DEVICE: Final = _words(
    "device",
    "A device at the table that can be inspected or fail.",
    "card_reader",
    "shuffler",
    "shoe",
    "progressive_light",
    "progressive_meter",
    "bonus_device",
)
CHECKED: Final = _words(
    "checked_point",
    "What a person looked at and vouched for.",
    "wager",
    "amount",
    "cards",
    "light",
    "ticket",
    "payout",
    "tens_removed",
    "inspection",
)
READ_RESULT: Final = _words(
    "read_result",
    "What the card reader showed.",
    "blackjack",
    "no_blackjack",
)
MISDEAL_RESULT: Final = _words(
    "misdeal_result",
    "What a check for a misdeal found.",
    "in_order",
    "misdealt",
)
START_METHOD: Final = _words(
    "start_method",
    "How the first position to receive cards was chosen.",
    "dice",
    "number_generator",
    "card",
)
COUNT_METHOD: Final = _words(
    "count_method",
    "How the remaining cards were counted.",
    "by_hand",
    "spread_face_down",
    "by_shuffler",
)
SHUFFLE_REASON: Final = _words(
    "shuffle_reason",
    "Why cards were shuffled or a cut repeated.",
    "opening",
    "cutting_card_reached",
    "licensee_decision",
    "round_finished",
    "irregularity",
    "new_cards",
    "shift_change",
    "player_request",
    "improper_cut",
)
BURN_REASON: Final = _words(
    "burn_reason",
    "Why a card was burned.",
    "new_shoe",
    "new_dealer",
    "irregularity",
    "determinant_card",
    "count_of_first_card",
    "between_stages",
)
STAGE: Final = _words(
    "stage",
    "Which part of the round, or of the preparation, the cards belong to.",
    "preparation",
    "initial_deal",
    "draw",
    "flop",
    "turn",
    "river",
    "showdown",
)
METER_STEP: Final = _words(
    "meter_step",
    "Why the progressive meter was recorded.",
    "initial_amount",
    "wagers_registered",
    "increment",
    "reset_after_payout",
    "display",
)
POT: Final = _words("pot", "Which pot of a poker round.", "main", "side")
HAND_CLASS: Final = _words(
    "hand_class",
    "The class of a poker hand, lowest first.",
    "no_pair",
    "one_pair",
    "two_pair",
    "three_of_a_kind",
    "straight",
    "flush",
    "full_house",
    "four_of_a_kind",
    "straight_flush",
    "royal_flush",
    "five_aces",
    ordered=True,
)
PAY_LINE: Final = _words(
    "pay_line",
    "The line of a side wager's pay table.",
    # Sevens.
    "one_seven",
    "two_sevens",
    "two_sevens_suited",
    "three_sevens",
    "three_sevens_suited",
    # Same suit and suited royals.
    "suited",
    "faces_suited",
    "king_queen_suited",
    # Triple match.
    "pair",
    "pair_suited",
    "three_of_a_kind",
    "three_of_a_kind_suited",
    # Match the dealer.
    "matched_rank",
    "matched_rank_and_suit",
    # Twenty point bonus.
    "any_twenty",
    "suited_twenty",
    "matched_twenty",
    "queens_of_hearts",
    "queens_of_hearts_with_dealer_blackjack",
    # Progressive.
    "two_aces",
    "two_aces_suited",
    "three_aces",
    "three_aces_suited",
    "four_aces_of_one_color",
)
VIGORISH_REASON: Final = _words(
    "vigorish_reason", "The result for which a commission is owed.", "banker_win", "tie"
)
HOLDING_HAND: Final = _words(
    "holding_hand", "The hand in which the dealer holds the deck.", "left", "right"
)
SPOT: Final = _words("spot", "A marked place for a card on the layout.", "left", "middle", "right")
