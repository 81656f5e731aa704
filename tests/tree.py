"""The files of the repository, as git sees them."""

from __future__ import annotations

import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent


def project_files() -> list[str]:
    """Return every tracked file, and every new file that git does not ignore."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return sorted(name for name in set(listed.split("\0")) if name and (ROOT / name).is_file())


def text_of(name: str) -> str:
    """Return a file's text; pictures and other binary files count as empty."""
    try:
        return (ROOT / name).read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return ""
