"""Coverage-guided fuzzing of what reads strangers' files, with atheris (`pip install atheris`).

    .venv/bin/python tests/attacks/fuzz_readers.py json -max_total_time=3600

Anything but an answer or a sentence ends it, with the input that did it, and so does an input that
takes more than 20 seconds or 1.5 GB. A corpus that is kept may be named before the options.
"""

from __future__ import annotations

import io
import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

LIMITS: Final = ("-timeout=20", "-rss_limit_mb=1500", "-max_len=4096")
SIDE_FILES: Final = (
    b'[tables.T1]\ndecks = 6\n[tables."*"]\nsoft_17 = "hit"\n',
    b'[source]\nname = "S"\n[records]\nall = ["card_dealt"]\nsome = ["card_burned"]\n',
    b'[fields]\nid = "n"\n[types]\n"DEAL" = "card_dealt"\n[values.card]\n"11" = "ace"\n',
    b'[[events]]\nname = "tip"\ndoc = "A tip."\n[events.fields.amount]\nkind = "money"\n',
)


def readers() -> dict[str, Callable[[bytes], object]]:
    """What is fed, by name."""
    from compliance.log import tables
    from compliance.log.manifest import load_manifest
    from compliance.log.mapping_file import load_mapping
    from compliance.log.table_options import load_table_options
    from event_schemas import builtin_schema
    from event_schemas.schema_file import load_schema
    from rules_dsl.rulebook import load_text

    schema = builtin_schema()
    folder = Path(tempfile.mkdtemp())

    def log(ending: str) -> Callable[[bytes], object]:
        def read(data: bytes) -> object:
            path = folder / f"log.{ending}"
            path.write_bytes(data)
            return [table.frame for table in tables([path], schema)]

        return read

    def side(data: bytes) -> None:
        for ending in ("toml", "json"):
            path = folder / f"own.{ending}"
            path.write_bytes(data)
            load_table_options(path, schema)
            load_manifest(path, schema)
            load_mapping(path, schema)
        load_schema(folder / "own.toml")

    def rules(data: bytes) -> object:
        return load_text(data.decode(errors="replace"), schema)

    return {
        "json": log("jsonl"),
        "csv": log("csv"),
        "xes": log("xes"),
        "parquet": log("parquet"),
        "rules": rules,
        "side": side,
    }


def seeds(name: str) -> tuple[bytes, ...]:
    """Sound files to begin with."""
    import polars as pl

    from tests.attacks.arena import EVENT, RULES, record

    lines = [EVENT | {"id": f"e{n}", "seq": n} for n in (1, 2, 3)]
    frame = pl.DataFrame(lines).with_columns(pl.col("ts").str.to_datetime(time_zone="UTC"))
    packed = io.BytesIO()
    frame.write_parquet(packed)
    event = (
        '<event><string key="concept:name" value="card_dealt"/><date key="time:timestamp" '
        'value="2024-03-09T20:00:00-05:00"/><string key="to" value="player"/></event>'
    )
    return {
        "json": (record().encode(), json.dumps(lines).encode()),
        "csv": (pl.DataFrame(lines).write_csv().encode(),),
        "xes": (
            f'<log><trace><string key="concept:name" value="T1"/>{event}</trace></log>'.encode(),
        ),
        "parquet": (packed.getvalue(),),
        "rules": (RULES.encode(), b"define d = amount is $5\ninterval i is card_dealt\n"),
        "side": SIDE_FILES,
    }[name]


def main() -> None:
    import atheris  # type: ignore[import-untyped]

    name = sys.argv.pop(1)
    # Only our own code: Polars looks at the bytes of its functions, which would be others.
    with atheris.instrument_imports(include=["compliance", "event_schemas", "rules_dsl"]):
        read = readers()[name]
    corpus = Path(tempfile.mkdtemp(), name)
    corpus.mkdir()
    for number, seed in enumerate(seeds(name)):
        (corpus / str(number)).write_bytes(seed)
    setup: Any = atheris.Setup
    setup([sys.argv[0], *LIMITS, *sys.argv[1:], str(corpus)], read)
    atheris.Fuzz()


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parents[2]))
    main()
