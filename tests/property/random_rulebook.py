"""The intervals, tables, settings and doubtful passages that random rules may refer to."""

from __future__ import annotations

from rules_dsl import core
from tests.property.random_logs import SCHEMA

SOFT_17 = SCHEMA.options["soft_17"].kind.name
INTERVALS = {
    "round": core.Interval(
        "round",
        core.Pattern(("round_started",), 0),
        core.Pattern(("round_ended",), 0),
    ),
    "shoe": core.Interval(
        "shoe",
        core.Pattern(("cards_shuffled",), 0),
        core.Pattern(("cards_shuffled",), 0),
    ),
    "stretch": core.Interval(
        "stretch",
        core.Pattern(
            ("card_dealt",),
            0,
            core.Compare("=", core.Field(0, "face_up", "flag"), core.Const("flag", "yes")),
        ),
        core.Pattern(("card_burned", "round_ended"), 0),
    ),
    # Its end is in doubt where nobody recorded how the card lay.
    "closed_hand": core.Interval(
        "closed_hand",
        core.Pattern(("round_started", "dealer_arrived"), 0),
        core.Pattern(
            ("card_dealt",),
            0,
            core.Compare("=", core.Field(0, "face_up", "flag"), core.Const("flag", "yes")),
        ),
    ),
    # Whether it has begun is decided only later.
    "awaited": core.Interval(
        "awaited",
        core.Pattern(
            ("wager_placed", "card_burned"),
            0,
            core.HowMany(
                "at least",
                core.Const("number", "1"),
                core.Events(
                    0,
                    core.Pattern(("wager_paid", "round_ended"), 1),
                    core.Window("future", before=core.Pattern(("cards_shuffled",), 1)),
                ),
            ),
        ),
        core.Pattern(("hand_shown", "recut_ordered"), 0),
    ),
    # Whether it begins depends on what the table has elected by then.
    "elected": core.Interval(
        "elected",
        core.Pattern(
            ("round_started", "card_dealt"),
            0,
            core.Compare("=", core.OptionValue("soft_17", 0, SOFT_17), core.Const(SOFT_17, "hit")),
        ),
        core.Pattern(("round_ended", "cards_shuffled"), 0),
    ),
}
TABLES = {
    "draws": core.LookupTable(
        "draws", "", "number", "number", "text",
        (core.TableKey("0", "2"), core.TableKey("3", "30"), core.TableKey("none", "none")),
        (core.TableKey("none", "none"), core.TableKey("0", "4"), core.TableKey("5", "9")),
        (("draw", "draw", "stand"), ("stand", "none", "draw"), ("none", "draw", "stand")),
    ),
    "pays": core.LookupTable(
        "pays", "", "text", "text", "odds",
        (core.TableKey("blackjack", "blackjack"), core.TableKey("insurance", "insurance")),
        (), (("3 to 2",), ("2 to 1",)),
    ),
}  # fmt: skip
SETTINGS = {
    "rough": core.Setting("rough", core.Const("number", "2"), ""),
    "grace": core.Setting("grace", core.Const("duration", "30 seconds"), ""),
}
INTERPRETATIONS = {
    "doubt": core.Interpretation(
        "doubt", "", (), (core.ReadingChoice("one", ""), core.ReadingChoice("two", "")), "one"
    )
}


def rulebook(rule: core.Rule) -> core.Rulebook:
    """A rulebook with one rule and all that random rules may refer to."""
    return core.Rulebook(
        "random", "America/New_York", SCHEMA.fingerprint, (), INTERVALS, TABLES, SETTINGS,
        INTERPRETATIONS, {}, (rule,),
    )  # fmt: skip
