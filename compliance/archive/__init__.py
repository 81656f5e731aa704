"""The nights of a casino kept as sorted Parquet, by table and gaming day.

    CASINO/nights/2010-03-06.json                       what the night is made of, with hashes
    CASINO/tables/BJ-04/2010-03-06.3f0a….parquet        the events of a table, as a log
    CASINO/tables/BJ-04/2010-03-06.9b1c….places.parquet where each stood in the files archived
    CASINO/aside/2010-03-06.77d0….jsonl                 the lines that could not be read

A file is named by what is in it and never changes. A night is what its list names: the list is
written last and replaced in one step, so that a night is there whole or as it was.

    write_night("archive", "Boardwalk", date(2010, 3, 6), ["night.jsonl"], schema)
    archived_log("archive", Wanted("Boardwalk", tables=("BJ-04",)), schema)
"""

from compliance.archive.archived_log import ArchivedLog, Wanted, archived_log
from compliance.archive.folder import ArchiveFolder, ArchiveProblem
from compliance.archive.night_list import NightList
from compliance.archive.night_lists import night_lists
from compliance.archive.written_night import LogRefused, WrittenNight, write_night

__all__ = [
    "ArchiveFolder",
    "ArchiveProblem",
    "ArchivedLog",
    "LogRefused",
    "NightList",
    "Wanted",
    "WrittenNight",
    "archived_log",
    "night_lists",
    "write_night",
]
