"""Every event that the inventory of the law's clauses speaks of has a place in the vocabulary."""

import pytest

from event_schemas import SYNONYMS, builtin_schema

# The events named in the clause inventory, in alphabetical order.
_NAMES = """
    additional_card_offered announcement bank_accepted banker_bid banker_selected
    bet_moved_to_pot bets_invited betting_round_ended betting_round_started
    bonus_amount_displayed bonus_button_placed bonus_button_pressed box_share_consent
    burn_card_disclosed burn_card_requested card_burned card_dealt card_exposed
    card_found_face_up card_handled card_refused cards_collected cards_cut cards_destroyed
    cards_discarded cards_inspected cards_laced cards_removed cards_removed_from_shoe
    cards_shuffled cards_spread cards_stacked cards_turned cards_washed cash_converted
    commission_notified coupon_used cover_card_placed cover_card_removed cut_offered cut_refused
    cutting_card_inserted cutting_card_reached cutting_card_removed dealer_arrived
    dealer_departed dealer_instruction decision deck_changed deck_placed_in_hand deck_removed
    deck_rotated deck_sequenced deck_set_down deck_stored decks_assigned decks_received
    determinant_card_drawn device_malfunction documentation_completed entry_refused
    face_down_double_requested hand_declared_dead hand_reconstructed hand_shown hole_card_read
    hole_card_revealed hole_card_viewed inspection_verified insurance_placed irregularity
    keno_jackpot_credited keno_request_returned keno_request_submitted keno_system_down
    keno_system_up keno_ticket_expired keno_ticket_issued keno_ticket_manually_input
    keno_ticket_paid keno_ticket_rejected keno_ticket_verified lammer_moved lammer_placed
    limits_changed marker_button_placed marker_button_removed misdeal_checked notice_posted
    option_accepted option_elected option_offered patrons_told payout_verified
    personnel_assigned player_discarded player_inspection_offered player_left player_seated
    point_total_announced pot_awarded progressive_chips_counted progressive_light_on
    progressive_meter recut_ordered revenue_fund_paid round_ended round_started round_voided
    rule_changed shoe_accepted shoe_inspected shoe_loaded shoe_offered shoe_pass_ordered
    shoe_passed shoe_refused shoe_secured shuffle_decided shuffle_interrupted shuffle_started
    shuffled_stack_inserted shuffler_count_reported shuffler_emptied shuffler_installed
    shuffler_loaded shuffler_removed split_hand_designated spread_marker_placed spread_requested
    spread_turned stack_delivered stack_split stack_transposed stake_removed
    starting_position_determined stub_counted supervisor_called supervisor_confirmed
    supervisor_validated surveillance_notified table_closed table_idle_started table_opened
    tens_removed transaction_ended upcard_moved vigorish_collected vigorish_marked void_elected
    void_option_offered wager_collected wager_confirmed wager_declined wager_handled
    wager_increased wager_offered wager_paid wager_placed wager_returned wager_withdrawn
    wagering_barred
"""
INVENTORY = _NAMES.split()


@pytest.mark.parametrize("name", INVENTORY)
def test_an_event_of_the_inventory_has_its_event_type(name: str) -> None:
    assert SYNONYMS.get(name, name) in builtin_schema().events


def test_the_vocabulary_is_smaller_than_the_inventory() -> None:
    assert len(builtin_schema().events) < len(set(INVENTORY))
