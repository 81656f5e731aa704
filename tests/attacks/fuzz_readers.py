"""Coverage-guided fuzzing of what reads strangers' files, with atheris (`pip install atheris`).

    .venv/bin/python tests/attacks/fuzz_readers.py json -max_total_time=3600

Anything but an answer or a sentence ends it, with the input that did it.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any


def readers() -> dict[str, Callable[[bytes], object]]:
    """What is fed, by name."""
    from compliance.log import tables
    from compliance.log.table_options import load_table_options
    from event_schemas import builtin_schema
    from rules_dsl.rulebook import load_text

    schema = builtin_schema()
    folder = Path(tempfile.mkdtemp())

    def log(ending: str) -> Callable[[bytes], object]:
        def read(data: bytes) -> object:
            path = folder / f"log.{ending}"
            path.write_bytes(data)
            return [table.frame for table in tables([path], schema)]

        return read

    def side(data: bytes) -> object:
        path = folder / "own.toml"
        path.write_bytes(data)
        return load_table_options(path, schema)

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


def main() -> None:
    import atheris  # type: ignore[import-untyped]

    name = sys.argv.pop(1)
    # Only our own code: Polars looks at the bytes of its functions, which would be others.
    with atheris.instrument_imports(include=["compliance", "event_schemas", "rules_dsl"]):
        read = readers()[name]
    setup: Any = atheris.Setup
    setup(sys.argv, read)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
