"""Passwords and tokens: named in the settings, kept in the environment or in a closed file.

[notify.mail]
password = { env = "MAIL_PASSWORD" }
password = { file = "/etc/compliance/mail-password" }
"""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, model_validator

LONGEST: Final = 10_000
_HOW: Final = 'write { env = "NAME" } or { file = "PATH" }'


class SecretUnknown(Exception):
    """Why a secret is not at hand, in one sentence that does not tell it."""


class Secret(BaseModel):
    """Where a secret is kept: in a variable of the environment, or in a file."""

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    env: str | None = None
    file: Path | None = None

    @model_validator(mode="before")
    @classmethod
    def _never_itself(cls, value: Any) -> Any:
        if isinstance(value, str):
            raise ValueError(f"a secret does not stand in this file; {_HOW}")
        return value

    @model_validator(mode="after")
    def _one_place(self) -> Secret:
        if (not self.env) == (self.file is None):
            raise ValueError(f"a secret has one place; {_HOW}")
        return self


@dataclass(frozen=True)
class Secrets:
    """Finds secrets; paths are read from a folder, mostly that of the settings."""

    folder: Path = Path()
    environment: Mapping[str, str] = field(default_factory=lambda: os.environ, repr=False)

    def of(self, secret: Secret) -> str:
        """The secret itself, or why it is not at hand."""
        if secret.env is not None:
            found = self.environment.get(secret.env, "")
            if not found:
                raise SecretUnknown(f"The environment has no {secret.env}, or it is empty.")
            return found
        assert secret.file is not None
        return secret_in_file(self.folder / secret.file)


def secret_in_file(path: Path) -> str:
    """The first line of a file that nobody but its owner can read."""
    try:
        # Looked at and read through the same handle: nobody can put another file in between. A pipe
        # to which nobody writes is not waited for.
        with os.fdopen(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
            state = os.fstat(file.fileno())
            if not stat.S_ISREG(state.st_mode):
                raise SecretUnknown(f"{path} is no plain file, as a secret needs.")
            if state.st_mode & 0o077:
                raise SecretUnknown(
                    f"{path} can be read or written by others than its owner; "
                    f"`chmod 600 {path}` closes it. Its secret was not used."
                )
            text = file.read(LONGEST + 1)
    except OSError as problem:
        raise SecretUnknown(f"{path} cannot be read: {problem.strerror}.") from None
    lines = text.decode("utf-8", "replace").splitlines()
    if len(text) > LONGEST or len(lines) != 1 or not lines[0] or "\ufffd" in lines[0]:
        raise SecretUnknown(f"{path} does not hold one line of text, as a secret does.")
    return lines[0]
