"""A result that is written piece by piece is the same as if it were written at once."""

from __future__ import annotations

import gc
import json
import tracemalloc
from collections.abc import Callable, Iterator

import pytest

from reports.model import Run
from reports.run_hash import run_hash
from reports.sarif import sarif_pieces
from reports.saved_json import json_pieces
from tests.reports.many_findings import many
from tests.reports.sample import full_run, run_of

RUNS = {"full": full_run, "many findings": lambda: many(3, 70), "no rules": run_of}

of_every_run = pytest.mark.parametrize("made", RUNS.values(), ids=RUNS)


@of_every_run
def test_the_json_is_what_the_model_writes_at_once(made: Callable[[], Run]) -> None:
    run = made()
    sealed = run.model_copy(update={"sha256": run_hash(run)})
    assert "".join(json_pieces(run)) == sealed.model_dump_json(indent=2) + "\n"


@of_every_run
def test_sarif_is_laid_out_as_if_written_at_once(made: Callable[[], Run]) -> None:
    text = "".join(sarif_pieces(made()))
    assert text == json.dumps(json.loads(text), indent=1, ensure_ascii=True) + "\n"


@pytest.mark.parametrize("pieces", [json_pieces, sarif_pieces])
def test_the_whole_never_stands_in_memory_at_once(pieces: Callable[[Run], Iterator[str]]) -> None:
    run = many(rules=2, findings=1000)
    # A command looks for garbage seldom; here it would be taken for a part of the result.
    before = gc.get_threshold()
    gc.set_threshold(700, 10, 10)
    try:
        # What is made once for all results, when the first one is written, is not of this one.
        sum(map(len, pieces(many(rules=1, findings=1))))
        tracemalloc.start()
        size = sum(map(len, pieces(run)))
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
        gc.set_threshold(*before)
    assert peak < size / 4
