"""Writes the settings of a batch to begin with: every word, each with what it does."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Final

from compliance.log.toml_words import toml_text


@dataclass(frozen=True)
class Answers:
    """What a batch cannot guess."""

    casino: str
    time_zone: str
    logs: str
    first_day: date
    day_begins: str = "06:00:00"
    reports: str = "results"
    store: str = "compliance.db"


_DRAFT: Final = """\
# The settings of `compliance batch`, which judges every night that is due. docs/batch.md explains
# them. Paths are read from the folder of this file. What stands behind # is not said, or shows
# another choice. No password belongs here.

# The store: a file, or a PostgreSQL database (its password in PGPASSWORD or in a file that
# PGPASSFILE names).
store = {store}
# store = "postgresql://compliance@database.example.org/compliance"

[outputs]
# Each night gets a folder in it: CASINO/2026-11-18/. run.json, the whole result, is always there.
folder = {reports}
# Further reports, each in the format of its ending: .html, .pdf, .csv, .xlsx, .parquet, ...
files = ["report.html"]

[[casino]]
# The casino as its logs name it.
name = {casino}
# The files of a gaming day; {{date}} is the day on which it begins, 2026-11-18.
# {{date:%Y%m%d}} is 20261118. Folders and patterns are possible, also several.
logs = [{logs}]
time_zone = {time_zone}
# A gaming day begins at this time by the casino's clock, and ends a day later.
day_begins = {day_begins}
# The first gaming day that is judged; every day from it on must have a log.
first_day = {first_day}
# last_day = 2030-12-31
# Days on which nobody played, so that no log is missed.
# closed = [2026-12-25]
# How long after its end the files of a day may still be on their way.
# ready_after_minutes = 30
# What the licensee chose for each table, what the source records, how its log is to be read, and
# what an authority has accepted.
# options = "options.toml"
# manifest = "manifest.toml"
# mapping = "mapping.toml"
# waivers = "waivers.toml"

# [check]
# Rule files, folders of them, or nj: the bundled law of New Jersey.
# rules = ["nj"]
# profile = "careful"
# law_of = 2012-05-07
# schema = "own-events.toml"
# input = "jsonl"
# workers = 2

# [rulebook]
# Who answers for the rules that are applied, kept with their version.
# author = "A. Author"
# reviewer = "R. Reviewer"
# reason = "Rules of the house added."
# Rules that were changed and renamed at once; what only has another name is followed anyway.
# renamed = {{ "old-name" = "new-name" }}

# [retention]
# Reports are kept for ever unless said otherwise; they can be made again from the logs.
# reports_days = 1100
# How far back a corrected night can still be joined with the one before it.
# joining_days = 400

# [archive]
# A folder in which all nights are kept as sorted Parquet: `compliance check --archive` reads it.
# folder = "archive"

# [[notify]]
# One message for each night, by mail or by webhook. Passwords stand in the environment or in a file
# that only its owner can read.
# name = "duty"
# severity = "major"
# only_new = true
# [notify.mail]
# host = "mail.example.org"
# user = "compliance"
# password = {{ env = "COMPLIANCE_MAIL_PASSWORD" }}
# sender = "compliance@example.org"
# to = ["duty@example.org"]

# [metrics]
# Numbers for the textfile collector of Prometheus.
# file = "compliance.prom"
"""


def draft(answers: Answers) -> str:
    """The text of the file."""
    return _DRAFT.format(
        store=toml_text(answers.store),
        reports=toml_text(answers.reports),
        casino=toml_text(answers.casino),
        logs=toml_text(answers.logs),
        time_zone=toml_text(answers.time_zone),
        day_begins=answers.day_begins,
        first_day=answers.first_day,
    )
