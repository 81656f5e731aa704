"""The file in which a check keeps what the next one needs: read with the same care as a log.

It is an Arrow file: the kept events of all tables as frames of `compliance.table_log.frame`,
each with the part that it plays, and in its metadata who made it and which checks are open. Behind
it stands its SHA-256, so that not one bit of what was left open can change unnoticed.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final

import polars as pl
import pyarrow as pa  # type: ignore[import-untyped]

from compliance.checking.nights import KeptTable, Nights, Place
from compliance.integrity import Seam
from compliance.integrity.used_names import used_names_of
from compliance.log.layout import FIXED_TYPES
from compliance.log.problems import LogProblem
from compliance.table_check.check_table import EarlierNight
from event_schemas.file_content import UnreadableContent, file_content
from event_schemas.limits import LARGEST_RESULT

_KEY: Final = b"compliance"
_FORMAT: Final = "nights"
_VERSION: Final = 5
_DIGEST: Final = 32
_PART: Final = "part"
_RULES, _RECENT, _CONTEXT, _CROSSING = range(4)
_ANEW: Final = "Check the earlier logs again, together with this one, or begin anew without it"


@dataclass(frozen=True)
class NightsOrigin:
    """By what a file was made: verdicts of different rules cannot be joined."""

    rulebook: str
    """SHA-256 of the rules."""
    vocabulary: str
    """Fingerprint of the schema."""
    profile: str
    choices: str
    """A proof of the table options and manifests."""


def nights_bytes(nights: Nights, made: NightsOrigin) -> bytes:
    """The content of the file."""
    parts = []
    for kept in nights.tables.values():
        parts += [
            _marked(kept.earlier.frame, _RULES),
            _marked(kept.seam.recent, _RECENT),
            _marked(kept.seam.context, _CONTEXT),
        ]
    parts.append(_marked(nights.across_tables.frame, _CROSSING))
    filled = [part for part in parts if len(part)]
    frame = pl.concat(filled, how="diagonal_relaxed") if filled else _empty()
    written = {
        "format": _FORMAT,
        "version": _VERSION,
        "checker": version("table-compliance"),
        "rulebook": made.rulebook,
        "vocabulary": made.vocabulary,
        "profile": made.profile,
        "choices": made.choices,
        "events": len(frame),
        "tables": [
            {
                "casino": casino,
                "table": table,
                "last": kept.last.isoformat(),
                "seq": kept.seam.last_seq,
                "pending": _names(kept.earlier),
                "names": kept.seam.names.shapes,
            }
            for (casino, table), kept in sorted(nights.tables.items())
        ],
        "crossing": _names(nights.across_tables),
    }
    content = frame.to_arrow(compat_level=pl.CompatLevel.oldest()).replace_schema_metadata(
        {_KEY: json.dumps(written, sort_keys=True).encode()}
    )
    sink = pa.BufferOutputStream()
    options = pa.ipc.IpcWriteOptions(compression="zstd")
    with pa.ipc.new_file(sink, content.schema, options=options) as writer:
        writer.write_table(content)
    body = bytes(sink.getvalue())
    return body + hashlib.sha256(body).digest()


def _marked(frame: pl.DataFrame, part: int) -> pl.DataFrame:
    return frame.with_columns(pl.lit(part, pl.Int8).alias(_PART))


def _empty() -> pl.DataFrame:
    return pl.DataFrame(schema={**FIXED_TYPES, _PART: pl.Int8()})


def _names(earlier: EarlierNight) -> dict[str, list[str]]:
    return {rule: sorted(names) for rule, names in sorted(earlier.pending.items())}


def read_nights(path: Path, made: NightsOrigin) -> tuple[Nights | None, LogProblem | None]:
    """What a file keeps, or why it cannot be used."""
    try:
        data = file_content(path, LARGEST_RESULT).data
        body, digest = data[:-_DIGEST], data[-_DIGEST:]
        if hashlib.sha256(body).digest() != digest:
            return None, _damaged(path)
        content = pa.ipc.open_file(pa.BufferReader(body)).read_all()
        content.validate(full=True)
        written = json.loads((content.schema.metadata or {})[_KEY])
        unfit = _unfit(written, made)
        if unfit:
            return None, LogProblem(path.name, unfit)
        nights = _nights(pl.DataFrame(pl.from_arrow(content)), written)
    except UnreadableContent as problem:
        message = f"The file could not be read: {problem.reason}."
        return None, LogProblem(path.name or str(path), message)
    except (OSError, pa.ArrowException, pl.exceptions.PolarsError):
        return None, _damaged(path)
    except (ValueError, KeyError, TypeError, RecursionError, AttributeError):
        return None, _damaged(path)
    if written["choices"] == made.choices:
        return nights, None
    remark = (
        f"The table options or manifests are not those of the check that made {path.name}; what "
        "that one left open was judged with the new ones, as far as these allow it."
    )
    return replace(nights, remark=remark), None


def _damaged(path: Path) -> LogProblem:
    message = f"It is not what a check has kept for the next one, or it is damaged. {_ANEW}."
    return LogProblem(path.name, message)


def _unfit(written: Any, made: NightsOrigin) -> str:
    """Why what was kept does not fit this run."""
    if written["format"] != _FORMAT:
        raise ValueError
    if written["version"] != _VERSION:
        return f"It was kept by another version of this program ({written['checker']}). {_ANEW}."
    if written["vocabulary"] != made.vocabulary:
        return f"It was kept with another vocabulary (--schema). {_ANEW}."
    if written["rulebook"] != made.rulebook:
        return (
            "It was kept by a check with other rules, and what these left open cannot be decided "
            f"by the rules of today. {_ANEW}."
        )
    if written["profile"] != made.profile:
        name = written["profile"] or "none"
        return f"It was kept by a check with another profile ({name}). {_ANEW}."
    return ""


def _nights(frame: pl.DataFrame, written: Any) -> Nights:
    if len(frame) != written["events"]:
        raise ValueError
    for name, kind in FIXED_TYPES.items():
        if frame.schema[name] != kind or frame[name].null_count():
            raise ValueError
    by_place: dict[Place, dict[int, pl.DataFrame]] = {}
    own = frame.filter(pl.col(_PART) != _CROSSING)
    for part in own.partition_by("casino", "table", _PART, maintain_order=True):
        place = (str(part["casino"][0]), str(part["table"][0]))
        by_place.setdefault(place, {})[int(part[_PART][0])] = _without_empty(part)
    tables = {}
    for item in written["tables"]:
        parts = by_place.pop((item["casino"], item["table"]))
        earlier = EarlierNight(parts.get(_RULES, _bare()), _pending(item["pending"]))
        names = used_names_of(item["names"])
        kept = KeptTable(earlier, Seam(parts[_RECENT], parts.get(_CONTEXT, _bare()), names))
        if kept.seam.last_seq != item["seq"]:
            raise ValueError
        tables[item["casino"], item["table"]] = kept
    if by_place:
        raise ValueError
    across_tables = _without_empty(frame.filter(pl.col(_PART) == _CROSSING))
    return Nights(tables, EarlierNight(across_tables, _pending(written["crossing"])))


def _bare() -> pl.DataFrame:
    return _empty().drop(_PART)


def _pending(written: dict[str, list[str]]) -> dict[str, frozenset[str]]:
    return {rule: frozenset(names) for rule, names in written.items()}


def _without_empty(frame: pl.DataFrame) -> pl.DataFrame:
    """The columns in which something is recorded, as in a log that was just read."""
    kept = [
        name
        for name in frame.columns
        if name in FIXED_TYPES or (name != _PART and frame[name].null_count() < len(frame))
    ]
    return frame.select(kept)
