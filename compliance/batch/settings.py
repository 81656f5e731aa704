"""What a batch is told once: one TOML file, every word of it checked before anything is done."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from pathlib import Path
from typing import Annotated, Final, Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, field_validator, model_validator

from compliance.notices import Channels
from compliance.values.gaming_day import GamingClock

RESULT: Final = "run.json"
"""The saved result, which every night has: all other reports can be made from it."""
_DATE: Final = re.compile(r"\{date(?::([^{}]+))?\}")
_FORMS: Final = ["%Y", "%m", "%d", "%y", "%j", "%b", "%B"]
_SAFE: Final = re.compile(r"[\w.-]+")


def _pattern(text: str) -> str:
    if not _DATE.search(text):
        raise ValueError("write where the day stands in the name, as {date} or {date:%Y%m%d}")
    for form in _DATE.findall(text):
        unknown = [word for word in re.findall(r"%.", form) if word not in _FORMS]
        if unknown:
            raise ValueError(f"{unknown[0]} is no part of a day; known are {', '.join(_FORMS)}")
    rest = _DATE.sub("", text)
    if "{" in rest or "}" in rest:
        raise ValueError("the only word in braces is {date}, as in {date} or {date:%Y%m%d}")
    return text


def with_date(pattern: str, day: date) -> str:
    """A pattern with the day put in."""
    return _DATE.sub(lambda found: day.strftime(found[1] or "%Y-%m-%d"), pattern)


def _file_name(text: str) -> str:
    if not _SAFE.fullmatch(text) or text.startswith("."):
        raise ValueError("write a plain file name, as report.html; the folder is named apart")
    return text


Pattern = Annotated[str, AfterValidator(_pattern)]
FileName = Annotated[str, AfterValidator(_file_name)]
Text = Annotated[str, Field(min_length=1)]
Days = Annotated[int, Field(ge=1)]


class Words(BaseModel):
    """A table of the file: what is not known is refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", arbitrary_types_allowed=True)


class CheckWords(Words):
    """What is asked of every check, in the words of `compliance check`."""

    rules: tuple[Text, ...] = ()
    profile: Text | None = None
    law_of: date | None = None
    schema_file: Annotated[Path | None, Field(alias="schema")] = None
    workers: Annotated[int | None, Field(ge=1)] = None
    input: Literal["jsonl", "csv", "parquet", "xes"] | None = None


class Casino(Words):
    """A casino: where its logs come from, and what belongs to it alone."""

    name: Text
    logs: Annotated[tuple[Pattern, ...], Field(min_length=1)]
    time_zone: Text
    first_day: date
    last_day: date | None = None
    day_begins: time = time(6)
    ready_after_minutes: Annotated[int, Field(ge=0)] = 0
    closed: tuple[date, ...] = ()
    options: Path | None = None
    manifest: Path | None = None
    mapping: Path | None = None
    waivers: Path | None = None

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"{name} is no time zone; write one as America/New_York") from None
        return name

    @field_validator("day_begins")
    @classmethod
    def _plain_time(cls, value: time) -> time:
        if value.tzinfo is not None:
            raise ValueError("write the time by the casino's clock, without an offset")
        return value

    @property
    def clock(self) -> GamingClock:
        """By which it counts its days."""
        return GamingClock(
            ZoneInfo(self.time_zone), self.day_begins, timedelta(minutes=self.ready_after_minutes)
        )

    @property
    def folder(self) -> str:
        """Its name as a folder."""
        return re.sub(r"[^\w-]+", "-", self.name).strip("-") or "casino"


class Outputs(Words):
    """Where the reports of every night go, and which there are besides the saved result."""

    folder: Path
    files: tuple[FileName, ...] = ("report.html",)

    @field_validator("files")
    @classmethod
    def _no_own_names(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        for name in names:
            if name in (RESULT, "before.nights", "waivers.toml") or names.count(name) > 1:
                raise ValueError(f"{name} is written already; choose another name")
        return names


class RulebookWords(Words):
    """Who answers for the rules, kept with the version that is applied."""

    author: str = ""
    reviewer: str = ""
    reason: str = ""
    renamed: dict[str, str] = Field(default_factory=dict)


class Retention(Words):
    """How long is kept what can be made again; findings and people's words are never dropped."""

    reports_days: Days | None = None
    joining_days: Days = 400


class Archive(Words):
    """A folder in which all nights are kept as sorted Parquet."""

    folder: Path


class Metrics(Words):
    """A file of numbers for Prometheus."""

    file: Path


class BatchSettings(Words):
    """Everything that a batch is told."""

    store: Text
    check: CheckWords = CheckWords()
    casino: Annotated[tuple[Casino, ...], Field(min_length=1)]
    outputs: Outputs
    rulebook: RulebookWords = RulebookWords()
    retention: Retention = Retention()
    archive: Archive | None = None
    notify: Channels = ()
    metrics: Metrics | None = None
    home: Annotated[Path, Field(exclude=True)] = Path()
    """The folder of the settings file, from which its paths are read."""

    @model_validator(mode="after")
    def _casinos_apart(self) -> BatchSettings:
        for part in ("name", "folder"):
            names = [getattr(item, part) for item in self.casino]
            twins = sorted({name for name in names if names.count(name) > 1})
            if twins:
                raise ValueError(f"two casinos are called {twins[0]}; their names must differ")
        return self

    def path(self, given: Path | None) -> Path | None:
        """A path of the file, from its folder."""
        return None if given is None else self.home / given

    @property
    def store_place(self) -> str:
        """The store, from the folder of the file."""
        return self.store if "://" in self.store else str(self.home / self.store)

    @property
    def reports(self) -> Path:
        """The folder of all reports."""
        return self.home / self.outputs.folder
