"""`compliance simulate`: an invented night at the tables, by the law of its date or against it.

What the command needs is imported when it runs, so that help comes at once.
"""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Annotated, Literal

from cyclopts import Parameter

FORMATS = ("jsonl", "parquet", "csv")


def simulate(
    *,
    output: Annotated[
        Path,
        Parameter(
            name=("--output", "-o"),
            help="A file ending in .jsonl, .parquet or .csv, or a folder: a file for each table.",
        ),
    ],
    tables: Annotated[int, Parameter(help="How many tables.")] = 6,
    hours: Annotated[
        float | None, Parameter(help="How long each table plays; 8 unless --rounds is given.")
    ] = None,
    rounds: Annotated[int | None, Parameter(help="How many rounds each table plays.")] = None,
    date: Annotated[
        str, Parameter(help="The day, whose law is kept, as in 2010-03-06.")
    ] = "2010-03-06",
    nights: Annotated[
        int,
        Parameter(
            help="How many nights in a row, each with the day in the name of its file or folder; "
            "numbers and names begin again every night."
        ),
    ] = 1,
    seed: Annotated[int, Parameter(help="Another seed gives another night.")] = 1,
    games: Annotated[
        str, Parameter(help="Which games, with commas: blackjack,baccarat,minibaccarat,red_dog.")
    ] = "",
    variant: Annotated[
        str | None,
        Parameter(help="How every blackjack table is set up, as in multiple_action; else by lot."),
    ] = None,
    offer: Annotated[
        list[str] | None,
        Parameter(
            help="A side wager of every blackjack table, as in streak, or none; may be repeated; "
            "else by lot.",
            negative=(),
        ),
    ] = None,
    accidents: Annotated[
        float | None,
        Parameter(
            help="In what share of a blackjack table's rounds an accident is tried; else by lot."
        ),
    ] = None,
    format: Annotated[
        Literal["jsonl", "parquet", "csv"] | None,
        Parameter(help="The format of a folder's files; a file's ending tells its own."),
    ] = None,
    violations: Annotated[
        str, Parameter(help="Breaches to put in, by name and with commas, or all.")
    ] = "",
    rate: Annotated[
        float, Parameter(help="In what share of rounds and shuffles a breach is tried.")
    ] = 0.01,
    truth: Annotated[
        Path | None,
        Parameter(
            help="Where to write which breaches were put in, as JSON lines; beside the log, with "
            ".truth behind its name, if left out."
        ),
    ] = None,
    workers: Annotated[
        int | None, Parameter(help="How many processes; one for each processor if left out.")
    ] = None,
) -> int:
    """Write the log of an invented night, lawful unless breaches are asked for."""
    from compliance.api.opened_request import possible_workers
    from compliance.api.refusal import Refused, worker_lost
    from compliance.cli.screen import Screen, Styled
    from compliance.cli.simulated_blackjack import blackjack_wishes
    from compliance.processes.worker_pool import WorkerLost
    from compliance.simulate.floor import plan_floor, simulate_floor
    from compliance.simulate.truth import write_truth
    from reports.wording import counted

    workers = possible_workers(workers)
    if hours is not None and rounds is not None:
        raise Refused("Give either --hours or --rounds, not both.")
    asked = (("tables", tables), ("hours", hours), ("rounds", rounds), ("nights", nights))
    for name, number in asked:
        if number is not None and number <= 0:
            raise Refused(f"--{name} must be more than 0.")
    if not 0 < rate <= 1:
        raise Refused("--rate is a share: more than 0 and at most 1.")
    day = _day(date)
    form = _format(output, format)
    played = _games(games, day)
    wishes = blackjack_wishes(variant, offer or (), accidents, day)
    if wishes != (None, None, None) and "blackjack" not in played:
        raise Refused("Blackjack is not played; --variant, --offer and --accidents are about it.")
    screen = Screen()
    for number in range(nights):
        floor = plan_floor(
            tables=tables,
            games=played,
            day=day + datetime.timedelta(days=number),
            seed=seed,
            night=number,
            hours=8.0 if hours is None and rounds is None else hours,
            rounds=rounds,
            blackjack=wishes,
            breaches=_breaches(violations),
            rate=rate,
        )
        tonight = day + datetime.timedelta(days=number)
        written = output if nights == 1 else _of_night(output, tonight, form)
        told = truth if truth is None or nights == 1 else _with_day(truth, tonight)
        try:
            result = simulate_floor(floor, written, form, workers)
            if floor.breaches or told is not None:
                # No pattern for logs catches this name, and no folder of logs is read with it.
                told = told or written.with_name(f"{written.name}.truth")
                write_truth(told, result.injected)
        except OSError as problem:
            raise Refused(f"{problem.filename or written}: {problem.strerror}.") from None
        except WorkerLost:
            raise worker_lost() from None
        screen.line(
            f"{counted(result.events, 'event')} of {counted(len(floor.tables), 'table')}: ",
            Styled(str(written), "bold"),
        )
        if told is not None:
            screen.line(
                f"{counted(len(result.injected), 'breach', 'breaches')} put in: ",
                Styled(str(told), "bold"),
            )
    return 0


def _of_night(path: Path, day: datetime.date, form: str) -> Path:
    """The file or folder of one night: with its day in the name."""
    return _with_day(path, day) if path.suffix == f".{form}" else path / day.isoformat()


def _with_day(path: Path, day: datetime.date) -> Path:
    return path.with_name(f"{path.stem}-{day.isoformat()}{path.suffix}")


def _day(text: str) -> datetime.date:
    from compliance.api.refusal import Refused
    from event_schemas import parse_date

    try:
        return parse_date(text)
    except ValueError as problem:
        raise Refused(str(problem)) from None


def _format(output: Path, wanted: str | None) -> str:
    """The ending of a file tells its format; a folder's files are JSON lines unless said."""
    from compliance.api.refusal import Refused

    ending = output.suffix.removeprefix(".")
    if ending in FORMATS:
        if wanted is not None and wanted != ending:
            raise Refused(f"{output} ends in .{ending}, but --format says {wanted}.")
        return ending
    if output.is_file():
        raise Refused(f"{output} is a file; name a folder, or a file with a known ending.")
    return wanted or "jsonl"


def _games(text: str, day: datetime.date) -> list[str]:
    """The games that were asked for, or all that the law of the day knows."""
    from compliance.api.refusal import Refused, unknown
    from compliance.simulate.elections import FIRST_DAY
    from event_schemas import did_you_mean

    wanted = [name.strip().replace("-", "_") for name in text.split(",") if name.strip()]
    for name in wanted:
        if name not in FIRST_DAY:
            close = did_you_mean(name, FIRST_DAY)
            raise unknown("game", name, close, "`compliance simulate --help`")
        if day < FIRST_DAY[name]:
            raise Refused(f"The law of {name} is known from {FIRST_DAY[name]} on, not on {day}.")
    known = [name for name in FIRST_DAY if day >= FIRST_DAY[name]]
    if not known:
        raise Refused(f"No game's law is known on {day}; the first is blackjack's of 1982-09-15.")
    return wanted or known


def _breaches(text: str) -> list[str]:
    from compliance.cli.simulated_blackjack import known_name
    from compliance.simulate.breaches import BREACHES

    wanted = [name.strip() for name in text.split(",") if name.strip()]
    if wanted == ["all"]:
        return list(BREACHES)
    listing = "`compliance breaches`"
    return [known_name("breach", name, BREACHES, listing) for name in wanted]
