"""One small rule for each thing that the rule language can say, and a log to try it on."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from event_schemas import builtin_schema
from rules_dsl import core
from rules_dsl.rulebook import Loaded, load_text

DATA = Path(__file__).parent / "data" / "constructs.toml"

DECLARATIONS = """\
rulebook "Constructs" time zone "America/New_York"

interval round from round_started to any of (round_ended, round_voided)
events player_card are card_dealt where to is player
define cards_of(the_seat) = count of card_dealt where seat is the_seat, earlier
setting tolerance = 5% "a stated assumption"
setting patience = 10 minutes "a stated assumption"
interpretation third_card "what a third card is"
  reading strict "any third card" default
  reading loose "only a player's third card"
table draws "when the banker draws"
  banker \\ third | none 0 1
  3              | D    D S
  4              | S    D S
table pays "what is paid"
  hand | odds
  pair | 3 to 1
  suited | 5 to 1
"""

LOG = """\
    20:00:00 round_started round=1 dealer=D7
    20:00:01 dealer_arrived dealer=D7 by_role=floorperson
    20:00:02 wager_placed seat=1 player=P1 wager=original amount=$10 by_role=dealer
    20:00:03 wager_placed seat=2 player=P2 wager=insurance amount=$25
    20:00:04 card_burned card=2H
    20:00:05 card_dealt to=player seat=1 hand=1 card=9S card_number=1 face_up=yes
    20:00:06 card_dealt to=player seat=2 hand=1 card=AS card_number=1
    20:00:07 card_dealt to=dealer card=KS card_number=1 face_up=no
    20:00:08 vigorish_marked player=P1 amount=$1
    20:00:09 notice_posted subject=limits
    20:00:10 cards_shuffled
    20:00:11 wager_paid seat=1 player=P1 wager=original stake=$10 amount=$15 odds="3 to 2"
    20:00:12 wager_paid seat=2 player=P2 wager=insurance stake=$25 amount=$50 odds="2 to 1"
    20:30:00 card_burned
    20:40:00 rule_changed subject=limits
    20:50:00 round_ended round=1
    20:51:00 round_started round=2 dealer=D7
    20:52:00 card_dealt to=player seat=3 hand=1 card=JOKER
    20:53:00 round_voided round=2
"""


@dataclass(frozen=True)
class Construct:
    """A clause, the event that triggers it, and how both explanations must put it."""

    when: str
    clause: str
    english: str
    formula: str

    @property
    def text(self) -> str:
        """A whole rulebook with this one rule."""
        clause = self.clause if self.clause.split()[0] in _CLAUSES else f"require {self.clause}"
        extra = "" if "require" in clause or "forbid" in clause else "  require ts is known\n"
        return (
            f'{DECLARATIONS}\nrule construct\n  "A construct."\n  cite N.J.A.C. 19:47-2.6(c)\n'
            f"  when {self.when}\n  {clause}\n{extra}  example complies\n{LOG}"
            f"  example silent\n    20:00:00 cutting_card_reached\n"
        )

    def loaded(self) -> Loaded:
        return _loaded(self.text)

    def rule(self) -> core.Rule:
        return self.loaded().rulebook.rules[0]


@cache
def _loaded(text: str) -> Loaded:
    loaded = load_text(text, builtin_schema())
    assert not loaded.errors, [error.message for error in loaded.errors]
    return loaded


_CLAUSES = {"require", "forbid", "only", "for"}

CONSTRUCTS: dict[str, Construct] = {
    name: Construct(**entry)
    for name, entry in tomllib.loads(DATA.read_text(encoding="utf-8")).items()
}
