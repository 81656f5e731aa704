"""Other names under which the law and older logs speak of an event type, for helpful messages."""

from __future__ import annotations

from typing import Final

# The name that somebody may use -> the event type that means the same here.
SYNONYMS: Final[dict[str, str]] = {
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
