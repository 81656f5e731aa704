"""The `compliance` command: a thin shell over the checker, quick to start and plain to read."""

from compliance.cli.entry import main

__all__ = ["main"]
