"""Takes the SHA-256 of files beside other work."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

_PIECE: Final = 1 << 20


class Fingerprints:
    """The fingerprints of some files, one file after the other."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self._stopped = threading.Event()
        self._thread = ThreadPoolExecutor(1)
        self._found = {path: self._thread.submit(self._sha256, path) for path in paths}

    def of(self, path: Path) -> str:
        """The fingerprint of a file, as soon as it is known."""
        return self._found[path].result()

    def stop(self) -> None:
        """No further fingerprint is wanted."""
        self._stopped.set()
        self._thread.shutdown()

    def _sha256(self, path: Path) -> str:
        digest = hashlib.sha256()
        with path.open("rb", buffering=0) as file:
            while not self._stopped.is_set() and (block := file.read(_PIECE)):
                digest.update(block)
        return digest.hexdigest()
