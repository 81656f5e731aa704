"""The annotated types of event fields; each carries the kind that reads its value."""

from __future__ import annotations

import datetime as dt
from fractions import Fraction
from typing import Annotated

from event_schemas import cards, enums, kinds
from event_schemas.kinds import enum_kind

Number = Annotated[int, kinds.NUMBER]
Cents = Annotated[int, kinds.MONEY]
Odds = Annotated[Fraction, kinds.ODDS]
Percent = Annotated[Fraction, kinds.PERCENT]
Duration = Annotated[dt.timedelta, kinds.DURATION]
Time = Annotated[dt.datetime, kinds.TIME]
Date = Annotated[dt.date, kinds.DATE]
Card = Annotated[cards.Card, kinds.CARD]
Cards = Annotated[tuple[cards.Card, ...], kinds.CARDS]
Suit = Annotated[cards.Suit, kinds.SUIT]
Seat = Annotated[int, kinds.SEAT]
Text = Annotated[str, kinds.TEXT]
Flag = Annotated[bool, kinds.FLAG]

Role = Annotated[str, enum_kind(enums.ROLE)]
Game = Annotated[str, enum_kind(enums.GAME)]
Recipient = Annotated[str, enum_kind(enums.RECIPIENT)]
WagerKind = Annotated[str, enum_kind(enums.WAGER_KIND)]
Medium = Annotated[str, enum_kind(enums.MEDIUM)]
DecisionKind = Annotated[str, enum_kind(enums.DECISION_KIND)]
ChoiceKind = Annotated[str, enum_kind(enums.CHOICE_KIND)]
RequestKind = Annotated[str, enum_kind(enums.REQUEST_KIND)]
Phrase = Annotated[str, enum_kind(enums.PHRASE)]
IrregularityKind = Annotated[str, enum_kind(enums.IRREGULARITY_KIND)]
ShuffleMethod = Annotated[str, enum_kind(enums.SHUFFLE_METHOD)]
ShuffleReason = Annotated[str, enum_kind(enums.SHUFFLE_REASON)]
BurnReason = Annotated[str, enum_kind(enums.BURN_REASON)]
Source = Annotated[str, enum_kind(enums.SOURCE)]
Place = Annotated[str, enum_kind(enums.PLACE)]
Arrangement = Annotated[str, enum_kind(enums.ARRANGEMENT)]
Device = Annotated[str, enum_kind(enums.DEVICE)]
CheckedPoint = Annotated[str, enum_kind(enums.CHECKED)]
ReadResult = Annotated[str, enum_kind(enums.READ_RESULT)]
MisdealResult = Annotated[str, enum_kind(enums.MISDEAL_RESULT)]
StartMethod = Annotated[str, enum_kind(enums.START_METHOD)]
CountMethod = Annotated[str, enum_kind(enums.COUNT_METHOD)]
Stage = Annotated[str, enum_kind(enums.STAGE)]
MeterStep = Annotated[str, enum_kind(enums.METER_STEP)]
Pot = Annotated[str, enum_kind(enums.POT)]
HandClass = Annotated[str, enum_kind(enums.HAND_CLASS)]
PayLine = Annotated[str, enum_kind(enums.PAY_LINE)]
VigorishReason = Annotated[str, enum_kind(enums.VIGORISH_REASON)]
HoldingHand = Annotated[str, enum_kind(enums.HOLDING_HAND)]
Spot = Annotated[str, enum_kind(enums.SPOT)]
