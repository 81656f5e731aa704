"""The attacks have a cache of their own, and watched libraries where the environment names them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from compliance.engine import library
from compliance.log import compiled_pages


@pytest.fixture(autouse=True, scope="session")
def own_cache(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("cache")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(folder))
        yield folder


@pytest.fixture(autouse=True, scope="session")
def watched_code() -> Iterator[None]:
    """See watched.py."""
    watched = os.environ.get("WATCHED_CODE")
    with pytest.MonkeyPatch.context() as patch:
        if watched:
            patch.setattr(library, "FILE", Path(watched, "engine.so"))
            patch.setattr(compiled_pages, "FILE", Path(watched, "pages.so"))
        yield
