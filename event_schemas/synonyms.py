"""Other names under which the law and older logs speak of events and fields, for messages."""

from __future__ import annotations

from typing import Final

# The name that somebody may use -> the event type that means the same here.
SYNONYMS: Final[dict[str, str]] = {
    "bet_made": "wager_placed",
    "bet_placed": "wager_placed",
    "card_drawn": "card_dealt",
    "dealer_changed": "dealer_arrived",
    "hand_started": "round_started",
    "hand_ended": "round_ended",
    "payout": "wager_paid",
    "payout_made": "wager_paid",
    "shuffle": "cards_shuffled",
    "wager_lost": "wager_collected",
    "wager_won": "wager_paid",
    "additional_card_offered": "choice_offered",
    "bets_invited": "announcement",
    "burn_card_requested": "request_made",
    "cards_removed_from_shoe": "cards_removed",
    "deck_changed": "deck_removed",
    "deck_rotated": "deck_placed_in_play",
    "entry_refused": "wagering_barred",
    "face_down_double_requested": "request_made",
    "lammer_moved": "lammer_placed",
    "option_accepted": "choice_accepted",
    "option_offered": "choice_offered",
    "player_discarded": "cards_discarded",
    "spread_requested": "request_made",
    "stack_split": "cards_stacked",
    "supervisor_validated": "supervisor_confirmed",
    "void_elected": "choice_accepted",
    "void_option_offered": "choice_offered",
}

# The word that somebody may use -> the field that holds it, where the event has that field.
FIELD_SYNONYMS: Final[dict[str, str]] = {
    "bet": "wager",
    "box": "seat",
    "croupier": "dealer",
    "customer": "player",
    "guest": "player",
    "money": "amount",
    "patron": "player",
    "payout": "amount",
    "place": "seat",
    "position": "seat",
    "receiver": "to",
    "recipient": "to",
    "size": "amount",
    "spot": "seat",
    "stake": "amount",
    "time": "ts",
    "timestamp": "ts",
    "value": "amount",
    "whom": "to",
}
