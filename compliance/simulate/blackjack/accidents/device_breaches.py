"""Breaches with devices that had failed: the card reader, a light, the bonus device."""

from __future__ import annotations

from compliance.simulate.blackjack.accidents.devices import BROKEN_READER
from compliance.simulate.breach import Opportunity, additional_cards, breach
from compliance.simulate.table import Record


def _fails_for_the_rest_of_the_round(op: Opportunity, place: int, device: str, **seat: int) -> None:
    """A device fails at a place of the round and is repaired at the round's end."""
    op.chapter.insert(len(op.chapter.records), "device_repaired", device=device, **seat)
    op.chapter.insert(place, "device_malfunction", device=device, **seat)


@breach(
    "broken-reader-used",
    "round",
    since="1993-01-19",
    blackjack="broken-card-reader-is-not-used",
)
def broken_reader_used(op: Opportunity) -> Record | None:
    read = op.chapter.first("hole_card_read")
    if read is not None:
        _fails_for_the_rest_of_the_round(op, op.chapter.place(read), "card_reader")
    return read


@breach(
    "late-insurance-without-the-reader",
    "round",
    since="1993-01-19",
    accident=BROKEN_READER,
    blackjack="insurance-times-without-the-broken-reader",
)
def late_insurance_without_the_reader(op: Opportunity) -> Record | None:
    insured = op.chapter.first("insurance_placed")
    extra = additional_cards(op.chapter)
    if insured is None or not extra or op.has("late_insurance"):
        return None
    # Counted without the insurance itself, the place after the card is the card's own.
    op.chapter.move(insured, op.chapter.place(extra[0]))
    return insured


@breach(
    "progressive-wager-under-a-dark-light",
    "round",
    since="1996-07-15",
    offer="progressive",
    blackjack="no-progressive-wager-under-a-dark-light",
)
def progressive_wager_under_a_dark_light(op: Opportunity) -> Record | None:
    wager = op.chapter.first("wager_placed", wager="progressive")
    if wager is not None:
        _fails_for_the_rest_of_the_round(op, 1, "progressive_light", seat=wager["seat"])
    return wager


@breach(
    "bonus-paid-by-an-old-display",
    "round",
    since="1999-01-04",
    offer="blackjack_bonus",
    blackjack="bonus-nobody-can-tell-pays-21-to-1",
)
def bonus_paid_by_an_old_display(op: Opportunity) -> Record | None:
    """The display shows something before the button is pressed, and nothing afterwards."""
    pressed = op.chapter.last("bonus_button_pressed")
    if pressed is None:
        return None
    shown = op.chapter.last("bonus_amount_displayed", seat=pressed["seat"])
    if shown is None:
        return None
    op.chapter.move(shown, op.chapter.place(pressed))
    _fails_for_the_rest_of_the_round(op, op.chapter.place(pressed) + 1, "bonus_device")
    return op.chapter.first("wager_paid", seat=pressed["seat"], wager="blackjack_bonus")
