"""Reads logs: files of many formats become typed frames, and what does not fit is set aside."""

from compliance.log.manifest import Manifest, inferred_manifest, load_manifest
from compliance.log.mapping import Mapping
from compliance.log.mapping_file import load_mapping
from compliance.log.problems import LogProblem, Quarantine, SetAside
from compliance.log.sources import FORMATS
from compliance.log.table_options import TableOptions, load_table_options
from compliance.log.tables import LogTables, TableFrame, tables

__all__ = [
    "FORMATS",
    "LogProblem",
    "LogTables",
    "Manifest",
    "Mapping",
    "Quarantine",
    "SetAside",
    "TableFrame",
    "TableOptions",
    "inferred_manifest",
    "load_manifest",
    "load_mapping",
    "load_table_options",
    "tables",
]
