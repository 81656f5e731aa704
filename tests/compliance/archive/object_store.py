"""An object store for tests: it counts what is opened and read, and can fail at any moment."""

from __future__ import annotations

from dataclasses import dataclass, field
from io import BytesIO
from typing import Any

import pyarrow as pa  # type: ignore[import-untyped]
from pyarrow.fs import (  # type: ignore[import-untyped]
    FileInfo,
    FileSelector,
    FileSystemHandler,
    FileType,
    PyFileSystem,
)

from compliance.archive import ArchiveFolder


class Dead(OSError):
    """The machine stops here."""


@dataclass
class Bucket(FileSystemHandler):  # type: ignore[misc]
    """Objects by their names. There are no folders, and nothing can be renamed."""

    objects: dict[str, bytes] = field(default_factory=dict)
    opened: list[str] = field(default_factory=list)
    steps_left: int | None = None
    """After how many writes and deletions the machine stops."""

    @property
    def read(self) -> int:
        """How many bytes were read."""
        return sum(len(self.objects[path]) for path in self.opened)

    def archive(self) -> ArchiveFolder:
        """The archive in this bucket."""
        return ArchiveFolder("memory://nights", PyFileSystem(self), "nights", None)

    def step(self) -> None:
        if self.steps_left is not None:
            if not self.steps_left:
                raise Dead("The machine stopped")
            self.steps_left -= 1

    def get_type_name(self) -> str:
        return "memory"

    def get_file_info(self, paths: list[str]) -> list[Any]:
        return [self._info(path) for path in paths]

    def _info(self, path: str) -> Any:
        if path in self.objects:
            return FileInfo(path, FileType.File, size=len(self.objects[path]))
        within = any(name.startswith(f"{path}/") for name in self.objects)
        return FileInfo(path, FileType.Directory if within else FileType.NotFound)

    def get_file_info_selector(self, selector: FileSelector) -> list[Any]:
        start = selector.base_dir.rstrip("/") + "/"
        found = {}
        for name in self.objects:
            if name.startswith(start):
                rest = name.removeprefix(start).split("/")
                end = len(rest) if selector.recursive else 1
                path = start + "/".join(rest[:end])
                found[path] = self._info(path)
        return list(found.values())

    def open_input_stream(self, path: str) -> Any:
        if path not in self.objects:
            raise FileNotFoundError(2, "No such object", path)
        self.opened.append(path)
        return pa.PythonFile(BytesIO(self.objects[path]), mode="r")

    def open_input_file(self, path: str) -> Any:
        return self.open_input_stream(path)

    def open_output_stream(self, path: str, metadata: Any) -> Any:
        bucket = self

        class Written(BytesIO):
            def close(self) -> None:
                if not self.closed:
                    bucket.step()
                    bucket.objects[path] = self.getvalue()
                super().close()

        return pa.PythonFile(Written(), mode="w")

    def delete_file(self, path: str) -> None:
        self.step()
        del self.objects[path]

    def normalize_path(self, path: str) -> str:
        return path

    def _never(self, *given: Any) -> Any:
        raise NotImplementedError

    create_dir = delete_dir = delete_dir_contents = delete_root_dir_contents = _never
    move = copy_file = open_append_stream = _never
