"""`compliance breaches`: the breaches that can be put into a simulated night."""

from __future__ import annotations

from compliance.cli.screen import Column, Screen, Styled
from compliance.simulate.breach import Breach
from compliance.simulate.breaches import BREACHES
from compliance.simulate.variants import USUAL
from reports.wording import counted


def list_breaches(form: str) -> int:
    """One row for each game of a breach: its name, the rule that finds it, and where it happens."""
    screen = Screen()
    if form == "json":
        screen.json(
            {
                "schema_version": "1",
                "breaches": [
                    {"name": breach.name, "game": game, "rule": rule, "needs": _needs(breach)}
                    for breach in BREACHES.values()
                    for game, rule in breach.rules.items()
                ],
            }
        )
        return 0
    screen.table(
        (
            Column("breach", names=True),
            Column("game"),
            Column("found by", names=True),
            Column("needs", below=True),
        ),
        [
            (Styled(breach.name, "cyan"), game, rule, Styled(", ".join(_needs(breach)), "dim"))
            for breach in BREACHES.values()
            for game, rule in breach.rules.items()
        ],
    )
    screen.line()
    screen.line(f"{counted(len(BREACHES), 'breach', 'breaches')}.")
    return 0


def _needs(breach: Breach) -> list[str]:
    """What a table must be like for the breach to happen there."""
    found = [f"--variant {breach.variant}"] if breach.variant != USUAL else []
    found += [f"--offer {breach.offer}"] if breach.offer else []
    found += ["--accidents"] if breach.accident else []
    found += [f"from {breach.since}"] if breach.since else []
    return found + ([f"before {breach.until}"] if breach.until else [])
