"""Changes during the night: a rule with half an hour's notice, limits with a sign and a word."""

from __future__ import annotations

from compliance.simulate.elections import NOTICE_OF_CHANGES, Limits, dollars
from compliance.simulate.game import Change, Game
from compliance.simulate.opening import elect
from compliance.simulate.table import HOUR, MINUTE


class Changes:
    """What the licensee plans to change at one table, and when."""

    def __init__(self, game: Game) -> None:
        random = game.random
        now = game.table.now
        self._game = game
        self._decided_at = now + int((0.2 + 9 * random.random()) * HOUR)
        self._limits_at = now + int((0.2 + 12 * random.random()) * HOUR)
        self._announced: Change | None = None
        self._due_at = 0

    def look_at_the_clock(self) -> None:
        """Between two rounds: announce or carry out what is due."""
        game, now = self._game, self._game.table.now
        if self._announced is not None:
            if now >= self._due_at and game.may_change_now():
                self._carry_out(self._announced)
                self._announced = None
        elif now >= self._decided_at and game.day >= NOTICE_OF_CHANGES:
            self._decided_at = now + int((3 + 9 * game.random.random()) * HOUR)
            self._announced = game.possible_change()
            if self._announced is not None:
                self._announce(self._announced)
        if now >= self._limits_at and game.may_change_now():
            self._limits_at = now + int((4 + 12 * game.random.random()) * HOUR)
            self._change_limits()

    def _announce(self, change: Change) -> None:
        table = self._game.table
        self._due_at = table.now + int((33 + 10 * table.random.random()) * MINUTE)
        moment = self._due_at
        subject = change.option
        table.by_floorperson(
            "notice_posted",
            subject=subject,
            value=change.new,
            effective_at=moment,
            **change.shown,
        )
        table.wait(5000, 15000)
        table.by_floorperson("patrons_told", subject=subject)
        table.wait(10000, 60000)
        table.by_floorperson(
            "commission_notified", subject=subject, written=True, effective_at=moment
        )

    def _carry_out(self, change: Change) -> None:
        table = self._game.table
        # The last of the notices is half an hour old at the least.
        table.by_floorperson(
            "rule_changed",
            subject=change.option,
            old_value=change.old,
            new_value=change.new,
            effective_at=self._due_at,
        )
        elect(table, {change.option: change.new})
        self._game.change(change)

    def _change_limits(self) -> None:
        game, table = self._game, self._game.table
        limits = Limits.choose(table.random)
        game.limits.minimum, game.limits.maximum = limits.minimum, limits.maximum
        figures = {"minimum": limits.minimum, "maximum": limits.maximum}
        wager = {"wager": game.main_wager}
        table.by_floorperson("notice_posted", subject="limits", **wager, **figures)
        table.wait(3000, 9000)
        table.by_floorperson("patrons_told", subject="limits")
        table.wait(3000, 9000)
        table.by_floorperson("limits_changed", subject="limits", **wager, **figures)
        elect(
            table,
            {
                "minimum_wager": dollars(limits.minimum),
                "maximum_wager": dollars(limits.maximum),
            },
        )
